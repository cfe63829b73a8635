// T.ptx_mma, T.mma_fill: on registers of the thread, `offset` elements behind a pointer.
#include "core/frontend/expr_operators.h"
#include "core/frontend/result_registers.h"

namespace tilescope::frontend {

Value tilePtxMma(Args &args) {
  Evaluation &evaluation = args.evaluation;
  if (!evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  std::optional<std::string> shape = args.text("shape");
  std::optional<std::string> left = shape ? args.text("A_layout") : std::nullopt;
  std::optional<std::string> right = left ? args.text("B_layout") : std::nullopt;
  std::optional<bool> saturates = right ? args.boolean("saturate") : std::nullopt;
  if (!saturates)
    return Value();
  llvm::StringRef depth = *shape;
  int64_t k = 0;
  if (!depth.consume_front("m16n8k") || depth.getAsInteger(10, k) || *saturates)
    return evaluation.fail(DiagId::NotSupportedYet, args.spanOf("shape"),
                           "T.ptx_mma of " + *shape + (*saturates ? " that saturates" : ""));
  if (*left != "row" || *right != "col")
    return args.wrongType(*left == "row" ? "B_layout" : "A_layout",
                          *left == "row" ? "'col'" : "'row'");
  std::optional<Operand> a = toRunBehind(args, "multiplicand_a", "a_index", k / 2);
  std::optional<Operand> b =
      a ? toRunBehind(args, "multiplicand_b", "b_index", k / 4) : std::nullopt;
  std::optional<Operand> c = b ? toRunBehind(args, "accumulator", "c_index", 4) : std::nullopt;
  if (!c || !requireWord(args, *a, "a_index") || !requireWord(args, *b, "b_index") ||
      !requireWord(args, *c, "c_index"))
    return Value();
  Context &context = evaluation.context;
  evaluation.kernel->emit(evaluation.ir.op(
      evaluation.ir.fresh(args.span), Op::Mma,
      {a->region(context), b->region(context), c->region(context)}, {}, {{Attr::K, k}}));
  return Value::none();
}

Value tileMmaFill(Args &args) {
  Evaluation &evaluation = args.evaluation;
  if (!evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  std::optional<int64_t> size = args.integer("local_size");
  std::optional<Operand> run =
      size ? toRunBehind(args, "local_ptr", "offset", *size) : std::nullopt;
  if (!run)
    return Value();
  const Expr *zero = toExprOf(evaluation, run->buffer->draft.dtype, Value::integer(0), args.span);
  evaluation.kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::Fill,
                                           {run->region(evaluation.context)}, {zero}));
  return Value::none();
}

} // namespace tilescope::frontend
