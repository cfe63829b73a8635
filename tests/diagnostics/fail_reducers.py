# RUN: not tilescope opt --passes '' %s:misused --set kind=outside 2>&1 | FileCheck %s --check-prefix OUTSIDE
# ./dev lit tests/diagnostics/fail_reducers.py
# RUN: not tilescope opt --passes '' %s:misused --set kind=other 2>&1 | FileCheck %s --check-prefix OTHER
# RUN: not tilescope opt --passes '' %s:misused --set kind=index 2>&1 | FileCheck %s --check-prefix INDEX
# RUN: not tilescope opt --passes '' %s:misused --set kind=twice 2>&1 | FileCheck %s --check-prefix TWICE
# RUN: not tilescope opt --passes '' %s:misused --set kind=final 2>&1 | FileCheck %s --check-prefix FINAL
# RUN: not tilescope opt --passes '' %s:misused --set kind=plain 2>&1 | FileCheck %s --check-prefix PLAIN
# RUN: not tilescope opt --passes '' %s:threads --set kind=combiner 2>&1 | FileCheck %s --check-prefix COMBINER
# RUN: not tilescope opt --passes '' %s:threads --set kind=axis 2>&1 | FileCheck %s --check-prefix AXIS
# RUN: not tilescope opt --passes '' %s:threads --set kind=alone 2>&1 | FileCheck %s --check-prefix ALONE
# ReducerMisused, UnknownCombiner, NotAThreadAxis, NoReducerAround
import tilelang
import tilelang.language as T


@tilelang.jit
def misused(kind):
    @T.prim_func
    def main(A: T.Tensor((16, 16), "float32"), B: T.Tensor((16,), "float32")):
        with T.Kernel(1, threads=32) as bx:
            acc = T.alloc_reducer(16, "float32")
            if kind == "plain":
                plain = T.alloc_fragment((16,), "float32")
                # PLAIN: [[# @LINE + 1]]:{{.*}}error: 'reducer' of 'T.finalize_reducer' must be what T.alloc_reducer made
                T.finalize_reducer(plain)
            T.reducer_init(acc)
            if kind == "outside":
                # OUTSIDE: [[# @LINE + 1]]:{{.*}}error: reducer 'acc' cannot be used so: contributions are made inside of a T.Parallel
                T.reducer_update(acc[0], 1.0)
            for i, j in T.Parallel(16, 16):
                if kind == "other":
                    # OTHER: [[# @LINE + 1]]:{{.*}}error: reducer 'acc' cannot be used so: this combines it in another way than it was made for
                    acc[i] = T.max(acc[i], A[i, j])
                elif kind == "index":
                    # INDEX: [[# @LINE + 1]]:{{.*}}error: reducer 'acc' cannot be used so: its indices are variables of the loop, in their order
                    T.reducer_update(acc[15 - i], A[i, j])
                else:
                    T.reducer_update(acc[i], A[i, j])
                if kind == "twice":
                    # TWICE: [[# @LINE + 1]]:{{.*}}error: reducer 'acc' cannot be used so: a loop contributes to it once
                    T.reducer_update(acc[i], A[i, j])
            T.finalize_reducer(acc)
            if kind == "final":
                # FINAL: [[# @LINE + 1]]:{{.*}}error: reducer 'acc' cannot be used so: it is finalized twice
                T.finalize_reducer(acc)
            T.copy(acc, B)

    return main


@tilelang.jit
def threads(kind):
    @T.prim_func
    def main(B: T.Tensor((16,), "float32")):
        with T.Kernel(1, threads=(4, 8)) as bx:
            part = T.get_thread_binding(1)
            own = T.alloc_local((1,), "float32")
            T.clear(own)
            if kind == "combiner":
                # COMBINER: [[# @LINE + 1]]:{{.*}}error: this function is no sum, maximum, minimum, or bitwise 'and', 'or' or 'xor' of its two arguments
                T.comm_reducer(lambda a, b: a - b, [0.0])
            if kind == "axis":
                with T.attr(T.comm_reducer(lambda a, b: T.max(a, b), [0.0]), "reduce_scope", 0):
                    # AXIS: [[# @LINE + 1]]:{{.*}}error: threads are reduced along axes of the block, T.get_thread_binding(...), that are neighbours
                    T.tvm_thread_allreduce(T.uint32(1), own[0], True, own[0], part // 2, dtype="handle")
            if kind == "alone":
                # ALONE: [[# @LINE + 1]]:{{.*}}error: T.tvm_thread_allreduce needs 'with T.attr(T.comm_reducer(...), "reduce_scope", ...)' around it
                T.tvm_thread_allreduce(T.uint32(1), own[0], True, own[0], part, dtype="handle")
            B[part] = own[0]

    return main
