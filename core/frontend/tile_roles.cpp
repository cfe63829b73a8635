// T.ws, and how many registers the threads of a role have.
#include "core/frontend/builtins.h"
#include "core/frontend/jumps.h"
#include "core/frontend/mbarriers.h"
#include "core/frontend/roles.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace tilescope::frontend {

static int64_t threadsOf(const KernelBuilder::OpenLaunch &launch) {
  return std::accumulate(launch.threads.begin(), launch.threads.end(), int64_t{1},
                         std::multiplies<>());
}

Value tileWs(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel || !requireOnTarget(args))
    return Value();
  llvm::SmallVector<int64_t> groups;
  int64_t threads = threadsOf(*kernel->launch());
  for (const Arg &arg : args.rest) {
    int64_t group = arg.value.isIntegral() ? arg.value.asInt() : -1;
    if (group < 0 || group >= threads / WarpGroupThreads)
      return evaluation.fail(DiagId::WarpGroupMissing, arg.span, threads / WarpGroupThreads,
                             threads);
    groups.push_back(group);
  }
  llvm::sort(groups);
  groups.erase(llvm::unique(groups), groups.end());
  bool isRun =
      !groups.empty() && groups.back() - groups.front() + 1 == static_cast<int64_t>(groups.size());
  if (!isRun)
    return evaluation.fail(DiagId::WrongType, args.span, "warp groups that follow one another",
                           groups.empty() ? "none" : "others");
  return evaluation.heap.make<RoleObject>(groups.front() * WarpGroupThreads,
                                          static_cast<int64_t>(groups.size()) * WarpGroupThreads);
}

Flow execRole(Evaluation &evaluation, const RoleObject &role, const StmtInfo &info,
              llvm::function_ref<Flow()> body) {
  // The object may have left the launch that it was made in.
  if (!evaluation.requireLaunch("T.ws", info.span))
    return Flow::Failed;
  KernelBuilder &kernel = *evaluation.kernel;
  KernelBuilder::OpenLaunch &launch = *kernel.launch();
  if (launch.role) {
    evaluation.fail(DiagId::NestedRole, info.span);
    return Flow::Failed;
  }
  launch.role = KernelBuilder::OpenRole();
  kernel.push();
  Flow flow = collectBody(evaluation, body);
  const Stmt *collected = kernel.pop(info.span);
  int64_t registers = launch.role->registers;
  launch.role.reset();
  if (flow == Flow::Break || flow == Flow::Continue) {
    evaluation.fail(DiagId::NotSupportedYet, info.span,
                    "the end of a loop by some warp groups of those that run it");
    return Flow::Failed;
  }
  kernel.emit(evaluation.ir.role(info, launch.threadVar, role.firstThread, role.threads, collected,
                                 registers));
  return flow;
}

// They are those of the role from its beginning on.
static Value setRegisters(Args &args, llvm::StringRef param) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  std::optional<int64_t> count =
      kernel && requireOnTarget(args) ? args.integer(param) : std::nullopt;
  if (!count)
    return Value();
  constexpr int64_t Least = 24, Most = 256, Step = 8; // PTX ISA, "setmaxnreg"
  if (*count < Least || *count > Most || *count % Step != 0)
    return args.wrongType(param, "a multiple of 8, 24 to 256");
  std::optional<KernelBuilder::OpenRole> &role = kernel->launch()->role;
  if (!role)
    return evaluation.fail(DiagId::NotSupportedYet, args.span,
                           args.callee() + " outside of 'with T.ws(...)'");
  if (role->registers != 0 && role->registers != *count)
    return evaluation.fail(DiagId::NotSupportedYet, args.span,
                           "another number of registers in the middle of a role");
  role->registers = *count;
  return Value::none();
}

Value tileSetMaxRegisters(Args &args) { return setRegisters(args, "reg_count"); }

} // namespace tilescope::frontend
