// Which thread of a launch touches which element of a buffer, below the level of tiles.
//
//     for i in unroll(2):                        128 threads
//       s[i * 128 + tx] = ...                    element e: thread e mod 128
//     if tx < 32:
//       vector_copy(..., s[tx * 4:tx * 4 + 4])   element e: thread e // 4
//     s[k * 128 + tx] = ...     k unknown        elements that are e mod 128: thread e
//     s[i // 2] = ...                            nothing: two threads touch one element
//
// Over all that the statement may ever do: an owner may never come, but no other thread does. So
// two accesses whose owners agree are ordered by each thread's own program order.
#pragma once

#include "core/analysis/lane_walk.h"
#include "core/ir/visit.h"

namespace tilescope {

struct ElementOwners {
  const Var *threadVar = nullptr; // of the launch
  // 0: element e has the owner threads[e]. Else: threads[e mod period], and its size is the period.
  int64_t period = 0;
  std::vector<int32_t> threads; // -1: nobody

  // False if two threads would touch one element, or nothing can be said; then it is of no use.
  bool merge(const ElementOwners &other);
};

class ThreadOwnership {
public:
  explicit ThreadOwnership(const Function &function);

  // Nullopt where an element may have two owners, and for what is not a plain access of one thread:
  // asynchronous, atomic, of a warp or the block. `elementsPerByte` above 1: owners of bytes.
  std::optional<ElementOwners> ownersOf(const Stmt &stmt, const BufferAccess &access,
                                        int64_t elementsPerByte = 1) const;

  const StmtPlaces &places() const { return places_; }

private:
  const Function &function_;
  StmtPlaces places_;
};

// A number for owners of the elements of a buffer: accesses with the same number are of the same
// thread for each element. 1 and up; of one program.
class OwnerTokens {
public:
  uint32_t tokenOf(BufferId buffer, const ElementOwners &owners);

private:
  std::vector<std::pair<BufferId, ElementOwners>> known_; // owners of all that got the number
};

} // namespace tilescope
