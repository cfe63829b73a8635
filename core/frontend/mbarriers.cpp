#include "core/frontend/mbarriers.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

bool requireOnTarget(const Args &args) {
  const Target *device = args.evaluation.device;
  if (!device || device->hasRoles())
    return true;
  args.evaluation.fail(DiagId::NotOnTarget, args.span, args.callee(), "sm_90a", device->name);
  return false;
}

std::optional<BufferRegion> mbarrierOf(Args &args, llvm::StringRef param) {
  std::optional<Operand> operand = toOperand(args, param);
  if (!operand)
    return std::nullopt;
  bool isOne =
      llvm::all_of(operand->axes, [](const Axis &axis) { return constantValue(axis.extent) == 1; });
  if (isOne && operand->buffer->isMbarrier)
    return operand->region(args.evaluation.context);
  args.wrongType(param, "one barrier of T.alloc_barrier");
  return std::nullopt;
}

Value emitAtMbarrier(Args &args, llvm::StringRef param, Op op, ExprList exprs,
                     llvm::ArrayRef<std::pair<Attr, int64_t>> attrs) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  bool isThere = kernel && requireOnTarget(args);
  std::optional<BufferRegion> barrier = isThere ? mbarrierOf(args, param) : std::nullopt;
  if (!barrier)
    return Value();
  kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), op, *barrier, exprs, attrs));
  return Value::none();
}

} // namespace tilescope::frontend
