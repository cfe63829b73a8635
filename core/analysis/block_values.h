// What is written in a function, evaluated for every block of its launch, and for every iteration
// of the loops of constant length that decide it too: those are told apart.
//
//     min(8, block + wave + 1)    2 blocks, 3 iterations of `wave`: 1 2 3 | 2 3 4
#pragma once

#include "core/analysis/access_builder.h"
#include "core/analysis/lane_arithmetic.h"
#include "core/analysis/stmt_places.h"

#include "llvm/ADT/SetVector.h"

#include <map>

namespace tilescope {

class BlockValues {
public:
  BlockValues(Context &context, const Function &function, const AccessTree &tree);

  // Evaluates all numbers of the tree. False: there are none, or too many blocks.
  bool run();
  // Of blocks for which all are the same the first, up to one more than `most`.
  std::vector<size_t> differentBlocks(size_t most) const;
  bool isApart(const For *loop) const { return apart_.contains(loop); }
  // Of the tree's number, at these iterations of loops that are told apart; nothing: not known.
  std::optional<int64_t> valueOf(size_t number, size_t block,
                                 const llvm::DenseMap<const For *, int64_t> &iterations) const;

private:
  using LoopChain = std::vector<const For *>;
  using Variables = llvm::SmallSetVector<const Var *, 4>;

  // A row a block; in it one for each iteration of the loops.
  struct Values {
    LoopChain loops;
    size_t stride = 1; // of a block
    Lanes lanes;       // empty: not known
  };
  // Blocks and iterations of one chain of loops as lanes.
  struct Domain {
    size_t lanes = 0; // 0: too many
    LaneArithmetic arithmetic;
    llvm::DenseSet<const Bind *> bound;
  };

  void findVariables(const Expr *expr, Variables &ofBlock, Variables *ofLoops);
  bool countBlocks();
  Values evaluate(const Expr *expr);
  Domain &domainOf(const LoopChain &loops);
  void bindAll(const Expr *expr, Domain &domain);

  const StmtPlaces &places_;
  const AccessTree &tree_;
  const Launch *launch_ = nullptr;                 // the only one
  llvm::DenseMap<const Var *, const For *> fixed_; // loops of constant length
  Variables blockVars_;
  llvm::SmallVector<int64_t> blockExtents_;
  size_t blocks_ = 1;
  std::map<LoopChain, Domain> domains_;
  std::vector<Values> values_; // by number
  llvm::DenseSet<const For *> apart_;
};

} // namespace tilescope
