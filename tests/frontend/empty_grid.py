# RUN: tilescope opt --passes '' %s:nothing | FileCheck %s
# ./dev lit tests/frontend/empty_grid.py
# RUN: tilescope compile %s:nothing -o - | FileCheck %s --check-prefix=CUDA
# RUN: tilescope exec %s:nothing --every-pass | FileCheck %s --check-prefix=EXEC
# RUN: tilescope show arena %s:nothing | FileCheck %s --check-prefix=ARENA

# A grid without blocks, as a size that is 0 gives it: the kernel is made, and its launch does nothing.
import tilelang.language as T


# CHECK: with T.Kernel(0, 2, threads=128) as (bx, by, tx):
# CUDA: __global__ void __launch_bounds__(128) nothing_kernel(
# CUDA: cudaError_t launch_nothing_kernel(
# CUDA: return cudaErrorMisalignedAddress;
# CUDA-NEXT: return cudaSuccess;
# CUDA-NEXT: }
# CUDA-NOT: <<<
# EXEC-NOT: wrong
# ARENA: nothing_kernel
@T.prim_func
def nothing(A: T.Tensor((64, 64), "float16"), B: T.Tensor((64, 64), "float16")):
    with T.Kernel(0, 2, threads=128) as (bx, by):
        s = T.alloc_shared((64, 64), "float16")
        pairs = T.view(s, (64, 32, 2))
        T.copy(A[bx * 64, 0], s)
        for i, j in T.Parallel(64, 32):
            B[bx * 64 + i, j] = pairs[i, j, 0] + pairs[(i + bx) % 64, j, 1]
