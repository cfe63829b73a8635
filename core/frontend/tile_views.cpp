// Views of buffers, and tensors at pointers. A view is a buffer in the table that says whose memory
// it is; core/ir/views.h says what becomes of it.
#include "core/frontend/addresses.h"
#include "core/frontend/buffers.h"
#include "core/frontend/builtins.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/signature.h"
#include "core/frontend/tile_operands.h"
#include "core/frontend/vectors.h"
#include "core/ir/expr_equal.h"
#include "core/ir/view_bits.h"
#include "core/ir/view_shapes.h"

namespace tilescope::frontend {

using Shape = std::vector<const Expr *>;

static const Expr *productOf(Builder &ir, llvm::ArrayRef<const Expr *> shape, int64_t bits) {
  const Expr *product = ir.integer(bits, DType::int64());
  for (const Expr *extent : shape)
    product = ir.mul(product, ir.cast(DType::int64(), extent));
  return product;
}

enum class Extent : uint8_t { Same, AtMost };

// Whether a view of this shape and type lies in the buffer, as far as can be shown.
static bool fitsIn(Evaluation &evaluation, const BufferObject &base,
                   llvm::ArrayRef<const Expr *> shape, DType dtype, Extent extent, Span span) {
  const Expr *there = productOf(evaluation.ir, base.draft.shape, base.draft.dtype.bits);
  const Expr *wanted = productOf(evaluation.ir, shape, dtype.bits);
  std::optional<int64_t> has = constantValue(there), wants = constantValue(wanted);
  std::optional<int64_t> rest =
      has && wants ? *has - *wants : constantValue(distance(evaluation.ir, wanted, there));
  if (!rest)
    return evaluation.failed(DiagId::ViewElementsUnknown, span, base.sourceName);
  if (*rest == 0 || (*rest > 0 && extent == Extent::AtMost))
    return true;
  if (!has)
    return evaluation.failed(DiagId::ViewElementsUnknown, span, base.sourceName);
  return evaluation.failed(DiagId::ViewElements, span, base.sourceName, *has, *wants);
}

// The place after the last of elements that lie so, from the first one on; nothing where it is not
// constant.
static std::optional<int64_t> endOf(ExprList shape, ExprList strides) {
  int64_t last = 0;
  for (auto [extent, stride] : llvm::zip_equal(shape, strides)) {
    std::optional<int64_t> count = constantValue(extent), step = constantValue(stride);
    int64_t further = 0;
    if (!count || !step || __builtin_mul_overflow(*count - 1, *step, &further) ||
        __builtin_add_overflow(last, further, &last))
      return std::nullopt;
  }
  return last + 1;
}

// Strides count elements of the view's type, and vectors until here.
static bool areStrides(Args &args, const BufferObject &base, const Shape &shape, Shape &strides,
                       const VectorType &type) {
  Evaluation &evaluation = args.evaluation;
  Span span = args.spanOf("strides");
  if (strides.size() != shape.size())
    return evaluation.failed(DiagId::StrideCount, span, strides.size(), shape.size());
  for (const Expr *&stride : strides)
    if (type.lanes > 1)
      stride = evaluation.ir.mul(stride, evaluation.ir.integer(type.lanes, stride->dtype()));
  bool isOfView = base.draft.viewOf.isValid();
  const BufferObject &owner = isOfView ? *evaluation.kernel->findBuffer(base.draft.viewOf) : base;
  const Buffer &memory = owner.draft;
  std::optional<int64_t> end = endOf(shape, strides);
  std::optional<int64_t> there =
      memory.strides.empty() ? elementCount(memory.shape) : endOf(memory.shape, memory.strides);
  int64_t bits = type.element.bits;
  if (end && there && (*end + type.lanes - 1) * bits > *there * memory.dtype.bits)
    return evaluation.failed(DiagId::ViewBeyond, span, owner.sourceName, *end + type.lanes - 2,
                             *there * memory.dtype.bits / bits);
  return true;
}

static Value makeView(Args &args, BufferObject &base, Shape shape, const VectorType &type,
                      Extent extent, Shape strides = {}) {
  Evaluation &evaluation = args.evaluation;
  DType dtype = type.element;
  KernelBuilder *kernel = evaluation.requireKernel(args.callee(), args.span);
  if (!kernel || (!strides.empty() && !areStrides(args, base, shape, strides, type)))
    return Value();
  if (type.lanes > 1) {
    shape.push_back(evaluation.ir.integer(type.lanes));
    if (!strides.empty())
      strides.push_back(evaluation.ir.integer(1));
  }
  if (!fitsIn(evaluation, base, shape, dtype, extent, args.spanOf("shape")))
    return Value();
  const Buffer &draft = base.draft;
  if (!draft.viewRow.empty())
    return evaluation.fail(DiagId::NotSupportedYet, args.span, "a view of a tensor of a table");
  if (draft.scope == Scope::LocalVar)
    return evaluation.fail(DiagId::NotSupportedYet, args.span, "a view of a variable");
  if (!draft.strides.empty() && strides.empty())
    return evaluation.fail(DiagId::NotSupportedYet, args.span,
                           "a view without strides of a tensor with strides");
  if (!sharesBits(dtype, draft.dtype))
    return evaluation.fail(DiagId::NotSupportedYet, args.span,
                           "a view of another element type, of booleans or less than a byte,");
  BufferObject *view = kernel->addBuffer(evaluation.heap, dtype, shape, draft.scope, args.span);
  // A view of a view is one of what that is a view of.
  view->draft.viewOf = draft.viewOf.isValid() ? draft.viewOf : draft.id;
  view->draft.strides = evaluation.context.copy<const Expr *>(strides);
  view->lanes = type.lanes;
  return view;
}

// The argument; none where it is not given. Nothing: an error was reported.
static std::optional<Shape> stridesOf(Args &args) {
  Shape strides;
  if (!args.has("strides"))
    return strides;
  Value given = args["strides"];
  Span span = args.spanOf("strides");
  const Values *items = sequenceItems(given);
  for (const Value &item : items ? *items : Values{given}) {
    const Expr *stride = toIndex(args.evaluation, item, "a stride", span);
    if (!stride)
      return std::nullopt;
    if (std::optional<int64_t> step = constantValue(stride); step && *step < 0) {
      args.evaluation.fail(DiagId::ViewStride, span, *step);
      return std::nullopt;
    }
    strides.push_back(stride);
  }
  return strides;
}

static BufferObject *bufferArgument(Args &args, llvm::StringRef param) {
  auto *buffer = args[param].as<BufferObject>();
  if (!buffer)
    args.wrongType(param, "a buffer");
  return buffer;
}

static VectorType elementsOf(const BufferObject &buffer) {
  return {buffer.draft.dtype, buffer.lanes};
}

Value tileReshape(Args &args) {
  BufferObject *source = bufferArgument(args, "src");
  std::optional<Shape> shape =
      source ? toShape(args.evaluation, args["shape"], args.spanOf("shape")) : std::nullopt;
  return shape ? makeView(args, *source, *shape, elementsOf(*source), Extent::Same) : Value();
}

Value tileView(Args &args) {
  BufferObject *source = bufferArgument(args, "src");
  std::optional<Shape> strides = source ? stridesOf(args) : std::nullopt;
  if (!strides)
    return Value();
  VectorType elements = elementsOf(*source);
  Shape same(source->draft.shape.drop_back(elements.lanes > 1));
  std::optional<Shape> shape =
      args.has("shape") ? toShape(args.evaluation, args["shape"], args.spanOf("shape")) : same;
  if (!shape)
    return Value();
  std::optional<VectorType> type =
      args.has("dtype") ? vectorTypeArgument(args, "dtype") : std::optional(elements);
  return type ? makeView(args, *source, *shape, *type, Extent::Same, *strides) : Value();
}

// The tensors of a table are of one shape and type: they are one tensor with the table's axes
// first.
static Value tensorOfTable(Args &args, const PointerObject &pointer, Shape shape,
                           const VectorType &type) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireKernel(args.callee(), args.span);
  if (!kernel)
    return Value();
  PointerObject &table = *pointer.tableOf;
  TensorTypeObject whole;
  whole.shape = table.table;
  whole.shape.insert(whole.shape.end(), shape.begin(), shape.end());
  whole.dtype = type.element;
  whole.lanes = type.lanes;
  if (!table.buffer) {
    declarePointed(evaluation, table, whole, args.span);
    evaluation.fail(DiagId::TableAsTensor, args.span, table.buffer->sourceName);
  }
  const Buffer &made = table.buffer->draft;
  llvm::ArrayRef<const Expr *> there = made.shape.drop_back(table.buffer->lanes > 1);
  if (elementsOf(*table.buffer) != type || there.size() != whole.shape.size() ||
      !llvm::all_of(llvm::zip_equal(there, whole.shape), [](const auto &pair) {
        return isSameExpr(std::get<0>(pair), std::get<1>(pair));
      }))
    return evaluation.fail(DiagId::NotSupportedYet, args.span,
                           "a table of tensors of several shapes or types");
  if (type.lanes > 1)
    shape.push_back(made.shape.back());
  BufferObject *view =
      kernel->addBuffer(evaluation.heap, type.element, shape, Scope::Global, args.span);
  view->lanes = type.lanes;
  view->draft.viewOf = made.id;
  view->draft.viewRow = evaluation.context.copy<const Expr *>(pointer.row);
  return view;
}

Value tensorAt(Args &args, Value pointer, Span span) {
  Evaluation &evaluation = args.evaluation;
  if (pointer.isExpr())
    return evaluation.fail(DiagId::NotSupportedYet, span,
                           "a tensor at an address that the device computes");
  auto *object = pointer.as<PointerObject>();
  if (!object)
    return evaluation.fail(DiagId::WrongType, span, "a pointer", phraseFor(pointer));
  std::optional<Shape> shape = toShape(evaluation, args["shape"], args.spanOf("shape"));
  std::optional<VectorType> type = shape ? vectorTypeArgument(args, "dtype") : std::nullopt;
  if (!type)
    return Value();
  if (object->tableOf)
    return tensorOfTable(args, *object, *shape, *type);
  if (!object->buffer || !object->table.empty())
    return evaluation.fail(DiagId::WrongType, span, "a pointer that T.make_tensor was given",
                           phraseFor(pointer));
  return makeView(args, *object->buffer, *shape, *type, Extent::AtMost);
}

// `T.make_tensor(pointer, shape, dtype, strides)`: the first one says what a parameter points to.
static Value tensorBehind(Args &args, PointerObject &pointer, Span span) {
  Evaluation &evaluation = args.evaluation;
  if (pointer.buffer || pointer.tableOf || !pointer.table.empty())
    return args.refuse({"strides"}) ? tensorAt(args, &pointer, span) : Value();
  std::optional<Shape> shape = toShape(evaluation, args["shape"], args.spanOf("shape"));
  std::optional<VectorType> type = shape ? vectorTypeArgument(args, "dtype") : std::nullopt;
  std::optional<Shape> strides = type ? stridesOf(args) : std::nullopt;
  if (!strides)
    return Value();
  if (!strides->empty() && strides->size() != shape->size())
    return evaluation.fail(DiagId::StrideCount, args.spanOf("strides"), strides->size(),
                           shape->size());
  TensorTypeObject tensor;
  tensor.shape = *shape;
  tensor.strides = *strides;
  tensor.dtype = type->element;
  tensor.lanes = type->lanes;
  return declarePointed(evaluation, pointer, tensor, args.span);
}

Value tileMakeTensor(Args &args) {
  const Arg &given = args.nth(0);
  Span span = given.span;
  if (!given.value.isExpr() && !given.value.is(ValueKind::Pointer))
    return args.refuse({"strides"}) ? tensorAt(args, given.value, span) : Value();
  PointerObject *pointer = pointerAt(args.evaluation, given.value, span);
  return pointer ? tensorBehind(args, *pointer, span) : Value();
}

// The same at an address that is a number.
Value tileMakeTensorFromAddress(Args &args) {
  Evaluation &evaluation = args.evaluation;
  std::optional<std::string> scope = args.text("storage_scope", "global");
  if (!scope || !evaluation.requireKernel(args.callee(), args.span))
    return Value();
  if (*scope != "global")
    return args.wrongType("storage_scope", "\"global\"");
  PointerObject *pointer = pointerAt(evaluation, args["addr"], args.spanOf("addr"));
  return pointer ? tensorBehind(args, *pointer, args.spanOf("addr")) : Value();
}

// `T.handle("float32")`; what it points to is said where a tensor is made of it.
Value tilePointerType(Args &args) { return args.evaluation.heap.make<PointerObject>(); }

} // namespace tilescope::frontend
