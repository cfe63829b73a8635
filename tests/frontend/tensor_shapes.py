# An eager kernel's tensors may be given by their extents, which settle its T.const (BadTensorShape, TensorShapeDiffers).
# ./dev lit tests/frontend/tensor_shapes.py
# RUN: tilescope show ir %s:scale --set "A=(256, 64)" --set "sums=[256]" --pass elaborate | FileCheck %s
# RUN: exits 2 tilescope compile %s:scale --set "A=(256, 64)" --set "sums=(128,)" -o %t.cu 2>&1 | FileCheck %s --check-prefix=DIFFERS
# RUN: exits 2 tilescope compile %s:scale --set "A=(256, 64, 1)" --set "sums=(256,)" -o %t.cu 2>&1 | FileCheck %s --check-prefix=RANK
# RUN: exits 2 tilescope compile %s:scale --set A=256 -o %t.cu 2>&1 | FileCheck %s --check-prefix=NUMBER
# RUN: exits 2 tilescope compile %s:scale --set "sums=(256,)" -o %t.cu 2>&1 | FileCheck %s --check-prefix=OPEN
# RUN: tilescope compile %s:scale --set "A=(256, 64)" --set "sums=(256,)" -o %t.cu --trace %t.trace
# RUN: tilescope show arguments %t.trace | FileCheck %s --check-prefix=TRACE
import tilelang
import tilelang.language as T


# What is fixed, or known to the launch alone, is compared or left.
@tilelang.jit
def scale(A, sums, half=2):
    M, N = T.const("M, N")
    rows = T.dynamic("rows")
    assert N % half == 0
    shape = [M, N]
    A: T.Tensor(shape, "float32")
    sums: T.Tensor((M,), "float32")
    out = T.empty((rows, N // half), "float32")
    with T.Kernel(M, threads=128) as bx:
        for i in T.Parallel(N // half):
            out[bx, i] = A[bx, i] * sums[bx]
    return out


# CHECK: A: T.Tensor((256, 64), "float32")
# CHECK: sums: T.Tensor((256,), "float32")
# DIFFERS: --set sums:1:1: error: the kernel makes the shape of 'sums' (256)
# DIFFERS: note: declared here
# RANK: --set A:1:1: error: the kernel makes the shape of 'A' (256, 64)
# NUMBER: --set A:1:1: error: tensor 'A' is given by its extents, (1024, 512), not by an int
# OPEN: error: kernel 'scale' needs values (--set NAME=VALUE) for: N; its parameters are: M, N, half=2, A (a shape), sums (a shape)
# TRACE: M {{.*}}256
# TRACE: N {{.*}}64
# TRACE-NOT: A
