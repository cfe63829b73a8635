# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_shared_memory_over_capacity.py
# RUN: not tilescope opt --target sm_86 --passes merge-shared-memory %s 2>&1 | FileCheck %s
# CHECK: error: kernel 'large' needs 131072 bytes of dynamic shared memory, but sm_86 leaves it 101376
# CHECK: note: 'a' takes 65536 bytes, 1 version(s), and is live where most is
# CHECK: note: 'b' takes 65536 bytes, 2 version(s), and is live where most is
@T.prim_func(properties=["lowered", "barriers-placed"])
def large(
    A: T.Tensor((8, 128), "float32"),
):
    a = T.alloc_shared((16384,), "float32")
    b = T.alloc_shared((8192,), "float32", versions=2)
    with T.Kernel(8, threads=128) as (bx, tx):
        a[tx] = 0.0
        b[0, tx] = 0.0
        b[1, tx] = 0.0
        A[bx, tx] = a[tx] + b[0, tx] + b[1, tx]
