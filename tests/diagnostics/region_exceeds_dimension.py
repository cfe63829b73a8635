# RUN: tilescope opt --passes '' %s -o %t 2>&1 | FileCheck %s --match-full-lines --implicit-check-not=warning
# ./dev lit tests/diagnostics/region_exceeds_dimension.py

# RegionExceedsDimension: extents of an element count from the last dimension, so the 64 rows of the tile fall on the
# heads. Regions that only may leave a tensor say nothing.
import tilelang.language as T


@T.prim_func
def kernel(Q: T.Tensor((1, 512, 2, 64), "float16"), R: T.Tensor((500, 64), "float16")):
    with T.Kernel(8, 2, threads=128) as (bm, head):
        S = T.alloc_shared((64, 64), "float16")
        # CHECK: {{.*}}:[[# @LINE + 3]]:16: warning: region of 64 elements in dimension 2 of 'Q', which has 2: what is outside reads as 0 and is not written
        # CHECK-NEXT: {{ *}}T.copy(Q[0, bm * 64, head, 0], S)
        # CHECK-NEXT: {{ *}}^~~~~~~~~~~~~~~~~~~~~~
        T.copy(Q[0, bm * 64, head, 0], S)
        # CHECK: {{.*}}:[[# @LINE + 1]]:19: warning: region of 64 elements in dimension 2 of 'Q', which has 2: {{.*}}
        T.copy(S, Q[0, 0, 0:64, :])
        T.copy(Q[0, bm * 64 : bm * 64 + 64, head, :], S)
        T.copy(R[bm * 64, 0], S)
