// Allocations, block order, what is read outside of tensors.
#include "core/frontend/buffers.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/tile_operands.h"
#include "core/frontend/vectors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace tilescope::frontend {

static std::optional<Scope> scopeNamed(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Scope>>(name)
      .Case("global", Scope::Global)
      .Case("shared.dyn", Scope::Shared)
      .Case("shared", Scope::SharedStatic)
      .Case("local.fragment", Scope::Fragment)
      .Case("local", Scope::Local)
      .Case("local.var", Scope::LocalVar)
      .Default(std::nullopt);
}

// Bounds what later passes multiply: a tile of this many elements fits no memory.
constexpr int64_t MaxTileElements = int64_t{1} << 40;

static bool isReasonableSize(Args &args, llvm::ArrayRef<const Expr *> shape) {
  int64_t elements = 1;
  for (const Expr *extent : shape) {
    std::optional<int64_t> constant = constantValue(extent);
    bool overflows = constant && __builtin_mul_overflow(elements, *constant, &elements);
    if (overflows || elements > MaxTileElements)
      return args.evaluation.failed(DiagId::TileTooLarge, args.spanOf("shape"), MaxTileElements);
  }
  return true;
}

static Value allocate(Args &args, Scope scope) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = scope == Scope::Global
                              ? evaluation.requireKernel(args.callee(), args.span)
                              : evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel)
    return Value();
  std::optional<std::vector<const Expr *>> shape =
      toShape(evaluation, args["shape"], args.spanOf("shape"));
  std::optional<VectorType> type = shape ? vectorTypeArgument(args, "dtype") : std::nullopt;
  if (!type)
    return Value();
  if (type->lanes > 1)
    shape->push_back(evaluation.ir.integer(type->lanes));
  if (!isReasonableSize(args, *shape))
    return Value();
  if (args.has("scope")) {
    std::optional<std::string> name = args.text("scope");
    std::optional<Scope> given = name ? scopeNamed(*name) : std::nullopt;
    if (!given)
      return name ? evaluation.fail(DiagId::NotSupportedYet, args.spanOf("scope"),
                                    "memory scope '" + *name + "'")
                  : Value();
    scope = *given;
  }
  // TileLang's arena holds no bool; neither side of a comparison of the two should differ.
  if (scope == Scope::Shared && type->element.isBool())
    scope = Scope::SharedStatic;
  BufferObject *buffer =
      kernel->addBuffer(evaluation.heap, type->element, *shape, scope, args.span);
  buffer->lanes = type->lanes;
  return buffer;
}

Value tileAllocShared(Args &args) { return allocate(args, Scope::Shared); }
Value tileAllocFragment(Args &args) { return allocate(args, Scope::Fragment); }
Value tileAllocLocal(Args &args) { return allocate(args, Scope::Local); }
// A workspace: whoever launches the kernel gives the memory.
Value tileAllocGlobal(Args &args) { return allocate(args, Scope::Global); }

static Value vectorVariable(Args &args, const VectorType &type, Value init) {
  Evaluation &evaluation = args.evaluation;
  BufferObject *variable = evaluation.kernel->addBuffer(
      evaluation.heap, type.element, {evaluation.ir.integer(1), evaluation.ir.integer(type.lanes)},
      Scope::Local, args.span);
  variable->lanes = type.lanes;
  variable->isVariable = true;
  bool isStored = !init || init.isNone() ||
                  storeLanes(evaluation, *variable, Value::integer(0), init, args.span);
  return isStored ? Value(variable) : Value();
}

// `T.alloc_var(dtype)`, `(dtype, init)`, `(dtype, scope)`, `(dtype, init, scope)`.
Value tileAllocVar(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  std::optional<VectorType> type = kernel ? vectorTypeArgument(args, "dtype") : std::nullopt;
  if (!type)
    return Value();
  Value init = args["init"];
  for (const Arg &arg : args.rest)
    if (!textOf(arg.value))
      init = arg.value;
  if (type->lanes > 1)
    return vectorVariable(args, *type, init);
  BufferObject *variable = kernel->addBuffer(
      evaluation.heap, type->element, {evaluation.ir.integer(1)}, Scope::LocalVar, args.span);
  if (init && !init.isNone()) {
    Axis only{evaluation.ir.integer(0), evaluation.ir.integer(1), true};
    if (!storeElement(evaluation, *variable, only, init, args.span))
      return Value();
  }
  return variable;
}

Value tileUseSwizzle(Args &args) {
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  std::optional<int64_t> size = kernel ? args.integer("panel_size") : std::nullopt;
  std::optional<std::string> order = size ? args.text("order", "row") : std::nullopt;
  std::optional<bool> enable = order ? args.boolean("enable", true) : std::nullopt;
  if (!enable)
    return Value();
  if (*order != "row" && *order != "column" && *order != "col")
    return args.wrongType("order", "\"row\" or \"column\"");
  if (*size < 1)
    return args.wrongType("panel_size", "a positive integer");
  // Whole clusters would have to change places.
  if (*enable && !kernel->launch()->cluster.empty())
    return args.evaluation.fail(DiagId::NotSupportedYet, args.span,
                                args.callee() + " in a launch of clusters");
  if (*enable)
    kernel->launch()->raster = {*size, *order != "row"};
  return Value::none();
}

// Of numbers of Python; of others their own type says it.
static bool fits(Value value, DType dtype) {
  if (!value.isNumber() || dtype.isFloat())
    return true;
  if (!value.isIntegral())
    return false;
  int64_t number = value.asInt();
  int64_t bits = dtype.isBool() ? 1 : dtype.bits - !dtype.isUnsigned();
  if (dtype.isBool() || dtype.isUnsigned())
    return number >= 0 && (bits >= 63 || number < int64_t{1} << bits);
  return bits >= 63 || (number >= -(int64_t{1} << bits) && number < int64_t{1} << bits);
}

// A constant of the tensor's type; null after reporting.
static const Expr *safeValueOf(Args &args, const BufferObject &buffer, Value value) {
  const Expr *outside = toExprOf(args.evaluation, buffer.draft.dtype, value, args.span);
  if (!outside)
    return nullptr;
  bool isConstant = true;
  walk(outside, [&](const Expr *part) { isConstant &= !llvm::isa<Var, Load>(part); });
  if (isConstant && fits(plainOf(value), buffer.draft.dtype))
    return outside;
  args.evaluation.fail(DiagId::WrongType, args.span, "a number of its type for each tensor",
                       phraseFor(value));
  return nullptr;
}

static bool isZero(const Expr *value) {
  const auto *number = llvm::dyn_cast<FloatImm>(value);
  return number ? number->value == 0 : constantValue(value) == 0;
}

// Counts for the whole launch, also for what stands before it.
Value tileAnnotateSafeValue(Args &args) {
  const auto *values = args["safe_value_map"].as<DictObject>();
  if (!args.evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  if (!values)
    return args.wrongType("safe_value_map", "a dict of tensors and numbers");
  for (const auto &[key, value] : values->items) {
    auto *buffer = key.as<BufferObject>();
    if (!buffer || buffer->draft.scope != Scope::Global || buffer->draft.viewOf.isValid())
      return args.evaluation.fail(DiagId::WrongType, args.span, "a tensor as a key",
                                  phraseFor(key));
    const Expr *outside = safeValueOf(args, *buffer, value);
    if (!outside)
      return Value();
    buffer->outside = isZero(outside) ? nullptr : outside;
  }
  return Value::none();
}

Value bufferScope(Args &args) {
  return args.evaluation.heap.string(nameOf(args.self.as<BufferObject>()->draft.scope).str());
}

} // namespace tilescope::frontend
