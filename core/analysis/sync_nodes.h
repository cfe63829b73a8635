// What an operation that synchronises is in an access program: one node, several, or none where
// nothing follows from it. And the mbarriers that such nodes and copies mean: each version of a
// buffer that is initialised as such is one.
#pragma once

#include "core/analysis/access_slots.h"
#include "core/analysis/ir_affine.h"
#include "core/analysis/named_barriers.h"
#include "core/ir/op_facts.h"

#include "core/access/access_program.h"
#include "llvm/ADT/DenseSet.h"

namespace tilescope {

class SyncNodes {
public:
  // `loops`: those around what is asked for, outermost first.
  SyncNodes(const Function &function, IrAffine &affine,
            const llvm::SmallVector<const For *> &loops);

  // `isDivergent`: not all threads of the block may get there.
  std::vector<AccessNode> of(const OpStmt &op, bool isDivergent);

  MbarrierRef mbarrierOf(const BufferRegion &region);
  // Where that does not say which: one of those from number `firstOf` on.
  std::optional<OpenCounter> openMbarrier(const BufferRegion &region);
  uint32_t firstOf(const BufferRegion &region) const { return first_.lookup(region.buffer.value); }
  const std::vector<AccessMbarrier> &mbarriers() const { return mbarriers_; }
  // Null: there are none.
  const Stmt *lastInit() const { return lastInit_; }
  // Of all of them. Nothing ends their life before the kernel ends: where others are to have their
  // bytes, they would have to be made invalid first.
  std::vector<Access> lastReads() const;

private:
  void collectUnder(const Stmt *stmt, bool isOnce);
  void collect(const OpStmt &op, bool isOnce);
  static int64_t barriersOf(const Buffer &buffer);
  static const Expr *whichOf(const BufferRegion &region, const Buffer &buffer);
  std::vector<AccessNode> ofBarrier(const OpStmt &op, bool isDivergent);
  std::vector<AccessNode> ofNamedBarrier(const OpStmt &op);
  AccessNode atMbarrier(AccessNode::Kind kind, const OpStmt &op);

  const Function &function_;
  IrAffine &affine_;
  const llvm::SmallVector<const For *> &loops_;
  std::vector<AccessMbarrier> mbarriers_;
  llvm::DenseMap<uint32_t, uint32_t> first_; // by buffer
  llvm::DenseSet<uint32_t> initialised_;     // of mbarriers_
  const Stmt *lastInit_ = nullptr;
  std::optional<std::vector<NamedBarrierPlace>> namedBarriers_;     // once there is one
  std::optional<llvm::DenseSet<const OpStmt *>> barriersOfOneWarp_; // once one stands behind an If
};

} // namespace tilescope
