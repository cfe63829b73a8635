// T.ptx_mma_sp: on registers of the thread, as T.ptx_mma.
#include "core/frontend/result_registers.h"

namespace tilescope::frontend {

// The depth that the shape says; nullopt after reporting.
static std::optional<int64_t> depthOf(Args &args) {
  std::optional<std::string> shape = args.text("shape");
  std::optional<bool> saturates = shape ? args.boolean("saturate") : std::nullopt;
  if (!saturates)
    return std::nullopt;
  llvm::StringRef depth = *shape;
  int64_t k = 0;
  bool isKnown = depth.consume_front("m16n8k") && !depth.getAsInteger(10, k);
  if (isKnown && (k == 16 || k == 32 || k == 64) && !*saturates)
    return k;
  args.evaluation.fail(DiagId::NotSupportedYet, args.spanOf("shape"),
                       "T.ptx_mma_sp of " + *shape + (*saturates ? " that saturates" : ""));
  return std::nullopt;
}

Value tilePtxSparseMma(Args &args) {
  Evaluation &evaluation = args.evaluation;
  if (!evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  std::optional<int64_t> k = depthOf(args);
  std::optional<int64_t> selector = k ? args.integer("sparse_selector") : std::nullopt;
  std::optional<Operand> a =
      selector ? toRunBehind(args, "multiplicand_a", "a_index", *k / 4) : std::nullopt;
  std::optional<Operand> b =
      a ? toRunBehind(args, "multiplicand_b", "b_index", *k / 4) : std::nullopt;
  std::optional<Operand> c = b ? toRunBehind(args, "accumulator", "c_index", 4) : std::nullopt;
  std::optional<Operand> e = c ? toRunBehind(args, "metadata", "meta_index", 1) : std::nullopt;
  if (!e)
    return Value();
  if (e->buffer->draft.dtype.bits < 32)
    e = toRunBehind(args, "metadata", "meta_index", 32 / e->buffer->draft.dtype.bits);
  if (!e || !requireWord(args, *a, "a_index") || !requireWord(args, *b, "b_index") ||
      !requireWord(args, *c, "c_index") || !requireWord(args, *e, "meta_index"))
    return Value();
  Context &context = evaluation.context;
  evaluation.kernel->emit(evaluation.ir.op(
      evaluation.ir.fresh(args.span), Op::MmaSparse,
      {a->region(context), b->region(context), c->region(context), e->region(context)}, {},
      {{Attr::K, *k}, {Attr::Selector, *selector}}));
  return Value::none();
}

} // namespace tilescope::frontend
