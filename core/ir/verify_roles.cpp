#include "core/ir/verify_roles.h"

#include "core/ir/op_facts.h"

#include "llvm/Support/SaveAndRestore.h"

#include <map>

namespace tilescope {

namespace {

constexpr int64_t WarpThreads = 32;
constexpr int64_t LeastRegisters = 24, MostRegisters = 256, RegisterStep = 8; // PTX, setmaxnreg

class RoleVerifier {
public:
  RoleVerifier(const Function &function, Diagnostics &diagnostics)
      : function_(function), diagnostics_(diagnostics) {}

  void verify(const Stmt *stmt) {
    llvm::SaveAndRestore launch(launch_);
    llvm::SaveAndRestore nest(nest_);
    llvm::SaveAndRestore loop(isInLoop_);
    llvm::SaveAndRestore role(role_);
    if (const auto *inner = llvm::dyn_cast<Role>(stmt))
      verifyRole(*inner);
    else if (role_)
      verifyInside(*stmt);
    noteFragments(*stmt);
    if (llvm::isa<Launch>(stmt))
      launch_ = llvm::cast<Launch>(stmt);
    if (llvm::isa<Parallel>(stmt))
      nest_ = llvm::cast<Parallel>(stmt);
    if (llvm::isa<For, Parallel>(stmt))
      isInLoop_ = true;
    if (llvm::isa<Role>(stmt)) {
      role_ = llvm::cast<Role>(stmt);
      isInLoop_ = false;
    }
    forEachChild(stmt, [&](const Stmt *child) { verify(child); });
    if (llvm::isa<Launch>(stmt))
      verifyPool(*llvm::cast<Launch>(stmt));
  }

private:
  void verifyRole(const Role &role) {
    if (role_)
      diagnostics_.report(DiagId::NestedRole, role.span()).note(role_->span(), "in this one");
    if (!launch_)
      diagnostics_.report(DiagId::RoleOutsideLaunch, role.span());
    if (nest_)
      diagnostics_.report(DiagId::InsideParallel, role.span(), "a role");
    // Registers are those of whole warp groups.
    int64_t unit = role.registers == 0 ? WarpThreads : WarpGroupThreads;
    bool isOfUnits = role.firstThread >= 0 && role.firstThread % unit == 0 && role.threads > 0 &&
                     role.threads % unit == 0;
    if (!isOfUnits || (launch_ && role.endThread() > launch_->threads))
      diagnostics_.report(DiagId::RoleRange, role.span(), role.firstThread, role.endThread(),
                          launch_ ? launch_->threads : 0);
    bool isCount = role.registers >= LeastRegisters && role.registers <= MostRegisters &&
                   role.registers % RegisterStep == 0;
    if (role.registers != 0 && !isCount)
      diagnostics_.report(DiagId::RoleRegisters, role.span(), role.registers);
  }

  // Those of roles that say nothing, and of threads without one, stay what they were.
  void verifyPool(const Launch &launch) {
    std::map<int64_t, const Role *> raised; // by first thread
    walk(launch.body, [&](const Stmt *stmt) {
      const auto *role = llvm::dyn_cast<Role>(stmt);
      if (role && role->registers != 0)
        raised.try_emplace(role->firstThread, role);
      return !role;
    });
    if (raised.empty() || launch.threads < 1)
      return;
    int64_t entry = registersAtEntry(launch.threads, launch.minBlocks),
            asked = entry * launch.threads;
    for (const auto &[first, role] : raised)
      asked += (role->registers - entry) * role->threads;
    if (asked > entry * launch.threads)
      diagnostics_.report(DiagId::RoleRegisterPool, raised.begin()->second->span(), asked,
                          entry * launch.threads);
  }

  void verifyInside(const Stmt &stmt) {
    if (llvm::isa<Break>(stmt) && !isInLoop_)
      diagnostics_.report(DiagId::BreakOutsideLoop, stmt.span())
          .note(role_->span(), "others go on with a loop around this role");
    const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
    bool isOfBlock = op && op->opInfo().sync == OpSync::Barrier && scopeOf(*op) == OpScope::Block;
    if (isOfBlock)
      diagnostics_.report(DiagId::RoleBarrier, op->span(), ("T." + nameOf(op->op)).str(),
                          role_->threads);
  }

  // The first that touches it says whose it is.
  void noteFragments(const Stmt &stmt) {
    for (const BufferAccess &access : accessesOf(scratch_, &stmt)) {
      const Buffer *buffer = function_.findBuffer(access.buffer);
      if (!buffer || buffer->scope != Scope::Fragment)
        continue;
      auto [user, isNew] = users_.try_emplace(access.buffer, User{&stmt, role_});
      if (!isNew && !user->second.isReported && !isOfSame(user->second.role)) {
        user->second.isReported = true;
        diagnostics_.report(DiagId::RoleFragment, access.span, buffer->name)
            .note(user->second.stmt->span(), "other threads touch it here");
      }
    }
  }

  bool isOfSame(const Role *other) const {
    if (!other || !role_)
      return other == role_;
    return other->firstThread == role_->firstThread && other->threads == role_->threads;
  }

  struct User {
    const Stmt *stmt = nullptr;
    const Role *role = nullptr; // around it
    bool isReported = false;
  };

  const Function &function_;
  Diagnostics &diagnostics_;
  Context scratch_;
  const Launch *launch_ = nullptr;
  const Role *role_ = nullptr;
  const Parallel *nest_ = nullptr;
  bool isInLoop_ = false;
  std::map<BufferId, User> users_;
};

} // namespace

int64_t registersAtEntry(int64_t threads, int64_t minBlocks) {
  constexpr int64_t RegistersOfSm = 65536, Most = 256, Step = 8;
  return std::min(RegistersOfSm / (threads * std::max<int64_t>(minBlocks, 1)), Most) / Step * Step;
}

void verifyRoles(const Function &function, Diagnostics &diagnostics) {
  if (holdsRoles(function))
    RoleVerifier(function, diagnostics).verify(function.body);
}

} // namespace tilescope
