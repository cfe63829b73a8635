# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_static_shared_memory.py
# RUN: not tilescope opt --passes merge-shared-memory %s 2>&1 | FileCheck %s
# CHECK: error: kernel 'large' needs 49,184 bytes of static shared memory, but CUDA leaves it 49,152
# CHECK: note: 'a' takes 40 bytes; without scope="shared" it would be dynamic
# CHECK: note: 'b' takes 49,056 bytes; without scope="shared" it would be dynamic

# Each array starts at a multiple of 128 bytes. 48 KiB fit; dynamic shared memory may be more.
# RUN: sed 's/12264/12256/' %s | tilescope opt --passes merge-shared-memory - | FileCheck %s --check-prefix=FITS
# FITS: b = T.alloc_shared_static((12256,), "float32")
# RUN: sed 's/_static//' %s | tilescope opt --passes merge-shared-memory - | FileCheck %s --check-prefix=DYNAMIC
# DYNAMIC: b = T.alloc_shared((12264,), "float32", offset={{[0-9]+}})
@T.prim_func(properties=["lowered", "barriers-placed"])
def large(
    A: T.Tensor((8, 128), "float32"),
):
    a = T.alloc_shared_static((10,), "float32")
    b = T.alloc_shared_static((12264,), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        a[tx % 10] = 0.0
        b[tx] = 0.0
        A[bx, tx] = a[tx % 10] + b[tx]
