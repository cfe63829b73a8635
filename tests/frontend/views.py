# RUN: tilescope opt --passes '' %s:views 2>&1 | FileCheck %s --check-prefix=VIEWS
# ./dev lit tests/frontend/views.py
# RUN: tilescope opt --passes '' %s:pointers 2>&1 | FileCheck %s --check-prefix=POINTERS
# RUN: tilescope opt --passes '' %s:bits 2>&1 | FileCheck %s --check-prefix=BITS
# RUN: tilescope opt --passes '' %s:atomics 2>&1 | FileCheck %s --check-prefix=ATOMICS
# RUN: tilescope compile %s:atomics -o - | FileCheck %s --check-prefix=CUDA
# RUN: tilescope exec --every-pass %s:atomics --witness | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: tilescope opt --passes '' %s:launches 2>&1 | FileCheck %s --check-prefix=LAUNCHES

# Views are the memory of their buffer: every access names the buffer, in one shape.
import tilelang.language as T


# What a view of a tensor is copied from is a box of the view alone, so the tensor gets that shape.
# VIEWS: W: T.Tensor((36, 64), "float16"),
@T.prim_func
def views(A: T.Tensor((64, 64), "float16"), W: T.Tensor((3, 3, 4, 64), "float16")):
    with T.Kernel(2, threads=128) as bx:
        # VIEWS: S = T.alloc_shared((64, 64), "float16")
        # VIEWS-NEXT: F = T.alloc_fragment((64, 64), "float32")
        # VIEWS-NEXT: sums = T.alloc_fragment((64, 4), "float32")
        # VIEWS-NEXT: groups = T.alloc_fragment((64, 4, 16), "float32")
        S = T.alloc_shared((64, 64), "float16")
        F = T.alloc_fragment((64, 64), "float32")
        sums = T.alloc_fragment((64, 4), "float32")
        S3 = T.view(S, (4, 16, 64))
        groups = T.reshape(F, (64, 4, 16))
        rows = T.Tensor((36, 64), "float16", W.data)
        one = T.reshape(T.view(S3, (64, 64)), (4096,))
        # VIEWS: T.fill(F[0:64, 0:64], 0.0)
        T.clear(groups)
        # Axes that both have stay, others are a box where one can be shown.
        # VIEWS: T.copy(A[0:64, 0:64], S[0:64, 0:64])
        T.copy(A, T.reshape(S, (1, 64, 64)))
        # VIEWS-NEXT: T.copy(S[16:32, 0:64], A[0:16, 0:64])
        T.copy(S3[1, :, :], A[0:16, :])
        # VIEWS-NEXT: T.copy(W[bx * 18:bx * 18 + 18, 0:64], S[0:18, 0:64])
        T.copy(rows[bx * 18, 0], S[0:18, :])
        # VIEWS-NEXT: S[bx * 16 + 3, 5] = T.float16(1.0)
        S3[bx, 3, 5] = 1
        # VIEWS-NEXT: S[(bx * 64 + 7) // 64, (bx * 64 + 7) % 64] = T.float16(2.0)
        one[bx * 64 + 7] = 2
        # A move without a box goes element by element.
        # VIEWS-NEXT: for i, i_1 in T.Parallel(4, 16):
        # VIEWS-NEXT: F[0, i * 16 + i_1] = T.float32(S[0, i * 16 + i_1])
        T.copy(T.view(S, (64, 4, 16))[0, :, :], groups[0, :, :])
        # Other operations have a tile of their own, which gets the elements.
        # VIEWS-NEXT: for i, i_1, i_2 in T.Parallel(64, 4, 16):
        # VIEWS-NEXT: groups[i, i_1, i_2] = F[i, i_1 * 16 + i_2]
        # VIEWS-NEXT: T.reduce(groups[0:64, 0:4, 0:16], sums[0:64, 0:4], dim=2)
        T.reduce_sum(groups, sums, dim=2)
        # VIEWS-NEXT: T.gemm(
        T.gemm(S, S, F)


# A parameter that is a pointer is what the first T.make_tensor says. A workspace is no parameter.
# POINTERS: A: T.Tensor((8, 16), "float32"),
# POINTERS-NEXT: B: T.Tensor((128,), "float32", strides=[2]),
# POINTERS-NEXT: ):
# POINTERS-NEXT: work = T.alloc_global((128,), "float32")
@T.prim_func
def pointers(a: T.handle, b: T.ptr):
    A = T.make_tensor(a, (8, 16), "float32")
    B = T.make_tensor(b, (128,), "float32", strides=(2,))
    work = T.alloc_global((128,), "float32")
    with T.Kernel(threads=128):
        flat = T.make_tensor(A.data, (128,), "float32")
        # POINTERS: for i in T.Parallel(128):
        # POINTERS-NEXT: work[i] = A[i // 16, i % 16]
        # POINTERS: B[i] = work[i]
        for i in T.Parallel(128):
            work[i] = flat[i]
        for i in T.Parallel(128):
            B[i] = work[i]


# Of views of several element types the narrowest stays, but a tensor is of its own.
# BITS: A: T.Tensor((64,), "float32"),
# BITS-NEXT: B: T.Tensor((2, 32), "float32"),
@T.prim_func
def bits(A: T.Tensor((64,), "float32"), B: T.Tensor((32, 2), "float32")):
    with T.Kernel(1, threads=32):
        tx = T.get_thread_binding()
        # BITS: S = T.alloc_shared((4, 32), "float16")
        # BITS-NEXT: own = T.alloc_local((8,), "uint8")
        S = T.alloc_shared((2, 32), "float32")
        H = T.view(S, (4, 32), "float16")
        own = T.alloc_local((2,), "uint32")
        bytes = T.view(own, (8,), "uint8")
        ints = T.view(A, dtype="int32")
        halves = T.view(A, (128,), "float16")
        T.clear(H)
        T.clear(bytes)
        # BITS: S[1, 3] = T.float16(2.0)
        H[1, 3] = 2
        # Both halves of a number, of the bits that it had before.
        # BITS-NEXT: bits: T.uint32 = T.reinterpret({{.*}}, "uint32")
        # BITS-NEXT: S[{{.*}}] = T.reinterpret(T.uint16(bits), "float16")
        # BITS-NEXT: S[{{.*}}] = T.reinterpret(T.uint16(bits >> T.uint32(16)), "float16")
        S[1, tx] = S[1, tx] + 1.0
        # A part of a number is what is left of its bits.
        # BITS-NEXT: own[2] = T.uint8(T.reinterpret(A[tx], "int32"))
        bytes[2] = T.cast(ints[tx], "uint8")
        # BITS-NEXT: T.uint32(own[0]) | {{.*}} | T.uint32(own[3]) << T.uint32(24)) + {{.*}}A[(tx * 2 + 1) // 2], "uint32") >> T.uint32((tx * 2 + 1) % 2) * T.uint32(16)), "float16")
        A[tx] = T.cast(own[0], "float32") + T.cast(halves[tx * 2 + 1], "float32")
        # What is filled or moved goes element by element.
        W = T.view(H, (64,), "uint32")
        # BITS: for i in T.Parallel(64):
        # BITS-NEXT: bits_1: T.uint32 = T.uint32(7)
        # BITS-NEXT: S[i * 2 // 32, i * 2 % 32] =
        T.fill(W, 7)
        # BITS: for i, i_1 in T.Parallel(2, 32):
        # BITS: S[{{.*}}] = T.reinterpret(T.uint16(bits_
        T.copy(T.reshape(B, (2, 32)), S)


# An atomic operation takes an element for one of another type of as many bits.
# RIGHT: insert-barriers#2 {{.*}}equal
@T.prim_func
def atomics(A: T.Tensor((128,), "float32"), M: T.Tensor((2, 2), "float32"), P: T.Tensor((128,), "int32")):
    with T.Kernel(1, threads=128):
        tx = T.get_thread_binding()
        S = T.alloc_shared((4, 8), "float32")
        bits = T.view(S, (32,), "uint32")
        ints = T.view(M, (4,), "int32")
        if tx < 32:
            bits[tx] = 0
        T.sync_threads()
        # ATOMICS: T.atomic_element(S[tx % 32 // 8, tx % 32 % 8], T.reinterpret(T.abs(A[tx]), "uint32"), kind="max")
        # CUDA: atomicMax(reinterpret_cast<u32 *>(&S[
        T.atomic_max(bits[tx % 32], T.reinterpret(T.abs(A[tx]), "uint32"))
        # ATOMICS: T.atomic_fetch(M[0, 1], previous[0], 1)
        # CUDA: = atomicAdd(reinterpret_cast<int *>(&M[1]), 1);
        old = T.atomic_add(ints[1], 1, return_prev=True)
        P[tx] = T.if_then_else(old > -1, 1, 0)
        T.sync_threads()
        # ATOMICS: T.atomic_load(S[0, 3], loaded[0], order="seq_cst")
        # ATOMICS: T.atomic_store(M[1, 1], {{.*}}, order="seq_cst")
        if tx == 0:
            T.atomic_store(ints[3], T.cast(T.atomic_load(bits[3]) >> 20, "int32"))


@T.macro
def fill(A, value):
    with T.Kernel(threads=32):
        A[0] = value


# Several launches, in macros too, and a grid of one.
# LAUNCHES: with T.Kernel(1, threads=32) as (bx, tx):
# LAUNCHES-NEXT: A[0] = 1.0
# LAUNCHES: with T.Kernel(1, threads=32) as (bx, tx):
# LAUNCHES-NEXT: A[0] = 2.0
@T.prim_func
def launches(A: T.Tensor((8,), "float32")):
    fill(A, 1)
    if A.shape[0] > 4:
        fill(A, 2)
