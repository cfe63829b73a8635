# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_shared_memory_over_capacity.py
# RUN: not tilescope opt --target sm_86 --passes merge-shared-memory %s 2>&1 | FileCheck %s
# CHECK: error: kernel 'large' needs 131,072 bytes of dynamic shared memory, but sm_86 leaves it 101,376
# CHECK: note: 'a' takes 65,536 bytes, 1 version, and is live with the others named here
# CHECK: note: 'b' takes 65,536 bytes, 2 versions, and is live with the others named here
# CHECK: note: with one version less of 'b' it would need 98,304 bytes

# RUN: not tilescope compile %kernels/attention_fwd.py:attention --set heads=2 --set length=384 \
# RUN:   --set block_M=128 --set block_N=128 --set num_stages=3 -o - 2>&1 | FileCheck %s --check-prefix=STAGES
# STAGES: error: kernel 'attention_kernel' needs 229,376 bytes of dynamic shared memory, but sm_80 leaves it 166,912
# STAGES: attention_fwd.py:42:24: note: 'K_shared' takes 98,304 bytes, 3 versions, and is live with the others named here
# STAGES: attention_fwd.py:43:24: note: 'V_shared' takes 98,304 bytes, 3 versions, and is live with the others named here
# STAGES-NOT: 'Q_shared'
# STAGES: attention_fwd.py:65:{{.*}}: note: with num_stages=2 here it would need 163,840 bytes
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
