# RUN: not tilescope compile --target sm_90a %s:elected --set by=one 2>&1 | FileCheck %s --check-prefix ONE
# ./dev lit tests/diagnostics/fail_threads_divided_elected.py
# RUN: not tilescope compile --target sm_90a %s:elected --set by=copy 2>&1 | FileCheck %s --check-prefix COPY
# RUN: not tilescope compile --target sm_90a %s:elected --set by=read 2>&1 | FileCheck %s --check-prefix READ
# RUN: not tilescope compile --target sm_90a %s:elected --set by=other 2>&1 | FileCheck %s --check-prefix OTHER
# RUN: tilescope compile --target sm_90a %s:elected --set by=first -o - | FileCheck %s --check-prefix FIRST
# RUN: tilescope exec --target sm_90a %s:elected --set by=first --witness | FileCheck %s --check-prefix RUNS --implicit-check-not=WRONG
import tilelang
import tilelang.language as T

# RUNS: {{^}}cuda {{ *}}equal


@tilelang.jit
def elected(by):
    @T.prim_func
    def main(X: T.Tensor((64, 64), "float16"), C: T.Tensor((64, 64), "float16")):
        with T.Kernel(1, threads=128) as bx:
            tx = T.get_thread_binding()
            tile = T.alloc_shared((64, 64), "float16")
            full = T.alloc_barrier(1)
            if by != "first":
                T.clear(tile)
            if by == "one":
                if tx == 32:
                    # ONE: [[# @LINE + 1]]:{{.*}}error: 'mbarrier_arrive_expect' takes all threads of the block, but only some of them get here
                    T.mbarrier_arrive_expect_tx(full, 8192)
            if by == "copy":
                if tx >= 64:
                    # COPY: [[# @LINE + 1]]:{{.*}}error: 'mbarrier_expect' takes all threads of the block, but only some of them get here
                    T.tma_copy(X, tile, barrier=full)
                    T.barrier_arrive(full)
            if by == "read":
                if X[0, tx % 64] > 0:
                    # READ: [[# @LINE + 1]]:{{.*}}error: 'mbarrier_expect' takes all threads of the block, but only some of them get here
                    T.mbarrier_expect_tx(full, 8192)
            if by == "other":
                if tx < 32:
                    T.mbarrier_expect_tx(full, 8192)
                else:
                    # OTHER: [[# @LINE + 1]]:{{.*}}error: 'mbarrier_expect' takes all threads of the block, but only some of them get here
                    T.mbarrier_expect_tx(full, 8192)
            if by == "first":
                # FIRST: if (tx < 32)
                # FIRST: mbarrier_expect(
                # FIRST: tma_load_2d(
                # FIRST: mbarrier_arrive(
                if tx < 32:
                    if tx == 0:
                        T.tma_copy(X, tile, barrier=full)
                        T.barrier_arrive(full)
            T.barrier_wait(full, 0)
            T.copy(tile, C)

    return main
