# REQUIRES: nvcc
# ./dev lit tests/frontend/foreign_types.py
# RUN: tilescope compile %s:weighs --emit=ptx -o - | FileCheck %s --check-prefix=PTX
# RUN: tilescope compile %s:weighs -o %t.cu && nvcc -std=c++17 -arch=sm_80 -cubin -o %t.cubin %t.cu
# RUN: tilescope compile %s:plain -o - | FileCheck %s --check-prefix=PLAIN

# CUDA of the kernel's author finds the names that nvcc has from the host's headers, and TileLang from its own.
import tilelang
import tilelang.language as T

SOURCE = """
__device__ uint weigh(uchar a, ushort b, ulong c, uint8_t d, int16_t e, int32_t f, int64_t g, uint64_t h) {
  return uint(a + b + c + d + e + f + g + h) & uint32_t(0xffff);
}
"""


@tilelang.jit
def weighs():
    @T.prim_func
    def main(X: T.Tensor((64,), "uint32")):
        # PTX: .entry weighs_kernel(
        with T.Kernel(1, threads=64):
            tx = T.get_thread_binding()
            T.import_source(SOURCE)
            X[tx] = T.call_extern("uint32", "weigh", tx, tx, tx, tx, tx, tx, tx, tx)

    return main


# The text of other kernels stays as it is.
@tilelang.jit
def plain():
    @T.prim_func
    def main(X: T.Tensor((64,), "uint32")):
        # PLAIN-NOT: using uint
        # PLAIN: __launch_bounds__(64) plain_kernel(
        with T.Kernel(1, threads=64):
            X[T.get_thread_binding()] = 1

    return main
