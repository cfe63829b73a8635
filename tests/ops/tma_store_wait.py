# tilescope-ir 1
# ./dev lit tests/ops/tma_store_wait.py
# RUN: tilescope opt --target sm_90a --passes '' %s | FileCheck %s
# RUN: sed 's/# broken: //' %s > %t.py && not tilescope opt --target sm_90a --passes '' %t.py 2>&1 | FileCheck %s --check-prefix=BROKEN

# CHECK-LABEL: def tma_store_wait_forms(
@T.prim_func(properties=["lowered"])
def tma_store_wait_forms(A: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.tma_store_wait(pending=1){{$}}
        T.tma_store_wait(pending=1)
        # CHECK: T.tma_store_wait(){{$}}
        T.tma_store_wait(pending=0)
        # BROKEN: [[# @LINE + 1]]:{{.*}}error: attribute 'pending' of tma_store_wait is -1, but must be 0 or more
        # broken: T.tma_store_wait(pending=-1)
