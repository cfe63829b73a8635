// T.Kernel, T.ClusterKernel, tensors as parameters, dimensions, and the variables of a launch.
#include "core/frontend/builtins.h"
#include "core/frontend/clusters.h"
#include "core/frontend/evaluation.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/signature.h"
#include "core/frontend/tile_operands.h"
#include "core/frontend/vectors.h"
#include "core/ir/verifier.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope::frontend {

constexpr int64_t MaxThreads = 1024;

// An int, or up to three: the block has one thread axis, of which the others are digits.
static bool readThreads(Args &args, llvm::SmallVectorImpl<int64_t> &extents) {
  Value threads = args["threads"];
  const Values *dims = sequenceItems(threads);
  if (!dims) {
    std::optional<int64_t> count = args.integer("threads", 128);
    extents.assign(1, count.value_or(0));
    return count.has_value();
  }
  extents.clear();
  for (const Value &dim : *dims)
    if (dim.isIntegral())
      extents.push_back(dim.asInt());
  if (!extents.empty() && extents.size() == dims->size() && extents.size() <= 3)
    return true;
  args.wrongType("threads", "an integer or up to three of them");
  return false;
}

Value tileKernel(Args &args) {
  Evaluation &evaluation = args.evaluation;
  std::optional<std::string> prelude = args.text("prelude");
  if (!prelude)
    return Value();
  auto *launch = evaluation.heap.make<LaunchObject>();
  if (args.rest.size() > 3)
    return evaluation.fail(DiagId::GridDimensions, args.span, args.rest.size());
  for (const Arg &arg : args.rest) {
    const Expr *extent = toIndex(evaluation, arg.value, "a grid size", arg.span);
    if (!extent)
      return Value();
    if (std::optional<int64_t> constant = constantValue(extent); constant && *constant < 0)
      return evaluation.fail(DiagId::NegativeGrid, arg.span, *constant);
    launch->gridExtents.push_back(extent);
  }
  if (launch->gridExtents.empty())
    launch->gridExtents.push_back(evaluation.ir.integer(1));
  if (!readThreads(args, launch->threads))
    return Value();
  int64_t count = 1;
  for (int64_t extent : launch->threads)
    count = extent < 1 || extent > MaxThreads ? extent : count * extent;
  if (count < 1 || count > MaxThreads)
    return evaluation.fail(DiagId::ThreadCount, args.spanOf("threads"), count, MaxThreads);
  if (!readCluster(args, *launch))
    return Value();
  if (evaluation.kernel)
    evaluation.kernel->importSource(*prelude);
  return launch;
}

// A shape: a list of sizes, or one size.
std::optional<std::vector<const Expr *>> toShape(Evaluation &evaluation, Value shape, Span span) {
  Values sizes{shape};
  if (const Values *items = sequenceItems(shape))
    sizes = *items;
  std::vector<const Expr *> extents;
  for (const Value &size : sizes) {
    const Expr *extent = toIndex(evaluation, size, "a size", span);
    if (!extent)
      return std::nullopt;
    if (std::optional<int64_t> constant = constantValue(extent); constant && *constant < 0) {
      evaluation.fail(DiagId::NegativeSize, span, *constant);
      return std::nullopt;
    }
    extents.push_back(extent);
  }
  return extents;
}

static TensorTypeObject *makeTensorType(Args &args, Value shape, Span span) {
  std::optional<std::vector<const Expr *>> extents = toShape(args.evaluation, shape, span);
  bool isTable = isPointerType(args["dtype"]);
  std::optional<VectorType> elements = !extents  ? std::nullopt
                                       : isTable ? std::optional(VectorType{DType::int64()})
                                                 : vectorTypeArgument(args, "dtype");
  if (!elements)
    return nullptr;
  auto *type = args.evaluation.heap.make<TensorTypeObject>();
  type->shape = std::move(*extents);
  type->dtype = elements->element;
  type->lanes = elements->lanes;
  type->isTable = isTable;
  return type;
}

Value tileTensor(Args &args) {
  if (args.has("data"))
    return tensorAt(args, args["data"], args.spanOf("data"));
  TensorTypeObject *type = makeTensorType(args, args["shape"], args.spanOf("shape"));
  return type ? Value(type) : Value();
}

Value tileStridedTensor(Args &args) {
  TensorTypeObject *type =
      args.refuse({"data"}) ? makeTensorType(args, args["shape"], args.spanOf("shape")) : nullptr;
  std::optional<std::vector<const Expr *>> strides =
      type ? toShape(args.evaluation, args["strides"], args.spanOf("strides")) : std::nullopt;
  if (!strides)
    return Value();
  if (strides->size() != type->shape.size())
    return args.evaluation.fail(DiagId::StrideCount, args.spanOf("strides"), strides->size(),
                                type->shape.size());
  type->strides = std::move(*strides);
  return type;
}

// `T.empty((M, N), dtype)` or `T.empty(M, N, dtype=...)`; a positional dtype may come last.
Value tileEmpty(Args &args) {
  Values sizes;
  Value dtype = args["dtype"];
  for (const Arg &arg : args.rest) {
    bool isType = !dtype && !sizes.empty() && !arg.value.isIntegral() && !arg.value.isExpr();
    if (isType)
      dtype = arg.value;
    else
      sizes.push_back(arg.value);
  }
  bool isOneShape = sizes.size() == 1 && sequenceItems(sizes[0]);
  Value shape = isOneShape ? sizes[0] : args.evaluation.heap.tuple(std::move(sizes));
  std::optional<std::vector<const Expr *>> extents = toShape(args.evaluation, shape, args.span);
  std::optional<VectorType> type = !extents ? std::nullopt
                                   : dtype  ? toVectorType(args.evaluation, dtype, args.span)
                                            : std::optional(VectorType{DType::float32()});
  if (!type)
    return Value();
  auto *tensor = args.evaluation.heap.make<TensorTypeObject>();
  tensor->shape = std::move(*extents);
  tensor->dtype = type->element;
  tensor->lanes = type->lanes;
  tensor->isOutput = true;
  return tensor;
}

// Names are separated by commas or blanks.
llvm::SmallVector<llvm::StringRef, 4> splitNames(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 4> names;
  llvm::SplitString(text, names, ", \t");
  return names;
}

static Value oneOrTuple(Evaluation &evaluation, Values values) {
  return values.size() == 1 ? values[0] : evaluation.heap.tuple(std::move(values));
}

Value tileConst(Args &args) {
  std::optional<std::string> text = args.text("name");
  if (!text)
    return Value();
  Values values;
  KernelSignature &signature = args.evaluation.signature;
  for (llvm::StringRef name : splitNames(*text)) {
    Value value = signature.constArgument(name);
    if (!value && signature.leavesConstantsOpen) {
      signature.openConstants.push_back(args.evaluation.ir.var(name, DType::int32()));
      value = Value::expr(signature.openConstants.back());
    }
    if (!value)
      return args.evaluation.fail(DiagId::ConstWithoutValue, args.span, name);
    values.push_back(value);
  }
  return oneOrTuple(args.evaluation, std::move(values));
}

Value tileDynamic(Args &args) {
  std::optional<std::string> text = args.text("name");
  std::optional<DType> dtype = text ? args.dtype("dtype", DType::int32()) : std::nullopt;
  if (!dtype)
    return Value();
  Values values;
  for (llvm::StringRef name : splitNames(*text))
    values.push_back(Value::expr(args.evaluation.ir.var(name, *dtype)));
  return oneOrTuple(args.evaluation, std::move(values));
}

Value tileThreadBinding(Args &args) {
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  std::optional<int64_t> dim = kernel ? args.integer("dim", 0) : std::nullopt;
  if (!dim)
    return Value();
  return Value::expr(kernel->threadIndex(static_cast<size_t>(std::max<int64_t>(*dim, 0))));
}

// `T.thread_binding(0, 128, thread="threadIdx.x")`: the index along an axis whose extent is said
// again. A single number is the extent, and the axis may then stand in second place.
Value tileNamedThreadBinding(Args &args) {
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  bool isShort = !args.has("thread") && textOf(args["stop"]).has_value();
  bool hasStop = args.has("stop") && !isShort;
  std::optional<int64_t> start = kernel ? args.integer("start") : std::nullopt;
  std::optional<int64_t> stop = start && hasStop ? args.integer("stop") : start;
  std::optional<std::string> thread = stop ? args.text(isShort ? "stop" : "thread") : std::nullopt;
  if (!thread)
    return Value();
  if (!hasStop)
    start = 0;
  llvm::StringRef axis = *thread;
  if (!axis.consume_front("threadIdx.") || axis.size() != 1 || axis < "x" || axis > "z")
    return args.wrongType("thread", "\"threadIdx.x\", \"threadIdx.y\" or \"threadIdx.z\"");
  auto number = static_cast<size_t>(axis[0] - 'x');
  llvm::ArrayRef<int64_t> extents = kernel->launch()->threads;
  int64_t extent = number < extents.size() ? extents[number] : 1;
  if (*start != 0 || *stop != extent)
    return args.wrongType("stop", "the extent of the axis, " + std::to_string(extent));
  return Value::expr(kernel->threadIndex(number));
}

Value tileThreadBindings(Args &args) {
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel)
    return Value();
  return args.evaluation.heap.tuple({Value::expr(kernel->threadIndex(0)),
                                     Value::expr(kernel->threadIndex(1)),
                                     Value::expr(kernel->threadIndex(2))});
}

Value tileBlockBinding(Args &args) {
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  std::optional<int64_t> dim = kernel ? args.integer("dim", 0) : std::nullopt;
  if (!dim)
    return Value();
  llvm::ArrayRef<const Var *> vars = kernel->launch()->blockVars;
  bool exists = *dim >= 0 && *dim < static_cast<int64_t>(vars.size());
  return exists ? Value::expr(vars[static_cast<size_t>(*dim)]) : Value::integer(0);
}

Value tileBlockBindings(Args &args) {
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel)
    return Value();
  Values values;
  for (const Var *var : kernel->launch()->blockVars)
    values.push_back(Value::expr(var));
  return oneOrTuple(args.evaluation, std::move(values));
}

// Along `axis`; 1 along an axis that there is not.
static int64_t threadsAlong(const KernelBuilder::OpenLaunch &launch, size_t axis) {
  return axis < launch.threads.size() ? launch.threads[axis] : 1;
}

static Value blocksAlong(Evaluation &evaluation, size_t axis) {
  ExprList extents = evaluation.kernel->launch()->gridExtents;
  if (axis >= extents.size())
    return Value::integer(1);
  std::optional<int64_t> constant = constantValue(extents[axis]);
  return constant ? Value::integer(*constant) : Value::expr(extents[axis]);
}

std::optional<size_t> launchAxis(Args &args) {
  if (!args.evaluation.requireLaunch(args.callee(), args.span))
    return std::nullopt;
  std::optional<int64_t> dim = args.integer("dim", 0);
  if (dim && *dim >= 0 && *dim < 3)
    return static_cast<size_t>(*dim);
  if (dim)
    args.wrongType("dim", "0, 1 or 2");
  return std::nullopt;
}

Value tileThreadExtent(Args &args) {
  std::optional<size_t> axis = launchAxis(args);
  return axis ? Value::integer(threadsAlong(*args.evaluation.kernel->launch(), *axis)) : Value();
}

Value tileBlockExtent(Args &args) {
  std::optional<size_t> axis = launchAxis(args);
  return axis ? blocksAlong(args.evaluation, *axis) : Value();
}

// What the launch bounds of the kernel ask for; the last one counts.
Value tileMinBlocks(Args &args) {
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  std::optional<int64_t> blocks = kernel ? args.integer("n") : std::nullopt;
  if (!blocks)
    return Value();
  int64_t threads = 1;
  for (int64_t extent : kernel->launch()->threads)
    threads *= extent;
  const Target *device = args.evaluation.device;
  int64_t most = device
                     ? std::min<int64_t>(device->maxBlocksPerSm, device->maxThreadsPerSm / threads)
                     : MaxBlocksOfMultiprocessor;
  if (*blocks < 1 || *blocks > most)
    return args.evaluation.fail(DiagId::MinBlocks, args.spanOf("n"), *blocks, threads,
                                device ? device->name : "a GPU", most);
  kernel->launch()->minBlocks = *blocks;
  return Value::none();
}

Value tileThreadExtents(Args &args) {
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel)
    return Value();
  Values values;
  for (size_t axis = 0; axis < 3; ++axis)
    values.push_back(Value::integer(threadsAlong(*kernel->launch(), axis)));
  return args.evaluation.heap.list(std::move(values));
}

Value tileBlockExtents(Args &args) {
  if (!args.evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  Values values;
  for (size_t axis = 0; axis < 3; ++axis)
    values.push_back(blocksAlong(args.evaluation, axis));
  return args.evaluation.heap.list(std::move(values));
}

Value tileAnnotatePassConfigs(Args &args) {
  addPassConfigs(args.evaluation, args["configs"], args.spanOf("configs"));
  return Value::none();
}

Value tileDType(Args &args) {
  std::optional<VectorType> dtype =
      vectorTypeArgument(args, args.info.space == "T" ? "value" : "name");
  return dtype ? dtypeOf(args.evaluation, *dtype) : Value();
}

// Operations are emitted when they are called; a value alone has no effect.
Value tileEvaluate(Args &) { return Value::none(); }

Value tileIgnore(Args &) { return Value::none(); }

// A name that stands in annotations or in front of what it decorates.
Value tileAnnotation(Args &args) {
  return args.rest.size() == 1 ? args.rest[0].value : Value::none();
}

Value tileIgnoredRange(Args &args) { return args.evaluation.heap.make<AttributeObject>(); }

} // namespace tilescope::frontend
