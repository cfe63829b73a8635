// Which thread of a launch touches which element of a buffer, below the level of tiles.
//
//     for i in unroll(2):                        128 threads
//       s[i * 128 + tx] = ...                    element e: thread e mod 128
//     if tx < 32:
//       vector_copy(..., s[tx * 4:tx * 4 + 4])   element e: thread e // 4
//     s[k * 128 + tx] = ...     k unknown        elements that are e mod 128: thread e
//     C[by * 64 + tx, j] = ...  by of the block  element (by * 64 + e, any): thread e
//     s[i // 2] = ...                            nothing: two threads touch one element
//
// Elements are told apart by their coordinates, each by itself: those of a tensor whose shape is
// known at launch too. Different coordinates, and different tensors, are taken to be different
// memory, whatever strides and addresses the caller passes.
//
// Over all that the statement may ever do: an owner may never come, but no other thread does. So
// two accesses whose owners agree are ordered by each thread's own program order.
#pragma once

#include "core/analysis/element_owners.h"
#include "core/ir/visit.h"

#include <memory>

namespace tilescope {

class ThreadOwnership {
public:
  ThreadOwnership(Context &context, const Function &function);

  // Null where an element may have two owners, and for what is not a plain access of one thread:
  // atomic, of a warp or the block. A copy that is asynchronous has the thread that starts it,
  // which must still wait for it, also where that thread writes a tensor for all.
  // `elementsPerByte` above 1: owners of bytes.
  std::shared_ptr<const ElementOwners> ownersOf(const Stmt &stmt, const BufferAccess &access,
                                                int64_t elementsPerByte = 1) const;

  // Global buffers that the function writes and of which an element may have several threads,
  // unless all that is done to it is atomic.
  llvm::DenseSet<uint32_t> globalsOfSeveralThreads() const;

  const StmtPlaces &places() const { return places_; }

private:
  bool touchesWrittenGlobal(const Stmt &stmt) const;

  Context &context_;
  const Function &function_;
  const StmtPlaces &places_;
};

} // namespace tilescope
