# tilescope-ir 1
# ./dev lit tests/passes/new_name.py
# RUN: tilescope opt --passes new-name %s | FileCheck %s


# CHECK: def f(
@T.prim_func
def f(A: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=32) as (bx, tx):
        T.barrier()
