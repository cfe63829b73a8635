# RUN: tilescope exec %s:shared_out --every-pass --fill Count=zeros
# ./dev lit tests/exec/released_to_blocks.py
# RUN: tilescope exec %s:added_up --every-pass --fill Count=zeros --fill Sums=zeros
# RUN: tilescope exec %s:handed_on --every-pass --fill Count=zeros
# RUN: tilescope exec %s:by_every_thread --every-pass --fill Count=zeros
# RUN: sed -e 's/acq_rel/relaxed/' %s > %t.relaxed.py
# RUN: exits 1 tilescope exec %t.relaxed.py:shared_out --fill Count=zeros | FileCheck %s
# RUN: exits 1 tilescope exec %t.relaxed.py:added_up --fill Count=zeros --fill Sums=zeros | FileCheck %s
# RUN: exits 1 tilescope exec %s:too_early --fill Count=zeros | FileCheck %s
# CHECK: is accessed by thread {{.*}} of block {{.*}} without a barrier between, {{.*}} [race]

# What a block did before a release is ordered before what another block does behind the acquire that
# finds it: of its threads all that a barrier puts in front of the release.
import tilelang.language as T


@T.prim_func
def shared_out(A: T.Tensor((512,), "float32"), W: T.Tensor((512,), "float32"), Count: T.Tensor((1,), "int32"),
               C: T.Tensor((128,), "float32")):
    with T.Kernel(4, threads=128) as bx:
        tx = T.get_thread_binding()
        ticket = T.alloc_shared((1,), "int32")
        W[bx * 128 + tx] = A[bx * 128 + tx] * 2.0
        T.sync_threads()
        if tx == 0:
            ticket[0] = T.atomic_add(Count[0], 1, memory_order="acq_rel", return_prev=True)
        T.sync_threads()
        if ticket[0] == 3:
            C[tx] = W[tx] + W[128 + tx] + W[256 + tx] + W[384 + tx]


# Several blocks add to one element before another one reads it.
@T.prim_func
def added_up(A: T.Tensor((512,), "float32"), Sums: T.Tensor((128,), "float32"), Count: T.Tensor((1,), "int32"),
             C: T.Tensor((128,), "float32")):
    with T.Kernel(4, threads=128) as bx:
        tx = T.get_thread_binding()
        ticket = T.alloc_shared((1,), "int32")
        T.atomic_add(Sums[tx], A[bx * 128 + tx])
        T.sync_threads()
        if tx == 0:
            ticket[0] = T.atomic_add(Count[0], 1, memory_order="acq_rel", return_prev=True)
        T.sync_threads()
        if ticket[0] == 3:
            C[tx] = Sums[tx]


# Block 2 has acquired from block 1, which has acquired from block 0.
@T.prim_func
def handed_on(W: T.Tensor((128,), "float32"), Count: T.Tensor((3,), "int32"), C: T.Tensor((128,), "float32")):
    with T.Kernel(3, threads=128) as bx:
        tx = T.get_thread_binding()
        if bx == 0:
            W[tx] = tx * 1.0
        if tx == 0:
            if bx > 0:
                T.atomic_load(Count[bx - 1], memory_order="acquire")
        T.sync_threads()
        if tx == 0:
            T.atomic_add(Count[bx], 1, memory_order="release")
        if bx == 2:
            C[tx] = W[tx]


# Other threads of the block may still write when the first one releases.
@T.prim_func
def too_early(A: T.Tensor((512,), "float32"), W: T.Tensor((512,), "float32"), Count: T.Tensor((1,), "int32"),
              C: T.Tensor((128,), "float32")):
    with T.Kernel(4, threads=128) as bx:
        tx = T.get_thread_binding()
        ticket = T.alloc_shared((1,), "int32")
        W[bx * 128 + tx] = A[bx * 128 + tx] * 2.0
        if tx == 0:
            ticket[0] = T.atomic_add(Count[0], 1, memory_order="acq_rel", return_prev=True)
        T.sync_threads()
        if ticket[0] == 3:
            C[tx] = W[tx] + W[128 + tx] + W[256 + tx] + W[384 + tx]


# As many releases as threads: what is known grows with the threads, not with what they did.
@T.prim_func
def by_every_thread(W: T.Tensor((1024,), "float32"), Count: T.Tensor((1,), "int32"), C: T.Tensor((1024,), "float32")):
    with T.Kernel(4, threads=256) as bx:
        tx = T.get_thread_binding()
        W[bx * 256 + tx] = tx * 1.0
        ticket = T.atomic_add(Count[0], 1, memory_order="acq_rel", return_prev=True)
        if ticket == 1023:
            for i in T.serial(1024):
                C[i] = W[i]
