# RUN: tilescope opt --passes '' %s:places | FileCheck %s --check-prefix=PLACES
# ./dev lit tests/frontend/threads.py
# RUN: tilescope opt --passes '' %s:results | FileCheck %s --check-prefix=RESULTS
# RUN: tilescope opt --passes '' %s:folds | FileCheck %s --check-prefix=FOLDS
import tilelang.language as T


# PLACES-LABEL: def places(
@T.prim_func
def places(A: T.Tensor((8, 256), "int32")):
    with T.Kernel(1, threads=256) as bx:
        tx = T.get_thread_binding()
        # PLACES: A[0, tx] = tx % 32
        A[0, tx] = T.get_lane_idx()
        # PLACES: A[1, tx] = tx // 32
        A[1, tx] = T.get_warp_idx()
        # PLACES: A[2, tx] = tx // 64
        A[2, tx] = T.get_warp_idx_sync(64)
        # PLACES: A[3, tx] = tx // 128
        A[3, tx] = T.get_warp_group_idx()
        # PLACES: A[4, tx] = tx // 64
        A[4, tx] = T.get_warp_group_idx(32, 2)
        # PLACES: if tx % 64 == 0:
        if T.shuffle_elect(64):
            A[5, tx] = 1
        # PLACES: if tx == 0:
        if T.shuffle_elect(0):
            A[6, tx] = 1


# An operation comes before the statement that uses what it gives, and writes a variable of its own.
# RESULTS-LABEL: def results(
@T.prim_func
def results(A: T.Tensor((64,), "float32"), B: T.Tensor((64,), "int32")):
    with T.Kernel(1, threads=64) as bx:
        tx = T.get_thread_binding()
        # RESULTS: T.shuffle(shfl_xor_result[0], A[tx], 1, kind="xor")
        # RESULTS-NEXT: T.shuffle(shfl_up_result[0], A[tx] + shfl_xor_result[0], 2, kind="up", width=8)
        # RESULTS-NEXT: a: T.float32 = shfl_up_result[0] * 2.0
        a = T.shfl_up(A[tx] + T.shfl_xor(A[tx], 1), 2, width=8) * 2.0
        # RESULTS: T.shuffle(tvm_warp_shuffle_result[0], a, tx ^ 1)
        A[tx] = T.tvm_warp_shuffle(0xFFFFFFFF, a, tx ^ 1, 32, 32)
        # RESULTS: T.vote(any_sync_result[0], B[tx] != 0)
        # RESULTS-NEXT: if any_sync_result[0] != 0:
        if T.any_sync(B[tx], mask=0xFFFFFFFF):
            # RESULTS-NEXT: T.vote(ballot_result[0], tx < 5, kind="ballot")
            # RESULTS-NEXT: B[tx] = T.int32(ballot_result[0])
            B[tx] = T.cast(T.ballot(tx < 5), "int32")
        # RESULTS: T.barrier_vote(syncthreads_count_result[0], a > 0.0)
        # RESULTS-NEXT: B[tx] = syncthreads_count_result[0]
        B[tx] = T.syncthreads_count(a > 0)
        # RESULTS: T.thread_reduce(warp_reduce_max_result[0], a, kind="max", scope="warp")
        A[tx] = T.warp_reduce_max(a)
        # RESULTS: T.barrier(scope="warp")
        T.sync_warp()
        # RESULTS-NEXT: T.named_barrier(number=3, threads=64)
        T.sync_threads(3, 64)
        if tx < 16:
            # RESULTS: T.barrier(mask=T.uint32(65535), scope="warp")
            T.sync_warp(0xFFFF)
        if tx < 32:
            # RESULTS: T.named_barrier(number=5, threads=32)
            T.sync_threads(5, 32)
        # RESULTS: T.named_barrier(number=4, threads=64, waits=False)
        T.named_barrier_arrive(4, 64)
        # RESULTS-NEXT: T.grid_barrier()
        T.sync_grid()


# FOLDS-LABEL: def folds(
@T.prim_func
def folds(A: T.Tensor((4, 8), "int32"), B: T.Tensor((1,), "bool")):
    with T.Kernel(1, threads=32) as bx:
        # FOLDS: any_of_result[0] = False
        # FOLDS-NEXT: for i in T.serial(0, 4):
        # FOLDS-NEXT: for i_1 in T.serial(0, 8):
        # FOLDS-NEXT: any_of_result[0] = any_of_result[0] or A[i, i_1] != 0
        # FOLDS-NEXT: B[0] = any_of_result[0]
        B[0] = T.any_of(A)
        # FOLDS: all_of_result[0] = True
        # FOLDS-NEXT: for i in T.serial(0, 4):
        # FOLDS-NEXT: all_of_result[0] = all_of_result[0] and A[2, 4 + i] != 0
        B[0] = T.all_of(A[2, 4:8])
