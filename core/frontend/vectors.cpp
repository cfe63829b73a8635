#include "core/frontend/vectors.h"

#include "core/frontend/buffers.h"
#include "core/frontend/calls.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/lane_loops.h"
#include "core/ir/view_bits.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

using Lanes = std::vector<const Expr *>;

std::optional<VectorType> parseVectorType(llvm::StringRef name) {
  if (std::optional<DType> scalar = parseDType(name))
    return VectorType{*scalar};
  auto [element, count] = name.rsplit('x');
  VectorType type;
  std::optional<DType> dtype = parseDType(element);
  if (!dtype || count.getAsInteger(10, type.lanes) || type.lanes < 2 || type.lanes > MaxLanes)
    return std::nullopt;
  type.element = *dtype;
  return type;
}

std::optional<VectorType> toVectorType(Evaluation &evaluation, Value value, Span span) {
  if (std::optional<llvm::StringRef> text = textOf(value))
    if (std::optional<VectorType> type = parseVectorType(*text))
      return type;
  std::optional<DType> scalar = toDType(evaluation, value, span);
  return scalar ? std::optional(VectorType{*scalar}) : std::nullopt;
}

std::optional<VectorType> vectorTypeArgument(const Args &args, llvm::StringRef param) {
  if (args.has(param))
    return toVectorType(args.evaluation, args[param], args.spanOf(param));
  std::optional<DType> scalar = args.dtype(param);
  return scalar ? std::optional(VectorType{*scalar}) : std::nullopt;
}

Value dtypeOf(Evaluation &evaluation, const VectorType &type) {
  return evaluation.heap.make<DTypeObject>(type.element, type.lanes);
}

VectorType typeOf(const VectorObject &vector) {
  return {vector.lanes.front()->dtype(), static_cast<int64_t>(vector.lanes.size())};
}

Value vectorOf(Evaluation &evaluation, Lanes lanes) {
  if (lanes.size() == 1)
    return Value::expr(lanes.front());
  return evaluation.heap.make<VectorObject>(std::move(lanes));
}

const VectorObject *toVector(Evaluation &evaluation, Value value) {
  if (const auto *vector = value.as<VectorObject>())
    return vector;
  const auto *run = value.as<RegionObject>();
  if (!run || run->buffer->draft.scope != Scope::Local)
    return nullptr;
  llvm::SmallVector<const Expr *> indices;
  const Axis *wide = nullptr;
  for (const Axis &axis : run->axes) {
    indices.push_back(axis.start);
    if (constantValue(axis.extent) == 1)
      continue;
    std::optional<int64_t> count = constantValue(axis.extent);
    if (wide || !count || *count > MaxLanes)
      return nullptr;
    wide = &axis;
  }
  if (!wide)
    return nullptr;
  Builder &ir = evaluation.ir;
  const Expr *&place = indices[static_cast<size_t>(wide - run->axes.data())];
  Lanes lanes;
  for (int64_t lane = 0; lane < *constantValue(wide->extent); ++lane) {
    place = ir.add(wide->start, ir.integer(lane, wide->start->dtype()));
    lanes.push_back(ir.load(run->buffer->draft, nullptr, indices));
  }
  return evaluation.heap.make<VectorObject>(std::move(lanes));
}

bool hasLanes(llvm::ArrayRef<Value> operands) {
  return llvm::any_of(operands, [](const Value &v) { return v.is(ValueKind::Vector); });
}

Value overLanes(Evaluation &evaluation, llvm::ArrayRef<Value> operands, Span span,
                llvm::function_ref<Value(llvm::ArrayRef<Value>)> compute) {
  llvm::SmallVector<const VectorObject *, 4> vectors;
  size_t count = 1;
  for (const Value &operand : operands) {
    vectors.push_back(toVector(evaluation, operand));
    if (!vectors.back())
      continue;
    size_t own = vectors.back()->lanes.size();
    if (count != 1 && own != count)
      return evaluation.fail(DiagId::LaneCount, span, count, own);
    count = own;
  }
  if (!evaluation.chargeLength(count, span))
    return Value();
  Lanes results;
  for (size_t lane = 0; lane < count; ++lane) {
    Values scalars;
    for (auto [operand, vector] : llvm::zip_equal(operands, vectors))
      scalars.push_back(vector ? Value::expr(vector->lanes[lane]) : operand);
    Value result = compute(scalars);
    const Expr *expr = result ? toExpr(evaluation, result, span) : nullptr;
    if (!expr)
      return Value();
    results.push_back(expr);
  }
  return vectorOf(evaluation, std::move(results));
}

// A vector type beside operands with as many lanes says what each lane is.
static Value elementTypeIn(Evaluation &evaluation, Value value, size_t lanes) {
  std::optional<llvm::StringRef> text = textOf(value);
  std::optional<VectorType> type = text ? parseVectorType(*text) : std::nullopt;
  bool fits = type && type->lanes == static_cast<int64_t>(lanes);
  return fits ? dtypeOf(evaluation, {type->element}) : value;
}

std::optional<Value> callOverLanes(Evaluation &evaluation, BuiltinObject &builtin,
                                   llvm::ArrayRef<Argument> arguments, Span span) {
  Values operands{builtin.self};
  for (const Argument &argument : arguments)
    operands.push_back(argument.value);
  const auto *vector = llvm::find_if(std::as_const(operands), [](const Value &v) {
                         return v.is(ValueKind::Vector);
                       }).base();
  if (vector == operands.data() + operands.size())
    return std::nullopt;
  size_t lanes = vector->as<VectorObject>()->lanes.size();
  for (Value &operand : operands)
    operand = elementTypeIn(evaluation, operand, lanes);
  return overLanes(evaluation, operands, span, [&](llvm::ArrayRef<Value> scalars) {
    auto *own = evaluation.heap.make<BuiltinObject>(builtin.info, scalars.front());
    llvm::SmallVector<Argument, 8> given(arguments);
    for (auto [argument, scalar] : llvm::zip_equal(given, scalars.drop_front()))
      argument.value = scalar;
    return callBuiltin(evaluation, *own, given, span);
  });
}

Value bindLanes(Evaluation &evaluation, llvm::StringRef name, const VectorObject &vector,
                Span span) {
  Builder &ir = evaluation.ir;
  Lanes lanes;
  DType dtype = typeOf(vector).element;
  // Of a ramp the first lane says where the others are.
  if (std::optional<int64_t> stride =
          dtype.isInteger() ? strideOf(ir, vector.lanes) : std::nullopt) {
    const Expr *first = evaluation.kernel->bind(name, vector.lanes.front(), span);
    for (size_t i = 0; i < vector.lanes.size(); ++i)
      lanes.push_back(ir.add(first, ir.integer(static_cast<int64_t>(i) * *stride, dtype)));
    return vectorOf(evaluation, std::move(lanes));
  }
  for (auto [i, lane] : llvm::enumerate(vector.lanes)) {
    bool isSettled = llvm::isa<Var, IntImm, FloatImm>(lane);
    lanes.push_back(isSettled
                        ? lane
                        : evaluation.kernel->bind((name + "_" + llvm::Twine(i)).str(), lane, span));
  }
  return vectorOf(evaluation, std::move(lanes));
}

Value reinterpretLanes(Evaluation &evaluation, llvm::ArrayRef<const Expr *> lanes, VectorType type,
                       Span span) {
  Builder &ir = evaluation.ir;
  DType from = lanes.front()->dtype(), to = type.element;
  bool isPossible = !from.isBool() && !to.isBool() && from.bits >= 8 && to.bits >= 8;
  if (!isPossible || static_cast<int64_t>(lanes.size()) * from.bits != type.lanes * to.bits)
    return evaluation.fail(DiagId::ReinterpretedBits, span, from.name(), to.name());
  Lanes result;
  for (size_t taken = 0; result.size() < static_cast<size_t>(type.lanes);) {
    if (from.bits == to.bits) {
      result.push_back(ir.reinterpret(to, lanes[taken++]));
    } else if (from.bits < to.bits) {
      size_t parts = to.bits / from.bits;
      result.push_back(joinParts(ir, lanes.slice(taken, parts), to));
      taken += parts;
    } else {
      const Expr *bits = bitsOf(ir, lanes[taken++]);
      for (int64_t part = 0; part < from.bits / to.bits; ++part)
        result.push_back(partOfBits(ir, bits, ir.integer(part), to));
    }
  }
  return vectorOf(evaluation, std::move(result));
}

static Values indexItems(Value index) {
  const auto *tuple = index.as<TupleObject>();
  return tuple ? tuple->items : Values{index};
}

bool accessesLanes(const BufferObject &buffer, Value index) {
  Values items = indexItems(index);
  bool isSliced = llvm::any_of(items, [](const Value &item) { return item.is(ValueKind::Slice); });
  return hasLanes(items) || (buffer.lanes > 1 && !isSliced);
}

// The indices of each lane; nullopt after reporting.
static std::optional<std::vector<Lanes>> placesOf(Evaluation &evaluation, BufferObject &buffer,
                                                  Value index, Span span) {
  Values items = indexItems(index);
  size_t rank = buffer.draft.shape.size() - (buffer.lanes > 1);
  if (!isRowVisible(evaluation, buffer, span))
    return std::nullopt;
  if (items.size() != rank) {
    evaluation.fail(DiagId::IndexCount, span, buffer.sourceName, rank, items.size());
    return std::nullopt;
  }
  size_t count = static_cast<size_t>(buffer.lanes);
  for (const Value &item : items) {
    const auto *vector = item.as<VectorObject>();
    if (!vector)
      continue;
    if (buffer.lanes > 1) {
      evaluation.fail(DiagId::NotSupportedYet, span, "a vector of elements that are vectors");
      return std::nullopt;
    }
    if (count != 1 && vector->lanes.size() != count) {
      evaluation.fail(DiagId::LaneCount, span, count, vector->lanes.size());
      return std::nullopt;
    }
    count = vector->lanes.size();
  }
  std::vector<Lanes> places(count);
  for (size_t lane = 0; lane < count; ++lane) {
    for (const Value &item : items) {
      const auto *vector = item.as<VectorObject>();
      Value own = vector ? Value::expr(vector->lanes[lane]) : item;
      const Expr *place = toIndex(evaluation, own, "an index", span);
      if (!place)
        return std::nullopt;
      places[lane].push_back(place);
    }
    if (buffer.lanes > 1)
      places[lane].push_back(evaluation.ir.integer(static_cast<int64_t>(lane)));
  }
  return places;
}

Value loadLanes(Evaluation &evaluation, BufferObject &buffer, Value index, Span span) {
  std::optional<std::vector<Lanes>> places = placesOf(evaluation, buffer, index, span);
  if (!places)
    return Value();
  Lanes lanes;
  for (const Lanes &indices : *places) {
    Value lane = fromExpr(evaluation, evaluation.ir.load(buffer.draft, nullptr, indices), span);
    if (!lane)
      return Value();
    lanes.push_back(lane.asExpr());
  }
  return vectorOf(evaluation, std::move(lanes));
}

bool storeLanes(Evaluation &evaluation, BufferObject &buffer, Value index, Value value, Span span) {
  if (!evaluation.kernel)
    return evaluation.failed(DiagId::OutsideKernel, span, "a store");
  std::optional<std::vector<Lanes>> places = placesOf(evaluation, buffer, index, span);
  if (!places)
    return false;
  const VectorObject *vector = toVector(evaluation, value);
  if (vector && vector->lanes.size() != places->size())
    return evaluation.failed(DiagId::LaneCount, span, places->size(), vector->lanes.size());
  std::vector<LaneStore> stores;
  for (auto [lane, indices] : llvm::enumerate(*places)) {
    Value own = vector ? Value::expr(vector->lanes[lane]) : value;
    const Expr *stored = toExprOf(evaluation, buffer.draft.dtype, own, span);
    if (!stored || !fromExpr(evaluation, stored, span))
      return false;
    stores.push_back({evaluation.context.copy<const Expr *>(indices), stored});
  }
  emitLaneStores(evaluation, buffer, stores, span);
  return true;
}

} // namespace tilescope::frontend
