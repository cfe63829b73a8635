// Pointers, as operands of what follows them: where they point to, how far they are followed, and
// what is done there.
#include "core/frontend/buffers.h"
#include "core/frontend/builtins.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/operators.h"
#include "core/frontend/tile_operands.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

namespace {

// "r", "w", "rw", or a mask of 1 and 2; nullopt after reporting.
std::optional<Effect> effectArgument(const Args &args, llvm::StringRef param) {
  Value value = args[param];
  std::optional<llvm::StringRef> text = value ? textOf(value) : llvm::StringRef("r");
  if (text == "r" || (value.isInt() && value.asInt() == 1))
    return Effect::Read;
  if (text == "w" || (value.isInt() && value.asInt() == 2))
    return Effect::Write;
  if (text == "rw" || text == "wr" || (value.isInt() && value.asInt() == 3))
    return Effect::ReadWrite;
  args.wrongType(param, "'r', 'w' or 'rw'");
  return std::nullopt;
}

// Elements before the first of the operand.
const Expr *placeOf(Builder &ir, const Operand &operand) {
  const Expr *place = ir.integer(0);
  for (auto [axis, extent] : llvm::zip_equal(operand.axes, operand.buffer->draft.shape))
    place =
        ir.add(ir.mul(place, ir.cast(DType::int32(), extent)), ir.cast(DType::int32(), axis.start));
  return place;
}

// Makes a box of `count` elements, one behind the other, of the operand's first; false: there is
// none.
bool tryMakeBox(Builder &ir, Operand &operand, const Expr *count) {
  if (operand.axes.size() == 1) {
    operand.axes[0].extent = ir.cast(operand.axes[0].start->dtype(), count);
    return true;
  }
  std::optional<int64_t> left = constantValue(count);
  if (!left || *left < 1)
    return false;
  for (size_t axis = operand.axes.size(); axis-- > 0;) {
    Axis &one = operand.axes[axis];
    std::optional<int64_t> extent = constantValue(operand.buffer->draft.shape[axis]);
    int64_t taken = 1;
    if (*left > 1 && extent && *extent > 0) {
      bool isWhole = constantValue(one.start) == 0 && *left % *extent == 0;
      taken = isWhole ? *extent : *left;
      if (taken > *extent)
        return false;
    }
    one.extent = ir.integer(taken, one.start->dtype());
    if (*left % taken != 0)
      return false;
    *left /= taken;
  }
  return *left == 1;
}

// All of the buffer may be accessed, from the element at `place` on.
PointerObject *pointerInto(Evaluation &evaluation, BufferObject &buffer, const Expr *place,
                           Effect effect) {
  auto *pointer = evaluation.heap.make<PointerObject>();
  pointer->buffer = &buffer;
  pointer->offset = constantValue(place) == 0 ? nullptr : place;
  pointer->effect = effect;
  return pointer;
}

// `count` elements behind the first one of the operand.
Value pointerTo(Evaluation &evaluation, Operand operand, const Expr *count, Effect effect) {
  const Expr *place = placeOf(evaluation.ir, operand);
  if (!tryMakeBox(evaluation.ir, operand, count))
    return pointerInto(evaluation, *operand.buffer, place, effect);
  auto *pointer = evaluation.heap.make<PointerObject>();
  pointer->buffer = operand.buffer;
  pointer->axes = std::move(operand.axes);
  pointer->effect = effect;
  return pointer;
}

const Expr *productOf(Builder &ir, llvm::ArrayRef<const Expr *> extents) {
  const Expr *product = ir.integer(1);
  for (const Expr *extent : extents)
    product = ir.mul(product, ir.cast(DType::int32(), extent));
  return product;
}

// Elements behind the pointer, as T.access_ptr counts them; null after reporting.
const Expr *extentOf(Args &args, const Operand &operand) {
  Evaluation &evaluation = args.evaluation;
  if (args.has("extent"))
    return toIndex(evaluation, args["extent"], "an extent", args.spanOf("extent"));
  Values given;
  for (const Arg &arg : args.rest)
    given.push_back(arg.value);
  if (const Values *items = given.size() == 1 ? sequenceItems(given[0]) : nullptr)
    given = Values(*items);
  llvm::SmallVector<const Expr *> extents;
  for (const Value &value : given) {
    extents.push_back(toIndex(evaluation, value, "an extent", args.span));
    if (!extents.back())
      return nullptr;
  }
  if (given.empty())
    for (const Axis &axis : operand.axes)
      extents.push_back(axis.extent);
  return productOf(evaluation.ir, extents);
}

bool moveBy(Args &args, Operand &operand, llvm::StringRef param) {
  Evaluation &evaluation = args.evaluation;
  if (!args.has(param))
    return true;
  const Expr *offset = toIndex(evaluation, args[param], "an offset", args.spanOf(param));
  if (!offset)
    return false;
  if (operand.axes.size() != 1 && constantValue(offset) != 0)
    return evaluation.failed(DiagId::NotSupportedYet, args.spanOf(param),
                             "an offset into a buffer of several axes");
  if (operand.axes.size() == 1) {
    const Expr *&start = operand.axes[0].start;
    start = evaluation.ir.add(start, evaluation.ir.cast(start->dtype(), offset));
  }
  return true;
}

} // namespace

Value tileAccessPointer(Args &args) {
  Evaluation &evaluation = args.evaluation;
  std::optional<Effect> effect = effectArgument(args, "access_type");
  std::optional<Operand> operand = effect ? toOperand(args, "base") : std::nullopt;
  std::optional<int64_t> ignored =
      operand ? args.integer("ignore_last_ndim") : std::optional<int64_t>();
  if (!ignored)
    return Value();
  const Expr *count = extentOf(args, *operand);
  if (!count)
    return Value();
  for (size_t axis = operand->axes.size(); axis-- > 0 && *ignored > 0; --*ignored)
    operand->axes[axis].start = evaluation.ir.integer(0, operand->axes[axis].start->dtype());
  return moveBy(args, *operand, "offset") ? pointerTo(evaluation, *operand, count, *effect)
                                          : Value();
}

// How far it is followed, and what for, nobody says.
Value tileAddressOf(Args &args) {
  std::optional<Operand> operand = toOperand(args, "obj");
  if (!operand)
    return Value();
  return pointerInto(args.evaluation, *operand->buffer, placeOf(args.evaluation.ir, *operand),
                     Effect::ReadWrite);
}

static Value pointerFrom(Args &args, BufferObject &buffer, Effect effect) {
  Evaluation &evaluation = args.evaluation;
  Builder &ir = evaluation.ir;
  Operand whole;
  whole.buffer = &buffer;
  for (const Expr *extent : buffer.draft.shape)
    whole.axes.push_back({ir.integer(0, extent->dtype()), extent, false});
  const Expr *all = productOf(ir, buffer.draft.shape);
  const Expr *offset = args.has("offset")
                           ? toIndex(evaluation, args["offset"], "an offset", args.spanOf("offset"))
                           : ir.integer(0);
  if (!offset)
    return Value();
  offset = ir.cast(DType::int32(), offset);
  const Expr *count = args.has("extent")
                          ? toIndex(evaluation, args["extent"], "an extent", args.spanOf("extent"))
                          : ir.binary(BinaryOp::Sub, all, offset);
  if (!count)
    return Value();
  if (whole.axes.size() == 1)
    whole.axes[0].start = ir.cast(whole.axes[0].start->dtype(), offset);
  else if (constantValue(offset) != 0)
    return pointerInto(evaluation, buffer, offset, effect);
  return pointerTo(evaluation, std::move(whole), count, effect);
}

Value bufferAccessPointer(Args &args) {
  std::optional<Effect> effect = effectArgument(args, "access_mask");
  return effect ? pointerFrom(args, *args.self.as<BufferObject>(), *effect) : Value();
}

Value tilePlainPointer(Args &args) {
  std::optional<Effect> effect = effectArgument(args, "rw_mask");
  if (!effect)
    return Value();
  auto *pointer = args["data"].as<PointerObject>();
  BufferObject *buffer = pointer ? pointer->buffer : args["data"].as<BufferObject>();
  if (!buffer)
    return args.wrongType("data", "the memory of a buffer");
  return pointerFrom(args, *buffer, *effect);
}

// Where an element of this number lies in a buffer of this shape.
Value tileIndexToCoordinates(Args &args) {
  const Values *shape = sequenceItems(args["shape"]);
  if (!shape)
    return args.wrongType("shape", "a shape");
  Values coordinates(shape->size());
  Value rest = loadVariable(args.evaluation, args["index"]);
  for (size_t axis = shape->size(); axis-- > 0;) {
    coordinates[axis] =
        binary(args.evaluation, ast::BinaryOp::Mod, rest, (*shape)[axis], args.span);
    rest = binary(args.evaluation, ast::BinaryOp::FloorDiv, rest, (*shape)[axis], args.span);
    if (!coordinates[axis] || !rest)
      return Value();
  }
  return args.evaluation.heap.list(std::move(coordinates));
}

} // namespace tilescope::frontend
