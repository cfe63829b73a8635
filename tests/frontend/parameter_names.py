# RUN: tilescope opt --passes '' %s:by_keyword | FileCheck %s
# ./dev lit tests/frontend/parameter_names.py
# RUN: tilescope opt --passes '' --target sm_90a %s:barriers | FileCheck %s --check-prefix=BARRIERS
# RUN: tilescope opt --passes '' --target sm_90a %s:clusters | FileCheck %s --check-prefix=CLUSTERS

# Parameters have TileLang's names (tests/tools/check_language.py compares them all).
import tilelang.language as T


# CHECK-LABEL: def by_keyword(
@T.prim_func
def by_keyword(A: T.Tensor((64,), "float32"), I: T.Tensor((64,), "int32"), P: T.handle):
    B = T.match_buffer(param=P, shape=(64,), dtype="float32")
    with T.Kernel(T.ceildiv(lhs=64, rhs=T.cdiv(lhs=60, rhs=2)), threads=64, cluster_dims=(1, 1, 1)) as bx:
        T.annotate_min_blocks_per_sm(n=2)
        T.annotate_l2_hit_ratio(l2_hit_ratio_map={A: 0.5})
        T.assume(cond=bx >= 0)
        s = T.alloc_shared((64,), "float32")
        T.annotate_layout(layout_map={s: lambda i: i})
        tx = T.get_thread_binding()
        # CHECK: A[tx] = 1.0 if A[tx] < T.float32(tx) else 2.0
        A[tx] = T.Select(condition=A[tx] < T.cast(value=tx, dtype=T.dtype(value="float32")), true_value=1.0, false_value=2.0)
        # CHECK-NEXT: B[tx] = T.max(T.min(A[tx], 3.0), 0.0)
        B[tx] = T.clamp(dst=A[tx], min_val=0.0, max_val=3.0)
        # CHECK-NEXT: I[tx] = T.int32(A[tx]) + 4
        I[tx] = T.Cast(dtype="int32", value=A[tx]) + T.IntImm(dtype="int32", value=4)
        # CHECK: T.shuffle(tvm_warp_shuffle_down_result[0], tx, 1, kind="down")
        I[tx] = T.tvm_warp_shuffle_down(mask=0xFFFFFFFF, value=tx, offset=1, width=32, warp_size=32)
        # CHECK: T.shuffle(tvm_warp_shuffle_result[0], tx, 1)
        I[tx] = T.tvm_warp_shuffle(mask=0xFFFFFFFF, value=tx, warp_id=1, width=32, warp_size=32)


# BARRIERS-LABEL: def barriers(
@T.prim_func
def barriers(A: T.Tensor((64, 64), "float16"), B: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128):
        s = T.alloc_shared((64, 64), "float16")
        full = T.alloc_barrier(arrive_count=128)
        # BARRIERS: T.tma_copy(A[0:64, 0:64], s[0:64, 0:64], full[0])
        T.tma_copy(A, s, barrier=full, eviction_policy="evict_first", annotations={})
        # BARRIERS-NEXT: T.mbarrier_arrive(full[0])
        T.mbarrier_arrive(mbarrier=full)
        # BARRIERS-NEXT: T.mbarrier_wait(full[0], 0)
        T.mbarrier_wait_parity(mbarrier=full, parity=0)
        # BARRIERS-NEXT: T.mbarrier_expect(full[0], bytes=64)
        T.mbarrier_expect_tx(mbarrier=full, tx=64)
        # BARRIERS-NEXT: T.mbarrier_arrive_expect(full[0], bytes=64)
        T.mbarrier_arrive_expect_tx(mbarrier=full, tx=64)
        # BARRIERS-NEXT: T.mbarrier_arrive(full[0])
        T.barrier_arrive(mbarrier=full)
        # BARRIERS-NEXT: T.mbarrier_wait(full[0], 1)
        T.barrier_wait(mbarrier=full, parity=1)
        T.copy(s, B)


@T.prim_func
def clusters(A: T.Tensor((64,), "float32")):
    # CLUSTERS: with T.Kernel(2, threads=64, cluster_dims=[2, 1, 1]) as (bx, tx):
    with T.Kernel(2, threads=64, cluster_dims=(2, 1, 1)) as bx:
        A[0] = 1.0
