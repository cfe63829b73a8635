"""What TileLang has and our IR has not, said where it stands: a line that ends with `# no counterpart: WHAT`."""
import tilelang
import tilelang.language as T


@tilelang.jit
def statements(n=128):

    @T.prim_func
    def main(A: T.Tensor((n, n), "float32")):
        with T.Kernel(4, threads=128) as bx:
            count = T.alloc_var("int32", 0)
            row = T.alloc_shared((n,), "float32")
            T.copy(A[bx, 0], row)
            while count < 100:
                count = count + 1
            for i in T.serial(n):
                if A[bx, i] > 0:
                    break
            for i in T.Parallel(n):  # no counterpart: a jump of T.Parallel
                if row[i] > 0:
                    break
            A[bx, 0] = T.vscale()  # no counterpart: T.vscale
            T.call_extern("handle", "foreign", count)

    return main


@tilelang.jit
def memory(n=128):

    @T.prim_func
    def main(A: T.Tensor((n, n), "float32")):
        with T.Kernel(4, threads=128) as bx:
            done = T.alloc_barrier(1)  # no counterpart: memory of scope 'shared.barrier' ('done')
            T.mbarrier_arrive(done)  # no counterpart: T.ptx_arrive_barrier
            T.sync_threads(1, 64)

    return main


@tilelang.jit
def tables(n=128):

    @T.prim_func
    def main(left: T.Tensor((2,), T.ptr), B: T.Tensor((n, n), "float16")):
        with T.Kernel(2, threads=128) as bx:
            tile = T.alloc_shared((n,), "float16")
            wide = T.make_tensor(left[bx], (n, n), "float16")
            flat = T.make_tensor(left[1 - bx], (n,), "float16")
            T.copy(wide[0, 0], tile)  # no counterpart: 'left', a table of tensors of several shapes or types,
            T.copy(tile, flat)  # no counterpart: 'left', a table of tensors of several shapes or types,

    return main
