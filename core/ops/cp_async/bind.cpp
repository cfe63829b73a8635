// T.ptx_cp_async: adjacent elements of a tensor to shared memory, as part of the open group, which
// T.ptx_commit_group closes. Under a predicate that is false zeros arrive.
#include "core/frontend/expr_operators.h"
#include "core/frontend/result_registers.h"

namespace tilescope::frontend {

Value tileCpAsync(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  std::optional<int64_t> count = kernel ? args.integer("num_elems") : std::nullopt;
  std::optional<Operand> source = count ? toRun(args, "src_access_ptr", *count) : std::nullopt;
  std::optional<Operand> destination =
      source ? toRun(args, "dst_access_ptr", *count) : std::nullopt;
  if (!destination)
    return Value();
  const Buffer &from = source->buffer->draft, &to = destination->buffer->draft;
  if (from.scope != Scope::Global)
    return args.wrongType("src_access_ptr", "a pointer into a tensor");
  if (!isShared(to.scope) || to.dtype != from.dtype)
    return args.wrongType("dst_access_ptr", "a pointer into shared memory of the tensor's type");
  int64_t bits = *count > 0 && *count <= 128 ? *count * from.dtype.bits : 0;
  if (bits != 32 && bits != 64 && bits != 128)
    return args.wrongType("num_elems", "as many elements as 4, 8 or 16 bytes hold");
  llvm::SmallVector<const Expr *, 1> predicate;
  if (args.has("predicate")) {
    predicate.push_back(toCondition(evaluation, args["predicate"], args.spanOf("predicate")));
    if (!predicate.front())
      return Value();
  }
  Context &context = evaluation.context;
  kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::CpAsync,
                                {source->region(context), destination->region(context)}, predicate,
                                {{Attr::Bytes, bits / 8}}));
  return Value::none();
}

} // namespace tilescope::frontend
