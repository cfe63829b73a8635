# RUN: not tilescope compile %s:gemm --set case=half -o - 2>&1 | FileCheck %s --check-prefix=HALF --implicit-check-not=error:
# ./dev lit tests/diagnostics/fail_uninitialised_element.py
# RUN: not tilescope compile %s:gemm --set case=never -o - 2>&1 | FileCheck %s --check-prefix=NEVER --implicit-check-not=error:
# RUN: not tilescope compile %s:gemm --set case=late -o - 2>&1 | FileCheck %s --check-prefix=LATE --implicit-check-not=error:
# RUN: not tilescope compile %s:slot -o - 2>&1 | FileCheck %s --check-prefix=SLOT --implicit-check-not=error:
# RUN: not tilescope compile %s:threads -o - 2>&1 | FileCheck %s --check-prefix=THREADS --implicit-check-not=error:
# RUN: not tilescope check %s:gemm --set case=half

# UninitialisedElement: something is written to the buffer, but surely not all that is read.
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def gemm(N=64, K=128, case=""):
    @T.prim_func
    def main(A: T.Tensor((N, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((N, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            # HALF-DAG: :[[# @LINE + 1]]:{{.*}}note: 'c' is allocated here
            c = T.alloc_fragment((N, N), "float32")
            A_shared = T.alloc_shared((N, 32), "float16")
            B_shared = T.alloc_shared((32, N), "float16")
            if case == "half":
                for i, j in T.Parallel(N // 2, N):
                    # HALF-DAG: :[[# @LINE + 1]]:{{.*}}note: this writes to other elements, or does not run before
                    c[i, j] = 0
            if case == "never":
                if bx < 0:
                    # NEVER-DAG: :[[# @LINE + 1]]:{{.*}}note: this writes to other elements, or does not run before
                    T.clear(c)
            for k in T.Pipelined(K // 32, num_stages=2):
                if case == "late":
                    if k == 1:
                        # LATE-DAG: :[[# @LINE + 1]]:{{.*}}note: this writes to other elements, or does not run before
                        T.clear(c)
                T.copy(A[0, k * 32], A_shared)
                T.copy(B[k * 32, 0], B_shared)
                # HALF-DAG: :[[# @LINE + 3]]:44: error: 'c[32, 0]' is read before it is written
                # NEVER-DAG: :[[# @LINE + 2]]:44: error: 'c[0, 0]' is read before it is written
                # LATE-DAG: :[[# @LINE + 1]]:44: error: 'c[0, 0]' is read before it is written
                T.gemm(A_shared, B_shared, c)
            T.copy(c, C)

    return main


@tilelang.jit(out_idx=[-1])
def slot(N=64):
    K = T.dynamic("K")

    @T.prim_func
    def main(A: T.Tensor((K, N), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=64) as bx:
            c = T.alloc_fragment((N,), "float32")
            ring = T.alloc_shared((2, N), "float32")
            T.clear(c)
            for k in T.serial(K):
                for i in T.Parallel(N):
                    ring[(k + 1) % 2, i] = A[k, i]
                for i in T.Parallel(N):
                    # SLOT: :[[# @LINE + 1]]:{{.*}}error: 'ring[0, 0]' is read before it is written
                    c[i] += ring[k % 2, i]
            T.copy(c, C)

    return main


@tilelang.jit(out_idx=[-1])
def threads(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=N) as bx:
            row = T.alloc_shared((N,), "float32")
            if T.get_thread_binding() < 64:
                row[T.get_thread_binding()] = A[T.get_thread_binding()]
            for i in T.Parallel(N):
                # THREADS: :[[# @LINE + 1]]:{{.*}}error: 'row[64]' is read before it is written
                C[i] = row[i]

    return main
