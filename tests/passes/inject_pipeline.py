# tilescope-ir 1
# ./dev lit tests/passes/inject_pipeline.py
# RUN: tilescope opt --passes 'plan-pipeline,inject-pipeline' %s | FileCheck %s

# One stage: wait, compute, then refill the only slot.
# CHECK-LABEL: def gemm_1(
# CHECK: T.copy(A[0:64, 0:64], A_s[0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: for k in T.serial(0, 8, num_stages=1, versions={A_s: 1}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK-NEXT: T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
# CHECK-NEXT: if k + 1 < 8:
# CHECK-NEXT: T.copy(A[0:64, (k + 1) * 64:(k + 1) * 64 + 64], A_s[0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
@T.prim_func(properties=["tile"])
def gemm_1(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
           O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=1):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# Two stages: the refill goes right after the wait, where the barrier will stand.
# CHECK-LABEL: def gemm_2(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=2)
# CHECK: T.copy(A[0:64, 0:64], A_s[0, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: for k in T.serial(0, 8, num_stages=2, versions={A_s: 2}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK-NEXT: if k + 1 < 8:
# CHECK-NEXT: T.copy(A[0:64, (k + 1) * 64:(k + 1) * 64 + 64], A_s[(k + 1) % 2, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: T.gemm(A_s[k % 2, 0:64, 0:64], A_s[k % 2, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def gemm_2(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
           O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=2):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# Three stages, two operands: one group; two steps of prologue, one newer group in flight at the wait.
# CHECK-LABEL: def gemm_3(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=3)
# CHECK: T.copy(A[0:64, 0:64], A_s[0, 0:64, 0:64], is_async=True)
# CHECK: T.commit_group()
# CHECK-NEXT: T.copy(A[0:64, 64:128], A_s[1, 0:64, 0:64], is_async=True)
# CHECK: T.commit_group()
# CHECK: T.wait_group(pending=1)
# CHECK: T.copy(A[0:64, (k + 2) * 64:(k + 2) * 64 + 64], A_s[(k + 2) % 3, 0:64, 0:64], is_async=True)
# CHECK: T.commit_group()
@T.prim_func(properties=["tile"])
def gemm_3(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
           O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=3):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# Four stages: two newer groups are in flight at the wait.
# CHECK-LABEL: def gemm_4(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=4)
# CHECK: for k in T.serial(0, 8, num_stages=4, versions={A_s: 4}, injected=True):
# CHECK-NEXT: T.wait_group(pending=2)
# CHECK-NEXT: if k + 3 < 8:
# CHECK-NEXT: T.copy(A[0:64, (k + 3) * 64:(k + 3) * 64 + 64], A_s[(k + 3) % 4, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: T.gemm(A_s[k % 4, 0:64, 0:64], A_s[k % 4, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def gemm_4(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
           O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=4):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# The guards and slots of an unknown trip count; what is no pipelined copy is not guarded.
# CHECK-LABEL: def unknown_trips(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=3)
# CHECK: if 0 < n:
# CHECK-NEXT: T.copy(A[0:64, 0:64], A_s[0, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: if 1 < n:
# CHECK-NEXT: T.copy(A[0:64, 64:128], A_s[1, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: for k in T.serial(0, n, num_stages=3, versions={A_s: 3}, injected=True):
# CHECK-NEXT: T.wait_group(pending=1)
# CHECK-NEXT: if k + 2 < n:
# CHECK-NEXT: T.copy(A[0:64, (k + 2) * 64:(k + 2) * 64 + 64], A_s[(k + 2) % 3, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: T.gemm(A_s[k % 3, 0:64, 0:64], A_s[k % 3, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def unknown_trips(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                  O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, n, num_stages=3):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# No iteration: the commits stay, the copies go.
# CHECK-LABEL: def no_trip(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=3)
# CHECK: T.commit_group()
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: for k in T.serial(0, 0, num_stages=3, versions={A_s: 3}, injected=True):
# CHECK-NEXT: T.wait_group(pending=1)
# CHECK-NEXT: if k + 2 < 0:
# CHECK-NEXT: T.copy(A[0:64, (k + 2) * 64:(k + 2) * 64 + 64], A_s[(k + 2) % 3, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: T.gemm(A_s[k % 3, 0:64, 0:64], A_s[k % 3, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def no_trip(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
            O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 0, num_stages=3):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# One iteration, below the depth: only the first copy of the prologue.
# CHECK-LABEL: def one_trip(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=3)
# CHECK: T.copy(A[0:64, 0:64], A_s[0, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: for k in T.serial(0, 1, num_stages=3, versions={A_s: 3}, injected=True):
# CHECK-NEXT: T.wait_group(pending=1)
# CHECK-NEXT: if k + 2 < 1:
# CHECK-NEXT: T.copy(A[0:64, (k + 2) * 64:(k + 2) * 64 + 64], A_s[(k + 2) % 3, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: T.gemm(A_s[k % 3, 0:64, 0:64], A_s[k % 3, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def one_trip(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
             O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 1, num_stages=3):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# Bounds from a block index.
# CHECK-LABEL: def block_trips(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=2)
# CHECK: if 0 < bx + 1:
# CHECK-NEXT: T.copy(A[0:64, 0:64], A_s[0, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: for k in T.serial(0, bx + 1, num_stages=2, versions={A_s: 2}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK-NEXT: if k + 1 < bx + 1:
# CHECK-NEXT: T.copy(A[0:64, (k + 1) * 64:(k + 1) * 64 + 64], A_s[(k + 1) % 2, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: T.gemm(A_s[k % 2, 0:64, 0:64], A_s[k % 2, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def block_trips(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, bx + 1, num_stages=2):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# A start that is not 0: slots count from it, coordinates do not.
# CHECK-LABEL: def start(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=2)
# CHECK: T.copy(A[0:64, 192:256], A_s[0, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: for k in T.serial(3, 9, num_stages=2, versions={A_s: 2}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK-NEXT: if k - 3 + 1 < 6:
# CHECK-NEXT: T.copy(A[0:64, (k + 1) * 64:(k + 1) * 64 + 64], A_s[(k - 3 + 1) % 2, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: T.gemm(A_s[(k - 3) % 2, 0:64, 0:64], A_s[(k - 3) % 2, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def start(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
          O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(3, 9, num_stages=2):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# Bounds from memory.
# CHECK-LABEL: def memory_trips(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=2)
# CHECK: k_trips: T.int32 = I[bx]
# CHECK-NEXT: if 0 < k_trips:
# CHECK-NEXT: T.copy(A[0:64, 0:64], A_s[0, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: for k in T.serial(0, k_trips, num_stages=2, versions={A_s: 2}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK-NEXT: if k + 1 < k_trips:
# CHECK-NEXT: T.copy(A[0:64, (k + 1) * 64:(k + 1) * 64 + 64], A_s[(k + 1) % 2, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: T.gemm(A_s[k % 2, 0:64, 0:64], A_s[k % 2, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def memory_trips(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                 O: T.Tensor((512, 512), "float16"), n: T.int32, I: T.Tensor((8,), "int32")):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, I[bx], num_stages=2):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# Attention, K in A and V in B: prologue K0 V0 K1, and two newer groups at both waits.
# CHECK-LABEL: def attention(
# CHECK: for k in T.serial(0, 8, num_stages=2, versions={A_s: 2, B_s: 2}, injected=True):
# CHECK-NEXT: T.wait_group(pending=2)
# CHECK: T.copy(B[0:64, (k + 1) * 64:(k + 1) * 64 + 64], B_s[(k + 1) % 2, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: T.gemm(Q_s[0:64, 0:64], A_s[k % 2, 0:64, 0:64], S[0:64, 0:64])
# CHECK-NEXT: T.copy(S[0:64, 0:64], P[0:64, 0:64])
# CHECK-NEXT: T.wait_group(pending=2)
# CHECK: T.copy(A[0:64, (k + 2) * 64:(k + 2) * 64 + 64], A_s[(k + 2) % 2, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: T.gemm(P[0:64, 0:64], B_s[k % 2, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def attention(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
              O: T.Tensor((512, 512), "float16"), n: T.int32):
    Q_s = T.alloc_shared((64, 64), "float16")
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    S = T.alloc_fragment((64, 64), "float32")
    P = T.alloc_fragment((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=2):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(Q_s[0:64, 0:64], A_s[0:64, 0:64], S[0:64, 0:64])
            T.copy(S[0:64, 0:64], P[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(P[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])
