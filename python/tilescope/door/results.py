"""Operations that give a value: in our IR they write registers, which the expression around them reads."""

from tvm import tirx

from . import sparse
from .errors import NoCounterpart
from .expressions import call_name
from .foreign import is_wanted

# The name of the registers by TileLang's name of the operation.
SCALARS = {"atomic_add_ret_elem_op": "previous", "atomic_max_ret_elem_op": "previous",
           "atomic_min_ret_elem_op": "previous", "atomic_load_elem_op": "loaded", "rng_rand": "drawn",
           "rng_rand_float": "drawn"}
# Words of 32 bits.
LOADS = {"ldg32": 1, "ldg64": 2, "ldg128": 4, "ldg256": 8, "lds32": 1, "lds64": 2, "lds128": 4}
STORES = ("stg32", "sts32")  # what they store is in a register
RANDOM_WORDS = 16  # of the state of one thread


class Results:
    """The registers of each call, and of the state that random numbers are drawn from."""

    def __init__(self):
        self.by_call, self.random, self.held, self.discarded = {}, None, [], None
        self.dense = {}  # the registers for what is sparse, of each T.gemm_sp

    def find(self, stmt, buffers: list):
        """Adds what the calls of one statement need, the innermost first."""
        self.discarded = hash(stmt.value) if type(stmt) is tirx.Evaluate else None
        for value in values_of(stmt):
            tirx.stmt_functor.post_order_visit(value, lambda node: self.add(node, buffers))

    def add(self, node, buffers: list):
        name = call_name(node)
        if name == "rng_init" and self.random is None:
            self.random = tirx.decl_buffer((RANDOM_WORDS,), "uint32", name="random", scope="local")
            buffers.append(self.random)
        if name == "gemm_sp":
            self.add_dense(node, buffers)
        if hash(node) in self.by_call:
            return
        words = LOADS.get(name, 1)
        if name in LOADS:
            name, dtype = "words", "uint32"
        elif name in STORES:
            name, dtype = "word", node.args[1].dtype
        elif is_wanted(node) and hash(node) != self.discarded:
            name, dtype = "given", node.dtype
        elif name in SCALARS:
            name, dtype = SCALARS[name], node.dtype
        else:
            return
        buffer = tirx.decl_buffer((words,), dtype, name=name, scope="local" if words > 1 else "local.var")
        self.by_call[hash(node)] = buffer
        self.held.append(node)
        buffers.append(buffer)

    def add_dense(self, call, buffers: list):
        try:
            if sparse.has_product(call):
                return
            buffer = sparse.dense_of(call)
        except NoCounterpart:  # raised again where its line is written
            return
        self.dense[hash(call)] = buffer
        self.held.append(call)
        buffers.append(buffer)


def values_of(stmt):
    """Expressions that a statement evaluates itself."""
    names = {tirx.Bind: ("value",), tirx.Evaluate: ("value",), tirx.BufferStore: ("value",),
             tirx.IfThenElse: ("condition",)}.get(type(stmt), ())
    return [getattr(stmt, name) for name in names]
