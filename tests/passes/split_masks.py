# tilescope-ir 1
# ./dev lit tests/passes/split_masks.py
# RUN: tilescope opt --target sm_90a %s --passes 'split-masks{branch=true}' | FileCheck %s
# RUN: tilescope show remarks %s --target sm_90a --passes 'split-masks{branch=true}' | FileCheck %s --check-prefix=SAYS
# RUN: tilescope opt --target sm_90a %s --passes 'split-masks{branch=true},infer-layouts,lower-tile-ops,simplify' | FileCheck %s --check-prefix=LOWERED
# RUN: tilescope opt --target sm_80 %s --passes 'split-masks{branch=true}' | FileCheck %s --check-prefix=OLDER
# OLDER-NOT: if {{bx|not|k.*63}}
# OLDER: def opposite(

# One element of a tile decides for all others; what they get is a fill, which a product of warp groups then starts with.
# CHECK-LABEL: def causal(
# CHECK: if bx * 64 < k * 64 + 63:
# CHECK-NEXT: for i, j in T.Parallel(64, 64):
# CHECK: S[i, j] = 0.0 if q >= c else -T.infinity("float32")
# CHECK-NEXT: else:
# CHECK-NEXT: T.fill(S[0:64, 0:64], 0.0)
# CHECK-NEXT: T.gemm(
# SAYS: 'S' is masked only in tiles where bx * 64 < k * 64 + 63
# LOWERED-LABEL: def causal(
# LOWERED: if bx * 64 < k * 64 + 63:
# LOWERED-NOT: else:
# LOWERED: T.wgmma({{.*}}, clear_accum=k_step == 0 and bx * 64 >= k * 64 + 63, transpose_B=True)
@T.prim_func(properties=["tile", "pipelined"])
def causal(Q: T.Tensor((64, 64), "float16"), R: T.Tensor((64, 64), "float32", output=True)):
    Q_s = T.alloc_shared((64, 64), "float16")
    S = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(4, threads=128) as (bx, tx):
        T.copy(Q[0:64, 0:64], Q_s[0:64, 0:64])
        for k in T.serial(0, bx + 1):
            for i, j in T.Parallel(64, 64):
                q: T.int32 = bx * 64 + i
                c: T.int32 = k * 64 + j
                S[i, j] = 0.0 if q >= c else -T.infinity("float32")
            T.gemm(Q_s[0:64, 0:64], Q_s[0:64, 0:64], S[0:64, 0:64], transpose_B=True)
            T.copy(S[0:64, 0:64], R[0:64, 0:64])

# What stays as it was takes no statement: under a condition, and as a side of a choice; both ends must be within, and a
# value from memory that nobody writes may be one of them.
# CHECK-LABEL: def kept(
# CHECK: if not (k * 64 + 63 < n[bx] and 63 < m):
# CHECK-NEXT: for i, j in T.Parallel(64, 64):
# CHECK-NEXT: S[i, j] = S[i, j] if k * 64 + j < n[bx] and i < m else -T.infinity("float32")
# CHECK-NEXT: if k * 64 + 63 >= n[bx]:
# CHECK-NEXT: for i, j in T.Parallel(64, 64):
# CHECK-NEXT: if k * 64 + j >= n[bx]:
# CHECK-NEXT: S[i, j] = -T.infinity("float32")
# CHECK-NEXT: T.copy(
# SAYS: 'S' is masked only in tiles where k * 64 + 63 >= n[bx]
@T.prim_func(properties=["tile", "pipelined"])
def kept(m: T.int32, n: T.Tensor((4,), "int32"), R: T.Tensor((64, 64), "float32", output=True)):
    S = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(4, threads=128) as (bx, tx):
        T.fill(S[0:64, 0:64], 1.0)
        for k in T.serial(0, 4):
            for i, j in T.Parallel(64, 64):
                S[i, j] = S[i, j] if k * 64 + j < n[bx] and i < m else -T.infinity("float32")
            for i, j in T.Parallel(64, 64):
                if k * 64 + j >= n[bx]:
                    S[i, j] = -T.infinity("float32")
            T.copy(S[0:64, 0:64], R[0:64, 0:64])

# The corner that fails first is not the same for either value of a condition, nor where indices count down. A part of a
# fragment is filled by a nest of its own.
# CHECK-LABEL: def opposite(
# CHECK: if bx * 64 - 63 < 31:
# CHECK: S[i, j] = 0.0 if bx * 64 - i >= T.max(j // 2, 5) else 1.0
# CHECK: if k * 64 <= bx * 64 + 32:
# CHECK-NEXT: for i, j in T.Parallel(32, 64):
# CHECK-NEXT: S[i + 1, j] = 2.0 if k * 64 + j <= bx * 64 + i + 1 else 0.0
# CHECK-NEXT: else:
# CHECK-NEXT: for i, j in T.Parallel(32, 64):
# CHECK-NEXT: S[i + 1, j] = 0.0
@T.prim_func(properties=["tile", "pipelined"])
def opposite(R: T.Tensor((64, 64), "float32", output=True)):
    S = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(4, threads=128) as (bx, tx):
        for k in T.serial(0, 4):
            for i, j in T.Parallel(64, 64):
                S[i, j] = 0.0 if bx * 64 - i >= T.max(j // 2, 5) else 1.0
            for i, j in T.Parallel(32, 64):
                S[i + 1, j] = 2.0 if k * 64 + j <= bx * 64 + i + 1 else 0.0
            T.copy(S[0:64, 0:64], R[0:64, 0:64])

# No element decides for all; what is read the kernel writes; threads disagree; all tiles are alike; both sides compute.
# SAYS: 'S' is masked in all tiles: no single element decides for all of them
# SAYS: 'S' is masked in all tiles: no single element decides for all of them
# SAYS: 'S' is masked in all tiles: it depends on what the kernel writes
# SAYS: 'S' is masked in all tiles: threads do not agree on it
# SAYS: 'S' is masked in all tiles: tiles do not differ
# SAYS: 'S' is masked in all tiles: neither side is a constant or what the element was
# SAYS-NOT: is masked
# CHECK-LABEL: def stays(
# CHECK-NOT: if {{.*}}:
# CHECK-LABEL: def end(
@T.prim_func(properties=["tile", "pipelined"])
def stays(n: T.Tensor((4,), "int32"), R: T.Tensor((64, 64), "float32", output=True)):
    S = T.alloc_fragment((64, 64), "float32")
    C = T.alloc_shared((64, 64), "float32")
    w = T.alloc_shared((1,), "int32")
    with T.Kernel(4, threads=128) as (bx, tx):
        for k in T.serial(0, 4):
            for i, j in T.Parallel(64, 64):
                S[i, j] = 0.0 if (bx + i) % 2 < k else 1.0
            for i, j in T.Parallel(64, 64):
                S[i, j] = 0.0 if i == k else 1.0
            T.copy(n[bx:bx + 1], w[0:1])
            for i, j in T.Parallel(64, 64):
                S[i, j] = 0.0 if i < w[0] else 1.0
            for i, j in T.Parallel(64, 64):
                S[i, j] = 0.0 if i < tx else 1.0
            for i, j in T.Parallel(64, 64):
                S[i, j] = 0.0 if i < j else 1.0
            for i, j in T.Parallel(64, 64):
                S[i, j] = S[i, j] * 2.0 if i < k else S[i, j] + 1.0
            # Not of iterations; not of a fragment; more than one element.
            for i, j in T.Parallel(64, 64):
                S[i, j] = 0.0 if bx < k else 1.0
            for i, j in T.Parallel(64, 64):
                C[i, j] = 0.0 if i < k else 1.0
            for i, j in T.Parallel(64, 64):
                S[i, j] = 0.0 if i < k else 1.0
                C[i, j] = S[i, j]
            T.copy(S[0:64, 0:64], R[0:64, 0:64])

@T.prim_func(properties=["tile", "pipelined"])
def end():
    with T.Kernel(1, threads=128) as (bx, tx):
        T.barrier()
