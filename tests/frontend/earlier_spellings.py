# RUN: tilescope opt --passes '' %s:copy | FileCheck %s
# ./dev lit tests/frontend/earlier_spellings.py

# While TileLang was a part of TVM its modules had other names.
import tvm.tl.language as T
from tvm import te, tl
from tvm.te import size_var
from tvm.tl.autotuner import *


@tl.jit
def copy():
    m = te.var("m")
    n = size_var("n", dtype="int64")
    assert tl.cdiv(5, 4) == 2

    # CHECK: def copy(
    # CHECK: A: T.Tensor((m, n), "float16")
    @T.prim_func
    def main(A: T.Buffer((m, n), "float16"), B: T.Buffer((m, n), "float16")):
        with T.Kernel(T.ceildiv(m, 16), threads=32) as bx:
            T.copy(A[bx * 16, 0], B[bx * 16 : bx * 16 + 16, 0:64])

    return main
