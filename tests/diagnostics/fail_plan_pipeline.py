# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_plan_pipeline.py
# RUN: not tilescope opt --passes plan-pipeline %s 2>&1 | FileCheck %s

# PipelineTooDeep: a prologue of that many steps fits no GPU.
@T.prim_func(properties=["tile"])
def too_deep(
    A: T.Tensor((512, 512), "float16"),
    O: T.Tensor((512, 512), "float16"),
    n: T.int32,
):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{.*}}error: 33 pipeline stages; at most 32 are possible
        for k in T.Pipelined(0, n, num_stages=33):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# PipelineHalfAsked
@T.prim_func(properties=["tile"])
def half_asked(
    A: T.Tensor((512, 512), "float16"),
    O: T.Tensor((512, 512), "float16"),
    n: T.int32,
):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{.*}}error: 'order' and 'stage' go together; 'stage' is missing
        for k in T.Pipelined(0, n, num_stages=2, order=[0, 1]):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# PipelineListLength
@T.prim_func(properties=["tile"])
def list_length(
    A: T.Tensor((512, 512), "float16"),
    O: T.Tensor((512, 512), "float16"),
    n: T.int32,
):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{.*}}error: 'order' has 3 entries, but the loop has 2 statements to schedule
        for k in T.Pipelined(0, n, num_stages=0, order=[0, 1, 2], stage=[0, 0, 1]):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# PipelineStageRange
@T.prim_func(properties=["tile"])
def stage_range(
    A: T.Tensor((512, 512), "float16"),
    O: T.Tensor((512, 512), "float16"),
    n: T.int32,
):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, n, num_stages=0, order=[0, 1], stage=[-1, 1]):
            # CHECK: [[# @LINE + 1]]:{{.*}}error: stage -1 is not in [0, 32]
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# PipelineOrderTwice
@T.prim_func(properties=["tile"])
def order_twice(
    A: T.Tensor((512, 512), "float16"),
    O: T.Tensor((512, 512), "float16"),
    n: T.int32,
):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, n, num_stages=0, order=[0, 0], stage=[0, 1]):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            # CHECK: [[# @LINE + 1]]:{{.*}}error: 'order' gives place 0 to two statements
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# PipelineBreach: the reader comes first.
@T.prim_func(properties=["tile"])
def read_too_early(
    A: T.Tensor((512, 512), "float16"),
    O: T.Tensor((512, 512), "float16"),
    n: T.int32,
):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, n, num_stages=0, order=[1, 0], stage=[0, 0]):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            # CHECK: [[# @LINE + 2]]:{{.*}}error: order 0, stage 0 breaks a read-after-write dependence of 'A_s'
            # CHECK: [[# @LINE - 2]]:{{.*}}note: it must come after this statement of order 1 and stage 0
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# PipelineBreach: the tensor has no versions that would keep the last value.
@T.prim_func(properties=["tile"])
def overwritten(
    A: T.Tensor((512, 512), "float16"),
    O: T.Tensor((512, 512), "float16"),
    n: T.int32,
):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, n, num_stages=0, order=[0, 1], stage=[0, 1]):
            # CHECK: [[# @LINE + 1]]:{{.*}}error: order 0, stage 0 breaks a write-after-read dependence of 'O' over the back edge
            T.copy(C[0:64, 0:64], O[0:64, 0:64])
            T.copy(O[0:64, 0:64], C[0:64, 0:64])

# PipelineBreach: additions to one tensor keep their order.
@T.prim_func(properties=["tile"])
def additions(
    A: T.Tensor((512, 512), "float16"),
    O: T.Tensor((512, 512), "float16"),
    n: T.int32,
):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, n, num_stages=0, order=[0, 1, 2], stage=[1, 0, 1]):
            T.atomic_tile(O[0:64, 0:64], C[0:64, 0:64])
            # CHECK: [[# @LINE + 1]]:{{.*}}error: order 1, stage 0 breaks a {{.*}} dependence of 'O'
            T.atomic_tile(O[0:64, k * 64:k * 64 + 64], C[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# PipelineBreach: a scalar has no versions either.
@T.prim_func(properties=["tile"])
def scalar(
    A: T.Tensor((512, 512), "float16"),
    O: T.Tensor((512, 512), "float16"),
    n: T.int32,
):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, n, num_stages=0, order=[0, 1, 2], stage=[0, 0, 1]):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            first: T.float16 = A_s[0, 0]
            # CHECK: [[# @LINE + 1]]:{{.*}}error: order 2, stage 1 breaks a read-after-write dependence of 'first'
            O[0, k] = first
