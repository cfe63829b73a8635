// T.alloc_reducer and what is done with one; T.any_of, T.all_of.
#include "core/frontend/buffers.h"
#include "core/frontend/operation_results.h"
#include "core/ir/folding.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace tilescope::frontend {

static std::optional<ReduceKind> reductionNamed(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<ReduceKind>>(name)
      .Case("sum", ReduceKind::Sum)
      .Case("max", ReduceKind::Max)
      .Case("min", ReduceKind::Min)
      .Case("bitand", ReduceKind::BitAnd)
      .Case("bitor", ReduceKind::BitOr)
      .Case("bitxor", ReduceKind::BitXor)
      .Default(std::nullopt);
}

// `replication` says where TileLang would keep it.
Value tileAllocReducer(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  std::optional<std::vector<const Expr *>> shape =
      kernel ? toShape(evaluation, args["shape"], args.spanOf("shape")) : std::nullopt;
  std::optional<DType> dtype = shape ? args.dtype("dtype") : std::nullopt;
  std::optional<std::string> name = dtype ? args.text("op", "sum") : std::nullopt;
  if (!name)
    return Value();
  std::optional<ReduceKind> reduction = reductionNamed(*name);
  bool isOfBits = reduction && *reduction >= ReduceKind::BitAnd;
  if (!reduction || (isOfBits && dtype->isFloat()))
    return args.wrongType(
        "op", "\"sum\", \"max\", \"min\", or of integers \"bitand\", \"bitor\", \"bitxor\"");
  BufferObject *made =
      kernel->addBuffer(evaluation.heap, *dtype, *shape, Scope::Fragment, args.span);
  made->reduction = reduction;
  return made;
}

// Null after reporting.
static BufferObject *toReducer(Args &args) {
  auto *reducer = args["reducer"].as<BufferObject>();
  if (!reducer || !reducer->reduction) {
    args.wrongType("reducer", "what T.alloc_reducer made");
    return nullptr;
  }
  return reducer;
}

static BufferRegion wholeOf(Evaluation &evaluation, const BufferObject &buffer, Span span) {
  llvm::SmallVector<Range> ranges;
  for (const Expr *extent : buffer.draft.shape)
    ranges.push_back({evaluation.ir.integer(0), extent});
  return evaluation.ir.region(buffer.draft.id, nullptr, ranges, span);
}

Value tileReducerInit(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  BufferObject *reducer = kernel ? toReducer(args) : nullptr;
  if (!reducer)
    return Value();
  DType dtype = reducer->draft.dtype;
  const Expr *init = args.has("init")
                         ? toExprOf(evaluation, dtype, args["init"], args.spanOf("init"))
                         : Folding(evaluation.ir, *reducer->reduction, dtype).neutral();
  if (!init)
    return Value();
  kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::Fill,
                                wholeOf(evaluation, *reducer, args.span), init));
  return Value::none();
}

// The target says which element, and is not read.
Value tileReducerUpdate(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  Value target = args["target"];
  const auto *load = kernel && target.isExpr() ? llvm::dyn_cast<Load>(target.asExpr()) : nullptr;
  BufferObject *reducer = load ? kernel->findBuffer(load->buffer) : nullptr;
  if (!kernel)
    return Value();
  if (!reducer || !reducer->reduction)
    return args.wrongType("target", "an element of what T.alloc_reducer made");
  DType dtype = reducer->draft.dtype;
  const Expr *value = toExprOf(evaluation, dtype, args["value"], args.spanOf("value"));
  if (!value)
    return Value();
  Folding folding(evaluation.ir, *reducer->reduction, dtype);
  kernel->emit(evaluation.context.make<Store>(evaluation.ir.fresh(args.span), load->buffer, nullptr,
                                              load->indices, folding.combine(load, value)));
  return Value::none();
}

Value tileFinalizeReducer(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  BufferObject *reducer = kernel ? toReducer(args) : nullptr;
  if (!reducer)
    return Value();
  std::optional<BufferRegion> target;
  if (args.has("dst")) {
    std::optional<Operand> destination = toTile(args, "dst");
    if (!destination)
      return Value();
    target = destination->region(evaluation.context);
  }
  // Stands for what it becomes when the launch is complete.
  BufferRegion whole = wholeOf(evaluation, *reducer, args.span);
  const Stmt *placeholder =
      evaluation.ir.op(evaluation.ir.fresh(args.span), Op::Copy, {whole, whole});
  kernel->emit(placeholder);
  kernel->finalizeReducer({reducer, placeholder, target});
  return Value::none();
}

// Every thread looks at all elements: result = result or tile[i, j] != 0, in loops over the tile.
static Value foldElements(Args &args, ReduceKind kind) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  std::optional<Operand> tile = kernel ? toOperand(args, "buffer") : std::nullopt;
  if (!tile)
    return Value();
  if (tile->buffer->draft.scope == Scope::Fragment)
    return args.wrongType("buffer", "in memory that every thread sees whole, not in a fragment");
  Builder &ir = evaluation.ir;
  Context &context = evaluation.context;
  Folding folding(ir, kind, DType::boolean());
  ResultVariable result = makeResult(args, DType::boolean());
  ExprList place = context.copy<const Expr *>({result.region.ranges[0].min});
  auto set = [&](const Expr *value) {
    return context.make<Store>(ir.fresh(args.span), result.region.buffer, nullptr, place, value);
  };
  kernel->emit(set(folding.neutral()));
  llvm::SmallVector<const Expr *> indices;
  llvm::SmallVector<std::pair<const Var *, const Expr *>> loops;
  for (const Axis &axis : tile->axes) {
    const Expr *index = axis.start;
    if (constantValue(axis.extent) != 1) {
      loops.push_back({ir.var("i", axis.start->dtype()), axis.extent});
      index = ir.add(axis.start, loops.back().first);
    }
    indices.push_back(index);
  }
  const Expr *element = ir.load(tile->buffer->draft, nullptr, context.copy<const Expr *>(indices));
  const Expr *holds = toCondition(evaluation, Value::expr(element), args.span);
  if (!holds)
    return Value();
  const Stmt *body = set(folding.combine(result.value, holds));
  for (auto [var, extent] : llvm::reverse(loops))
    body = context.make<For>(ir.fresh(args.span), var, ir.integer(0, var->dtype()), extent,
                             ForKind::Serial, body);
  kernel->emit(body);
  return fromExpr(evaluation, result.value, args.span);
}

Value tileAnyOf(Args &args) { return foldElements(args, ReduceKind::BitOr); }
Value tileAllOf(Args &args) { return foldElements(args, ReduceKind::BitAnd); }

} // namespace tilescope::frontend
