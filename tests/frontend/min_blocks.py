# RUN: tilescope opt --passes '' %s:rows | FileCheck %s
# ./dev lit tests/frontend/min_blocks.py
# RUN: tilescope opt --passes '' %s:rows | tilescope opt --passes '' - | FileCheck %s
# RUN: tilescope compile %s:rows -o - | FileCheck %s --check-prefix=CUDA
# RUN: tilescope compile %s:rows -o - --trace %t.trace && FileCheck %s --check-prefix=TRACE --input-file %t.trace
# RUN: exits 2 tilescope opt --passes '' %s:none 2>&1 | FileCheck %s --check-prefix=NONE
# RUN: exits 2 tilescope opt --passes '' %s:many 2>&1 | FileCheck %s --check-prefix=MANY
# RUN: exits 2 tilescope opt --passes '' %s:of_device 2>&1 | FileCheck %s --check-prefix=DEVICE
# RUN: exits 2 tilescope opt --passes '' %s:outside 2>&1 | FileCheck %s --check-prefix=OUTSIDE

# What a kernel asks a multiprocessor to hold is the second launch bound; the last word counts. MinBlocks: there is no room for them.
import tilelang.language as T


# CHECK: with T.Kernel(4, threads=128, min_blocks=3) as (bx, tx):
# CUDA: __launch_bounds__(128, 3) rows_kernel(
# TRACE: "minBlocks":3
@T.prim_func
def rows(A: T.Tensor((512,), "float32")):
    with T.Kernel(4, threads=128) as bx:
        T.annotate_min_blocks_per_sm(2)
        T.annotate_min_blocks_per_sm(n=3)
        A[bx * 128 + T.get_thread_binding()] = 1.0


@T.prim_func
def none(A: T.Tensor((512,), "float32")):
    with T.Kernel(4, threads=128) as bx:
        # NONE: [[# @LINE + 1]]:{{.*}}: error: 0 blocks of 128 threads on a multiprocessor of sm_80; 1 to 16 are possible
        T.annotate_min_blocks_per_sm(0)


@T.prim_func
def many(A: T.Tensor((512,), "float32")):
    with T.Kernel(4, threads=256) as bx:
        # MANY: [[# @LINE + 1]]:{{.*}}: error: 9 blocks of 256 threads on a multiprocessor of sm_80; 1 to 8 are possible
        T.annotate_min_blocks_per_sm(9)


@T.prim_func
def of_device(A: T.Tensor((512,), "float32"), n: T.int32):
    with T.Kernel(4, threads=256) as bx:
        # DEVICE: [[# @LINE + 1]]:{{.*}}: error: 'n' of 'T.annotate_min_blocks_per_sm' must be an integer known at compile time, not an int32 expression
        T.annotate_min_blocks_per_sm(n)


@T.prim_func
def outside(A: T.Tensor((512,), "float32")):
    # OUTSIDE: [[# @LINE + 1]]:{{.*}}: error: T.annotate_min_blocks_per_sm needs a kernel around it
    T.annotate_min_blocks_per_sm(2)
    with T.Kernel(4, threads=256) as bx:
        A[bx] = 1.0
