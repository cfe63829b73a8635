// T.atomic_add, max, min and or, of an element or of a tile.
#include "core/frontend/buffers.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/result_registers.h"
#include "core/ir/atomic_attrs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope::frontend {

namespace {

using Attrs = llvm::SmallVector<std::pair<Attr, int64_t>, 3>;

// Nullopt after reporting.
std::optional<Attrs> attrsOf(Args &args) {
  llvm::StringRef kind = args.info.name;
  kind.consume_front("atomic_");
  std::optional<std::string> order = args.text("memory_order", "relaxed");
  if (!order)
    return std::nullopt;
  const auto *known = llvm::find(MemoryOrderNames, *order);
  if (known == std::end(MemoryOrderNames)) {
    args.wrongType("memory_order",
                   "\"" + llvm::join(llvm::ArrayRef(MemoryOrderNames), "\", \"") + "\"");
    return std::nullopt;
  }
  return Attrs{{Attr::Kind, llvm::find(AtomicKindNames, kind) - std::begin(AtomicKindNames)},
               {Attr::Order, known - std::begin(MemoryOrderNames)}};
}

Value atomicOfElement(Args &args, const Operand &destination, const Attrs &attrs, bool returns) {
  Evaluation &evaluation = args.evaluation;
  DType dtype = destination.buffer->draft.dtype;
  const Expr *value =
      toExprOf(evaluation, dtype, loadVariable(evaluation, args["value"]), args.spanOf("value"));
  if (!value)
    return Value();
  StmtInfo info = evaluation.ir.fresh(args.span);
  BufferRegion place = destination.region(evaluation.context);
  if (!returns) {
    evaluation.kernel->emit(evaluation.ir.op(info, Op::AtomicElement, place, value, attrs));
    return Value::none();
  }
  BufferObject *result = newResult(evaluation, "previous", dtype, args.span);
  evaluation.kernel->emit(
      evaluation.ir.op(info, Op::AtomicFetch, {place, wholeOf(evaluation, *result)}, value, attrs));
  return resultOf(evaluation, *result, args.span);
}

// One value for all elements of a tile.
Value atomicOfElements(Args &args, Operand destination, const Attrs &attrs) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder &kernel = *evaluation.kernel;
  Builder &ir = evaluation.ir;
  StmtInfo info = ir.fresh(args.span);
  llvm::SmallVector<const Var *> vars;
  llvm::SmallVector<const Expr *> extents;
  kernel.push();
  for (Axis &axis : destination.axes) {
    const Expr *extent = axis.extent;
    axis.extent = ir.integer(1, axis.start->dtype());
    if (constantValue(extent) == 1)
      continue;
    vars.push_back(kernel.newVar("i" + std::to_string(vars.size()), extent->dtype()));
    extents.push_back(extent);
    axis.start = ir.add(axis.start, ir.cast(axis.start->dtype(), vars.back()));
  }
  bool isBuilt = bool(atomicOfElement(args, destination, attrs, /*returns=*/false));
  const Stmt *body = kernel.pop(args.span);
  if (!isBuilt)
    return Value();
  if (!vars.empty())
    body = evaluation.context.make<Parallel>(info, evaluation.context.copy<const Var *>(vars),
                                             evaluation.context.copy<const Expr *>(extents), body);
  kernel.emit(body);
  return Value::none();
}

Value atomicOfTile(Args &args, Operand destination, Attrs attrs) {
  Evaluation &evaluation = args.evaluation;
  std::optional<Operand> source = toOperand(args, "value");
  std::optional<bool> byTma =
      args.info.params.contains("use_tma") && source ? args.boolean("use_tma") : false;
  if (!source || !byTma)
    return Value();
  attrs.push_back({Attr::UseTma, int64_t{*byTma}});
  if (destination.isPoint())
    extendPoint(evaluation, destination, *source);
  else if (source->isPoint())
    extendPoint(evaluation, *source, destination);
  if (!matchExtents(args, *source, destination))
    return Value();
  warnOfExcess(evaluation, *source);
  warnOfExcess(evaluation, destination);
  Context &context = evaluation.context;
  evaluation.kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::AtomicTile,
                                           {destination.region(context), source->region(context)},
                                           {}, attrs));
  return Value::none();
}

} // namespace

// An element takes a value, a tile takes a tile or one value for all of it; an element beside a
// tile is the tile's start.
Value tileAtomic(Args &args) {
  Evaluation &evaluation = args.evaluation;
  if (!evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  std::optional<Operand> destination = toOperand(args, "dst");
  std::optional<Attrs> attrs = destination ? attrsOf(args) : std::nullopt;
  bool mayReturn = args.info.params.contains("return_prev");
  std::optional<bool> returns = mayReturn && attrs ? args.boolean("return_prev") : false;
  if (!attrs || !returns)
    return Value();
  Value value = loadVariable(evaluation, args["value"]);
  bool isScalar = value.isNumber() || value.isExpr();
  if (isScalar && destination->isPoint())
    return atomicOfElement(args, *destination, *attrs, *returns);
  if (*returns)
    return evaluation.fail(DiagId::NotSupportedYet, args.spanOf("return_prev"),
                           "'return_prev' of " + args.callee() + " of a tile");
  if (isScalar && (value.isNumber() || !llvm::isa<Load>(value.asExpr())))
    return atomicOfElements(args, *destination, *attrs);
  return atomicOfTile(args, *destination, *attrs);
}

Value tileAtomicOr(Args &args) { return tileAtomic(args); }

} // namespace tilescope::frontend
