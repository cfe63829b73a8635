# tilescope-ir 1
# ./dev lit tests/passes/split_host_device.py
# RUN: tilescope opt --passes split-host-device %s | FileCheck %s

# Each launch gets the parameters and buffers that it uses, in order, and keeps the properties.
# CHECK: @T.prim_func(kind="device", properties=["lowered"])
# CHECK-NEXT: def two_kernel(
# CHECK-NEXT: A: T.Tensor((n,), "float32"),
# CHECK-NEXT: n: T.int32,
# CHECK-NEXT: ):
# CHECK-NEXT: A_s = T.alloc_shared((128,), "float32")
# CHECK-NEXT: with T.Kernel((n + 127) // 128, threads=128) as (bx, tx):
# CHECK: @T.prim_func(kind="device", properties=["lowered"])
# CHECK-NEXT: def two_kernel_1(
# CHECK-NEXT: A: T.Tensor((n,), "float32"),
# CHECK-NEXT: B: T.Tensor((128,), "float32", output=True),
# CHECK-NEXT: scale: T.float32,
# CHECK-NEXT: n: T.int32,
# CHECK-NEXT: ):
# CHECK-NEXT: with T.Kernel(1, threads=128) as (bx, tx):
@T.prim_func(properties=["lowered"])
def two(
    unused: T.Tensor((128,), "float32"),
    A: T.Tensor((n,), "float32"),
    B: T.Tensor((128,), "float32", output=True),
    scale: T.float32,
    n: T.int32,
):
    A_s = T.alloc_shared((128,), "float32")
    unused_s = T.alloc_shared((128,), "float32")
    with T.Kernel((n + 127) // 128, threads=128) as (bx, tx):
        A_s[tx] = A[tx]
    with T.Kernel(1, threads=128) as (bx, tx):
        B[tx] = A[tx] * scale

# Host scalars are put in place of their names.
# CHECK-LABEL: def scalars_kernel(
# CHECK: with T.Kernel((n + 127) // 128 * 2, threads=128) as (bx, tx):
# CHECK-NEXT: A[bx] = T.float32((n + 127) // 128)
@T.prim_func
def scalars(
    A: T.Tensor((n,), "float32"),
    n: T.int32,
):
    blocks: T.int32 = (n + 127) // 128
    twice: T.int32 = blocks * 2
    with T.Kernel(twice, threads=128) as (bx, tx):
        A[bx] = T.float32(blocks)

# A device function stays as it is.
# CHECK-LABEL: def device(
@T.prim_func(kind="device")
def device(
    A: T.Tensor((128,), "float32"),
):
    with T.Kernel(1, threads=128) as (bx, tx):
        A[tx] = 0.0
