#include "core/access/beside_roles.h"

#include "core/access/node_threads.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tilescope {

// What is done once and in order: the children of Seqs.
static void listInOrder(const AccessProgram &program, uint32_t index,
                        std::vector<uint32_t> &inOrder) {
  if (program.nodes[index].kind != AccessNode::Kind::Seq)
    return inOrder.push_back(index);
  for (uint32_t child : program.nodes[index].children)
    listInOrder(program, child, inOrder);
}

static bool hasAccesses(const AccessProgram &program, uint32_t index) {
  const AccessNode &node = program.nodes[index];
  return !node.accesses.empty() ||
         llvm::any_of(node.children, [&](uint32_t child) { return hasAccesses(program, child); });
}

static bool isRoles(const AccessNode &node) { return node.kind == AccessNode::Kind::Roles; }

static bool isBlockBarrier(const AccessNode &node) {
  return node.kind == AccessNode::Kind::Barrier && node.scope == BarrierScope::Block;
}

bool meetsAtBarriers(const AccessProgram &program) {
  NodeThreads threads(program);
  bool isMetByAll = true, isZeroNamed = false, isUsed = false;
  for (uint32_t leaf : leavesInOrder(program)) {
    const AccessNode &node = program.nodes[leaf];
    isUsed |= isBlockBarrier(node);
    if (isBlockBarrier(node))
      isMetByAll &= !node.oneThread && (node.isOfAllLanes || threads.isOfAll(leaf));
    isZeroNamed |= node.kind == AccessNode::Kind::NamedBarrier && node.barrierId == 0;
  }
  return isMetByAll && !(isUsed && isZeroNamed);
}

std::vector<uint32_t> besideRolesOf(const AccessProgram &program, bool meetsAtBarriers) {
  std::vector<uint32_t> inOrder;
  listInOrder(program, program.root, inOrder);
  auto roles =
      llvm::find_if(inOrder, [&](uint32_t index) { return isRoles(program.nodes[index]); });
  // In several places, under a condition or in a loop: all that there is.
  if (llvm::count_if(program.nodes, isRoles) != 1 || roles == inOrder.end())
    return {program.root};
  if (program.meetsAtRoles)
    return {};
  auto isMeeting = [&](uint32_t index) {
    return meetsAtBarriers && isBlockBarrier(program.nodes[index]);
  };
  auto first = std::find_if(std::make_reverse_iterator(roles), inOrder.rend(), isMeeting).base();
  auto last = std::find_if(roles, inOrder.end(), isMeeting);
  std::vector<uint32_t> beside;
  for (auto at = first; at != last; ++at)
    if (at != roles && hasAccesses(program, *at))
      beside.push_back(*at);
  return beside;
}

} // namespace tilescope
