# RUN: tilescope opt --passes '' %s:persistent --device sms=6 | FileCheck %s --check-prefix=PERSISTENT
# ./dev lit tests/frontend/own_names.py
# RUN: tilescope opt --passes '' %s:names | FileCheck %s --check-prefix=NAMES
# RUN: tilescope exec --every-pass %s:persistent --device sms=6 | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: tilescope exec --every-pass %s:counted | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: tilescope exec --every-pass %s:names | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RIGHT: insert-barriers#2 {{.*}}equal

# Names of the language that are written in it.
import tilelang.language as T
from tilelang.carver.arch import driver


@T.prim_func
def persistent(A: T.Tensor((5, 3), "int32"), B: T.Tensor((5, 3), "int32")):
    with T.Kernel(driver.get_num_sms(), threads=32) as block:
        # PERSISTENT: linear_idx[0] = block
        # PERSISTENT: m_idx[0] = (linear_idx[0] - linear_idx[0] // 10 * 10) // T.max(1, T.min(2, 3 - linear_idx[0] // 10 * 2))
        # PERSISTENT: while True:
        # PERSISTENT-NEXT: if linear_idx[0] < 15:
        scheduler = T.PersistentTileScheduler(5, 3, swizzle_size=2, name="scheduler")
        scheduler.init(block)
        while scheduler.valid():
            i, j = scheduler.m_idx, scheduler.n_idx
            if T.get_thread_binding() == 0:
                A[i, j] = scheduler.linear_idx
                B[i, j] = scheduler.current_iter
            scheduler.next_tile()


# A scheduler of the file's own.
@T.meta_class
class Counted(T.BaseTileScheduler):
    def __init__(self, tiles, width: int):
        super().__init__()
        self._total_tiles = tiles
        self._width = width

    def update_current_idx(self, linear_idx):
        self._m_idx[0] = linear_idx // self._width
        self._n_idx[0] = linear_idx % self._width

    @T.inline
    def mark(self, buffer, value: T.PrimExpr):
        buffer[self._m_idx[0], self._n_idx[0]] = value


@T.prim_func
def counted(A: T.Tensor((4, 8), "int32")):
    with T.Kernel(4, threads=32) as block:
        tiles = Counted(32, 8)
        tiles.init(block)
        while tiles.valid():
            if T.get_thread_binding() == 0:
                tiles.mark(A, tiles.current_iter)
            tiles.next_tile(4)


@T.macro
def bump(x: T.Ref[T.int32], by: T.PrimExpr):
    x = x + by


@T.prim_func
def names(A: T.Tensor((64,), "int32"), B: T.Tensor((64,), "int32"), X: T.Tensor((64, 64), "float32"), Y: T.Tensor((64,), "float32")):
    T.func_attr({"tir.noalias": True})
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        assert T.is_float4("float4_e2m1fn") and not T.is_float4("float8_e4m3fn") and T.is_f8f6f4_family("float8_e4m3fn")
        with T.sblock("root"):
            T.reads(A[0:64])
            T.writes(B[0:64])
            T.validate_gemm_ab_dtypes("float16", T.float16)
            s = T.decl_buffer((64,), "int32", scope="shared")
            # NAMES: s[tx] = A[tx]
            # NAMES-NEXT: T.barrier()
            T.buffer_store(s, T.BufferLoad(A, [tx]), [tx])
            T.tvm_storage_sync("shared")
            # 10 bits of the fraction: half of what another thread has, rounded up.
            half: T.int32 = T.q_multiply_shift(s[tx ^ 1], 512, 10, 0)
            twice = T.q_multiply_shift_per_axis(half, 1024, 2, 1, 10, True, True)
            place = T.__fns(s[tx], 0, 3)
            count = T.alloc_var("int32", init=0)
            # NAMES: count[0] = count[0] + by
            bump(count, T.Mod(half, 7))
            B[tx] = count + twice + T.cast(place & 0xFF, "int32")
            n = T.Var("n", "int32")
            # NAMES: B[tx] = B[tx] + ((tx + 3) * (tx + 3) - 7)
            B[tx] += T.Let(n * n - 7, where={n: tx + 3})
            T.annotate_compile_flags("--use_fast_math")
            with T.Assert(count > -7, "counts"):
                B[tx] += T.bind(tx * 2)
            x = T.alloc_fragment((64, 64), "float32")
            y = T.alloc_fragment((64,), "float32")
            T.copy(X, x)
            # NAMES: T.reduce(x[0:64, 0:64], y[0:64], kind="max", dim=1)
            T.reduce(x, y, "max", 1, True)
            for i in T.Parallel(64):
                Y[i] = T.fma(y[i], 2.0, T.fmul(y[i], y[i]))
