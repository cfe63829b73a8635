#include "core/analysis/warp_convergence.h"

#include "core/analysis/active_threads.h"
#include "core/ir/build.h"

namespace tilescope {

namespace {

constexpr uint32_t AllLanes = ~0U;
constexpr int64_t WarpThreads = 32;

class ConvergenceWalk {
public:
  explicit ConvergenceWalk(const Function &function) : active_(function, OpScope::Warp) {}

  std::vector<DivergentExchange> run() {
    active_.walk([this](const OpStmt &op) {
      if (takesLanes(op))
        check(op);
    });
    return std::move(found_);
  }

private:
  static bool takesLanes(const OpStmt &op) {
    return scopeOf(op) == OpScope::Warp && op.opInfo().sync != OpSync::NamedBarrier;
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
    for (size_t first = 0; first < active_.threads().size(); first += WarpThreads)
      if (!isThere(first, static_cast<uint32_t>(*lanes)))
        return found_.push_back({&op, active_.dividedBy(), static_cast<int64_t>(first)});
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

  ActiveThreads active_;
  std::vector<DivergentExchange> found_;
};

} // namespace

std::vector<DivergentExchange> findDivergentExchanges(const Function &function) {
  return ConvergenceWalk(function).run();
}

} // namespace tilescope
