# tilescope-ir 1
# ./dev lit tests/ops/barrier.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def barrier_forms(
@T.prim_func(properties=["tile"])
def barrier_forms(
    A: T.Tensor((256, 256), "float16"),
    C: T.Tensor((256, 256), "float32", output=True),
):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.barrier(){{$}}
        T.barrier()
        # CHECK: T.barrier(){{$}}
        T.barrier(scope="block")
        # CHECK: T.barrier(scope="warp"){{$}}
        T.barrier(scope="warp")
        # CHECK: T.barrier(mask=T.uint32(65535), scope="warp"){{$}}
        T.barrier(mask=T.uint32(65535), scope="warp")
