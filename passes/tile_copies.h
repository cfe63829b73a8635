// Copies that each tile of a launch makes once, beside its loops, by TMA like those of its
// pipelines (passes/counted_copies.h): whoever copies makes them for tiles ahead.
//
//     for wave in serial(4):              for wave in serial(4):
//       copy Q(wave) to Q_s                 mbarrier_wait(empty[wave % 2], (wave + 2) // 2 % 2)
//       for k in serial(n):                 mbarrier_arrive_expect(full[wave % 2], bytes)
//         gemm(Q_s, ...)             =>     tma_copy Q(wave) to Q_s[wave % 2], full[wave % 2]
//       store                               mbarrier_wait(full[wave % 2], wave // 2 % 2)
//                                           for k in serial(n):
//                                             gemm(Q_s[wave % 2], ...)
//                                           mbarrier_arrive(empty[wave % 2])
//                                           store
#pragma once

#include "core/analysis/current_slots.h"
#include "passes/counted_copies.h"

namespace tilescope {

// Of one launch.
class TileCopies {
public:
  // Those that `launch`, of a tile, can make so, with `slots` slots each, which `readers` threads
  // read; a remark says which cannot. `versioned`: what pipelines give slots of their own.
  TileCopies(PassContext &pass, const Function &function, const Launch &launch, int64_t slots,
             int64_t readers, const std::map<BufferId, int64_t> &versioned, AddedBuffers &added);

  // By buffer that is filled, its group.
  const std::map<BufferId, CountedGroup> &groups() const { return groups_; }
  // For accesses of what is filled, in the tile whose number, from 0, is `tile`.
  void addSlots(const Expr *tile, CurrentSlots &slots) const;
  // A statement of the tile, outside of loops and conditions, with what stands around it;
  // `transformed`: as the pass has it by now.
  const Stmt *around(const Stmt *stmt, const Stmt *transformed, const Expr *tile) const;

private:
  struct Copy {
    const OpStmt *copy = nullptr;
    const Stmt *firstReader = nullptr, *lastReader = nullptr;
  };

  void add(PassContext &pass, const Function &function, const Copy &copy, int64_t slots,
           int64_t readers, AddedBuffers &added);
  const Stmt *counted(const Copy &copy, const Expr *tile) const;
  const CountedGroup &groupOf(const Copy &copy) const;

  Context &context_;
  const Launch &launch_; // before it has waves
  llvm::SmallVector<Copy> copies_;
  std::map<BufferId, CountedGroup> groups_;
};

} // namespace tilescope
