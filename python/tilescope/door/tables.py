"""Tables of pointers: the tensors that they point to are one tensor, whose first axes are those of the table, as
core/frontend/tile_views.cpp makes of them too."""

from tvm import tirx

from .errors import NoCounterpart
from .expressions import call_name


def pointer_of(value):
    """The element of a table that a bound value is; None where it is none."""
    is_pointer = call_name(value) == "reinterpret" and str(value.dtype) == "handle"
    return value.args[0] if is_pointer and type(value.args[0]) is tirx.BufferLoad else None


class Tables:
    """`rows`: texts of the indices of a pointer, by the hash of its variable."""

    def __init__(self):
        self.pointers, self.wholes, self.origins, self.rows = {}, {}, {}, {}
        self.different, self.held = set(), []

    def look_at(self, bind):
        element = pointer_of(bind.value)
        if element is not None:
            self.held.append(bind)
            self.pointers[hash(bind.var)] = element.buffer

    def note(self, tensor) -> bool:
        """False: it is no tensor of a table."""
        table = self.pointers.get(hash(tensor.data))
        if table is None:
            return False
        shape = [*table.shape, *tensor.shape]
        whole = self.wholes.get(hash(table))
        if whole is None:
            whole = self.wholes[hash(table)] = tirx.decl_buffer(shape, tensor.dtype, name=table.name)
            self.origins[hash(whole)] = table
        elif whole.dtype != tensor.dtype or [str(extent) for extent in whole.shape] != list(map(str, shape)):
            self.different.add(hash(table))
        return True

    def whole(self, table):
        """All tensors of a table; the buffer itself where it is no table."""
        return self.wholes.get(hash(table), table)

    def origin(self, buffer):
        """The table that a whole is of; the buffer itself where it is none."""
        return self.origins.get(hash(buffer), buffer)

    def place_of(self, tensor):
        """The buffer whose part it is, and the texts of its row there."""
        table = self.pointers.get(hash(tensor.data))
        if table is None:
            return tensor, []
        if hash(table) in self.different:
            raise NoCounterpart(f"'{table.name}', a table of tensors of several shapes or types,")
        return self.whole(table), self.rows[hash(tensor.data)]
