"""T.gemm_sp as our sparse product, or as a dense one. Of every four neighbours along K (of 32 bits: two) its first operand holds two (one), and four
bits of its second say which, two for each: the first of four in the lowest. core/ops/gemm/bind.cpp makes the same of it."""

from tvm import tirx

from .errors import NoCounterpart
from .expressions import constant, literal
from .regions import bits_of, region_of


def group_of(dtype) -> int:
    """Neighbours that are one group."""
    return 2 if bits_of(dtype) == 32 else 4


def per_word(dtype, meta) -> int:
    """Elements along K for each word of `meta`."""
    return bits_of(meta) // 4 * group_of(dtype)


def extents_of(region, is_transposed):
    *_, rows, columns = region.extents
    return tuple(map(constant, (columns, rows) if is_transposed else (rows, columns)))


def has_product(call) -> bool:
    """Whether our sparse product is carried out."""
    kept, words, _, sums = map(region_of, call.args[:4])
    dtype, sum_dtype = str(kept.buffer.dtype), str(sums.buffer.dtype)
    columns = extents_of(kept, constant(call.args[4]))[1]
    by_type = {"float16": ("float16", "float32"), "bfloat16": ("float32",), "float32": ("float32",), "int8": ("int32",),
               "uint8": ("int32",)}
    return (sum_dtype in by_type.get(dtype, ()) and sums.buffer.scope() == "local.fragment"
            and words.buffer.scope().startswith("shared") and bits_of(words.buffer.dtype) <= 32
            and bool(columns) and columns * bits_of(dtype) % 256 == 0)


def dense_of(call):
    """The registers for the first operand with its zeros."""
    kept, words = map(region_of, call.args[:2])
    rows, columns = extents_of(kept, constant(call.args[4]))
    meta_rows, meta_columns = extents_of(words, constant(call.args[5]))
    meta = str(words.buffer.dtype)
    is_shaped = rows and columns and meta_columns and rows == meta_rows
    if not is_shaped or "int" not in meta or bits_of(meta) < 8 or columns * 2 != meta_columns * per_word(kept.buffer.dtype, meta):
        raise NoCounterpart("T.gemm_sp without four bits for every group of its first operand")
    return tirx.decl_buffer((rows, columns * 2), kept.buffer.dtype, name=f"{kept.buffer.name}_dense", scope="local.fragment")


def element(dtype, meta, kept, words, row: str, k: str) -> str:
    """That of the dense operand. `kept` and `words` give the text of an element of the operands."""
    group, wide = group_of(dtype), "int32" if bits_of(meta) < 32 else str(meta)
    word = words(row, f"({k} // {per_word(dtype, meta)})")
    word = word if str(meta) == wide else f'T.cast({word}, "{wide}")'
    shift = f"(({k} // {group}) % {bits_of(meta) // 4} * 4)"

    def is_here(first, place):
        by = f"({shift} + {first})" if first else shift
        by = by if wide == "int32" else f'T.cast({by}, "{wide}")'
        bits = f"({word} >> {by} & {literal(3, wide)})"
        bits = bits if wide == "int32" else f'T.cast({bits}, "int32")'
        return f"{bits} == {place}"

    zero = literal(0, dtype)
    if group == 2:
        return f"({kept(row, f'({k} // 2)')} if {is_here(0, f'({k} % 2 * 2)')} else {zero})"
    first = f"({k} // 4 * 2)"
    second = f"({kept(row, f'({first} + 1)')} if {is_here(2, f'({k} % 4)')} else {zero})"
    return f"({kept(row, first)} if {is_here(0, f'({k} % 4)')} else {second})"
