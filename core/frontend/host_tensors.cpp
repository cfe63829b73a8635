#include "core/frontend/host_tensors.h"

#include "core/frontend/builtins.h"
#include "core/frontend/integers.h"
#include "core/frontend/operators.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

// What a kernel that needs it is told.
static Value unknown(Evaluation &evaluation, llvm::StringRef what, Span span) {
  return evaluation.heap.make<OpaqueObject>(what.str(), span);
}

static Value keywordOf(const Args &args, llvm::StringRef name) {
  for (const auto &[keyword, arg] : args.keywords())
    if (keyword == name && arg.value && !arg.value.isNone())
      return arg.value;
  return Value();
}

static Value makeTensor(Args &args, Values shape, llvm::StringRef defaultType) {
  bool areExtents = llvm::all_of(
      shape, [](const Value &extent) { return extent.isInt() && extent.asInt() >= 0; });
  if (!areExtents)
    return unknown(args.evaluation, args.callee(), args.span);
  auto *tensor = args.evaluation.heap.make<HostTensorObject>();
  tensor->shape = std::move(shape);
  tensor->dtype = keywordOf(args, "dtype");
  if (!tensor->dtype)
    tensor->dtype = unknown(args.evaluation, "torch." + defaultType.str(), args.span);
  return tensor;
}

// `(m, k)` and `((m, k))`
Value hostTensor(Args &args) {
  Values shape;
  for (const Arg &arg : args.rest)
    shape.push_back(arg.value);
  Value size = keywordOf(args, "size");
  if (shape.size() == 1 && sequenceItems(shape[0]))
    size = shape[0];
  if (size && sequenceItems(size))
    shape = Values(*sequenceItems(size));
  return makeTensor(args, std::move(shape), "float32");
}

Value hostTensorOfSize(Args &args) {
  const Values *size = sequenceItems(args["size"]);
  return makeTensor(args, size ? *size : Values{Value::none()}, "float32");
}

// `(high, size)` and `(low, high, size)`
Value hostTensorOfNumbers(Args &args) {
  const Values *size = sequenceItems(args.has("size") ? args["size"] : args["high"]);
  return makeTensor(args, size ? *size : Values{Value::none()}, "int64");
}

Value hostTensorLike(Args &args) {
  const auto *model = args["input"].as<HostTensorObject>();
  if (!model)
    return unknown(args.evaluation, args.callee(), args.span);
  Value dtype = keywordOf(args, "dtype");
  auto *tensor = args.evaluation.heap.make<HostTensorObject>();
  tensor->shape = model->shape;
  tensor->dtype = dtype ? dtype : model->dtype;
  return tensor;
}

Value hostTensorSize(Args &args) {
  const auto &tensor = *args.self.as<HostTensorObject>();
  if (!args.has("dim"))
    return args.evaluation.heap.tuple(tensor.shape);
  std::optional<int64_t> axis = args.integer("dim");
  auto rank = static_cast<int64_t>(tensor.shape.size());
  if (!axis)
    return Value();
  if (*axis < -rank || *axis >= rank)
    return args.evaluation.fail(DiagId::ItemOutOfRange, args.span, *axis, rank);
  return tensor.shape[static_cast<size_t>(*axis < 0 ? *axis + rank : *axis)];
}

Value hostTensorRank(Args &args) {
  return Value::integer(static_cast<int64_t>(args.self.as<HostTensorObject>()->shape.size()));
}

Value hostTensorCount(Args &args) {
  Value count = Value::integer(1);
  for (const Value &extent : args.self.as<HostTensorObject>()->shape)
    count = count ? binary(args.evaluation, ast::BinaryOp::Mul, count, extent, args.span) : count;
  return count;
}

Value hostTensorSame(Args &args) { return args.self; }

static bool isFloating(const Value &dtype) {
  const auto *opaque = dtype.as<OpaqueObject>();
  llvm::StringRef name = opaque ? llvm::StringRef(opaque->path) : "";
  return name.starts_with("torch.float") || name == "torch.bfloat16" || name == "torch.half";
}

Value binaryHostTensors(Evaluation &evaluation, ast::BinaryOp op, Value lhs, Value rhs, Span span) {
  const auto *left = lhs.as<HostTensorObject>();
  const auto *right = rhs.as<HostTensorObject>();
  const HostTensorObject &model = left ? *left : *right;
  bool areAlike = left && right ? areEqual(evaluation, evaluation.heap.tuple(left->shape),
                                           evaluation.heap.tuple(right->shape))
                                : (left ? rhs : lhs).isNumber();
  if (!areAlike || op == ast::BinaryOp::MatMul)
    return unknown(evaluation, "torch.Tensor", span);
  auto *result = evaluation.heap.make<HostTensorObject>();
  result->shape = model.shape;
  bool keepsType =
      isFloating(model.dtype) && (!left || !right || reprOf(left->dtype) == reprOf(right->dtype));
  if (keepsType)
    result->dtype = model.dtype;
  return result;
}

} // namespace tilescope::frontend
