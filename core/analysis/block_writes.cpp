#include "core/analysis/block_writes.h"

#include "core/analysis/block_touches.h"
#include "core/analysis/cluster_blocks.h"
#include "core/analysis/grid_phases.h"
#include "core/ir/content_key.h"
#include "core/ir/expr_equal.h"
#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

class BlockComparison {
public:
  BlockComparison(Context &context, const Function &function, const Launch &launch,
                  GridPhases::Blocks blocks = GridPhases::Blocks::OfGrid)
      : affine_(context, function), separation_(affine_, launch), phases_(launch, blocks),
        touches_(context, function, launch, affine_) {}

  std::vector<BlockWrite> findWrites() {
    touches_.gather();
    std::vector<BlockWrite> found;
    for (auto &[buffer, writes] : touches_.writes())
      if (!llvm::all_of(writes, [](const BlockTouch &write) { return write.isAtomic; }))
        for (const Stmt *stmt : findShared(writes))
          found.push_back({stmt, BufferId(buffer)});
    return found;
  }

  std::vector<BlockRead> findReads() {
    std::vector<BlockRead> found;
    if (!touches_.followReads())
      return found;
    touches_.gather();
    BlockTouches &writes = touches_.writes();
    for (auto &[buffer, reads] : touches_.reads())
      if (!areTold(writes[buffer], reads))
        for (const BlockTouch &read : reads)
          if (const Stmt *write = findWrite(read, writes[buffer]))
            found.push_back({read.stmt, BufferId(buffer), write});
    return found;
  }

private:
  // Of one buffer: statements that two blocks may be at odds in, or one that is with another.
  std::vector<const Stmt *> findShared(llvm::ArrayRef<BlockTouch> writes) {
    std::vector<const Stmt *> shared;
    if (isHarmless(writes))
      return shared;
    for (const BlockTouch &write : writes)
      if (!write.isAtomic && !isHarmless(write) && !llvm::is_contained(shared, write.stmt))
        shared.push_back(write.stmt);
    for (size_t later = 1; later != writes.size() && shared.empty(); ++later)
      for (size_t earlier = 0; earlier != later && shared.empty(); ++earlier)
        if (mayMeet(writes[earlier], writes[later]))
          shared.push_back(writes[writes[later].isAtomic ? earlier : later].stmt);
    return shared;
  }

  // In two blocks, one of them by the one write and one by the other.
  bool mayMeet(const BlockTouch &a, const BlockTouch &b) {
    return !(a.isAtomic && b.isAtomic) && phases_.mayMeet(a.stmt, b.stmt) &&
           !separation_.areApart(a.access, b.access) && !isHarmless({a, b});
  }

  bool areTold(llvm::ArrayRef<BlockTouch> some, llvm::ArrayRef<BlockTouch> others) {
    std::vector<BlockAccess> accesses;
    for (const BlockTouch &touch : llvm::concat<const BlockTouch>(some, others))
      accesses.push_back(touch.access);
    return separation_.findUntold(accesses).empty();
  }

  // Null: no block writes it while another one reads.
  const Stmt *findWrite(const BlockTouch &read, llvm::ArrayRef<BlockTouch> writes) {
    for (const BlockTouch &write : writes)
      if (!(read.isAtomic && write.isAtomic) && phases_.mayMeet(read.stmt, write.stmt) &&
          !separation_.areApart(read.access, write.access) && !areTold(read, write))
        return write.stmt;
    return nullptr;
  }

  bool isHarmless(llvm::ArrayRef<BlockTouch> writes) {
    if (writesOneValue(writes))
      return true;
    std::vector<BlockAccess> accesses;
    for (const BlockTouch &write : writes)
      accesses.push_back(write.access);
    llvm::SmallVector<const Var *, 3> untold = separation_.findUntold(accesses);
    return untold.empty() ||
           llvm::all_of(writes, [&](const BlockTouch &write) { return isAlike(write, untold); });
  }

  // Whoever comes last.
  static bool writesOneValue(llvm::ArrayRef<BlockTouch> writes) {
    return llvm::all_of(writes, [&](const BlockTouch &write) {
      const auto *first = llvm::dyn_cast<Store>(writes.front().stmt);
      const auto *store = llvm::dyn_cast<Store>(write.stmt);
      return first && store && llvm::isa<IntImm, FloatImm>(store->value) &&
             isSameExpr(first->value, store->value);
    });
  }

  // Whether blocks that differ in these coordinates alone write the same to the same elements. What
  // an operation copies was computed somewhere.
  bool isAlike(const BlockTouch &write, llvm::ArrayRef<const Var *> coordinates) const {
    const auto *store = llvm::dyn_cast<Store>(write.stmt);
    return store && isAlike(store->value, coordinates) &&
           llvm::all_of(write.deciding,
                        [&](const Expr *expr) { return isAlike(expr, coordinates); });
  }

  bool isAlike(const Expr *expr, llvm::ArrayRef<const Var *> coordinates) const {
    bool isAlike = affine_.isStable(expr);
    walk(expr, [&](const Expr *part) {
      const auto *var = llvm::dyn_cast<Var>(part);
      const Expr *value = var && isAlike ? touches_.valueOf(var) : nullptr;
      isAlike = isAlike && !llvm::is_contained(coordinates, var) &&
                (!value || this->isAlike(value, coordinates));
    });
    return isAlike;
  }

  IrAffine affine_;
  BlockSeparation separation_;
  GridPhases phases_;
  BlockTouchWalk touches_;
};

void forEachLaunchOfBlocks(const Function &function,
                           llvm::function_ref<void(const Launch &launch)> visit) {
  walk(function.body, [&](const Stmt *stmt) {
    const auto *launch = llvm::dyn_cast<Launch>(stmt);
    bool hasBlocks = launch && llvm::any_of(launch->gridExtents, [](const Expr *extent) {
                       return constantValue(extent) != 1;
                     });
    if (hasBlocks)
      visit(*launch);
    return !launch;
  });
}

// What `find` gives of the blocks of a launch: where clusters have barriers, of the blocks of one
// cluster, which those order, and of different clusters.
template <typename Found>
std::vector<Found> compareBlocks(Context &context, const Function &function, const Launch &launch,
                                 std::vector<Found> (BlockComparison::*find)()) {
  if (launch.cluster.empty() || !meetsCluster(launch))
    return (BlockComparison(context, function, launch).*find)();
  using Blocks = GridPhases::Blocks;
  std::vector<Found> found =
      (BlockComparison(context, function, launch, Blocks::OfCluster).*find)();
  ClusterBlocks clusters(function, launch);
  for (Found of :
       (BlockComparison(clusters.context(), clusters.function(), clusters.launch()).*find)()) {
    of.stmt = clusters.originalOf(of.stmt);
    if constexpr (std::is_same_v<Found, BlockRead>)
      of.write = clusters.originalOf(of.write);
    if (llvm::none_of(found, [&](const Found &known) {
          return known.stmt == of.stmt && known.buffer == of.buffer;
        }))
      found.push_back(of);
  }
  return found;
}

} // namespace

const std::vector<BlockWrite> &computeBlockWrites(Context &context, const Function &function) {
  return context.cached<std::vector<BlockWrite>>(contentKey(function), [&] {
    std::vector<BlockWrite> found;
    forEachLaunchOfBlocks(function, [&](const Launch &launch) {
      llvm::append_range(found,
                         compareBlocks(context, function, launch, &BlockComparison::findWrites));
    });
    return found;
  });
}

std::vector<BlockRead> findBlockReads(Context &context, const Function &function) {
  std::vector<BlockRead> found;
  forEachLaunchOfBlocks(function, [&](const Launch &launch) {
    llvm::append_range(found,
                       compareBlocks(context, function, launch, &BlockComparison::findReads));
  });
  return found;
}

} // namespace tilescope
