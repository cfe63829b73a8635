// Vectors of a few lanes (vectors.h).
#include "core/frontend/expr_operators.h"
#include "core/frontend/iteration.h"
#include "core/frontend/operators.h"
#include "core/frontend/vectors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace tilescope::frontend {

using Lanes = std::vector<const Expr *>;

static std::optional<int64_t> laneCount(Args &args) {
  std::optional<int64_t> lanes = args.integer("lanes");
  if (!lanes || (*lanes >= 1 && *lanes <= MaxLanes))
    return lanes;
  args.wrongType("lanes", "a number of lanes up to " + std::to_string(MaxLanes));
  return std::nullopt;
}

// The lanes of a vector, or the one of a scalar; empty after reporting.
static Lanes lanesOf(Evaluation &evaluation, Value value, Span span) {
  if (const VectorObject *vector = toVector(evaluation, value))
    return vector->lanes;
  const Expr *scalar = toExpr(evaluation, value, span);
  return scalar ? Lanes{scalar} : Lanes{};
}

// `T.Ramp(base, stride, lanes)`: base, base + stride, ...
Value tileRamp(Args &args) {
  Evaluation &evaluation = args.evaluation;
  std::optional<int64_t> lanes = laneCount(args);
  if (!lanes)
    return Value();
  Lanes result;
  for (int64_t lane = 0; lane < *lanes; ++lane) {
    Value offset =
        binary(evaluation, ast::BinaryOp::Mul, args["stride"], Value::integer(lane), args.span);
    Value place =
        offset ? binary(evaluation, ast::BinaryOp::Add, args["base"], offset, args.span) : Value();
    const Expr *expr = place ? toExpr(evaluation, place, args.span) : nullptr;
    if (!expr)
      return Value();
    result.push_back(expr);
  }
  return vectorOf(evaluation, std::move(result));
}

Value tileBroadcast(Args &args) {
  std::optional<int64_t> lanes = laneCount(args);
  const Expr *value =
      lanes ? toExpr(args.evaluation, args["value"], args.spanOf("value")) : nullptr;
  return value ? vectorOf(args.evaluation, Lanes(static_cast<size_t>(*lanes), value)) : Value();
}

// Lanes of all the vectors, counted through.
static Value pickLanes(Args &args, llvm::ArrayRef<Value> vectors, llvm::ArrayRef<int64_t> indices) {
  Evaluation &evaluation = args.evaluation;
  Lanes all;
  for (const Value &vector : vectors) {
    Lanes own = lanesOf(evaluation, vector, args.span);
    if (own.empty())
      return Value();
    if (!all.empty() && own.front()->dtype() != all.front()->dtype())
      return args.wrongType("vectors", "vectors of one type");
    llvm::append_range(all, own);
  }
  Lanes picked;
  for (int64_t index : indices) {
    if (index < 0 || index >= static_cast<int64_t>(all.size()))
      return evaluation.fail(DiagId::ItemOutOfRange, args.span, index, all.size());
    picked.push_back(all[static_cast<size_t>(index)]);
  }
  return vectorOf(evaluation, std::move(picked));
}

Value tileShuffleLanes(Args &args) {
  std::optional<Values> vectors = toList(args.evaluation, args["vectors"], args.spanOf("vectors"));
  std::optional<std::vector<int64_t>> indices = vectors ? args.integers("indices") : std::nullopt;
  if (!indices)
    return Value();
  if (indices->empty() || indices->size() > static_cast<size_t>(MaxLanes))
    return args.wrongType("indices", "a list of lanes");
  return pickLanes(args, *vectors, *indices);
}

Value tileExtractLane(Args &args) {
  std::optional<int64_t> lane = args.integer("lane");
  return lane ? pickLanes(args, args["vector"], *lane) : Value();
}

Value tileHalfOfLanes(Args &args) {
  Lanes lanes = lanesOf(args.evaluation, args["vec"], args.spanOf("vec"));
  if (lanes.empty())
    return Value();
  if (lanes.size() % 2 != 0)
    return args.wrongType("vec", "a vector of an even number of lanes");
  auto middle = lanes.begin() + static_cast<ptrdiff_t>(lanes.size() / 2);
  return vectorOf(args.evaluation, args.info.name == "vectorlow" ? Lanes(lanes.begin(), middle)
                                                                 : Lanes(middle, lanes.end()));
}

Value tileCombineLanes(Args &args) {
  Lanes first = lanesOf(args.evaluation, args["vec1"], args.spanOf("vec1"));
  Lanes second = first.empty() ? Lanes() : lanesOf(args.evaluation, args["vec2"], args.span);
  if (second.empty())
    return Value();
  if (first.size() + second.size() > static_cast<size_t>(MaxLanes) ||
      first.front()->dtype() != second.front()->dtype())
    return args.wrongType("vec2", "a vector of the type of the first");
  llvm::append_range(first, second);
  return vectorOf(args.evaluation, std::move(first));
}

static Value packedLane(Evaluation &evaluation, llvm::StringRef name,
                        llvm::ArrayRef<Value> operands, Span span) {
  llvm::SmallVector<const Expr *, 3> lanes;
  for (const Value &operand : operands)
    lanes.push_back(operand.asExpr());
  Builder &ir = evaluation.ir;
  auto op = llvm::StringSwitch<std::optional<BinaryOp>>(name)
                .Case("add2", BinaryOp::Add)
                .Case("sub2", BinaryOp::Sub)
                .Case("mul2", BinaryOp::Mul)
                .Case("max2", BinaryOp::Max)
                .Case("min2", BinaryOp::Min)
                .Default(std::nullopt);
  if (op)
    return fromExpr(evaluation, ir.binary(*op, lanes[0], lanes[1]), span);
  MathFn fn = name == "fma2" ? MathFn::IeeeFmaRn : MathFn::Abs;
  return fromExpr(evaluation, ir.math(fn, lanes), span);
}

static bool isPacked(const VectorType &type) {
  return type.lanes == 2 && (type.element == DType::float32() || type.element == DType::float16() ||
                             type.element == DType::bfloat16());
}

// `T.add2(x, y)` and the like: of two float32, float16 or bfloat16 each.
Value tilePacked(Args &args) {
  Values operands;
  VectorType type;
  for (const auto &[param, arg] : args.keywords()) {
    const VectorObject *vector = toVector(args.evaluation, arg.value);
    if (!vector || !isPacked(typeOf(*vector)))
      return args.wrongType(param, "a float32x2, float16x2 or bfloat16x2");
    if (operands.empty())
      type = typeOf(*vector);
    else if (typeOf(*vector) != type)
      return args.wrongType(param, "a vector of the type of the first");
    operands.push_back(arg.value);
  }
  return overLanes(args.evaluation, operands, args.span, [&](llvm::ArrayRef<Value> scalars) {
    return packedLane(args.evaluation, args.info.name, scalars, args.span);
  });
}

} // namespace tilescope::frontend
