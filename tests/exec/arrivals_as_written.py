# Named barriers where some arrive and others wait, as written: whichever side stands first.
# ./dev lit tests/exec/arrivals_as_written.py
# RUN: tilescope exec %s:arrives_first --target sm_90a --every-pass --witness | FileCheck %s
# RUN: tilescope exec %s:waits_first --target sm_90a | FileCheck %s
# RUN: exits 1 tilescope exec %s:nobody_comes --dim first=64 --target sm_90a | FileCheck %s --check-prefix=NOBODY
# RUN: exits 1 tilescope exec %s:too_many --target sm_90a | FileCheck %s --check-prefix=MANY
# CHECK: {{^}}elaborate runs
# CHECK: equal
# CHECK-NOT: {{WRONG|differs}}

#      NOBODY: {{^}}elaborate WRONG
# NOBODY-NEXT: threads 64 to 127 wait here at barrier 4, where 64 of 128 threads have arrived, by thread 64 of block 0 [missed-barrier]
#      MANY: {{^}}elaborate WRONG
# MANY-NEXT: 32 threads of a warp get to a barrier of 96 threads, where 64 of 128 are, by thread 64 of block 0 [divergent-barrier]
import tilelang.language as T


@T.prim_func
def arrives_first(X: T.Tensor((128,), "int32"), Y: T.Tensor((128,), "int32")):
    with T.Kernel(1, threads=128):
        tx = T.get_thread_binding()
        s = T.alloc_shared((64,), "int32")
        Y[tx] = X[tx]
        if tx < 64:
            s[tx] = X[tx] + 1
            T.named_barrier_arrive(4, 128)
        else:
            T.sync_threads(4, 128)
            Y[tx] = Y[tx] + s[127 - tx]


@T.prim_func
def waits_first(X: T.Tensor((128,), "int32"), Y: T.Tensor((128,), "int32")):
    with T.Kernel(1, threads=128):
        tx = T.get_thread_binding()
        s = T.alloc_shared((64,), "int32")
        Y[tx] = X[tx]
        if tx >= 64:
            T.sync_threads(4, 128)
            Y[tx] = Y[tx] + s[127 - tx]
        else:
            s[tx] = X[tx] + 1
            T.named_barrier_arrive(4, 128)


@T.prim_func
def nobody_comes(X: T.Tensor((128,), "int32"), Y: T.Tensor((128,), "int32"), first: T.int32):
    with T.Kernel(1, threads=128):
        tx = T.get_thread_binding()
        Y[tx] = X[tx]
        if tx >= first:
            T.sync_threads(4, 128)
            Y[tx] = 0


@T.prim_func
def too_many(X: T.Tensor((128,), "int32"), Y: T.Tensor((128,), "int32")):
    with T.Kernel(1, threads=128):
        tx = T.get_thread_binding()
        Y[tx] = X[tx]
        if tx < 64:
            T.named_barrier_arrive(4, 128)
        else:
            T.named_barrier_arrive(4, 96)
