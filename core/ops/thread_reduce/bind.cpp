// T.warp_reduce_sum and the like; T.tvm_thread_allreduce, of TVM, with T.comm_reducer and T.attr.
#include "core/access/access_program.h"
#include "core/frontend/buffers.h"
#include "core/frontend/calls.h"
#include "core/frontend/operation_results.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

static Value reduceWarp(Args &args, ReduceKind kind) {
  if (!args.evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  const Expr *value = toExpr(args.evaluation, args["value"], args.spanOf("value"));
  if (!value)
    return Value();
  return emitWithResult(args, Op::ThreadReduce, value->dtype(), {value},
                        {{Attr::Kind, static_cast<int64_t>(kind)},
                         {Attr::Scope, static_cast<int64_t>(BarrierScope::Warp)}});
}

Value tileWarpReduceSum(Args &args) { return reduceWarp(args, ReduceKind::Sum); }
Value tileWarpReduceMax(Args &args) { return reduceWarp(args, ReduceKind::Max); }
Value tileWarpReduceMin(Args &args) { return reduceWarp(args, ReduceKind::Min); }
Value tileWarpReduceBitAnd(Args &args) { return reduceWarp(args, ReduceKind::BitAnd); }
Value tileWarpReduceBitOr(Args &args) { return reduceWarp(args, ReduceKind::BitOr); }

static std::optional<ReduceKind> kindOf(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add:
    return ReduceKind::Sum;
  case BinaryOp::Max:
    return ReduceKind::Max;
  case BinaryOp::Min:
    return ReduceKind::Min;
  case BinaryOp::BitAnd:
    return ReduceKind::BitAnd;
  case BinaryOp::BitOr:
    return ReduceKind::BitOr;
  case BinaryOp::BitXor:
    return ReduceKind::BitXor;
  default:
    return std::nullopt;
  }
}

// What the function does shows when it is called.
Value tileCommReducer(Args &args) {
  Evaluation &evaluation = args.evaluation;
  const Var *sides[] = {evaluation.ir.var("x"), evaluation.ir.var("y")};
  Value combined = call(evaluation, args["combiner"],
                        {{"", Value::expr(sides[0])}, {"", Value::expr(sides[1])}}, args.span);
  if (!combined)
    return Value();
  const auto *binary = combined.isExpr() ? llvm::dyn_cast<Binary>(combined.asExpr()) : nullptr;
  bool isOfBoth = binary && ((binary->lhs == sides[0] && binary->rhs == sides[1]) ||
                             (binary->lhs == sides[1] && binary->rhs == sides[0]));
  std::optional<ReduceKind> kind = isOfBoth ? kindOf(binary->op) : std::nullopt;
  if (!kind)
    return evaluation.fail(DiagId::UnknownCombiner, args.spanOf("combiner"));
  return evaluation.heap.make<CombinerObject>(*kind);
}

Value tileAttr(Args &args) {
  Evaluation &evaluation = args.evaluation;
  std::optional<std::string> key = args.text("attr_key");
  if (!key)
    return Value();
  const auto *combiner = args["node"].as<CombinerObject>();
  if (*key != "reduce_scope" || !combiner)
    return evaluation.fail(DiagId::NotSupportedYet, args.span, "T.attr of '" + *key + "'");
  return evaluation.heap.make<AttributeObject>(combiner->reduction);
}

// An element of an array of the thread's own.
static std::optional<BufferRegion> toRegister(Args &args, const Arg &arg) {
  const auto *load = arg.value.isExpr() ? llvm::dyn_cast<Load>(arg.value.asExpr()) : nullptr;
  if (!load) {
    args.evaluation.fail(DiagId::WrongType, arg.span, "an element of a T.alloc_local",
                         phraseFor(arg.value));
    return std::nullopt;
  }
  Builder &ir = args.evaluation.ir;
  llvm::SmallVector<Range> ranges;
  for (const Expr *index : load->indices)
    ranges.push_back({index, ir.integer(1)});
  return ir.region(load->buffer, nullptr, ranges, arg.span);
}

// tvm_thread_allreduce(1, value, condition, result, thread, ...)
Value tileThreadAllreduce(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel)
    return Value();
  if (!evaluation.attribute)
    return evaluation.fail(DiagId::NoReducerAround, args.span, args.callee());
  llvm::ArrayRef<Arg> given = args.rest;
  bool isOne = given.size() >= 5 && given[0].value.isExpr()
                   ? constantValue(given[0].value.asExpr()) == 1
                   : given.size() >= 5 && given[0].value.isInt() && given[0].value.asInt() == 1;
  if (!isOne || !given[2].value.isNumber() || given[2].value.asDouble() == 0)
    return evaluation.fail(DiagId::NotSupportedYet, args.span,
                           "T.tvm_thread_allreduce of several values, or under a condition,");
  std::optional<BufferRegion> result = toRegister(args, given[3]);
  const Expr *value = result ? toExprOf(evaluation, kernel->findBuffer(result->buffer)->draft.dtype,
                                        given[1].value, given[1].span)
                             : nullptr;
  if (!value)
    return Value();
  llvm::SmallVector<const Expr *, 3> threads;
  for (const Arg &thread : given.drop_front(4)) {
    threads.push_back(toExpr(evaluation, thread.value, thread.span));
    if (!threads.back())
      return Value();
  }
  std::optional<KernelBuilder::ThreadAxes> axes = kernel->threadAxes(threads);
  if (!axes)
    return evaluation.fail(DiagId::NotAThreadAxis, args.span);
  kernel->emit(
      evaluation.ir.op(evaluation.ir.fresh(args.span), Op::ThreadReduce, *result, value,
                       {{Attr::Kind, static_cast<int64_t>(*evaluation.attribute->reduction)},
                        {Attr::Stride, axes->stride},
                        {Attr::Extent, axes->extent}}));
  return Value::none();
}

} // namespace tilescope::frontend
