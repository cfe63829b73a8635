# tilescope-ir 1
# ./dev lit tests/exec/blocks.py
# RUN: exits 1 tilescope exec %s -j 1 | sed 's/ *[0-9.]* ms//' > %t.one
# RUN: exits 1 tilescope exec %s -j 4 | sed 's/ *[0-9.]* ms//' > %t.four && cmp %t.one %t.four
# RUN: exits 1 tilescope exec %s | sed 's/ *[0-9.]* ms//' | cmp - %t.one
# RUN: FileCheck %s < %t.one

# Blocks run on several threads of the CPU, and the report is that of one: findings in order of the blocks, their counts,
# where each was seen first. Blocks that meet in 'C' are run again, by one thread.
#      CHECK: {{^}}elaborate WRONG as written{{$}}
# CHECK-NEXT: 'S' is accessed at [-8], outside of its shape, by thread 0 of block 0; 42 times [out-of-bounds]
# CHECK-NEXT: line [[#@LINE+25]]: B[bx * 64 + tx] = S[tx + bx - 8]
# CHECK-NEXT: 'S' is read where nothing was written, by thread 58 of block 0; 66 times [uninitialised-read]
#      CHECK: 'C' is accessed by thread 5 of block 0 and thread 5 of block 2 without a barrier between, by thread 5 of block 2; 10 times [race]
# CHECK-NEXT: line [[#@LINE+24]]: C[bx % 2] = T.float32(bx)
# CHECK-NEXT: and line [[#@LINE+23]]: C[bx % 2] = T.float32(bx)

# Of a sample what its blocks do is found.
# RUN: exits 1 tilescope exec %s --blocks 3 | FileCheck %s --check-prefix=SAMPLE
#      SAMPLE: {{^}}elaborate WRONG {{.*}} ms, 3 of 12 blocks{{$}}
#      SAMPLE: 'C' is accessed by thread 5 of block 5 and thread 5 of block 11 without a barrier between, by thread 5 of block 11 [race]

# RUN: exits 1 tilescope exec %s --blocks 12 | sed 's/ *[0-9.]* ms//' | cmp - %t.one
# RUN: exits 1 tilescope exec %s --blocks 18446744073709551615 | sed 's/ *[0-9.]* ms//' | cmp - %t.one

@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered", "barriers-placed", "arena-planned", "barriers-final"])
def blocks(
    A: T.Tensor((768,), "float32"),
    B: T.Tensor((768,), "float32", output=True),
    C: T.Tensor((2,), "float32", output=True),
):
    S = T.alloc_shared((64,), "float32", offset=0)
    with T.Kernel(12, threads=64) as (bx, tx):
        if tx < 50 + bx:
            S[tx] = A[bx * 64 + tx]
        T.barrier()
        B[bx * 64 + tx] = S[tx + bx - 8]
        if tx == 5:
            C[bx % 2] = T.float32(bx)
