#include "core/access/mbarrier_memory.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// The buffer of a leaf that reads nothing else; invalid: it is not such a leaf.
BufferId onlyRead(const AccessNode &node) {
  if (node.kind != AccessNode::Kind::Leaf || node.accesses.empty())
    return {};
  BufferId buffer = node.accesses.front().buffer;
  bool isOnly = llvm::all_of(node.accesses, [&](const Access &access) {
    return access.kind == AccessKind::Read && !access.async && access.buffer == buffer;
  });
  return isOnly ? buffer : BufferId();
}

} // namespace

std::vector<BufferId> buffersOfMbarriers(const AccessProgram &program) {
  std::vector<StmtId> atMbarriers;
  for (const AccessNode &node : program.nodes)
    if (node.mbarrier && node.stmt.isValid())
      atMbarriers.push_back(node.stmt);
  llvm::sort(atMbarriers);
  std::vector<BufferId> buffers;
  for (const AccessNode &node : program.nodes) {
    BufferId buffer = onlyRead(node);
    if (buffer.isValid() && std::ranges::binary_search(atMbarriers, node.stmt) &&
        !llvm::is_contained(buffers, buffer))
      buffers.push_back(buffer);
  }
  return buffers;
}

} // namespace tilescope
