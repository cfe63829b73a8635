// What operations that put others in order are in an AccessProgram. Of barriers of some threads
// those are nodes of which it is known who always meets there.
#pragma once

#include "core/access/access_program.h"
#include "core/analysis/named_barriers.h"

namespace tilescope {

class SyncNodes {
public:
  explicit SyncNodes(const Function &function) : function_(function) {}

  // Less its statement. `isDivergent`: some threads of the block may not get to it. Nothing: it is
  // not known who meets there, and nothing is ordered.
  std::optional<AccessNode> nodeOf(const OpStmt &op, bool isDivergent);

private:
  std::optional<AccessNode> nodeOfBarrier(const OpStmt &op, bool isDivergent);
  std::optional<AccessNode> nodeOfNamed(const OpStmt &op);
  const llvm::DenseSet<const OpStmt *> &barriersOfOneWarp();

  const Function &function_;
  std::optional<std::vector<NamedBarrierPlace>> namedBarriers_;     // once there is one
  std::optional<llvm::DenseSet<const OpStmt *>> barriersOfOneWarp_; // once one stands behind an If
};

} // namespace tilescope
