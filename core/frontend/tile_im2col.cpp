// T.im2col: a tile of the matrix that turns a convolution into a product of matrices.
//
// Row m of the matrix is an output position, column k an element of the filter's window:
//
//     m = (n * OH + oh) * OW + ow        k = (kh * KW + kw) * C + c
//     matrix[m, k] = image[n, oh * stride + kh * dilation - pad, ow * stride + kw * dilation - pad,
//     c]
//
// and 0 where that lies outside of the image. It is a gather of elements, so it becomes a
// T.Parallel that says so; tile (a, b) of size (M, K) starts at m = a * M, k = b * K.
#include "core/frontend/builtins.h"
#include "core/frontend/evaluation.h"
#include "core/frontend/expr_operators.h"

namespace tilescope::frontend {

namespace {

struct Window {
  int64_t kernel = 0, stride = 0, dilation = 0, pad = 0;
};

class Gather {
public:
  Gather(Builder &ir, const Buffer &image, const Buffer &tile, Window window)
      : ir_(ir), image_(image), tile_(tile), window_(window) {}

  // The element of the matrix.
  const Expr *element(const Expr *m, const Expr *k) {
    const Expr *height = image_.shape[1], *width = image_.shape[2], *channels = image_.shape[3];
    const Expr *outHeight = outExtent(height), *outWidth = outExtent(width);
    const Expr *size = ir_.integer(window_.kernel);
    const Expr *image = div(m, mul(outHeight, outWidth));
    const Expr *row = place(mod(div(m, outWidth), outHeight), div(k, mul(size, channels)));
    const Expr *column = place(mod(m, outWidth), mod(div(k, channels), size));
    const Expr *zero = ir_.cast(image_.dtype, ir_.integer(0));
    const Expr *isInside = nullptr;
    for (auto [index, extent] : {std::pair(row, height), {column, width}}) {
      isInside = ir_.logicalAnd(isInside, arith(BinaryOp::GreaterEqual, index, ir_.integer(0)));
      isInside = ir_.logicalAnd(isInside, arith(BinaryOp::Less, index, extent));
    }
    const Expr *loaded = ir_.load(image_, nullptr, {image, row, column, mod(k, channels)});
    return ir_.cast(tile_.dtype, ir_.select(isInside, loaded, zero));
  }

  const Expr *mul(const Expr *a, const Expr *b) { return arith(BinaryOp::Mul, a, b); }
  const Expr *add(const Expr *a, const Expr *b) { return arith(BinaryOp::Add, a, b); }

private:
  const Expr *arith(BinaryOp op, const Expr *a, const Expr *b) {
    DType dtype = a->dtype().bits >= b->dtype().bits ? a->dtype() : b->dtype();
    return ir_.binary(op, ir_.cast(dtype, a), ir_.cast(dtype, b));
  }
  const Expr *div(const Expr *a, const Expr *b) { return arith(BinaryOp::FloorDiv, a, b); }
  const Expr *mod(const Expr *a, const Expr *b) { return arith(BinaryOp::FloorMod, a, b); }

  // Positions of the window along an axis.
  const Expr *outExtent(const Expr *extent) {
    int64_t covered = window_.dilation * (window_.kernel - 1) + 1;
    const Expr *room = add(extent, ir_.integer(2 * window_.pad - covered));
    return add(div(room, ir_.integer(window_.stride)), ir_.integer(1));
  }

  const Expr *place(const Expr *position, const Expr *tap) {
    return add(
        add(mul(position, ir_.integer(window_.stride)), mul(tap, ir_.integer(window_.dilation))),
        ir_.integer(-window_.pad));
  }

  Builder &ir_;
  const Buffer &image_;
  const Buffer &tile_;
  Window window_;
};

std::optional<Window> readWindow(Args &args) {
  constexpr int64_t Most = 1 << 20;
  Window window;
  for (auto [name, value, least] : {std::tuple("kernel", &window.kernel, 1),
                                    {"stride", &window.stride, 1},
                                    {"dilation", &window.dilation, 1},
                                    {"pad", &window.pad, 0}}) {
    std::optional<int64_t> given = args.integer(name);
    if (given && (*given < least || *given > Most))
      args.wrongType(name, "an integer from " + std::to_string(least) + " on");
    if (!given || *given < least || *given > Most)
      return std::nullopt;
    *value = *given;
  }
  return window;
}

} // namespace

Value tileIm2col(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  const auto *image = args["img"].as<BufferObject>();
  const auto *tile = args["col"].as<BufferObject>();
  if (!kernel)
    return Value();
  if (!image || image->draft.shape.size() != 4)
    return args.wrongType("img", "a tensor of 4 axes");
  if (!tile || tile->draft.shape.size() != 2)
    return args.wrongType("col", "a tile of 2 axes");
  std::optional<Window> window = readWindow(args);
  const Expr *rowTile =
      window ? toIndex(evaluation, args["nhw_step"], "a tile", args.spanOf("nhw_step")) : nullptr;
  const Expr *columnTile =
      rowTile ? toIndex(evaluation, args["c_step"], "a tile", args.spanOf("c_step")) : nullptr;
  if (!columnTile)
    return Value();
  Builder &ir = evaluation.ir;
  StmtInfo info = ir.fresh(args.span);
  Gather gather(ir, image->draft, tile->draft, *window);
  llvm::ArrayRef<const Expr *> shape = tile->draft.shape;
  const Var *i = ir.var("i", shape[0]->dtype()), *j = ir.var("j", shape[1]->dtype());
  const Expr *m = gather.add(gather.mul(rowTile, shape[0]), i);
  const Expr *k = gather.add(gather.mul(columnTile, shape[1]), j);
  Context &context = evaluation.context;
  const Stmt *store = context.make<Store>(ir.fresh(args.span), tile->draft.id, nullptr,
                                          context.copy<const Expr *>({i, j}), gather.element(m, k));
  kernel->emit(context.make<Parallel>(info, context.copy<const Var *>({i, j}),
                                      context.copy<const Expr *>(shape), store));
  return Value::none();
}

} // namespace tilescope::frontend
