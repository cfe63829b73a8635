// T.ws, and how many registers the threads of a role have.
#include "core/frontend/builtins.h"
#include "core/frontend/jumps.h"
#include "core/frontend/mbarriers.h"
#include "core/frontend/roles.h"
#include "core/ir/thread_conditions.h"

#include "llvm/ADT/BitVector.h"
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

// Bit g: the condition holds for all threads of warp group g. Nullopt: not for all of a group or
// none, or more than the thread decides it.
static std::optional<llvm::BitVector> warpGroupsOf(Evaluation &evaluation, const Expr *condition,
                                                   const KernelBuilder::OpenLaunch &launch) {
  int64_t threads = threadsOf(launch);
  llvm::BitVector groups(static_cast<unsigned>(threads / WarpGroupThreads));
  if (threads % WarpGroupThreads != 0)
    return std::nullopt;
  for (int64_t thread = 0; thread != threads; ++thread) {
    std::optional<int64_t> value =
        valueForThread(evaluation.ir, condition, launch.threadVar, thread);
    const auto group = static_cast<unsigned>(thread / WarpGroupThreads);
    bool isFirst = thread % WarpGroupThreads == 0;
    if (!value || (!isFirst && groups[group] != (*value != 0)))
      return std::nullopt;
    groups[group] = *value != 0;
  }
  return groups;
}

static std::vector<const Stmt *> statementsOf(const Stmt *body) {
  if (const auto *seq = llvm::dyn_cast_or_null<Seq>(body))
    return seq->stmts.vec();
  return body ? std::vector<const Stmt *>{body} : std::vector<const Stmt *>();
}

// What one side becomes: its own roles, where it is made of them, or one; nullopt: neither.
static std::optional<std::vector<const Stmt *>> rolesOf(Evaluation &evaluation,
                                                        const llvm::BitVector &groups,
                                                        const DeviceSide &side,
                                                        const StmtInfo &info) {
  std::vector<const Stmt *> stmts = statementsOf(side.body);
  auto isInside = [&](const Stmt *stmt) {
    const auto *role = llvm::dyn_cast<Role>(stmt);
    return role && groups.find_first_unset_in(
                       static_cast<unsigned>(role->firstThread / WarpGroupThreads),
                       static_cast<unsigned>(role->endThread() / WarpGroupThreads)) == -1;
  };
  if (llvm::all_of(stmts, isInside) && side.registers == 0)
    return stmts;
  auto first = static_cast<unsigned>(groups.find_first()), end = first + groups.count();
  bool isRun = static_cast<unsigned>(groups.find_last()) + 1 == end;
  if (!isRun || llvm::any_of(stmts, [](const Stmt *stmt) { return llvm::isa<Role>(stmt); }))
    return std::nullopt;
  return std::vector<const Stmt *>{evaluation.ir.role(
      info, evaluation.kernel->launch()->threadVar, first * WarpGroupThreads,
      static_cast<int64_t>(groups.count()) * WarpGroupThreads, side.body, side.registers)};
}

bool emitAsRoles(Evaluation &evaluation, const StmtInfo &info, const Expr *condition,
                 const DeviceSide &whenTrue, const DeviceSide &whenFalse) {
  const KernelBuilder::OpenLaunch *launch = evaluation.kernel->launch();
  bool hasJumped = whenTrue.ends() || whenFalse.ends() || whenTrue.hasJumped || whenFalse.hasJumped;
  if (!launch || !launch->hasMbarriers || launch->role || hasJumped)
    return false;
  std::optional<llvm::BitVector> groups = warpGroupsOf(evaluation, condition, *launch);
  if (!groups || groups->none() || groups->all())
    return false;
  llvm::BitVector others = *groups;
  others.flip();
  std::optional<std::vector<const Stmt *>> roles = rolesOf(evaluation, *groups, whenTrue, info);
  std::optional<std::vector<const Stmt *>> otherRoles =
      rolesOf(evaluation, others, whenFalse, evaluation.ir.fresh(info.span));
  if (!roles || !otherRoles)
    return false;
  for (const Stmt *role : llvm::concat<const Stmt *const>(*roles, *otherRoles))
    evaluation.kernel->emit(role);
  return true;
}

// They are those of the role from its beginning on.
static Value setRegisters(Args &args, int64_t fallback, bool isHint) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  std::optional<int64_t> count =
      kernel && requireOnTarget(args) ? args.integer("reg_count", fallback) : std::nullopt;
  if (!count)
    return Value();
  constexpr int64_t Least = 24, Most = 256, Step = 8; // PTX ISA, "setmaxnreg"
  if (*count < Least || *count > Most || *count % Step != 0)
    return args.wrongType("reg_count", "a multiple of 8, 24 to 256");
  KernelBuilder::OpenLaunch &launch = *kernel->launch();
  KernelBuilder::OpenRole *role = launch.role ? &*launch.role : launch.side;
  if (!role && isHint)
    return Value::none();
  if (!role)
    return evaluation.fail(DiagId::NotSupportedYet, args.span,
                           args.callee() +
                               " outside of a role: 'with T.ws(...)', or an 'if' of whole "
                               "warp groups in a kernel with T.alloc_barrier");
  if (role->registers != 0 && role->registers != *count)
    return evaluation.fail(DiagId::NotSupportedYet, args.span,
                           "another number of registers in the middle of a role");
  role->registers = *count;
  role->isHint = isHint;
  return Value::none();
}

Value tileSetMaxRegisters(Args &args) { return setRegisters(args, 0, false); }
// Hints for roles that the compiler makes; of one that the kernel makes they are its registers.
Value tileAnnotateFewRegisters(Args &args) { return setRegisters(args, 24, true); }
Value tileAnnotateManyRegisters(Args &args) { return setRegisters(args, 240, true); }

} // namespace tilescope::frontend
