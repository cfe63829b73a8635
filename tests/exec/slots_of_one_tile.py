# RUN: tilescope exec --target sm_90a %s:by_tma --every-pass --witness | FileCheck %s --implicit-check-not=WRONG
# ./dev lit tests/exec/slots_of_one_tile.py
# RUN: tilescope exec --target sm_90a %s:by_threads --every-pass --witness | FileCheck %s --implicit-check-not=WRONG
# RUN: tilescope compile --target sm_90a %s:by_tma -o - | FileCheck %s --check-prefixes TEXT,TMA
# RUN: tilescope compile --target sm_90a %s:by_threads -o - | FileCheck %s --check-prefix TEXT
# RUN: tilescope check --target sm_90a %s:by_tma | FileCheck %s --check-prefix SOUND
# RUN: not tilescope compile --target sm_80 %s:products -o - 2>&1 | FileCheck %s --check-prefix SM80
import tilelang.language as T

# A tile that holds several matrices: each is copied and multiplied as a tile of its own would be.
# CHECK: {{^}}cuda {{ *}}equal
# SOUND: free of hazards yes
# TMA: tma_load_2d(&As[k % 2 * 64 * 64 + As_at(0, 0)], A_map, &full[k % 2], k * 64, 0);
# TEXT: wgmma_m64n64k16_f16_f32<{{.*}}
# TEXT: (shared_address(&As[k % 2 * 64 * 64 + As_at(0, 0)]), As_at(0, k_step * 16) * 2)

STEPS = 5


@T.prim_func
def by_tma(A: T.Tensor((64, STEPS * 64), "float16"), B: T.Tensor((STEPS * 64, 64), "float16"), C: T.Tensor((64, 64), "float32")):
    with T.Kernel(1, threads=256):
        As = T.alloc_shared((2, 64, 64), "float16")
        Bs = T.alloc_shared((2, 64, 64), "float16")
        sums = T.alloc_fragment((64, 64), "float32")
        full = T.alloc_barrier([128, 128])
        empty = T.alloc_barrier([128, 128])
        with T.ws(1):
            for k in range(STEPS):
                T.barrier_wait(empty[k % 2], (k // 2) % 2 ^ 1)
                T.tma_copy(A[0:64, k * 64:(k + 1) * 64], As[k % 2, :, :], barrier=full[k % 2])
                T.tma_copy(B[k * 64:(k + 1) * 64, 0:64], Bs[k % 2, :, :], barrier=full[k % 2])
                T.barrier_arrive(full[k % 2])
        with T.ws(0):
            T.clear(sums)
            for k in range(STEPS):
                T.barrier_wait(full[k % 2], (k // 2) % 2)
                T.wgmma_gemm(As[k % 2, :, :], Bs[k % 2, :, :], sums)
                T.wait_wgmma(0)
                T.barrier_arrive(empty[k % 2])
            T.copy(sums, C)


# The role that multiplies stands first; copies of threads arrive by themselves.
@T.prim_func
def by_threads(A: T.Tensor((64, STEPS * 64), "float16"), B: T.Tensor((64, 128), "float16"), C: T.Tensor((64, 64), "float32")):
    with T.Kernel(1, threads=256) as bx:
        As = T.alloc_shared((2, 64, 64), "float16")
        Bs = T.alloc_shared((64, 128), "float16")
        sums = T.alloc_fragment((64, 64), "float32")
        full = T.alloc_barrier([128, 128])
        empty = T.alloc_barrier([128, 128])
        tx = T.get_thread_binding()
        T.copy(B, Bs)
        if tx < 128:
            T.clear(sums)
            for k in range(STEPS):
                T.barrier_wait(full[k % 2], (k // 2) % 2)
                T.wgmma_gemm(As[k % 2, :, :], Bs[:, 64:], sums)
                T.wait_wgmma(0)
                T.barrier_arrive(empty[k % 2])
            T.copy(sums, C)
        else:
            for k in range(STEPS):
                T.barrier_wait(empty[k % 2], (k // 2) % 2 ^ 1)
                for r in range(4):
                    row = r * 16 + (tx - 128) // 8
                    T.ptx_cp_async(T.access_ptr(As[k % 2, row, (tx - 128) % 8 * 8], "w", 8),
                                   T.access_ptr(A[row, k * 64 + (tx - 128) % 8 * 8], "r", 8), 8)
                T.cp_async_barrier_noinc(full[k % 2])


# SM80: error: T.wgmma_gemm is of sm_90a and newer, but the target is sm_80
@T.prim_func
def products(A: T.Tensor((64, 64), "float16"), C: T.Tensor((64, 64), "float32")):
    with T.Kernel(1, threads=128):
        As = T.alloc_shared((64, 64), "float16")
        sums = T.alloc_fragment((64, 64), "float32")
        T.copy(A, As)
        T.wgmma_gemm(As, As, sums, clear_accum=True)
        T.wait_wgmma(0)
        T.copy(sums, C)
