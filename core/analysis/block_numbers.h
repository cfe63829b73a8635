// What of an access program no constants and iterations decide, but perhaps the block and the
// iterations of loops around it: lengths, conditions, slots, mbarriers and parities, with the
// expressions that say them. `block_programs.h` makes programs of single blocks of it.
#pragma once

#include "core/analysis/sync_nodes.h"

namespace tilescope {

struct BlockNumber {
  enum class Kind : uint8_t { Trips, Condition, Slot, Mbarrier, CopyMbarrier, Parity };
  Kind kind = Kind::Trips;
  uint32_t node = 0;
  size_t access = 0;          // Slot, CopyMbarrier: of the node
  const Expr *expr = nullptr; // the trips, the condition; else what the counter lacks
  LoopCounter counter = {};
  int64_t modulus = 1; // of a slot or an mbarrier; Parity: the divisor
  uint32_t first = 0;  // of mbarriers: that of 0
};

class BlockNumbers {
public:
  // `loops`: those around what is added, outermost first.
  BlockNumbers(Context &context, const Function &function, IrAffine &affine, SyncNodes &syncs,
               const llvm::SmallVector<const For *> &loops)
      : context_(context), function_(function), affine_(affine), syncs_(syncs), loops_(loops) {}

  // What is added before is left out.
  void begin() { hasBegun_ = true; }
  // Nodes as they are otherwise known; `run`: the statements of a leaf.
  void addLoop(uint32_t index, const AccessNode &node, const For &loop);
  void addCondition(uint32_t index, const AccessNode &node, const Expr *condition);
  void addLeaf(uint32_t index, const AccessNode &node, StmtList run);
  void addSync(uint32_t index, const AccessNode &node, const OpStmt &op);
  // Nodes from this one on are taken back.
  void dropFrom(uint32_t index);
  std::vector<BlockNumber> take() { return std::move(numbers_); }

private:
  void add(BlockNumber number, std::optional<OpenCounter> open);
  void addMbarrier(BlockNumber number, const BufferRegion &region);

  Context &context_;
  const Function &function_;
  IrAffine &affine_;
  SyncNodes &syncs_;
  const llvm::SmallVector<const For *> &loops_;
  bool hasBegun_ = false;
  std::vector<BlockNumber> numbers_;
};

} // namespace tilescope
