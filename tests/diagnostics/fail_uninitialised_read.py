# RUN: not tilescope compile %s:gemm -o - 2>&1 | FileCheck %s --check-prefix=GEMM
# ./dev lit tests/diagnostics/fail_uninitialised_read.py
# RUN: not tilescope compile %s:tile -o - 2>&1 | FileCheck %s --check-prefix=TILE --implicit-check-not='waited for'
# RUN: not tilescope compile %s:sum -o - 2>&1 | FileCheck %s --check-prefix=SUM
# RUN: not tilescope compile %s:elements -o - 2>&1 | FileCheck %s --check-prefix=ELEMENTS --implicit-check-not=error

# UninitialisedRead: once a buffer, at the first read that finds nothing written, with what would have written it.
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def gemm(N=128, K=128):
    @T.prim_func
    def main(A: T.Tensor((N, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((2, N, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            # GEMM-DAG: :[[# @LINE + 1]]:{{.*}}note: 'c' is allocated here
            c = T.alloc_fragment((N, N), "float32")
            A_shared = T.alloc_shared((N, 32), "float16")
            B_shared = T.alloc_shared((32, N), "float16")
            for tile in T.serial(2):
                # GEMM-DAG: :[[# @LINE + 1]]:17: note: add T.clear(c) before this loop
                for k in T.Pipelined(K // 32, num_stages=2):
                    T.copy(A[0, k * 32], A_shared)
                    T.copy(B[k * 32, 0], B_shared)
                    # GEMM-DAG: :[[# @LINE + 1]]:48: error: 'c' is read before anything is written to it
                    T.gemm(A_shared, B_shared, c)
                T.copy(c, C[tile, 0, 0])

    return main


@tilelang.jit(out_idx=[-1])
def tile(N=128, K=128):
    @T.prim_func
    def main(A: T.Tensor((N, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((N, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            c = T.alloc_fragment((N, N), "float32")
            # TILE-DAG: :[[# @LINE + 1]]:{{.*}}note: 'A_shared' is allocated here, and nothing writes to it
            A_shared = T.alloc_shared((N, 32), "float16")
            B_shared = T.alloc_shared((32, N), "float16")
            T.clear(c)
            for k in T.Pipelined(K // 32, num_stages=2):
                T.copy(B[k * 32, 0], B_shared)
                # TILE-DAG: :[[# @LINE + 1]]:24: error: 'A_shared' is read before anything is written to it
                T.gemm(A_shared, B_shared, c)
            T.copy(c, C)

    return main


@tilelang.jit(out_idx=[-1])
def sum(N=128):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            a = T.alloc_fragment((N, N), "float32")
            total = T.alloc_fragment((N,), "float32")
            T.copy(A, a)
            # SUM: :[[# @LINE + 2]]:29: error: 'total' is read before anything is written to it
            # SUM: :[[# @LINE + 1]]:13: note: leave out clear=False, or fill 'total' before this statement
            T.reduce_sum(a, total, dim=1, clear=False)
            T.copy(total, C)

    return main


@tilelang.jit(out_idx=[-1])
def elements(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            x = T.alloc_fragment((N,), "float32")
            s = T.alloc_shared((N,), "float32")
            n = T.alloc_var("int32")
            for k in T.serial(4):
                # ELEMENTS: :[[# @LINE + 2]]:{{.*}}error: 'n' is read before anything is written to it
                # ELEMENTS: :[[# @LINE - 2]]:13: note: give 'n' a value before this loop
                n = n + 1
                for i in T.Parallel(N):
                    # ELEMENTS: :[[# @LINE + 1]]:21: error: 'x' is read before anything is written to it
                    x[i] += A[i]
                for i in T.Parallel(N):
                    # Once a buffer.
                    x[i] += A[i]
                # ELEMENTS: :[[# @LINE + 1]]:24: error: 's' is read before anything is written to it
                T.copy(s, x)
                # ELEMENTS: :[[# @LINE + 1]]:17: note: this writes to 's', after it has been read
                T.copy(A, s)
            for i in T.Parallel(N):
                C[i] = x[i] + n

    return main
