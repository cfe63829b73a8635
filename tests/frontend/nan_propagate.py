# RUN: tilescope opt --passes '' %s:largest --set dtype=float16 | FileCheck %s
# ./dev lit tests/frontend/nan_propagate.py
# RUN: tilescope compile %s:largest --set dtype=float16 -o - | FileCheck %s --check-prefix=HALF
# RUN: tilescope compile %s:largest --set dtype=float32 -o - | FileCheck %s --check-prefix=FLOAT
# RUN: tilescope exec %s:check --set dtype=float16 --every-pass --witness | FileCheck %s --check-prefix=EXEC
# RUN: tilescope exec %s:check --set dtype=bfloat16 --every-pass --witness | FileCheck %s --check-prefix=EXEC
# RUN: tilescope exec %s:check --set dtype=float32 --every-pass --witness | FileCheck %s --check-prefix=EXEC

# A NaN is left out of the largest of several numbers, or is what comes out, as the kernel says. Sums are NaN anyhow.
import tilelang
import tilelang.language as T


@tilelang.jit
def largest(dtype):
    @T.prim_func
    def main(A: T.Tensor((16, 64), dtype), B: T.Tensor((16,), dtype), C: T.Tensor((16,), dtype)):
        with T.Kernel(1, threads=64):
            f = T.alloc_fragment((16, 64), dtype)
            m = T.alloc_fragment((16,), dtype)
            T.copy(A, f)
            # CHECK: T.reduce(f[0:16, 0:64], m[0:16], kind="max", dim=1)
            T.reduce_max(f, m, dim=1)
            T.copy(m, C)
            # CHECK: T.reduce(f[0:16, 0:64], m[0:16], kind="abs_max", dim=1, nan_propagate=True)
            # HALF: __hmax(
            # HALF: __hmax_nan(
            # FLOAT: max_nan(T a, T b)
            # FLOAT: max_nan(
            T.reduce_absmax(f, m, dim=1, nan_propagate=True)
            T.copy(m, B)
            # CHECK: T.reduce(f[0:16, 0:64], m[0:16], dim=1)
            T.reduce_sum(f, m, dim=1, nan_propagate=True)
            T.copy(m, C)

    return main


# Asserted on the device, since a NaN equals nothing.
@tilelang.jit
def check(dtype):
    @T.prim_func
    def main(B: T.Tensor((64,), dtype)):
        with T.Kernel(1, threads=64):
            tx = T.get_thread_binding()
            f = T.alloc_fragment((16, 64), dtype)
            s = T.alloc_shared((16,), dtype)
            for i, j in T.Parallel(16, 64):
                f[i, j] = T.if_then_else((i == 3) & (j == 5), T.cast(float("nan"), dtype), T.cast(j - 20, dtype))
            # EXEC-NOT: wrong
            # EXEC-NOT: assert
            T.reduce_min(f, s, dim=1, nan_propagate=True)
            T.device_assert(T.isnan(s[tx % 16]) == (tx % 16 == 3))
            T.reduce_absmax(f, s, dim=1, nan_propagate=True)
            T.device_assert(T.isnan(s[tx % 16]) == (tx % 16 == 3))
            B[tx] = T.if_then_else(tx % 16 == 3, T.cast(1, dtype), s[tx % 16])
            T.sync_threads()
            T.reduce_max(f, s, dim=1)
            T.device_assert(s[tx % 16] == 43)

    return main
