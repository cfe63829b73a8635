# RUN: tilescope compile %s:half_a_step -o %t 2>&1 | FileCheck %s --check-prefix=HALF
# ./dev lit tests/diagnostics/blocks_write_one_element.py
# RUN: tilescope compile %s:two_share -o %t 2>&1 | FileCheck %s --check-prefix=SHARE
# RUN: tilescope compile %s:some_blocks -o %t 2>&1 | FileCheck %s --check-prefix=SOME
# RUN: tilescope compile %s:copied -o %t 2>&1 | FileCheck %s --check-prefix=COPIED
# RUN: tilescope compile %s:tiles_overlap -o %t 2>&1 | FileCheck %s --check-prefix=TILES
# RUN: tilescope compile %s:border -o %t 2>&1 | FileCheck %s --check-prefix=BORDER
# RUN: tilescope compile %s:turned -o %t 2>&1 | FileCheck %s --check-prefix=TURNED
# RUN: tilescope compile %s:cleared -o %t 2>&1 | FileCheck %s --check-prefix=CLEARED
# RUN: tilescope compile %s:two_statements -o %t 2>&1 | FileCheck %s --check-prefix=TWO
# RUN: tilescope compile %s:loaded_offsets -o %t 2>&1 | FileCheck %s --check-prefix=LOADED
# RUN: exits 1 tilescope check --strict %s:half_a_step
# RUN: tilescope check --strict %s:tiles | grep 'free of hazards  yes'
# RUN: tilescope check --strict %s:persistent | grep 'free of hazards  yes'
# RUN: tilescope check --strict %s:split | grep 'free of hazards  yes'

# Nothing orders blocks: what each writes has to be shown to be its own. An index that mentions the
# block does not show it.
import tilelang
import tilelang.language as T


@tilelang.jit
def half_a_step(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(4, threads=128) as bx:
            for i in T.Parallel(32):
                # HALF: [[# @LINE + 1]]:17: warning: it is not established that threads which run this statement write one value to each element of 'C': several blocks may write the same elements
                C[bx * 16 + i] = A[bx * 32 + i]

    return main


@tilelang.jit
def two_share(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(4, threads=128) as bx:
            for i in T.Parallel(32):
                # SHARE: [[# @LINE + 1]]:17: warning: {{.*}}: several blocks may write the same elements
                C[(bx // 2) * 32 + i] = A[bx * 32 + i]

    return main


@tilelang.jit
def some_blocks(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(4, threads=128) as bx:
            for i in T.Parallel(32):
                if bx < 2:
                    # SOME: [[# @LINE + 1]]:21: warning: {{.*}}: several blocks may write the same elements
                    C[i] = A[bx * 32 + i]

    return main


@tilelang.jit
def copied(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(4, threads=128) as bx:
            s = T.alloc_shared((32,), "float32")
            T.copy(A[bx * 32], s)
            # COPIED: [[# @LINE + 1]]:13: warning: {{.*}}: several blocks may write the same elements
            T.copy(s, C[(bx % 2) * 32])

    return main


@tilelang.jit
def tiles_overlap(M=128, N=128):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(3, 2, threads=128) as (bx, by):
            s = T.alloc_shared((64, 64), "float16")
            T.copy(A[by * 64, bx * 32], s)
            # TILES: [[# @LINE + 1]]:13: warning: {{.*}}: several blocks may write the same elements
            T.copy(s, C[by * 64, bx * 32])

    return main


@tilelang.jit
def border(N=128):
    @T.prim_func
    def main(A: T.Tensor((4 * N,), "float32"), C: T.Tensor((4 * N + 8,), "float32")):
        with T.Kernel(4, threads=128) as bx:
            s = T.alloc_shared((N + 8,), "float32")
            T.clear(s)
            T.copy(A[bx * N : bx * N + N], s[0:N])
            # BORDER: [[# @LINE + 1]]:13: warning: {{.*}}: several blocks may write the same elements
            T.copy(s, C[bx * N : bx * N + N + 8])

    return main


@tilelang.jit
def turned(N=128):
    @T.prim_func
    def main(A: T.Tensor((4 * N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(4, threads=128) as bx:
            for i in T.Parallel(N):
                # TURNED: [[# @LINE + 1]]:17: warning: {{.*}}: several blocks may write the same elements
                C[(i + bx) % N] = A[bx * N + i]

    return main


# The first block may clear what the others have already added.
@tilelang.jit
def cleared(N=128):
    @T.prim_func
    def main(A: T.Tensor((4, N), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(4, threads=128) as bx:
            for i in T.Parallel(N):
                if bx == 0:
                    # CLEARED: [[# @LINE + 1]]:21: warning: {{.*}}: several blocks may write the same elements
                    C[i] = 0.0
            for i in T.Parallel(N):
                T.atomic_add(C[i], A[bx, i])

    return main


# Each by itself has a place of each block.
@tilelang.jit
def two_statements(N=128):
    @T.prim_func
    def main(A: T.Tensor((4 * N,), "float32"), C: T.Tensor((5 * N,), "float32")):
        with T.Kernel(4, threads=128) as bx:
            for i in T.Parallel(N):
                C[bx * N + i] = A[bx * N + i]
            for i in T.Parallel(N):
                # TWO: [[# @LINE + 1]]:17: warning: {{.*}}: several blocks may write the same elements
                C[bx * N + N + i] = A[bx * N + i] * 2.0

    return main


@tilelang.jit
def loaded_offsets(N=128):
    @T.prim_func
    def main(A: T.Tensor((4 * N,), "float32"), first: T.Tensor((4,), "int32"), C: T.Tensor((4 * N,), "float32")):
        with T.Kernel(4, threads=128) as bx:
            for i in T.Parallel(N):
                # LOADED: [[# @LINE + 1]]:17: warning: {{.*}}: several blocks may write the same elements
                C[first[bx] + i] = A[bx * N + i]

    return main


# Two statements, of unknown size, in rows that each block counts from a number of its own.
@tilelang.jit
def tiles(N=T.dynamic("n")):
    @T.prim_func
    def main(A: T.Tensor((N, 128), "float16"), C: T.Tensor((N, 128), "float16")):
        with T.Kernel(2, T.ceildiv(N, 64), threads=128) as (bx, by):
            s = T.alloc_shared((32, 64), "float16")
            T.copy(A[by * 64, bx * 64], s)
            T.copy(s, C[by * 64, bx * 64])
            T.copy(A[by * 64 + 32, bx * 64], s)
            T.copy(s, C[by * 64 + 32, bx * 64])

    return main


@tilelang.jit
def persistent(M=1024, N=1024, blocks=60):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(blocks, threads=128) as bx:
            s = T.alloc_shared((64, 64), "float16")
            for wave in T.serial(T.ceildiv(256, blocks)):
                tile = wave * blocks + bx
                if tile < 256:
                    T.copy(A[tile // 16 * 64, tile % 16 * 64], s)
                    T.copy(s, C[tile // 16 * 64, tile % 16 * 64])

    return main


# What is only added to has no order to keep.
@tilelang.jit
def split(N=128):
    @T.prim_func
    def main(A: T.Tensor((4, N), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(4, threads=128) as bx:
            for i in T.Parallel(N):
                T.atomic_add(C[i], A[bx, i])

    return main
