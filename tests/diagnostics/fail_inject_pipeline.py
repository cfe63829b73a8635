# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_inject_pipeline.py
# RUN: not tilescope opt --passes inject-pipeline %s 2>&1 | FileCheck %s

# PipelineUnplanned
@T.prim_func(properties=["tile"])
def unplanned(
    A: T.Tensor((512, 512), "float16"),
    O: T.Tensor((512, 512), "float16"),
    n: T.int32,
):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{.*}}error: pipelined loop over 'k' has no schedule; run plan-pipeline first
        for k in T.Pipelined(0, n, num_stages=2):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# PipelineBadSchedule
@T.prim_func(properties=["tile"])
def half_a_schedule(
    A: T.Tensor((512, 512), "float16"),
    O: T.Tensor((512, 512), "float16"),
    n: T.int32,
):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{.*}}error: the schedule of the loop over 'k' does not fit its body: it names 1 statements of 2
        for k in T.Pipelined(0, n, num_stages=2, schedule=[(0, 0, 0, 0)], versions={A_s: 2}):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# PipelineBadSchedule
@T.prim_func(properties=["tile"])
def asynchronous_gemm(
    A: T.Tensor((512, 512), "float16"),
    O: T.Tensor((512, 512), "float16"),
    n: T.int32,
):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{.*}}error: the schedule of the loop over 'k' does not fit its body: statement 1 cannot be asynchronous: it is no copy from global to shared memory
        for k in T.Pipelined(0, n, num_stages=2, schedule=[(0, 0, 0, 0), (1, 1, 1, 1)], versions={A_s: 2}):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# PipelineBadSchedule
@T.prim_func(properties=["tile"])
def too_few_versions(
    A: T.Tensor((512, 512), "float16"),
    O: T.Tensor((512, 512), "float16"),
    n: T.int32,
):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{.*}}error: the schedule of the loop over 'k' does not fit its body: statement 0 overtakes statement 1
        for k in T.Pipelined(0, n, num_stages=2, schedule=[(0, 0, 0, 0), (1, 1, 2, -1)], versions={A_s: 2}):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# PipelineBadSchedule
@T.prim_func(properties=["tile"])
def versions_of_an_accumulator(
    A: T.Tensor((512, 512), "float16"),
    O: T.Tensor((512, 512), "float16"),
    n: T.int32,
):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{.*}}error: the schedule of the loop over 'k' does not fit its body: it cannot give 'C' 2 versions
        for k in T.Pipelined(0, n, num_stages=2, schedule=[(0, 0, 0, 0), (1, 1, 1, -1)], versions={A_s: 2, C: 2}):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
