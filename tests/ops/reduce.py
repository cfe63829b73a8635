# tilescope-ir 1
# ./dev lit tests/ops/reduce.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def reduce_forms(
@T.prim_func(properties=["tile"])
def reduce_forms(
    A: T.Tensor((256, 256), "float16"),
    C: T.Tensor((256, 256), "float32", output=True),
):
    scores = T.alloc_fragment((64, 32), "float32")
    rows = T.alloc_fragment((64,), "float32")
    columns = T.alloc_fragment((1, 32), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.reduce(scores[0:64, 0:32], rows[0:64], kind="max", dim=1){{$}}
        T.reduce(scores, rows, kind="max", dim=1)
        # CHECK: T.reduce(scores[0:64, 0:32], columns[0, 0:32], clear=False){{$}}
        T.reduce(scores[0:64, 0:32], columns[0, 0:32], clear=False)
        # CHECK: T.reduce(scores[0:64, 0:32], rows[0:64], kind="abs_sum", dim=1){{$}}
        T.reduce(scores[0:64, 0:32], rows[0:64], kind="abs_sum", dim=1)
