# RUN: tilescope compile %s:none -o - | FileCheck %s --check-prefix=NONE
# ./dev lit tests/passes/merge_shared_memory_sizes.py
# RUN: tilescope compile %s:one -o - | FileCheck %s --check-prefix=ONE
# RUN: tilescope compile %s:empty -o - | FileCheck %s --check-prefix=EMPTY
# RUN: tilescope compile %s:static -o - | FileCheck %s --check-prefix=STATIC
# RUN: tilescope compile %s:at_launch -o - | FileCheck %s --check-prefix=LAUNCH
# RUN: tilescope compile %s:at_launch --no-aliases -o - | FileCheck %s --check-prefix=PLAIN
# RUN: tilescope check %s:at_launch
# RUN: tilescope show arena %s:at_launch | FileCheck %s --check-prefix=ARENA
# RUN: tilescope compile %s:hand_over -o - | FileCheck %s --check-prefix=HANDOVER
# RUN: tilescope show arena %s:hand_over | FileCheck %s --check-prefix=REGIONS
# RUN: tilescope show ir %s:hand_over --pass merge-shared-memory | FileCheck %s --check-prefix=IR
# RUN: tilescope check %s:hand_over

# Arenas with nothing in them, with one buffer, with an empty one, beside static memory, sized at launch.
import tilelang.language as T


# NONE-NOT: arena
# NONE: none_kernel<<<grid, 128, 0, stream>>>(A);
@T.prim_func
def none(A: T.Tensor((256,), "float32")):
    with T.Kernel(2, threads=128) as bx:
        for i in T.Parallel(128):
            A[bx * 128 + i] = 1.0


# ONE: float *const S = reinterpret_cast<float *>(arena + 0);
# ONE: one_kernel<<<grid, 128, 512, stream>>>(A);
@T.prim_func
def one(A: T.Tensor((128,), "float32")):
    with T.Kernel(1, threads=128) as bx:
        S = T.alloc_shared((128,), "float32")
        T.copy(A, S)
        for i in T.Parallel(128):
            A[i] = S[127 - i]


# EMPTY: R: float32[128], row_major, bytes [0, 512)
# EMPTY-NEXT: bytes not shared
# EMPTY: empty_kernel<<<grid, 128, 512, stream>>>(A);
@T.prim_func
def empty(A: T.Tensor((128,), "float32")):
    with T.Kernel(1, threads=128) as bx:
        _ = T.alloc_shared((0,), "float32")
        R = T.alloc_shared((128,), "float32")
        T.copy(A, R)
        T.copy(R, A)


# STATIC: __shared__ alignas(128) float S[128];
# STATIC: __shared__ alignas(128) bool B[128];
# STATIC: static_kernel<<<grid, 128, 0, stream>>>(A);
@T.prim_func
def static(A: T.Tensor((128,), "float32")):
    with T.Kernel(1, threads=128) as bx:
        S = T.alloc_shared((128,), "float32", scope="shared")
        B = T.alloc_shared((128,), "bool")
        T.copy(A, S)
        for i in T.Parallel(128):
            B[i] = S[127 - i] > 0
        for i in T.Parallel(128):
            A[i] = T.if_then_else(B[127 - i], 1.0, 0.0)


# A stride that the kernel's parameters decide; rows of S and of R stand above what is planned.
# LAUNCH: C: float32[128], row_major, bytes [0, 512)
# LAUNCH: S: float16[n, 3], row_major, its size is known at launch
# LAUNCH-NEXT: bytes not shared
# LAUNCH-NEXT: half *const S = reinterpret_cast<half *>(arena + 512);
# LAUNCH: R: int8[n], row_major, its size is known at launch
# LAUNCH: i8 *const R = reinterpret_cast<i8 *>(arena + 512 + (i64(n) * 3 * 2 + 15) / 16 * 16);
# LAUNCH: const i64 shared_bytes = 512 + (i64(n) * 3 * 2 + 15) / 16 * 16 + (i64(n) + 15) / 16 * 16;
# LAUNCH: cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared_bytes));
# LAUNCH: at_launch_kernel<<<grid, 128, int(shared_bytes), stream>>>(A, n);
# PLAIN: reinterpret_cast<i8 *>(arena + 512 + (i64(n) * 3 * 2 + 15) / 16 * 16)[i]
# ARENA: at_launch_kernel: 512 of 166,912 bytes
@T.prim_func
def at_launch(A: T.Tensor((128,), "float32"), n: T.int32):
    with T.Kernel(1, threads=128) as bx:
        S = T.alloc_shared((n, 3), "float16")
        R = T.alloc_shared((n,), "int8")
        C = T.alloc_shared((128,), "float32")
        T.copy(A, C)
        for i in T.serial(n):
            S[i, 2] = C[i % 128]
            R[i] = 1
        for i in T.Parallel(128):
            A[i] = C[127 - i] + S[0, 2] + R[0]


# X is dead when Z is born, so both begin at one byte, and the region is as large as the larger. Y
# stands above, and a barrier keeps the writes of Z behind the reads of X.
# HANDOVER: X: float32[n], row_major, its size is known at launch
# HANDOVER-NEXT: shares bytes with Z
# HANDOVER: *const X = reinterpret_cast<float *>(arena + 512);
# HANDOVER: *const Y = reinterpret_cast<half *>(
# HANDOVER: *const Z = reinterpret_cast<half *>(arena + 512);
# HANDOVER: const i64 shared_bytes = 512 + max((i64(n) * 4 + 15) / 16 * 16, (i64(n) * 2 + 15) / 16 * 16) +
# REGIONS: sized at launch, above these bytes; the certificate does not cover them
# REGIONS: X {{.*}} 0 {{.*}} shares bytes with Z
# REGIONS: Z {{.*}} 0 {{.*}} shares bytes with X
# REGIONS: Y {{.*}} 1 {{.*}} alone
# IR: X = T.alloc_shared((n,), "float32", layout="row_major", launch_region=0)
# IR: Y = T.alloc_shared((n,), "float16", layout="row_major", launch_region=1)
# IR: Z = T.alloc_shared((n,), "float16", layout="row_major", launch_region=0)
@T.prim_func
def hand_over(A: T.Tensor((128,), "float32"), n: T.int32):
    with T.Kernel(1, threads=128) as bx:
        X = T.alloc_shared((n,), "float32")
        Y = T.alloc_shared((n,), "float16")
        Z = T.alloc_shared((n,), "float16")
        C = T.alloc_shared((128,), "float32")
        T.copy(A, C)
        for i in T.serial(n):
            X[i] = C[i % 128]
        for i in T.serial(n):
            Y[n - 1 - i] = X[i]
        for i in T.serial(n):
            Z[i] = Y[n - 1 - i] * 2.0
        for i in T.Parallel(128):
            A[i] = Z[i] + C[127 - i]
