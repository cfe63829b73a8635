// What roles write of shared memory before others read it, by what mbarriers order
// (`happens_before.h`).
//
//     with T.ws(0):                          with T.ws(1):
//       T.tma_copy(A[...], s[0:32], m)         T.mbarrier_wait(m, 0)
//       T.mbarrier_arrive(m)                   T.gemm(s[0:32], ...)         written
//                                              T.gemm(s[0:64], ...)         not all of it
#pragma once

#include "core/access/happens_before.h"
#include "core/analysis/access_builder.h"
#include "core/analysis/element_set.h"
#include "core/analysis/stmt_places.h"

namespace tilescope {

class RoleWrites {
public:
  RoleWrites(Context &context, const Function &function);

  // Whenever the statement, which stands in a role, reads the buffer, all that it reads was
  // written: before it in its own role, or by what it knows to be over in others. False: it is not
  // shown.
  bool areBefore(const Stmt *read, BufferId buffer);

private:
  bool findBefore(const Stmt *read, BufferId buffer);
  struct Box {
    llvm::SmallVector<int64_t> first, extents;
  };
  // By all threads of the lane that make the step.
  struct Write {
    size_t lane = 0;
    size_t step = 0;
    const Access *access = nullptr;
    Box box;
  };
  struct Writes {
    llvm::SmallVector<int64_t> shape; // empty: it is not followed
    std::vector<Write> writes;        // of each lane the earliest first
  };

  const Writes &writesOf(BufferId buffer);
  std::optional<Box> boxAt(const LaneStep &step, BufferId buffer, bool isWrite);
  bool isSource(uint32_t node, const Stmt *stmt) const;
  bool holds(uint32_t node, const llvm::DenseSet<uint32_t> &wanted) const;
  bool isOver(const Write &write, size_t strand, size_t step) const;
  bool isWrittenAt(const Writes &writes, const Box &box, size_t strand, size_t step) const;

  Context &context_;
  const AccessTree &tree_;
  const StmtPlaces &places_;
  FollowedSteps order_;
  llvm::DenseMap<uint32_t, const For *> loops_; // by statement
  llvm::DenseMap<uint32_t, Writes> writes_;     // by buffer
  llvm::DenseMap<std::pair<const Stmt *, uint32_t>, bool> answers_;
};

} // namespace tilescope
