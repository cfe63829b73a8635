"""One kernel, made by functions that TileLang's decorator does not stand over."""
# tilescope: returned.main --set n=128
# tilescope: returned.main --set n=64 --set rows=16
import tilelang
import tilelang.language as T
import torch


def returned(n, rows=32):

    @T.prim_func
    def main(
            A: T.Tensor((n, n), "float16"),
            B: T.Tensor((n, n), "float16"),
    ):
        with T.Kernel(n // rows, threads=128) as block:
            tile = T.alloc_shared((rows, n), "float16")
            T.copy(A[block * rows, 0], tile)
            T.copy(tile, B[block * rows, 0])

    return main


def compiled(n, rows=32):
    kernel = tilelang.compile(returned(n, rows), out_idx=[-1], pass_configs={"tl.enable_fast_math": True})
    return kernel.get_kernel_source()


def decorated(n):
    return tilelang.jit(out_idx=[-1])(returned)


def called(n):
    return decorated(n)(n, rows=32)


def on_gpu(n):
    rows = torch.zeros(n, n, dtype=torch.float16, device="cuda")
    return called((rows * 2).cuda().shape[0])


def of_function(n):

    def inner(rows=32):
        return returned(n, rows)

    return inner


def handed_on(*args, **kwargs):
    return returned(*args, **kwargs)


def nothing(n):
    return n
