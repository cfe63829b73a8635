"""Softmax, RMS norm and layer norm of rows, and their gradients; those of weights are summed over all rows."""
# tilescope: softmax_forward --set rows=64 --set columns=256
# tilescope: softmax_forward --set rows=30 --set columns=200 --set block_rows=8 --set dtype=float32
# tilescope: softmax_backward --set rows=64 --set columns=256
# tilescope: softmax_backward --set rows=30 --set columns=200 --set block_rows=8 --set dtype=float32
# tilescope: rms_norm_forward --set rows=64 --set columns=256
# tilescope: rms_norm_forward --set rows=30 --set columns=512 --set block_rows=2 --set dtype=bfloat16
# tilescope: rms_norm_backward --set rows=64 --set columns=256
# tilescope: rms_norm_backward --set rows=30 --set columns=512 --set block_rows=2 --set dtype=bfloat16
# tilescope: layer_norm_forward --set rows=64 --set columns=256
# tilescope: layer_norm_forward --set rows=30 --set columns=320 --set block_rows=8 --set dtype=float32
# tilescope: layer_norm_backward --set rows=64 --set columns=256
# tilescope: layer_norm_backward --set rows=30 --set columns=320 --set block_rows=8 --set dtype=float32
import tilelang
import tilelang.language as T


@tilelang.jit
def softmax_forward(X, block_rows: int = 4, dtype: T.dtype = T.float16):
    rows, columns = T.const("rows, columns")
    X: T.Tensor((rows, columns), dtype)
    Y = T.empty((rows, columns), dtype)

    with T.Kernel(T.ceildiv(rows, block_rows), threads=128) as block:
        x = T.alloc_fragment((block_rows, columns), "float32")
        top = T.alloc_fragment((block_rows,), "float32")
        total = T.alloc_fragment((block_rows,), "float32")
        T.copy(X[block * block_rows, 0], x)
        T.reduce_max(x, top, dim=1)
        for i, j in T.Parallel(block_rows, columns):
            x[i, j] = T.exp(x[i, j] - top[i])
        T.reduce_sum(x, total, dim=1)
        for i, j in T.Parallel(block_rows, columns):
            x[i, j] /= total[i]
        T.copy(x, Y[block * block_rows, 0])

    return Y


@tilelang.jit
def softmax_backward(Y, dY, block_rows: int = 4, dtype: T.dtype = T.float16):
    rows, columns = T.const("rows, columns")
    Y: T.Tensor((rows, columns), dtype)
    dY: T.Tensor((rows, columns), dtype)
    dX = T.empty((rows, columns), dtype)

    with T.Kernel(T.ceildiv(rows, block_rows), threads=128) as block:
        y = T.alloc_fragment((block_rows, columns), "float32")
        dy = T.alloc_fragment((block_rows, columns), "float32")
        product = T.alloc_fragment((block_rows, columns), "float32")
        dot = T.alloc_fragment((block_rows,), "float32")
        T.copy(Y[block * block_rows, 0], y)
        T.copy(dY[block * block_rows, 0], dy)
        for i, j in T.Parallel(block_rows, columns):
            product[i, j] = y[i, j] * dy[i, j]
        T.reduce_sum(product, dot, dim=1)
        for i, j in T.Parallel(block_rows, columns):
            product[i, j] -= y[i, j] * dot[i]
        T.copy(product, dX[block * block_rows, 0])

    return dX


@tilelang.jit
def rms_norm_forward(X, weight, epsilon: float = 1e-5, block_rows: int = 4, dtype: T.dtype = T.float16):
    rows, columns = T.const("rows, columns")
    X: T.Tensor((rows, columns), dtype)
    weight: T.Tensor((columns,), dtype)
    Y = T.empty((rows, columns), dtype)
    scale = T.empty((rows,), "float32")

    with T.Kernel(T.ceildiv(rows, block_rows), threads=128) as block:
        x = T.alloc_fragment((block_rows, columns), "float32")
        squares = T.alloc_fragment((block_rows, columns), "float32")
        w = T.alloc_fragment((columns,), "float32")
        row_scale = T.alloc_fragment((block_rows,), "float32")
        T.copy(X[block * block_rows, 0], x)
        T.copy(weight, w)
        for i, j in T.Parallel(block_rows, columns):
            squares[i, j] = x[i, j] * x[i, j]
        T.reduce_sum(squares, row_scale, dim=1)
        for i in T.Parallel(block_rows):
            row_scale[i] = T.rsqrt(row_scale[i] / columns + epsilon)
        for i, j in T.Parallel(block_rows, columns):
            x[i, j] = x[i, j] * row_scale[i] * w[j]
        T.copy(x, Y[block * block_rows, 0])
        T.copy(row_scale, scale[block * block_rows])

    return Y, scale


@tilelang.jit
def rms_norm_backward(dY, X, weight, scale, dW, block_rows: int = 4, dtype: T.dtype = T.float16):
    """dW is zero before. With n = x * scale: dx = scale * (dy * w - n * mean(dy * w * n)), dw = sum(dy * n)."""
    rows, columns = T.const("rows, columns")
    dY: T.Tensor((rows, columns), dtype)
    X: T.Tensor((rows, columns), dtype)
    weight: T.Tensor((columns,), dtype)
    scale: T.Tensor((rows,), "float32")
    dW: T.Tensor((columns,), "float32")
    dX = T.empty((rows, columns), dtype)

    with T.Kernel(T.ceildiv(rows, block_rows), threads=128) as block:
        dy = T.alloc_fragment((block_rows, columns), "float32")
        normal = T.alloc_fragment((block_rows, columns), "float32")
        product = T.alloc_fragment((block_rows, columns), "float32")
        w = T.alloc_fragment((columns,), "float32")
        row_scale = T.alloc_fragment((block_rows,), "float32")
        dot = T.alloc_fragment((block_rows,), "float32")
        dw = T.alloc_fragment((columns,), "float32")
        T.copy(dY[block * block_rows, 0], dy)
        T.copy(X[block * block_rows, 0], normal)
        T.copy(scale[block * block_rows], row_scale)
        T.copy(weight, w)
        for i, j in T.Parallel(block_rows, columns):
            normal[i, j] *= row_scale[i]
            product[i, j] = dy[i, j] * normal[i, j]
        T.reduce_sum(product, dw, dim=0)
        for i, j in T.Parallel(block_rows, columns):
            product[i, j] *= w[j]
        T.reduce_sum(product, dot, dim=1)
        for i, j in T.Parallel(block_rows, columns):
            dy[i, j] = row_scale[i] * (dy[i, j] * w[j] - normal[i, j] * (dot[i] / columns))
        T.copy(dy, dX[block * block_rows, 0])
        for j in T.Parallel(columns):
            T.atomic_add(dW[j], dw[j])

    return dX


@tilelang.jit(out_idx=[3, 4, 5])
def layer_norm_forward(rows, columns, epsilon=1e-5, block_rows=4, threads=128, dtype="float16"):
    """Variance from the deviations, so that a large mean costs no digits."""

    @T.prim_func
    def main(
            X: T.Tensor((rows, columns), dtype),
            weight: T.Tensor((columns,), dtype),
            bias: T.Tensor((columns,), dtype),
            Y: T.Tensor((rows, columns), dtype),
            mean: T.Tensor((rows,), "float32"),
            scale: T.Tensor((rows,), "float32"),
    ):
        with T.Kernel(T.ceildiv(rows, block_rows), threads=threads) as block:
            x = T.alloc_fragment((block_rows, columns), "float32")
            squares = T.alloc_fragment((block_rows, columns), "float32")
            row_mean = T.alloc_fragment((block_rows,), "float32")
            row_scale = T.alloc_fragment((block_rows,), "float32")
            w = T.alloc_shared((columns,), dtype)
            b = T.alloc_shared((columns,), dtype)
            T.copy(weight, w)
            T.copy(bias, b)
            T.copy(X[block * block_rows:(block + 1) * block_rows, :], x)
            T.reduce_sum(x, row_mean, dim=1)
            for i in T.Parallel(block_rows):
                row_mean[i] /= columns
            for i, j in T.Parallel(block_rows, columns):
                x[i, j] -= row_mean[i]
                squares[i, j] = x[i, j] * x[i, j]
            T.reduce_sum(squares, row_scale, dim=1)
            for i in T.Parallel(block_rows):
                row_scale[i] = T.rsqrt(row_scale[i] / columns + epsilon)
            for i, j in T.Parallel(block_rows, columns):
                x[i, j] = x[i, j] * row_scale[i] * w[j] + b[j]
            T.copy(x, Y[block * block_rows:(block + 1) * block_rows, :])
            T.copy(row_mean, mean[block * block_rows])
            T.copy(row_scale, scale[block * block_rows])

    return main


@tilelang.jit(out_idx=[5, 6, 7])
def layer_norm_backward(rows, columns, block_rows=4, threads=128, dtype="float16"):
    """Each block leaves its sums over rows in a workspace, and a second launch adds them up: in an order that is always
    the same."""
    blocks = (rows + block_rows - 1) // block_rows

    @T.prim_func
    def main(
            dY: T.Tensor((rows, columns), dtype),
            X: T.Tensor((rows, columns), dtype),
            weight: T.Tensor((columns,), dtype),
            mean: T.Tensor((rows,), "float32"),
            scale: T.Tensor((rows,), "float32"),
            dX: T.Tensor((rows, columns), dtype),
            dweight: T.Tensor((columns,), "float32"),
            dbias: T.Tensor((columns,), "float32"),
    ):
        partial = T.alloc_global((2, blocks, columns), "float32")

        with T.Kernel(blocks, threads=threads) as block:
            dy = T.alloc_fragment((block_rows, columns), "float32")
            normal = T.alloc_fragment((block_rows, columns), "float32")
            product = T.alloc_fragment((block_rows, columns), "float32")
            row_mean = T.alloc_fragment((block_rows,), "float32")
            row_scale = T.alloc_fragment((block_rows,), "float32")
            along = T.alloc_fragment((block_rows,), "float32")
            across = T.alloc_fragment((block_rows,), "float32")
            down = T.alloc_fragment((columns,), "float32")
            T.copy(dY[block * block_rows, 0], dy)
            T.copy(X[block * block_rows, 0], normal)
            T.copy(mean[block * block_rows], row_mean)
            T.copy(scale[block * block_rows], row_scale)
            for i, j in T.Parallel(block_rows, columns):
                inside = block * block_rows + i < rows
                normal[i, j] = T.if_then_else(inside, (normal[i, j] - row_mean[i]) * row_scale[i], 0)
            T.reduce_sum(dy, down, dim=0)
            T.copy(down, partial[1, block, 0])
            for i, j in T.Parallel(block_rows, columns):
                product[i, j] = dy[i, j] * normal[i, j]
            T.reduce_sum(product, down, dim=0)
            T.copy(down, partial[0, block, 0])
            for i, j in T.Parallel(block_rows, columns):
                dy[i, j] *= weight[j]
                product[i, j] = dy[i, j] * normal[i, j]
            T.reduce_sum(dy, along, dim=1)
            T.reduce_sum(product, across, dim=1)
            for i, j in T.Parallel(block_rows, columns):
                dy[i, j] = row_scale[i] * (dy[i, j] - (along[i] + normal[i, j] * across[i]) / columns)
            T.copy(dy, dX[block * block_rows, 0])

        with T.Kernel(T.ceildiv(columns, threads), 2, threads=threads) as (part, which):
            for j in T.Parallel(threads):
                column = part * threads + j
                if column < columns:
                    total = T.alloc_var("float32")
                    total = 0
                    for block in T.serial(blocks):
                        total += partial[which, block, column]
                    if which == 0:
                        dweight[column] = total
                    else:
                        dbias[column] = total

    return main
