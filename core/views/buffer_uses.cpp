#include "core/views/buffer_uses.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

BufferUses::BufferUses(const Trace &trace, const TraceSnapshot &snapshot) {
  for (uint32_t line = 0; line != snapshot.lines->size(); ++line)
    lineOf_.try_emplace(trace.lines[(*snapshot.lines)[line]].stmt, line);
  for (const AccessRecord &record : *snapshot.accesses)
    for (const AccessNode &node : record.program.nodes)
      if (auto found = lineOf_.find(node.stmt);
          node.kind == AccessNode::Kind::Leaf && node.stmt.isValid() && found != lineOf_.end())
        groups_.push_back({found->second, &node.accesses});
  llvm::stable_sort(groups_, [](const Group &a, const Group &b) { return a.line < b.line; });
}

// A leaf has the first statement of its group that touches a buffer, so every statement that does
// belongs to the last leaf before it.
void BufferUses::mark(StmtId stmt, std::vector<BufferSpan> &names) const {
  auto line = lineOf_.find(stmt);
  if (!stmt.isValid() || line == lineOf_.end())
    return;
  auto next = llvm::upper_bound(groups_, line->second, [](uint32_t wanted, const Group &group) {
    return wanted < group.line;
  });
  if (next == groups_.begin())
    return;
  for (BufferSpan &name : names)
    for (const Access &access : *std::prev(next)->accesses)
      if (access.buffer == name.buffer)
        (access.kind == AccessKind::Read ? name.isRead : name.isWritten) = true;
}

} // namespace tilescope
