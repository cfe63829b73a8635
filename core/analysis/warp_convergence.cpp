#include "core/analysis/warp_convergence.h"

#include "core/analysis/active_threads.h"
#include "core/ir/build.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr uint32_t AllLanes = ~0U;
constexpr int64_t WarpThreads = 32;

// Of operations of warps, or of those of warp groups: what all threads of a warp agree on keeps
// none of the first away, and may keep whole warps from the second.
class ConvergenceWalk {
public:
  ConvergenceWalk(const Function &function, OpScope scope)
      : scope_(scope), active_(function, scope == OpScope::Warp ? scope : OpScope::Block) {}

  std::vector<DivergentExchange> run() {
    active_.walk([this](const OpStmt &op) {
      if (takesLanes(op))
        check(op);
    });
    return std::move(found_);
  }

private:
  bool takesLanes(const OpStmt &op) const {
    return scopeOf(op) == scope_ && op.opInfo().sync != OpSync::NamedBarrier;
  }

  void check(const OpStmt &op) {
    const OpInfo &info = op.opInfo();
    const Expr *mask = info.lanes ? op.args[*info.lanes] : nullptr;
    std::optional<int64_t> lanes = mask ? constantValue(mask) : int64_t{AllLanes};
    bool isDecided = active_.areKnown() && lanes && !info.takesWhoComes;
    if (!isDecided && (mask || active_.dividedBy()))
      found_.push_back({&op, active_.dividedBy(), std::nullopt});
    if (!isDecided)
      return;
    if (scope_ == OpScope::WarpGroup)
      return checkGroups(op);
    for (size_t first = 0; first < active_.threads().size(); first += WarpThreads)
      if (!isThere(first, static_cast<uint32_t>(*lanes)))
        return found_.push_back({&op, active_.dividedBy(), static_cast<int64_t>(first)});
  }

  // Of each four warps all or none.
  void checkGroups(const OpStmt &op) {
    constexpr size_t GroupThreads = 4 * WarpThreads;
    const std::vector<bool> &all = active_.threads();
    for (size_t first = 0; first < all.size(); first += GroupThreads) {
      size_t end = std::min(first + GroupThreads, all.size());
      auto present = std::count(all.begin() + static_cast<ptrdiff_t>(first),
                                all.begin() + static_cast<ptrdiff_t>(end), true);
      if (present != 0 && present != static_cast<ptrdiff_t>(GroupThreads))
        return found_.push_back({&op, active_.dividedBy(), static_cast<int64_t>(first)});
    }
  }

  // Whether those of a warp that get here are none, or these lanes.
  bool isThere(size_t first, uint32_t lanes) const {
    const std::vector<bool> &threads = active_.threads();
    uint32_t present = 0, existing = 0;
    for (size_t lane = 0; lane != WarpThreads && first + lane < threads.size(); ++lane) {
      existing |= 1U << lane;
      present |= uint32_t{threads[first + lane]} << lane;
    }
    return present == 0 || present == (lanes & existing);
  }

  OpScope scope_;
  ActiveThreads active_;
  std::vector<DivergentExchange> found_;
};

} // namespace

std::vector<DivergentExchange> findDivergentExchanges(const Function &function) {
  std::vector<DivergentExchange> found = ConvergenceWalk(function, OpScope::Warp).run();
  llvm::append_range(found, ConvergenceWalk(function, OpScope::WarpGroup).run());
  return found;
}

} // namespace tilescope
