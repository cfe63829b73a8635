// Who reads and who writes a shared buffer, by the accesses of a snapshot.
#pragma once

#include "core/views/buffer_names.h"

#include <unordered_map>

namespace tilescope {

class BufferUses {
public:
  // Points into the snapshot.
  BufferUses(const Trace &trace, const TraceSnapshot &snapshot);

  // Of the names in a line of `stmt`: whether the buffer is read there, and whether it is written.
  void mark(StmtId stmt, std::vector<BufferSpan> &names) const;

private:
  // Accesses of statements from `line` up to where the next group begins.
  struct Group {
    uint32_t line; // of the snapshot
    const std::vector<Access> *accesses;
  };
  // A trace is untrusted and may use any number as an id, so no DenseMap.
  std::unordered_map<StmtId, uint32_t> lineOf_; // the first of a statement
  std::vector<Group> groups_;                   // by line
};

} // namespace tilescope
