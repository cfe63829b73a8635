#include "core/frontend/buffers.h"

#include "core/frontend/expr_operators.h"
#include "core/frontend/operators.h"
#include "core/frontend/result_registers.h"
#include "core/frontend/vectors.h"
#include "core/ir/expr_equal.h"
#include "core/ir/view_shapes.h"
#include "core/support/affine.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

namespace {

// Index expressions as sums; whatever else they contain is an atom.
class ToAffine {
public:
  Affine convert(const Expr *expr) {
    if (const auto *imm = llvm::dyn_cast<IntImm>(expr))
      return affine.constant(imm->value);
    if (const auto *binary = llvm::dyn_cast<Binary>(expr)) {
      switch (binary->op) {
      case BinaryOp::Add:
        return affine.add(convert(binary->lhs), convert(binary->rhs));
      case BinaryOp::Sub:
        return affine.subtract(convert(binary->lhs), convert(binary->rhs));
      case BinaryOp::Mul:
        return affine.multiply(convert(binary->lhs), convert(binary->rhs));
      default:
        break;
      }
    }
    return atomFor(expr);
  }

  AffineContext affine;

private:
  Affine atomFor(const Expr *expr) {
    for (size_t i = 0; i < atoms_.size(); ++i)
      if (isSameExpr(atoms_[i], expr))
        return affine.symbol(SymbolId(static_cast<uint32_t>(i)));
    atoms_.push_back(expr);
    return affine.symbol(SymbolId(static_cast<uint32_t>(atoms_.size() - 1)));
  }

  std::vector<const Expr *> atoms_;
};

} // namespace

const Expr *distance(Builder &ir, const Expr *start, const Expr *stop) {
  ToAffine converter;
  Affine length = converter.affine.subtract(converter.convert(stop), converter.convert(start));
  if (std::optional<int64_t> constant = length.asConstant())
    return ir.integer(*constant, stop->dtype());
  return ir.sub(stop, start);
}

bool isRowVisible(Evaluation &evaluation, const BufferObject &buffer, Span span) {
  for (const Expr *row : buffer.draft.viewRow)
    if (const auto *var = llvm::dyn_cast<Var>(row); var && !evaluation.kernel->isVisible(var))
      return evaluation.failed(DiagId::VariableOutOfScope, span, var->name);
  return true;
}

Value subscriptBuffer(Evaluation &evaluation, BufferObject &buffer, Value index, Span span) {
  if (accessesLanes(buffer, index))
    return loadLanes(evaluation, buffer, index, span);
  std::optional<std::vector<Axis>> axes = toAxes(evaluation, buffer, index, span);
  if (!axes)
    return Value();
  bool isElement = true;
  llvm::SmallVector<const Expr *> indices;
  for (const Axis &axis : *axes) {
    isElement &= axis.isPoint;
    indices.push_back(axis.start);
  }
  if (isElement)
    return fromExpr(evaluation, evaluation.ir.load(buffer.draft, nullptr, indices), span);
  auto *region = evaluation.heap.make<RegionObject>();
  region->buffer = &buffer;
  region->axes = std::move(*axes);
  return region;
}

static std::optional<Axis> sliceAxis(Evaluation &evaluation, SliceObject &slice, const Expr *extent,
                                     Span span) {
  if (!slice.step.isNone() && (!slice.step.isInt() || slice.step.asInt() != 1)) {
    evaluation.fail(DiagId::SliceStep, span);
    return std::nullopt;
  }
  // A negative bound counts from the end, as in Python.
  auto fromEnd = [&](Value bound) {
    bool isNegative = bound.isIntegral() && bound.asInt() < 0;
    return isNegative ? binary(evaluation, ast::BinaryOp::Add, Value::expr(extent), bound, span)
                      : bound;
  };
  Value first = slice.start.isNone() ? Value::integer(0) : fromEnd(slice.start);
  Value last = slice.stop.isNone() ? Value::expr(extent) : fromEnd(slice.stop);
  const Expr *start = toIndex(evaluation, first, "the start of a slice", span);
  const Expr *stop = start ? toIndex(evaluation, last, "the end of a slice", span) : nullptr;
  std::optional<ExprPair> ends =
      stop ? unify(evaluation, Value::expr(start), Value::expr(stop), span) : std::nullopt;
  if (!ends)
    return std::nullopt;
  const Expr *length = distance(evaluation.ir, ends->lhs, ends->rhs);
  if (std::optional<int64_t> constant = constantValue(length); constant && *constant <= 0) {
    evaluation.fail(DiagId::EmptySlice, span, *constant);
    return std::nullopt;
  }
  return Axis{ends->lhs, length, false};
}

// Whether 32 bits count all of its elements.
static bool isSmall(const Buffer &buffer) {
  std::optional<int64_t> elements = elementCount(buffer.shape);
  return elements && *elements <= INT32_MAX && buffer.strides.empty();
}

std::optional<std::vector<Axis>> toAxes(Evaluation &evaluation, BufferObject &buffer, Value index,
                                        Span span) {
  Values items{index};
  if (const auto *tuple = index.as<TupleObject>())
    items = tuple->items;
  size_t rank = buffer.draft.shape.size() - (buffer.lanes > 1);
  if (!isRowVisible(evaluation, buffer, span))
    return std::nullopt;
  if (items.size() != rank) {
    evaluation.fail(DiagId::IndexCount, span, buffer.sourceName, rank, items.size());
    return std::nullopt;
  }
  std::vector<Axis> axes;
  for (size_t i = 0; i < rank; ++i) {
    if (auto *slice = items[i].as<SliceObject>()) {
      std::optional<Axis> axis = sliceAxis(evaluation, *slice, buffer.draft.shape[i], span);
      if (!axis)
        return std::nullopt;
      axes.push_back(*axis);
      continue;
    }
    const Expr *start = toIndex(evaluation, items[i], "an index", span);
    if (!start)
      return std::nullopt;
    if (isSmall(buffer.draft))
      start = narrowIndex(evaluation.ir, start);
    axes.push_back({start, evaluation.ir.integer(1, start->dtype()), true});
  }
  if (buffer.lanes > 1)
    axes.push_back({evaluation.ir.integer(0), buffer.draft.shape.back(), false});
  return axes;
}

bool storeElement(Evaluation &evaluation, BufferObject &buffer, llvm::ArrayRef<Axis> axes,
                  Value value, Span span) {
  if (!evaluation.kernel)
    return evaluation.failed(DiagId::OutsideKernel, span, "a store");
  const auto *run = value.as<RegionObject>();
  bool isPoint = llvm::all_of(axes, [](const Axis &axis) { return axis.isPoint; });
  if (!isPoint && run && run->buffer->draft.scope == Scope::Local)
    return storeRun(evaluation, {run->buffer, run->axes, false, span},
                    {&buffer, axes.vec(), false, span}, span);
  llvm::SmallVector<const Expr *> indices;
  for (const Axis &axis : axes) {
    if (!axis.isPoint)
      return evaluation.failed(DiagId::NotSupportedYet, span, "assigning to a slice of a buffer");
    indices.push_back(axis.start);
  }
  const Expr *stored = toExprOf(evaluation, buffer.draft.dtype, value, span);
  if (!stored || !fromExpr(evaluation, stored, span))
    return false;
  evaluation.kernel->emit(
      evaluation.context.make<Store>(evaluation.ir.fresh(span), buffer.draft.id, nullptr,
                                     evaluation.context.copy<const Expr *>(indices), stored));
  return true;
}

// A mutable variable stands for its value wherever it is read.
Value loadVariable(Evaluation &evaluation, Value value) {
  auto *buffer = value.as<BufferObject>();
  if (buffer && buffer->isVariable)
    return loadLanes(evaluation, *buffer, Value::integer(0), buffer->draft.span);
  if (buffer && buffer->draft.scope == Scope::LocalVar)
    return Value::expr(evaluation.ir.load(buffer->draft, nullptr, {evaluation.ir.integer(0)}));
  const auto *region = value.as<RegionObject>();
  if (!region || !region->isReference)
    return value;
  llvm::SmallVector<const Expr *> indices;
  for (const Axis &axis : region->axes)
    indices.push_back(axis.start);
  return Value::expr(evaluation.ir.load(region->buffer->draft, nullptr, indices));
}

} // namespace tilescope::frontend
