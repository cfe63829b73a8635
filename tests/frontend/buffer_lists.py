# RUN: tilescope opt --passes '' %s | FileCheck %s
# ./dev lit tests/frontend/buffer_lists.py

# Buffers in a list are named after it; a loop over the list runs while the kernel is built.
import tilelang.language as T


# CHECK: tiles_0 = T.alloc_shared((8,), "float32")
# CHECK: tiles_1 = T.alloc_shared((8,), "float32")
# CHECK: first = T.alloc_shared((16,), "float32")
# CHECK: second = T.alloc_shared((16,), "float32")
@T.prim_func
def kernel():
    with T.Kernel(1, threads=32) as bx:
        tiles = [T.alloc_shared((8,), "float32") for _ in range(2)]
        first, second = T.alloc_shared((16,), "float32"), T.alloc_shared((16,), "float32")
        pair = (first, second)
        # CHECK: T.fill(tiles_0[0:8], 0.0)
        # CHECK: T.fill(tiles_1[0:8], 1.0)
        for n, tile in enumerate(tiles):
            T.fill(tile, n)
        # CHECK: T.fill(second[0:16], 0.0)
        T.clear(pair[1])
