# RUN: tilescope show ir %s:calls --pass elaborate | FileCheck %s --check-prefix=IR
# ./dev lit tests/frontend/foreign_code.py
# RUN: tilescope compile %s:calls | FileCheck %s --check-prefix=CUDA
# RUN: tilescope show ir %s:calls --pass elaborate | tilescope opt --passes '' - | FileCheck %s --check-prefix=AGAIN
# RUN: tilescope compile %s:calls 2>&1 >/dev/null | FileCheck %s --check-prefix=WARN
# RUN: not tilescope exec %s:calls 2>&1 | FileCheck %s --check-prefix=EXEC
# RUN: not tilescope compile %s:fragment_pointer 2>&1 | FileCheck %s --check-prefix=FRAGMENT
# RUN: not tilescope compile %s:unwritten 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
import tilelang
import tilelang.language as T
from tilelang.tools.cuda import iket

SOURCE = """
template <typename From, typename To>
__device__ void widen(const From *from, To *to, int count) {
  for (int i = 0; i < count; ++i)
    to[i] = To(from[i]);
}
"""
COUNT = "__device__ int weigh(const float *row, int lane) { return int(row[lane]); }"


# The text stands in front of the kernel, once; exec says that it cannot run it.
@tilelang.jit
def calls():
    @T.prim_func
    def main(X: T.Tensor((64, 64), "float16"), Y: T.Tensor((64, 64), "float32"), N: T.Tensor((64,), "int32")):
        # CUDA: {{^}}#include <cuda_fp16.h>
        # CUDA: {{^}}__device__ int weigh(const float *row, int lane)
        # CUDA: {{^}}template <typename From, typename To>
        # CUDA-NEXT: __device__ void widen(const From *from, To *to, int count) {
        # CUDA-NOT: __device__
        # CUDA: __global__
        # AGAIN: sources=["__device__ int weigh({{.*}}", "\x0atemplate <typename From
        with T.Kernel(1, threads=64, prelude=COUNT) as bx, iket.range("all"):
            tx = T.get_thread_binding()
            own = T.alloc_local((8,), "float16")
            wide = T.alloc_local((8,), "float32")
            table = T.alloc_shared((8, 16), "float32")
            T.clear(table)
            T.import_source(SOURCE)
            T.import_source(SOURCE)
            T.import_source(None)
            iket.mark("loads", payload=iket.payload(tx, dtype="int32"))
            for v in T.vectorized(8):
                own[v] = X[tx, v]
            # EXEC: error: foreign code 'widen' at line [[# @LINE + 3]] cannot be run here
            # IR: T.call_extern(own[0:8], wide[0:8], 8, callee="widen", signature="rwv")
            # CUDA: widen(own, wide, 8);
            T.call_extern("handle", "widen", T.access_ptr(own, "r"), T.access_ptr(wide, "w"), 8)
            # A value that nobody wants is not assigned: the function may give none.
            # IR-NEXT: T.call_extern(own[4:8], wide[4:8], 4, callee="widen", signature="rwv")
            # CUDA: widen(&own[4], &wide[4], 4);
            T.call_extern("widen", T.access_ptr(own[4], "r", 4), own_tail(wide), 4, dtype="float32")
            # IR-NEXT: T.call_extern(own[0:8], wide[0:8], 8, callee="widen", signature="rbv")
            T.evaluate(T.call_extern("float32", "widen", own.access_ptr("r"), wide.access_ptr("rw"), 8))
            # Which elements are meant nobody says.
            # WARN: [[# @LINE + 3]]:{{[0-9]+}}: warning: it is not established that threads which run this statement write one value to each element of 'X'
            # IR: T.call_extern(X[0:64, 0:64], tx * 64 + 3, wide[2:6], 4, callee="widen", signature="b+wv")
            # CUDA: widen(X + ({{.*}}), &wide[2], 4);
            T.call_extern("handle", "widen", T.address_of(X[tx, 3]), T.access_ptr(wide[2:6], "w"), 4)
            # IR-NEXT: T.call_extern(X[2:4, 0:64], wide[0:8], 8, callee="widen", signature="rwv")
            T.call_extern("handle", "widen", T.access_ptr(X[2, 0], "r", 2, 64), wide.access_ptr("w"), 8)
            # No box: some of the buffer is written, and the rest stays.
            # IR-NEXT: T.call_extern(X[3, 0:8], table[0:8, 0:16], 24, 24, callee="widen", signature="rs+v")
            T.call_extern("handle", "widen", T.access_ptr(X[3, 0], "r", 8), T.access_ptr(table[1, 8], "w", 3, 8), 24)
            for v in T.vectorized(8):
                Y[tx, v] = wide[v]
            # IR: T.call_extern(call_extern_result[0], Y[0:64, 0:64], 1, callee="weigh", signature="=bv")
            # IR-NEXT: N[tx] = call_extern_result[0] + 1
            N[tx] = T.call_extern("int32", "weigh", Y.data, 1) + 1
            # IR: 32 - T.clz(N[tx] & -N[tx])
            N[tx] = T.__ffs(N[tx])
            vi, vj = T.index_to_coordinates(tx * 8, [16, 32])
            # IR: vi: T.int32 = tx * 8 // 32 % 16
            # IR-NEXT: vj: T.int32 = tx * 8 % 32
            Y[vi, vj] = 0

    return main


@T.macro
def own_tail(wide):
    return T.access_ptr(wide, "w", offset=4, extent=4)


# FragmentPointer: a fragment has no address.
@tilelang.jit
def fragment_pointer():
    @T.prim_func
    def main(X: T.Tensor((64,), "float32")):
        with T.Kernel(1, threads=64) as bx:
            tile = T.alloc_fragment((64,), "float32")
            T.copy(X, tile)
            # FRAGMENT: [[# @LINE + 1]]:{{[0-9]+}}: error: foreign code takes no pointer to fragment 'tile'
            T.call_extern("handle", "f", T.access_ptr(tile, "r"))

    return main


# What foreign code reads counts as read.
@tilelang.jit
def unwritten():
    @T.prim_func
    def main(X: T.Tensor((64,), "float32")):
        with T.Kernel(1, threads=64) as bx:
            own = T.alloc_local((8,), "float32")
            other = T.alloc_local((8,), "float32")
            # UNWRITTEN: [[# @LINE + 1]]:{{[0-9]+}}: error: {{.*}}'own'
            T.call_extern("handle", "f", T.access_ptr(own, "r"), T.access_ptr(other, "w"))
            X[bx] = other[0]

    return main
