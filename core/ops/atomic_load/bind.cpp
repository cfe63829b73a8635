// T.atomic_load and T.atomic_store of one element.
#include "core/frontend/buffers.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/result_registers.h"
#include "core/ir/atomic_attrs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope::frontend {

// One of those that the access can have; nullopt after reporting.
static std::optional<int64_t> orderOf(Args &args, llvm::ArrayRef<llvm::StringRef> allowed) {
  std::optional<std::string> order = args.text("memory_order", "seq_cst");
  if (!order)
    return std::nullopt;
  if (llvm::is_contained(allowed, *order))
    return llvm::find(MemoryOrderNames, *order) - std::begin(MemoryOrderNames);
  args.wrongType("memory_order", "\"" + llvm::join(allowed, "\", \"") + "\"");
  return std::nullopt;
}

// A tensor of one element may be given whole.
static std::optional<Operand> toElement(Args &args, llvm::StringRef param) {
  std::optional<Operand> operand = toOperand(args, param);
  if (!operand || operand->wideAxes().empty())
    return operand;
  args.wrongType(param, "an element");
  return std::nullopt;
}

Value tileAtomicLoad(Args &args) {
  Evaluation &evaluation = args.evaluation;
  if (!evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  std::optional<Operand> source = toElement(args, "src");
  std::optional<int64_t> order =
      source ? orderOf(args, {"relaxed", "consume", "acquire", "seq_cst"}) : std::nullopt;
  if (!order)
    return Value();
  BufferObject *result = newResult(evaluation, "loaded", source->buffer->draft.dtype, args.span);
  evaluation.kernel->emit(
      evaluation.ir.op(evaluation.ir.fresh(args.span), Op::AtomicLoad,
                       {source->region(evaluation.context), wholeOf(evaluation, *result)}, {},
                       {{Attr::Order, *order}}));
  return resultOf(evaluation, *result, args.span);
}

Value tileAtomicStore(Args &args) {
  Evaluation &evaluation = args.evaluation;
  if (!evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  std::optional<Operand> destination = toElement(args, "dst");
  std::optional<int64_t> order =
      destination ? orderOf(args, {"relaxed", "release", "seq_cst"}) : std::nullopt;
  const Expr *value = order ? toExprOf(evaluation, destination->buffer->draft.dtype,
                                       loadVariable(evaluation, args["src"]), args.spanOf("src"))
                            : nullptr;
  if (!value)
    return Value();
  evaluation.kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::AtomicStore,
                                           destination->region(evaluation.context), value,
                                           {{Attr::Order, *order}}));
  return Value::none();
}

} // namespace tilescope::frontend
