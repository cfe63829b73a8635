# RUN: tilescope opt --passes '' %s:pairs | FileCheck %s
# ./dev lit tests/frontend/vector_tensors.py
# RUN: tilescope exec --every-pass %s:pairs | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: tilescope compile %s:pairs -o - | FileCheck %s --check-prefix=CUDA
# RUN: tilescope opt --passes '' %s:made | FileCheck %s --check-prefix=MADE
# RIGHT: insert-barriers#2 {{.*}}equal

# A tensor of vectors has an axis more, the last, for the lanes.
import tilelang
import tilelang.language as T


# CHECK: A: T.Tensor((64, 4), "float16"),
# CHECK-NEXT: B: T.Tensor((2, 64, 2), "float32"),
# CHECK-NEXT: S: T.Tensor((64, 2), "int32", strides=[6, 1]),
@T.prim_func
def pairs(A: T.Tensor((64,), "float16x4"), B: T.Tensor((2, 64), "float32x2"), S: T.StridedTensor((64,), (3,), T.int32x2)):
    with T.Kernel(2, threads=64) as bx:
        tx = T.get_thread_binding()
        assert A.shape[0] == 64 and A.ndim == 1 and A.dtype == "float16x4"
        tile = T.alloc_shared((64,), "float16x4")
        # CHECK: T.copy(A[0:64, 0:4], tile[0:64, 0:4])
        T.copy(A, tile)
        whole = tile[tx]
        low = T.float32x2(T.extract_lane(whole, 0), T.extract_lane(whole, 1))
        # CHECK: B[bx, tx, 0] =
        # CHECK-NEXT: B[bx, tx, 1] =
        # CUDA: int2
        B[bx, tx] = low * T.cast(S[tx], "float32x2") + T.Broadcast(1.0, 2)


# MADE: C: T.Tensor((4, 2), "float32"),
# MADE-NEXT: table: T.Tensor((2, 32, 2), "float32"),
@tilelang.jit
def made(n: int = 4):
    @T.prim_func
    def kernel(a: T.handle, table: T.Tensor((2,), T.ptr)):
        C = T.make_tensor(a, (4,), "float32x2")
        with T.Kernel(1, threads=32):
            tx = T.get_thread_binding()
            W = T.make_tensor(table[1], (32,), "float32x2")
            if tx < 4:
                C[tx] = W[tx]

    return kernel
