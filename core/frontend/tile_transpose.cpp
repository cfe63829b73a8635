// T.transpose(src, dst): dst[..., j, i] = src[..., i, j], as the parallel loop that says so.
#include "core/frontend/tile_operands.h"
#include "core/ir/expr_equal.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

// `places`, counted from where the operand starts.
static ExprList placesIn(Evaluation &evaluation, const Operand &operand, ExprList places) {
  Builder &ir = evaluation.ir;
  llvm::SmallVector<const Expr *> indices;
  for (auto [axis, place] : llvm::zip_equal(operand.axes, places))
    indices.push_back(ir.add(axis.start, ir.cast(axis.start->dtype(), place)));
  return evaluation.context.copy<const Expr *>(indices);
}

static bool areTransposed(const Operand &source, const Operand &destination) {
  size_t rank = source.axes.size();
  if (rank < 2 || destination.axes.size() != rank)
    return false;
  for (size_t axis = 0; axis < rank; ++axis) {
    size_t other = axis < rank - 2 ? axis : 2 * rank - 3 - axis;
    if (!isSameExpr(source.axes[axis].extent, destination.axes[other].extent))
      return false;
  }
  return true;
}

Value tileTranspose(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  std::optional<Operand> source = kernel ? toOperand(args, "src") : std::nullopt;
  std::optional<Operand> destination = source ? toOperand(args, "dst") : std::nullopt;
  if (!destination)
    return Value();
  if (!areTransposed(*source, *destination))
    return args.wrongType("dst",
                          "a tile of the transposed extents of src, " + source->extentsText());
  Builder &ir = evaluation.ir;
  Context &context = evaluation.context;
  llvm::SmallVector<const Var *> vars;
  llvm::SmallVector<const Expr *> extents, places;
  for (const Axis &axis : source->axes) {
    vars.push_back(kernel->newVar("i" + std::to_string(vars.size()), axis.extent->dtype()));
    extents.push_back(axis.extent);
    places.push_back(vars.back());
  }
  const Buffer &to = destination->buffer->draft;
  const Expr *element =
      ir.load(source->buffer->draft, nullptr, placesIn(evaluation, *source, places));
  std::swap(places[places.size() - 1], places[places.size() - 2]);
  StmtInfo info = ir.fresh(args.span);
  const Stmt *store =
      context.make<Store>(ir.fresh(args.span), to.id, nullptr,
                          placesIn(evaluation, *destination, places), ir.cast(to.dtype, element));
  kernel->emit(context.make<Parallel>(info, context.copy<const Var *>(vars),
                                      context.copy<const Expr *>(extents), store));
  return Value::none();
}

} // namespace tilescope::frontend
