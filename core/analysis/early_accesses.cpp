#include "core/analysis/early_accesses.h"

#include "core/ir/op_facts.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

namespace tilescope {

namespace {

class LaunchSequence {
public:
  LaunchSequence(Context &context, const Function &function)
      : context_(context), function_(function) {}

  std::vector<EarlyAccess> run() {
    walk(function_.body, [this](const Stmt *stmt) {
      const auto *launch = llvm::dyn_cast<Launch>(stmt);
      if (launch)
        add(*launch);
      return !launch;
    });
    return std::move(found_);
  }

private:
  void add(const Launch &launch) {
    if (beginsEarly(launch))
      walkUntilWait(launch.body);
    else
      running_.clear(); // it begins when all of them have ended
    walk(launch.body, [this](const Stmt *stmt) {
      forEachTensor(stmt, [&](BufferId tensor, bool isWrite) {
        const Stmt *&first = running_[tensor].first[isWrite];
        first = first ? first : stmt;
      });
      return true;
    });
  }

  // Whether all threads that come to the end of it have waited.
  bool walkUntilWait(const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    if (op && op->opInfo().sync == OpSync::EarlierLaunches)
      return true;
    forEachTensor(stmt, [&](BufferId tensor, bool isWrite) { note(stmt, tensor, isWrite); });
    if (const auto *branch = llvm::dyn_cast<If>(stmt)) {
      bool haveWaited = walkUntilWait(branch->thenBody);
      return branch->elseBody && walkUntilWait(branch->elseBody) && haveWaited;
    }
    bool haveWaited = false;
    forEachChild(stmt, [&](const Stmt *child) { haveWaited = haveWaited || walkUntilWait(child); });
    const auto *loop = llvm::dyn_cast<For>(stmt);
    return haveWaited &&
           (!loop || (constantValue(loop->extent).value_or(0) > 0 && !mayEndEarly(*loop)));
  }

  void note(const Stmt *stmt, BufferId tensor, bool isWrite) {
    auto running = running_.find(tensor);
    if (running == running_.end())
      return;
    const Use &use = running->second;
    const Stmt *other = use.first[true] ? use.first[true] : isWrite ? use.first[false] : nullptr;
    bool isKnown = llvm::any_of(found_, [&](const EarlyAccess &known) {
      return known.stmt == stmt && known.buffer == tensor;
    });
    if (other && !isKnown)
      found_.push_back({stmt, tensor, isWrite, other});
  }

  void forEachTensor(const Stmt *stmt, llvm::function_ref<void(BufferId, bool isWrite)> visit) {
    for (const BufferAccess &access : accessesOf(context_, stmt)) {
      if (function_.buffer(access.buffer).scope != Scope::Global)
        continue;
      if (access.effect != Effect::Write)
        visit(access.buffer, false);
      if (access.effect != Effect::Read)
        visit(access.buffer, true);
    }
  }

  // The first that reads it, and that writes it, of launches that may not have ended.
  struct Use {
    const Stmt *first[2] = {nullptr, nullptr};
  };

  Context &context_;
  const Function &function_;
  std::map<BufferId, Use> running_;
  std::vector<EarlyAccess> found_;
};

} // namespace

std::vector<EarlyAccess> findEarlyAccesses(Context &context, const Function &function) {
  return LaunchSequence(context, function).run();
}

} // namespace tilescope
