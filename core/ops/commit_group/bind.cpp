// T.ptx_commit_group.
#include "core/frontend/builtins.h"
#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

Value tileCommitGroup(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel)
    return Value();
  kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::CommitGroup, {}, {}, {}));
  return Value::none();
}

} // namespace tilescope::frontend
