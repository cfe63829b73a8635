# tilescope-ir 1
# ./dev lit tests/ops/new_name.py
# RUN: tilescope opt --passes '' %s | FileCheck %s
# RUN: tilescope opt %s --passes inject-pipeline,infer-layouts,lower-tile-ops | FileCheck %s --check-prefix=LOWERED

# CHECK-LABEL: def new_name_forms(
# LOWERED-LABEL: def new_name_forms(
@T.prim_func(properties=["tile"])
def new_name_forms():
    fragment = T.alloc_fragment((8, 64), "float32")
    shared = T.alloc_shared((8, 64), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.new_name(fragment[0:8, 0:64]){{$}}
        # LOWERED: fragment[{{.*}}] = fragment[{{.*}}] + fragment[
        T.new_name(fragment)
        # CHECK: T.new_name(shared[2:4, 0:64]){{$}}
        # LOWERED: shared[{{.*}}] = shared[{{.*}}] + shared[
        T.new_name(shared[2:4, 0:64])
