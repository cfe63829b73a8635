#include "core/analysis/role_lanes.h"

#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

#include <iterator>
#include <set>

namespace tilescope {

RoleLanes roleLanesOf(const Launch &launch, StmtList stmts) {
  RoleLanes found;
  std::set<int64_t> ends; // of lanes, and the first thread
  for (size_t at = 0; at != stmts.size(); ++at)
    walk(stmts[at], [&](const Stmt *stmt) {
      const auto *role = llvm::dyn_cast<Role>(stmt);
      if (!role)
        return !llvm::isa<Parallel>(stmt);
      if (ends.empty())
        found.begin = at;
      found.end = at + 1;
      ends.insert({role->firstThread, role->endThread()});
      return false;
    });
  if (ends.empty())
    return found;
  ends.insert({0, launch.threads});
  for (auto end = std::next(ends.begin()); end != ends.end(); ++end)
    found.lanes.push_back({*std::prev(end), *end - *std::prev(end)});
  return found;
}

namespace {

uint32_t copyNode(const AccessTree &from, uint32_t index, AccessTree &to) {
  AccessNode node = from.program.nodes[index];
  for (uint32_t &child : node.children)
    child = copyNode(from, child, to);
  to.sources.push_back(from.sources[index]);
  return to.program.add(std::move(node));
}

} // namespace

AccessTree laneOf(const AccessTree &tree, const Role &role) {
  AccessTree lane;
  lane.program.buffers = tree.program.buffers;
  lane.program.mbarriers = tree.program.mbarriers;
  lane.program.elementThreads = tree.program.elementThreads;
  lane.program.threads = role.threads;
  for (const AccessNode &node : tree.program.nodes) {
    if (node.kind != AccessNode::Kind::Roles)
      continue;
    int64_t first = 0;
    for (auto [child, threads] : llvm::zip_equal(node.children, node.laneThreads)) {
      if (RoleLane{first, threads}.isOf(role)) {
        lane.program.root = copyNode(tree, child, lane);
        return lane;
      }
      first += threads;
    }
  }
  return lane;
}

} // namespace tilescope
