"""Where each value belongs in a sorted table, by halving; and a scan that ends at the first match."""
# tilescope: search --set N=1024
# tilescope: first_match --set N=512
import tilelang
import tilelang.language as T


@tilelang.jit
def search(N, length=300, threads=128):
    @T.prim_func
    def main(Table: T.Tensor((length,), "float32"), X: T.Tensor((N,), "float32"), Place: T.Tensor((N,), "int32")):
        with T.Kernel(T.ceildiv(N, threads), threads=threads) as bx:
            tx = T.get_thread_binding()
            low = T.alloc_var("int32")
            high = T.alloc_var("int32")
            low = 0
            high = length
            while low < high:
                middle = (low + high) // 2
                if Table[middle] < X[bx * threads + tx]:
                    low = middle + 1
                else:
                    high = middle
            Place[bx * threads + tx] = low

    return main


@tilelang.jit
def first_match(N, width=16, threads=64):
    """Of each row the first column of a positive number that is no even one's; -1: there is none."""

    @T.prim_func
    def main(A: T.Tensor((N, width), "float32"), First: T.Tensor((N,), "int32"), Seen: T.Tensor((N,), "int32")):
        with T.Kernel(T.ceildiv(N, threads), threads=threads) as bx:
            row = bx * threads + T.get_thread_binding()
            found = T.alloc_var("int32")
            seen = T.alloc_var("int32")
            found = -1
            seen = 0
            for i in T.serial(width):
                if A[row, i] < 0.0:
                    continue
                seen += 1
                if A[row, i] > 0.5:
                    if i % 2 == 1:
                        found = i
                        break
                    seen += 100
                seen += 10
            First[row] = found
            Seen[row] = seen

    return main
