// T.ldg32 to T.ldg256, T.lds32 to T.lds128: words of 32 bits. T.stg32 to T.stg256, T.sts32 to
// T.sts128. An access under a predicate that is false does nothing, and a load gives zeros.
#include "core/frontend/buffers.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/result_registers.h"

namespace tilescope::frontend {

namespace {

// The bits that the name says.
int64_t bytesNamed(const Args &args) {
  int64_t bits = 0;
  args.info.name.drop_front(3).getAsInteger(10, bits);
  return bits / 8;
}

// Null after reporting; true without a predicate.
const Expr *predicateOf(const Args &args) {
  if (!args.info.params.contains("pred") || !args.has("pred"))
    return args.evaluation.ir.boolean(true);
  return toCondition(args.evaluation, args["pred"], args.spanOf("pred"));
}

void emitUnder(Evaluation &evaluation, const Expr *predicate, const Stmt *stmt, Span span) {
  if (constantValue(predicate) != 1)
    stmt = evaluation.context.make<If>(evaluation.ir.fresh(span), predicate, stmt, nullptr);
  evaluation.kernel->emit(stmt);
}

void clear(Evaluation &evaluation, const BufferObject &words, int64_t count, Span span) {
  Builder &ir = evaluation.ir;
  for (int64_t i = 0; i != count; ++i)
    evaluation.kernel->emit(evaluation.context.make<Store>(
        ir.fresh(span), words.draft.id, nullptr,
        evaluation.context.copy<const Expr *>({ir.integer(i)}), ir.integer(0, words.draft.dtype)));
}

// A value of 32 bits, as one register.
std::optional<Operand> scalarToStore(Args &args) {
  Evaluation &evaluation = args.evaluation;
  const Expr *value = toExpr(evaluation, args["value"], args.spanOf("value"));
  if (!value)
    return std::nullopt;
  if (value->dtype().isBool() || value->dtype().bits != 32) {
    args.wrongType("value", "of 32 bits");
    return std::nullopt;
  }
  BufferObject *word = newResult(evaluation, "word", value->dtype(), args.span);
  Axis only{evaluation.ir.integer(0), evaluation.ir.integer(1), true};
  if (!storeElement(evaluation, *word, only, Value::expr(value), args.span))
    return std::nullopt;
  return Operand{word, {only}, false, args.spanOf("value")};
}

} // namespace

// The cache that a load goes through is nothing that a kernel's meaning depends on.
Value tileReadOnlyLoad(Args &args) {
  Value value = args["load_or_buf"];
  auto *buffer = value.as<BufferObject>();
  if (buffer && args.has("index"))
    return subscriptBuffer(args.evaluation, *buffer, args["index"], args.span);
  if (value.isExpr() && llvm::isa<Load>(value.asExpr()))
    return value;
  return args.wrongType("load_or_buf", "an element of a buffer");
}

Value tileRawLoad(Args &args) {
  Evaluation &evaluation = args.evaluation;
  if (!evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  int64_t bytes = bytesNamed(args);
  std::optional<Operand> source = toBytes(args, "src", bytes);
  const Expr *predicate = source ? predicateOf(args) : nullptr;
  if (!predicate)
    return Value();
  BufferObject *words =
      newResults(evaluation, "words", DType{DTypeKind::UInt, 32}, bytes / 4, args.span);
  if (constantValue(predicate) != 1)
    clear(evaluation, *words, bytes / 4, args.span);
  emitUnder(evaluation, predicate,
            evaluation.ir.op(evaluation.ir.fresh(args.span), Op::RawCopy,
                             {source->region(evaluation.context), wholeOf(evaluation, *words)}, {},
                             {{Attr::Bytes, bytes}}),
            args.span);
  return bytes == 4 ? resultOf(evaluation, *words, args.span) : sliceOf(evaluation, *words);
}

Value tileRawStore(Args &args) {
  Evaluation &evaluation = args.evaluation;
  if (!evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  int64_t bytes = bytesNamed(args);
  std::optional<Operand> destination = toBytes(args, "dst", bytes);
  const Expr *predicate = destination ? predicateOf(args) : nullptr;
  if (!predicate)
    return Value();
  std::optional<Operand> source = bytes == 4 ? scalarToStore(args) : toBytes(args, "value", bytes);
  if (!source)
    return Value();
  emitUnder(evaluation, predicate,
            evaluation.ir.op(
                evaluation.ir.fresh(args.span), Op::RawCopy,
                {source->region(evaluation.context), destination->region(evaluation.context)}, {},
                {{Attr::Bytes, bytes}}),
            args.span);
  return Value::none();
}

} // namespace tilescope::frontend
