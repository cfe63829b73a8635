"""Operations that are gathers of elements, as the loops that do them."""

from tvm import tirx

from .operations import region_of


def loops(variables, extents, body):
    """Parallel ones, the first variable's outermost."""
    for var, extent in reversed(list(zip(variables, extents))):
        body = tirx.For(var, tirx.const(0, var.dtype), extent, tirx.ForKind.PARALLEL, body)
    return body


def im2col(call):
    """Of T.im2col, what core/frontend/tile_im2col.cpp makes of it too."""
    image, tile = (region_of(region).buffer for region in call.args[:2])
    row_tile, column_tile, kernel, stride, dilation, pad = call.args[2:8]
    i, j = tirx.Var("i", "int32"), tirx.Var("j", "int32")
    m, k = row_tile * tile.shape[0] + i, column_tile * tile.shape[1] + j
    _, height, width, channels = image.shape

    def positions(extent):
        return (extent + (2 * pad - (dilation * (kernel - 1) + 1))) // stride + 1

    def place(position, tap):
        return position * stride + tap * dilation + -pad

    out_height, out_width = positions(height), positions(width)
    row = place(m // out_width % out_height, k // (kernel * channels))
    column = place(m % out_width, k // channels % kernel)
    inside = tirx.all(0 <= row, row < height, 0 <= column, column < width)
    element = tirx.BufferLoad(image, [m // (out_height * out_width), row, column, k % channels])
    value = tirx.if_then_else(inside, element, tirx.const(0, image.dtype))
    return loops((i, j), tile.shape, tirx.BufferStore(tile, value, [i, j]))


def transpose(call):
    """Of T.transpose, what core/frontend/tile_transpose.cpp makes of it too."""
    source, destination = map(region_of, call.args[:2])
    extents = [tirx.const(extent, "int32") if isinstance(extent, int) else extent for extent in source.extents]
    variables = [tirx.Var(f"i{axis}", extent.dtype) for axis, extent in enumerate(extents)]
    turned = [*variables[:-2], variables[-1], variables[-2]]
    element = tirx.BufferLoad(source.buffer, [start + var for start, var in zip(source.starts, variables)])
    value = element.astype(destination.buffer.dtype)
    places = [start + var for start, var in zip(destination.starts, turned)]
    return loops(variables, extents, tirx.BufferStore(destination.buffer, value, places))


BY_NAME = {"im2col": im2col, "c2d_im2col": im2col, "transpose": transpose}
