#include "core/access/node_threads.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

// As many as the checkers and the planner have bits for.
constexpr size_t MaxMeetings = 64;

NodeThreads::NodeThreads(const AccessProgram &program)
    : groups_(1), groupOf_(program.nodes.size()), laneOf_(program.nodes.size(), NoLane) {
  if (!program.nodes.empty())
    mark(program, program.root, 0, false);
  for (auto [index, node] : llvm::enumerate(program.nodes))
    if (node.isFixed && meetings_.size() < MaxMeetings &&
        !llvm::is_contained(meetings_, groupOf_[index]))
      meetings_.push_back(groupOf_[index]);
}

uint32_t NodeThreads::addGroup(uint32_t parent, bool isChanging) {
  groups_.push_back({parent, isChanging || groups_[parent].isChanging});
  return static_cast<uint32_t>(groups_.size() - 1);
}

// Threads leave a divergent loop one by one, and in each iteration of a loop others may take a
// divergent branch.
void NodeThreads::mark(const AccessProgram &program, uint32_t index, uint32_t group,
                       bool isInLoop) {
  const AccessNode &node = program.nodes[index];
  bool isLoop = node.kind == AccessNode::Kind::Loop;
  bool isRoles = node.kind == AccessNode::Kind::Roles;
  groupOf_[index] = group;
  for (uint32_t child : node.children) {
    bool isDivided = isRoles || node.isDivergent;
    uint32_t inside = isDivided ? addGroup(group, !isRoles && (isLoop || isInLoop)) : group;
    laneOf_[child] = isRoles ? inside : laneOf_[index];
    mark(program, child, inside, isInLoop || isLoop);
  }
}

bool NodeThreads::cover(const AccessProgram &program, uint32_t node, uint32_t other) const {
  if (program.nodes[node].oneThread)
    return program.nodes[other].oneThread && laneOf_[node] == laneOf_[other];
  uint32_t group = groupOf_[other];
  while (group != groupOf_[node] && group != 0)
    group = groups_[group].parent;
  return group == groupOf_[node] && !groups_[group].isChanging;
}

std::optional<size_t> NodeThreads::meetingOf(const AccessProgram &program, uint32_t barrier) const {
  auto found = llvm::find(meetings_, groupOf_[barrier]);
  if (!program.nodes[barrier].isFixed || found == meetings_.end())
    return std::nullopt;
  return static_cast<size_t>(found - meetings_.begin());
}

bool NodeThreads::isOfMeeting(size_t meeting, uint32_t node) const {
  uint32_t group = groupOf_[node];
  while (group != meetings_[meeting] && group != 0)
    group = groups_[group].parent;
  return group == meetings_[meeting];
}

} // namespace tilescope
