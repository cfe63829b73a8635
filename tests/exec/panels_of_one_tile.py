# RUN: tilescope exec --target sm_90a %s --every-pass --witness | FileCheck %s --implicit-check-not=WRONG
# ./dev lit tests/exec/panels_of_one_tile.py
# RUN: tilescope compile --target sm_90a %s -o - | FileCheck %s --check-prefix TEXT
import tilelang.language as T

# A role brings a tile panel by panel, each counted by an mbarrier of its own, and the other multiplies
# by each as it arrives: the unrolled loops are written out. Data say how often, and both roles ask the
# same variable, which all threads got before.
# CHECK: {{^}}cuda {{ *}}equal
# TEXT: tma_load_2d(&As[As_at(0, 64)], A_map, &full[1], 64, 0);
# TEXT: As_at(0, 64 + k_step * 16) * 2)


@T.prim_func
def kernel(A: T.Tensor((64, 128), "float16"), B: T.Tensor((128, 64), "float16"), steps: T.Tensor((1,), "int32"),
           C: T.Tensor((64, 64), "float32")):
    with T.Kernel(1, threads=256):
        As = T.alloc_shared((64, 128), "float16")
        Bs = T.alloc_shared((128, 64), "float16")
        sums = T.alloc_fragment((64, 64), "float32")
        count = T.alloc_var("int32")
        full = T.alloc_barrier([128, 128])
        empty = T.alloc_barrier(128)
        count = T.min(T.max(steps[0], 1), 3)
        T.copy(B, Bs)
        with T.ws(1):
            for k in T.serial(count):
                T.barrier_wait(empty, k % 2 ^ 1)
                for j in T.unroll(2):
                    T.tma_copy(A[0:64, j * 64:(j + 1) * 64], As[:, j * 64:(j + 1) * 64], barrier=full[j])
                    T.barrier_arrive(full[j])
        with T.ws(0):
            T.clear(sums)
            for k in T.serial(count):
                for j in T.unroll(2):
                    T.barrier_wait(full[j], k % 2)
                    T.wgmma_gemm(As[:, j * 64:(j + 1) * 64], Bs[j * 64:(j + 1) * 64, :], sums)
                    T.wait_wgmma(0)
                T.barrier_arrive(empty)
            T.copy(sums, C)
