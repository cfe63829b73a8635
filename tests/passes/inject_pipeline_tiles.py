# Blocks that take tile after tile of attention: queries are copied ahead, and tiles of different length taken from both ends.
# ./dev lit tests/passes/inject_pipeline_tiles.py
# DEFINE: %{roles} = --target sm_90a --pass-option inject-pipeline.tma=true --pass-option inject-pipeline.roles=true --pass-option infer-layouts.tma-stores=true
# DEFINE: %{blocks} = %{roles} --pass-option inject-pipeline.blocks=4
# DEFINE: %{ahead} = %{blocks} --pass-option inject-pipeline.tile-slots=2
# DEFINE: %{apart} = %{ahead} --pass-option split-roles.warp-groups=true --pass-option plan-pipeline.overlap-products=true
# RUN: tilescope show remarks %s %{ahead} | FileCheck %s --check-prefix=CHOSEN
# RUN: tilescope show remarks %s %{ahead} --set twice=True | FileCheck %s --check-prefix=TWICE
# RUN: tilescope show remarks %s %{ahead} --set moved=True | FileCheck %s --check-prefix=MOVED
# RUN: tilescope show remarks %s %{roles} --pass-option inject-pipeline.tile-slots=2 | FileCheck %s --check-prefix=ALONE --allow-empty
# RUN: tilescope show remarks %s %{apart} | FileCheck %s --check-prefix=APART
# RUN: tilescope compile %s %{ahead} -o - | FileCheck %s
# RUN: tilescope check %s %{blocks} | FileCheck %s --check-prefix=SOUND
# RUN: tilescope check %s %{ahead} | FileCheck %s --check-prefix=SOUND
# RUN: tilescope check %s %{apart} | FileCheck %s --check-prefix=SOUND
# RUN: tilescope exec %s %{ahead} --every-pass --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s %{apart} --every-pass --witness | FileCheck %s --check-prefix=RUNS
# Slots around the tiles, trips around the slots:
# RUN: tilescope exec %s %{blocks} --pass-option inject-pipeline.tile-slots=1 --set heads=6 --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s %{blocks} --pass-option inject-pipeline.tile-slots=3 --set heads=6 --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s %{ahead} --set trips=1 --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s %{ahead} --set trips=5 --set stages=3 --witness | FileCheck %s --check-prefix=RUNS
# Lengths that differ:
# RUN: tilescope show remarks %s %{ahead} --set causal=1 | FileCheck %s --check-prefix=CHOSEN
# RUN: tilescope show remarks %s %{ahead} --set causal=1 --set rows=3 --set heads=4 | FileCheck %s --check-prefix=PART
# RUN: tilescope show remarks %s %{ahead} --set both=True | FileCheck %s --check-prefix=BOTH
# RUN: tilescope compile %s %{ahead} --set causal=1 -o - 2>/dev/null | FileCheck %s --check-prefix=UNEVEN
# RUN: tilescope exec %s %{ahead} --set causal=1 --every-pass --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s %{apart} --set causal=1 --every-pass --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s %{ahead} --set causal=0 --set rows=2 --set heads=10 --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s %{ahead} --set causal=-1 --set stages=3 --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope check %s %{ahead} --set causal=3 --set rows=2 --set heads=4 | FileCheck %s --check-prefix=SOUND
# RUN: tilescope check %s %{apart} --set causal=0 --set rows=2 --set heads=4 | FileCheck %s --check-prefix=SOUND
# RUN: tilescope check %s %{apart} --set causal=1 2>&1 | FileCheck %s --check-prefix=UNSHOWN
import tilelang
import tilelang.language as T


# CHOSEN: inject-pipeline, line [[#]]: 4 blocks take 3 tiles each [Persistent]
# CHOSEN: 'Q' to 'Q_shared' by TMA, 16384 bytes a tile in 2 slots, counted by 'Q_shared_full' [TileCopied]
# TWICE: 'Q' to 'Q_shared' not by TMA: 'Q_shared' is used before it, or filled elsewhere, too [CopyNotByTma]
# MOVED: 'Q' to 'Q_shared' not by TMA: no thread reads 'Q_shared', or it is moved on [CopyNotByTma]
# ALONE-NOT: TileCopied
# APART: 2 warp groups of role 'compute' do their parts alone [RoleSplit]
# PART: each block of this launch has one tile: its tiles differ, and 3 of a row are no part of 4 [NotPersistent]
# BOTH: each block of this launch has one tile: a pipelined loop has a length that no single block variable decides [NotPersistent]
# CHECK: // Role copy: threads 256 to 383.
# CHECK: for (int wave = 0; wave < 3; ++wave) {
# CHECK: mbarrier_wait(Q_shared_empty_wave, (wave + 2) / 2 % 2);
# CHECK-NEXT: mbarrier_arrive_expect(Q_shared_full_wave, 16384);
# CHECK: tma_load_3d(&Q_shared_wave[
# CHECK: mbarrier_wait(K_shared_empty
# CHECK: // Role compute: threads 0 to 255.
# CHECK: mbarrier_wait(Q_shared_full_wave, wave / 2);
# CHECK: for (int k = 0
# CHECK: {{^      }}}
# CHECK: mbarrier_arrive(Q_shared_empty_wave);
# CHECK: tma_store_3d(
# UNEVEN: // Role copy: threads 256 to 383.
# UNEVEN: const int bx = wave % 2 == 0 ? block : 3 - block;
# UNEVEN: const int before = {{.*}}
# UNEVEN: // Role compute: threads 0 to 255.
# UNEVEN: const int before =
# UNEVEN: mbarrier_wait(K_shared_full_s, (before + k) / 2 % 2);
# SOUND: free of hazards {{ *}}yes
# UNSHOWN: it is not established that {{.*}}write one value to each element of 'O': several blocks
# RUNS: cuda {{ *}}equal
# RUNS: cuda reversed {{ *}}equal
@tilelang.jit
def attention(Q, K, V, rows: int = 4, heads: int = 3, D: int = 64, trips: int = 3, causal: int = -9, stages: int = 2,
              twice: bool = False, moved: bool = False, both: bool = False):
    Q: T.Tensor[[heads, rows * 128, D], T.float16]
    K: T.Tensor[[heads, 512, D], T.float16]
    V: T.Tensor[[heads, 512, D], T.float16]
    O = T.empty([heads, rows * 128, D], T.float16)

    with T.Kernel(rows, heads, threads=256) as (bx, by):
        Q_shared = T.alloc_shared((128, D), T.float16)
        K_shared = T.alloc_shared((64, D), T.float16)
        V_shared = T.alloc_shared((64, D), T.float16)
        O_shared = T.alloc_shared((128, D), T.float16)
        S_local = T.alloc_fragment((128, 64), T.float32)
        P_local = T.alloc_fragment((128, 64), T.float16)
        O_local = T.alloc_fragment((128, D), T.float32)
        if twice:
            T.fill(Q_shared, 0)
        T.copy(Q[by, bx * 128, 0], Q_shared)
        if moved:
            T.copy(Q_shared, O[by, bx * 128, 0])
        T.clear(O_local)
        for k in T.Pipelined(bx + by if both else bx + causal if causal > -9 else trips, num_stages=stages):
            T.copy(K[by, k * 64, 0], K_shared)
            T.gemm(Q_shared, K_shared, S_local, transpose_B=True, clear_accum=True, policy=T.GemmWarpPolicy.FullRow)
            for i, j in T.Parallel(128, 64):
                S_local[i, j] = T.max(S_local[i, j], 0) * 0.25
            T.copy(S_local, P_local)
            for i, j in T.Parallel(128, D):
                O_local[i, j] = O_local[i, j] * 0.5
            T.copy(V[by, k * 64, 0], V_shared)
            T.gemm(P_local, V_shared, O_local, policy=T.GemmWarpPolicy.FullRow)
        T.copy(O_local, O_shared)
        T.copy(O_shared, O[by, bx * 128, 0])
    return O
