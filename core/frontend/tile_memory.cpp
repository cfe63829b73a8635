// Allocations, layouts, block order.
#include "core/frontend/buffers.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/memory_order.h"
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
  if (*enable)
    kernel->launch()->raster = {*size, *order != "row"};
  return Value::none();
}

// The widest swizzle that the rows of a shared tile fill.
static const Layout *swizzleFor(Context &context, const Buffer &buffer, int64_t maxSpanBytes) {
  std::optional<int64_t> columns =
      buffer.shape.size() >= 2 ? constantValue(buffer.shape.back()) : std::nullopt;
  if (!columns)
    return nullptr;
  int64_t rowBits = *columns * buffer.dtype.bits;
  for (int64_t span : {128, 64, 32})
    if (span <= maxSpanBytes && rowBits % (span * 8) == 0)
      return makeSwizzle(context, span);
  return nullptr;
}

static Value swizzled(Args &args, int64_t maxSpanBytes) {
  auto *layout = args.evaluation.heap.make<LayoutObject>();
  layout->what = args.callee();
  const BufferObject *buffer = args["buffer"].as<BufferObject>();
  if (const auto *region = args["buffer"].as<RegionObject>())
    buffer = region->buffer;
  if (!buffer)
    return args.wrongType("buffer", "a buffer");
  layout->layout = swizzleFor(args.evaluation.context, buffer->draft, maxSpanBytes);
  return layout;
}

Value makeSwizzledLayout(Args &args) { return swizzled(args, 128); }
Value makeFullBankLayout(Args &args) { return swizzled(args, 128); }
Value makeHalfBankLayout(Args &args) { return swizzled(args, 64); }
Value makeQuarterBankLayout(Args &args) { return swizzled(args, 32); }

Value makeLinearLayout(Args &args) {
  auto *layout = args.evaluation.heap.make<LayoutObject>();
  layout->what = args.callee();
  layout->layout = makeRowMajor(args.evaluation.context);
  return layout;
}

// The swizzle of rows that ldmatrix reads without bank conflicts; rows as they are where
// `is_smooth`, or where a row is no multiple of 64 bytes.
Value makeMmaSwizzleLayout(Args &args) {
  std::optional<bool> isSmooth = args.boolean("is_smooth");
  if (!isSmooth)
    return Value();
  auto *layout = args.evaluation.heap.make<LayoutObject>();
  layout->what = args.callee();
  const auto *buffer = args["shared_buf"].as<BufferObject>();
  if (!buffer)
    return args.wrongType("shared_buf", "a buffer");
  const Buffer &draft = buffer->draft;
  std::optional<int64_t> columns =
      draft.shape.empty() ? std::nullopt : constantValue(draft.shape.back());
  constexpr int64_t UnitBytes = 64;
  bool canSwizzle = columns && *columns * draft.dtype.bits % (UnitBytes * 8) == 0;
  layout->layout = *isSmooth || !canSwizzle ? makeRowMajor(args.evaluation.context)
                                            : swizzleFor(args.evaluation.context, draft, 128);
  return layout;
}

// A layout that is kept, but not expressed.
Value tileCustomLayout(Args &args) {
  auto *layout = args.evaluation.heap.make<LayoutObject>();
  layout->what = args.callee();
  return layout;
}

// False: an error was reported.
static bool takeShape(Args &args, LayoutObject &layout) {
  std::optional<std::vector<const Expr *>> shape =
      toShape(args.evaluation, args["shape"], args.spanOf("shape"));
  if (!shape)
    return false;
  for (const Expr *extent : *shape)
    if (std::optional<int64_t> constant = constantValue(extent))
      layout.shape.push_back(*constant);
  if (layout.shape.size() != shape->size())
    layout.shape.clear();
  return true;
}

// A fragment's, given as functions of coordinates.
Value tileFragment(Args &args) {
  auto *layout = args.evaluation.heap.make<LayoutObject>();
  layout->what = args.callee();
  std::optional<int64_t> copies = args.integer("replicate", 1);
  if (!copies || !takeShape(args, *layout))
    return Value();
  FragmentOrder order{args["forward_fn"].as<FunctionObject>(), nullptr, *copies};
  if (!order.thread) {
    order.thread = args["forward_thread_fn"].as<FunctionObject>();
    order.place = args["forward_index_fn"].as<FunctionObject>();
    if (!order.place)
      return layout;
  }
  if (!order.thread || layout->shape.empty())
    return layout;
  std::optional<const Layout *> found =
      fragmentLayoutOf(args.evaluation, order, layout->shape, args.span);
  if (!found)
    return Value();
  layout->layout = *found;
  return layout;
}

// A layout given as a function of coordinates, where it says how a tensor lies in memory.
Value tileLayout(Args &args) {
  auto *layout = args.evaluation.heap.make<LayoutObject>();
  layout->what = args.callee();
  if (!takeShape(args, *layout))
    return Value();
  auto *order = args["forward_fn"].as<FunctionObject>();
  if (!order || !order->lambdaBody || layout->shape.empty())
    return layout;
  std::optional<const Layout *> found =
      memoryOrderOf(args.evaluation, *order, layout->shape, args.span);
  if (!found)
    return Value();
  layout->layout = *found;
  return layout;
}

// Whether the layout can be the buffer's: a memory order belongs to a tensor of its shape, digits
// of threads and registers to a fragment of theirs, any other layout to a tile.
static bool suits(const LayoutObject &layout, const Buffer &buffer) {
  bool isOfFragment = layout.layout && layout.layout->isFragment();
  if (isOfFragment || (layout.layout && buffer.scope == Scope::Fragment))
    return isOfFragment && buffer.scope == Scope::Fragment && constantShape(buffer) == layout.shape;
  if (!layout.layout || buffer.scope != Scope::Global)
    return layout.layout && layout.layout->kind != LayoutKind::Permuted;
  return layout.layout->kind == LayoutKind::Permuted && buffer.strides.empty() &&
         constantShape(buffer) == layout.shape;
}

// A layout that we cannot express leaves a tile to layout inference, with a warning; for a global
// tensor it is the order of the caller's memory, so there it is an error.
static bool annotateOne(Args &args, Value key, Value value) {
  Evaluation &evaluation = args.evaluation;
  auto *buffer = key.as<BufferObject>();
  if (!buffer)
    return evaluation.failed(DiagId::WrongType, args.span, "a buffer as a key", phraseFor(key));
  const auto *layout = value.as<LayoutObject>();
  if (layout && suits(*layout, buffer->draft)) {
    buffer->draft.layout = layout->layout;
    buffer->draft.layoutPinned = true;
    return true;
  }
  if (buffer->draft.scope == Scope::Global)
    return evaluation.failed(DiagId::NotSupportedYet, args.span,
                             "this layout on a global tensor ('" + buffer->sourceName + "')");
  evaluation.fail(DiagId::LayoutIgnored, args.span, buffer->sourceName);
  return true;
}

Value tileAnnotateLayout(Args &args) {
  const auto *layouts = args["layout_map"].as<DictObject>();
  if (!layouts)
    return args.wrongType("layout_map", "a dict of buffers and layouts");
  for (const auto &[key, value] : layouts->items)
    if (!annotateOne(args, key, value))
      return Value();
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
