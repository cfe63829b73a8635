# RUN: not tilescope compile %s:diverging --set kind=half 2>&1 | FileCheck %s --check-prefix HALF
# ./dev lit tests/diagnostics/fail_lanes_diverge.py
# RUN: exits 1 tilescope check %s:diverging --set kind=other 2>&1 | FileCheck %s --check-prefix OTHER
# RUN: tilescope compile %s:diverging --set kind=named -o - 2>&1 | FileCheck %s --check-prefix NAMED
# RUN: tilescope compile %s:diverging --set kind=warp -o - 2>&1 | FileCheck %s --check-prefix WARP
# RUN: tilescope compile %s:diverging --set kind=value -o - 2>&1 | FileCheck %s --check-prefix VALUE
# RUN: tilescope compile %s:diverging --set kind=uniform -o - 2>&1 | FileCheck %s --check-prefix UNIFORM
# RUN: tilescope compile %s:diverging --set kind=trips -o - 2>&1 | FileCheck %s --check-prefix TRIPS
# RUN: tilescope compile %s:diverging --set kind=active -o - 2>&1 | FileCheck %s --check-prefix ACTIVE
# LanesDiverge, LanesNotEstablished
import tilelang
import tilelang.language as T


@tilelang.jit
def diverging(kind):
    @T.prim_func
    def main(X: T.Tensor((128,), "int32")):
        with T.Kernel(1, threads=128) as bx:
            tx = T.get_thread_binding()
            lane = T.get_lane_idx()
            v = T.alloc_var("int32")
            v = X[tx]
            if kind == "half":
                # HALF: [[# @LINE + 2]]:{{.*}}error: 'shuffle' does not find the lanes here that it takes, first in the warp of thread 0
                if lane < 16:
                    v = T.shfl_xor(v, 1)
                # HALF: [[# @LINE - 2]]:{{.*}}note: lanes of a warp may disagree on this
            if kind == "other":
                # OTHER: error, line [[# @LINE + 2]]: 'vote' does not find the lanes here that it takes, first in the warp of thread 32
                if tx < 40:
                    v = T.any_sync(v > 0)
            if kind == "named":
                # NAMED-NOT: {{error|warning}}
                # NAMED: __shfl_xor_sync(65535u, v, 1)
                if lane < 16:
                    v = T.shfl_xor(v, 1, mask=0xFFFF)
            if kind == "warp":
                # WARP-NOT: {{error|warning}}
                # WARP: __shfl_xor_sync(0xffffffffu, v, 1)
                if T.get_warp_idx() % 2 == 0 and tx < 64:
                    v = T.shfl_xor(v, 1)
            if kind == "value":
                # VALUE: [[# @LINE + 2]]:{{.*}}warning: it is not established that 'shuffle' finds the lanes here that it takes
                if v > 0:
                    v = T.shfl_xor(v, 1)
            if kind == "uniform":
                # What a warp has voted on it agrees on.
                # UNIFORM-NOT: {{error|warning}}
                # UNIFORM: __shfl_xor_sync(0xffffffffu, v, 1)
                if T.any_sync(v > 0) != 0:
                    v = T.shfl_xor(v, 1)
            if kind == "trips":
                # TRIPS: [[# @LINE + 2]]:{{.*}}warning: it is not established that 'shuffle' finds the lanes here that it takes
                for i in T.serial(lane):
                    v = T.shfl_xor(v, 1)
            if kind == "active":
                # ACTIVE: [[# @LINE + 2]]:{{.*}}warning: it is not established that 'active_lanes' finds the lanes here that it takes
                if lane < 16:
                    v = T.cast(T.activemask(), "int32")
            X[tx] = v

    return main
