// Layouts that the kernel gives: of tiles, of fragments, of the memory of tensors.
#include "core/frontend/memory_order.h"
#include "core/frontend/tile_operands.h"
#include "core/frontend/tile_order.h"

namespace tilescope::frontend {

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
  layout->order = order;
  if (!order || !order->lambdaBody || layout->shape.empty())
    return layout;
  std::optional<const Layout *> found =
      memoryOrderOf(args.evaluation, *order, layout->shape, args.span);
  if (!found)
    return Value();
  layout->layout = *found;
  return layout;
}

// Why a layout that no function of coordinates gives cannot be the buffer's; "": it can. Digits of
// threads and registers belong to a fragment of their shape, any other layout to a tile.
static std::string whyNot(const LayoutObject &given, const Buffer &buffer) {
  if (!given.layout)
    return (given.what.empty() ? "a function of coordinates" : given.what) +
           " gives none that a buffer of this shape and place can have here";
  if (given.layout->isFragment() != (buffer.scope == Scope::Fragment))
    return given.layout->isFragment() ? "it spreads elements over threads, and this is no fragment"
                                      : "it orders memory, and this is a fragment";
  if (given.layout->isFragment() && constantShape(buffer) != given.shape)
    return "it is for another shape than that of this fragment";
  return "";
}

// A function of coordinates is the order of the caller's memory, where the buffer is a tensor.
static const Layout *layoutFor(Args &args, const LayoutObject &given, const Buffer &buffer,
                               std::string &reason) {
  bool isOrder = given.layout && given.layout->kind == LayoutKind::Permuted;
  if (buffer.scope == Scope::Global)
    return isOrder && buffer.strides.empty() && constantShape(buffer) == given.shape ? given.layout
                                                                                     : nullptr;
  if (given.order && isShared(buffer.scope)) {
    TileOrder found = tileOrderOf(args.evaluation, *given.order, given.shape, buffer, args.span);
    reason = found.reason;
    return found.layout;
  }
  reason = whyNot(given, buffer);
  if (reason.empty() && isOrder)
    reason = "it orders memory, and this is of a thread";
  return reason.empty() ? given.layout : nullptr;
}

// A function alone is one for the buffer's shape. Null: neither a layout nor a function; nothing:
// an error was reported.
static std::optional<const LayoutObject *> layoutGiven(Args &args, const Buffer &buffer,
                                                       Value value) {
  auto *order = value.as<FunctionObject>();
  if (!order)
    return value.as<LayoutObject>();
  auto *layout = args.evaluation.heap.make<LayoutObject>();
  layout->order = order;
  layout->shape = constantShape(buffer).value_or(llvm::SmallVector<int64_t>());
  if (buffer.scope != Scope::Global || layout->shape.empty())
    return layout;
  std::optional<const Layout *> found =
      memoryOrderOf(args.evaluation, *order, layout->shape, args.span);
  if (!found)
    return std::nullopt;
  layout->layout = *found;
  return layout;
}

// A layout that we cannot express leaves a tile to layout inference, with a warning; for a global
// tensor it is the order of the caller's memory, so there it is an error.
static bool annotateOne(Args &args, Value key, Value value) {
  Evaluation &evaluation = args.evaluation;
  auto *buffer = key.as<BufferObject>();
  if (!buffer)
    return evaluation.failed(DiagId::WrongType, args.span, "a buffer as a key", phraseFor(key));
  std::optional<const LayoutObject *> given = layoutGiven(args, buffer->draft, value);
  if (!given)
    return false;
  std::string reason = "it is " + phraseFor(value);
  const Layout *layout = *given ? layoutFor(args, **given, buffer->draft, reason) : nullptr;
  if (layout) {
    buffer->draft.layout = layout;
    buffer->draft.layoutPinned = true;
    return true;
  }
  if (buffer->draft.scope == Scope::Global)
    return evaluation.failed(DiagId::NotSupportedYet, args.span,
                             "this layout on a global tensor ('" + buffer->sourceName + "')");
  evaluation.fail(DiagId::LayoutIgnored, args.span, buffer->sourceName, reason);
  return !evaluation.isDead;
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

} // namespace tilescope::frontend
