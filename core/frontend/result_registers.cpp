#include "core/frontend/result_registers.h"

#include "core/frontend/expr_operators.h"

namespace tilescope::frontend {

BufferObject *newResults(Evaluation &evaluation, llvm::StringRef name, DType dtype, int64_t count,
                         Span span) {
  Scope scope = count == 1 ? Scope::LocalVar : Scope::Local;
  BufferObject *buffer = evaluation.kernel->addBuffer(evaluation.heap, dtype,
                                                      {evaluation.ir.integer(count)}, scope, span);
  evaluation.kernel->nameBuffer(*buffer, name);
  return buffer;
}

BufferObject *newResult(Evaluation &evaluation, llvm::StringRef name, DType dtype, Span span) {
  return newResults(evaluation, name, dtype, 1, span);
}

BufferRegion wholeOf(Evaluation &evaluation, const BufferObject &buffer) {
  const Expr *extent = buffer.draft.shape.front();
  return evaluation.ir.region(buffer.draft.id, nullptr, {{evaluation.ir.integer(0), extent}},
                              buffer.draft.span);
}

Value sliceOf(Evaluation &evaluation, BufferObject &buffer) {
  auto *region = evaluation.heap.make<RegionObject>();
  region->buffer = &buffer;
  region->axes = {{evaluation.ir.integer(0), buffer.draft.shape.front(), false}};
  return region;
}

Value resultOf(Evaluation &evaluation, const BufferObject &result, Span span) {
  return fromExpr(evaluation, evaluation.ir.load(result.draft, nullptr, {evaluation.ir.integer(0)}),
                  span);
}

static void makeRun(Evaluation &evaluation, Operand &operand, int64_t count) {
  for (Axis &axis : operand.axes) {
    axis.extent = evaluation.ir.integer(1, axis.start->dtype());
    axis.isPoint = false;
  }
  Axis &last = operand.axes.back();
  last.extent = evaluation.ir.integer(count, last.start->dtype());
}

std::optional<Operand> toRun(const Args &args, llvm::StringRef param, int64_t count) {
  std::optional<Operand> operand = toOperand(args, param);
  if (!operand)
    return std::nullopt;
  bool hasAxes = !operand->axes.empty();
  if (!hasAxes || operand->buffer->draft.scope == Scope::Fragment) {
    args.wrongType(param, hasAxes ? "in memory or a thread's own registers" : "a run of elements");
    return std::nullopt;
  }
  makeRun(args.evaluation, *operand, count);
  return operand;
}

std::optional<Operand> toRunBehind(const Args &args, llvm::StringRef pointer,
                                   llvm::StringRef offset, int64_t count) {
  Evaluation &evaluation = args.evaluation;
  auto *given = args[pointer].as<PointerObject>();
  BufferObject *buffer = given ? given->buffer : args[pointer].as<BufferObject>();
  if (!buffer || buffer->draft.shape.size() != 1 || buffer->draft.scope == Scope::Fragment) {
    args.wrongType(pointer, "a pointer to memory of one axis");
    return std::nullopt;
  }
  const Expr *start = toExprOf(evaluation, DType::int32(), args[offset], args.spanOf(offset));
  if (!start)
    return std::nullopt;
  if (given && !given->axes.empty())
    start = evaluation.ir.add(evaluation.ir.cast(DType::int32(), given->axes[0].start), start);
  Operand run{buffer, {{start, evaluation.ir.integer(1), true}}, false, args.spanOf(pointer)};
  makeRun(evaluation, run, count);
  return run;
}

// `steps`: nodes that may still be looked at.
static bool isMultiple(Evaluation &evaluation, const Expr *expr, int64_t of, int &steps) {
  if (std::optional<int64_t> constant = constantValue(expr))
    return *constant % of == 0;
  if (--steps < 0)
    return false;
  if (const auto *cast = llvm::dyn_cast<Cast>(expr))
    return isMultiple(evaluation, cast->operand, of, steps);
  if (const auto *var = llvm::dyn_cast<Var>(expr)) {
    const Expr *value = evaluation.kernel->valueOf(var);
    return value && isMultiple(evaluation, value, of, steps);
  }
  const auto *binary = llvm::dyn_cast<Binary>(expr);
  if (!binary)
    return false;
  bool left = isMultiple(evaluation, binary->lhs, of, steps);
  bool right = isMultiple(evaluation, binary->rhs, of, steps);
  if (binary->op == BinaryOp::Mul)
    return left || right;
  return (binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub) && left && right;
}

bool requireWord(const Args &args, const Operand &run, llvm::StringRef param) {
  int64_t elements = std::max<int64_t>(32 / run.buffer->draft.dtype.bits, 1);
  int steps = 1000;
  if (elements == 1 || isMultiple(args.evaluation, run.axes.back().start, elements, steps))
    return true;
  args.wrongType(param, "a multiple of " + std::to_string(elements) + ", the elements of 32 bits");
  return false;
}

std::optional<Operand> toBytes(const Args &args, llvm::StringRef param, int64_t bytes) {
  std::optional<Operand> operand = toRun(args, param, 1);
  if (!operand)
    return std::nullopt;
  makeRun(args.evaluation, *operand, bytes * 8 / operand->buffer->draft.dtype.bits);
  return operand;
}

// Of a run of elements; 0: it is not known.
static int64_t bytesOf(const Operand &run) {
  int64_t bits = run.buffer->draft.dtype.bits;
  for (const Axis &axis : run.axes)
    bits *= constantValue(axis.extent).value_or(0);
  return bits / 8;
}

static bool isCopied(int64_t bytes) {
  return bytes == 4 || bytes == 8 || bytes == 16 || bytes == 32;
}

Value reinterpretRun(Evaluation &evaluation, const Operand &source, DType dtype, Span span) {
  int64_t bytes = bytesOf(source);
  if (!isCopied(bytes))
    return evaluation.fail(DiagId::NotSupportedYet, span,
                           "a value of " + std::to_string(bytes) + " bytes");
  BufferObject *result = newResults(evaluation, "vector", dtype, bytes * 8 / dtype.bits, span);
  Operand whole{
      result, {{evaluation.ir.integer(0), result->draft.shape.front(), false}}, true, span};
  if (!storeRun(evaluation, source, whole, span))
    return Value();
  return result->draft.scope == Scope::LocalVar ? resultOf(evaluation, *result, span)
                                                : sliceOf(evaluation, *result);
}

bool storeRun(Evaluation &evaluation, const Operand &source, const Operand &destination,
              Span span) {
  int64_t bytes = bytesOf(source);
  if (!isCopied(bytes) || bytes != bytesOf(destination))
    return evaluation.failed(DiagId::ShapesDiffer, span, "an assignment", source.extentsText(),
                             destination.extentsText());
  evaluation.kernel->emit(
      evaluation.ir.op(evaluation.ir.fresh(span), Op::RawCopy,
                       {source.region(evaluation.context), destination.region(evaluation.context)},
                       {}, {{Attr::Bytes, bytes}}));
  return true;
}

} // namespace tilescope::frontend
