// Tile operations other than T.copy.
#include "core/frontend/tile_operands.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilescope::frontend {

static std::optional<int64_t> warpPolicy(Args &args) {
  if (!args.has("policy"))
    return static_cast<int64_t>(WarpPolicy::Square);
  const auto *member = args["policy"].as<EnumObject>();
  std::optional<WarpPolicy> policy =
      llvm::StringSwitch<std::optional<WarpPolicy>>(member ? member->name : "")
          .Case("Square", WarpPolicy::Square)
          .Case("FullRow", WarpPolicy::FullRow)
          .Case("FullCol", WarpPolicy::FullCol)
          .Default(std::nullopt);
  if (policy)
    return static_cast<int64_t>(*policy);
  args.wrongType("policy", "a member of T.GemmWarpPolicy");
  return std::nullopt;
}

// An element is the start of a matrix as large as what it stands beside; gemm takes only tiles.
static std::optional<Operand> toTile(Args &args, llvm::StringRef param) {
  std::optional<Operand> operand = toOperand(args, param);
  if (!operand || !operand->isPoint())
    return operand;
  args.wrongType(param, "a tile");
  return std::nullopt;
}

// False statically: null. True statically: the constant. Else the device's condition.
static bool clearCondition(Args &args, const Expr *&condition) {
  condition = nullptr;
  Value value = args["clear_accum"];
  if (!value || value.isNone() || (value.isIntegral() && value.asInt() == 0))
    return true;
  condition = args.interpreter.toCondition(value, args.spanOf("clear_accum"));
  return condition != nullptr;
}

Value tileGemm(Args &args) {
  Interpreter &interpreter = args.interpreter;
  KernelBuilder *kernel = interpreter.requireLaunch(args.callee(), args.span);
  if (!kernel || !args.refuse({"mbar"}))
    return Value();
  std::optional<Operand> a = toTile(args, "A");
  std::optional<Operand> b = a ? toTile(args, "B") : std::nullopt;
  std::optional<Operand> c = b ? toTile(args, "C") : std::nullopt;
  std::optional<bool> transposeA = c ? args.boolean("transpose_A") : std::nullopt;
  std::optional<bool> transposeB = transposeA ? args.boolean("transpose_B") : std::nullopt;
  std::optional<int64_t> policy = transposeB ? warpPolicy(args) : std::nullopt;
  const Expr *clear = nullptr;
  if (!policy || !clearCondition(args, clear))
    return Value();
  Context &context = interpreter.context();
  kernel->emit(interpreter.ir().op(
      interpreter.ir().fresh(args.span), Op::Gemm,
      {a->region(context), b->region(context), c->region(context)}, clear,
      {{Attr::TransposeA, *transposeA}, {Attr::TransposeB, *transposeB}, {Attr::Policy, *policy}}));
  return Value::none();
}

static Value fill(Args &args, Value value) {
  Interpreter &interpreter = args.interpreter;
  KernelBuilder *kernel = interpreter.requireLaunch(args.callee(), args.span);
  std::optional<Operand> operand = kernel ? toOperand(args, "buffer") : std::nullopt;
  if (!operand)
    return Value();
  if (operand->isPoint())
    return interpreter.storeElement(*operand->buffer, operand->axes, value, args.span)
               ? Value::none()
               : Value();
  const Expr *filled = interpreter.toExprOf(operand->buffer->draft.dtype, value, args.span);
  if (!filled)
    return Value();
  kernel->emit(interpreter.ir().op(interpreter.ir().fresh(args.span), Op::Fill,
                                   operand->region(interpreter.context()), filled));
  return Value::none();
}

Value tileFill(Args &args) { return fill(args, args["value"]); }
Value tileClear(Args &args) { return fill(args, Value::integer(0)); }

static Value reduce(Args &args, ReduceKind kind) {
  Interpreter &interpreter = args.interpreter;
  KernelBuilder *kernel = interpreter.requireLaunch(args.callee(), args.span);
  // `batch` only groups the exchange between threads.
  if (!kernel || !args.refuse({"nan_propagate"}))
    return Value();
  std::optional<Operand> source = toTile(args, "buffer");
  std::optional<Operand> out = source ? toOperand(args, "out") : std::nullopt;
  std::optional<int64_t> dim = out ? args.integer("dim", -1) : std::nullopt;
  std::optional<bool> clear = dim ? args.boolean("clear", true) : std::nullopt;
  if (!clear)
    return Value();
  auto rank = static_cast<int64_t>(source->axes.size());
  if (*dim < -rank || *dim >= rank)
    return interpreter.fail(DiagId::ItemOutOfRange, args.spanOf("dim"), *dim, rank);
  Context &context = interpreter.context();
  kernel->emit(interpreter.ir().op(interpreter.ir().fresh(args.span), Op::Reduce,
                                   {source->region(context), out->region(context)}, {},
                                   {{Attr::Kind, static_cast<int64_t>(kind)},
                                    {Attr::Dim, *dim < 0 ? *dim + rank : *dim},
                                    {Attr::Clear, *clear}}));
  return Value::none();
}

Value tileReduceSum(Args &args) { return reduce(args, ReduceKind::Sum); }
Value tileReduceMax(Args &args) { return reduce(args, ReduceKind::Max); }
Value tileReduceMin(Args &args) { return reduce(args, ReduceKind::Min); }
Value tileReduceAbsMax(Args &args) { return reduce(args, ReduceKind::AbsMax); }
Value tileReduceAbsSum(Args &args) { return reduce(args, ReduceKind::AbsSum); }

static Value atomicAddElement(Args &args, const Operand &destination) {
  Interpreter &interpreter = args.interpreter;
  const Expr *value =
      interpreter.toExprOf(destination.buffer->draft.dtype, args["value"], args.spanOf("value"));
  if (!value)
    return Value();
  interpreter.kernel()->emit(interpreter.ir().op(interpreter.ir().fresh(args.span),
                                                 Op::AtomicAddElement,
                                                 destination.region(interpreter.context()), value));
  return Value::none();
}

// An element takes a value, a tile takes a tile; an element beside a tile is the tile's start.
Value tileAtomicAdd(Args &args) {
  Interpreter &interpreter = args.interpreter;
  KernelBuilder *kernel = interpreter.requireLaunch(args.callee(), args.span);
  if (!kernel || !args.refuse({"return_prev", "use_tma"}))
    return Value();
  std::optional<Operand> destination = toOperand(args, "dst");
  if (!destination)
    return Value();
  bool isScalar = args["value"].isNumber() || args["value"].isExpr();
  if (isScalar && destination->isPoint())
    return atomicAddElement(args, *destination);
  std::optional<Operand> source = toOperand(args, "value");
  if (!source)
    return Value();
  if (destination->isPoint())
    extendPoint(interpreter, *destination, *source);
  else if (source->isPoint())
    extendPoint(interpreter, *source, *destination);
  if (!matchExtents(args, *source, *destination))
    return Value();
  warnOfExcess(interpreter, *source);
  warnOfExcess(interpreter, *destination);
  Context &context = interpreter.context();
  kernel->emit(interpreter.ir().op(interpreter.ir().fresh(args.span), Op::AtomicAdd,
                                   {destination->region(context), source->region(context)}));
  return Value::none();
}

Value tileSyncThreads(Args &args) {
  KernelBuilder *kernel = args.interpreter.requireLaunch(args.callee(), args.span);
  if (!kernel || !args.refuse({"barrier_id", "arrive_count"}))
    return Value();
  kernel->emit(args.interpreter.ir().op(args.interpreter.ir().fresh(args.span), Op::Barrier, {}));
  return Value::none();
}

// Operations are emitted when they are called; a value alone has no effect.
Value tileEvaluate(Args &) { return Value::none(); }

Value tileIgnore(Args &) { return Value::none(); }

} // namespace tilescope::frontend
