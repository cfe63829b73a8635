// What blocks do differently: lengths of loops and conditions that depend on which block it is, and
// on nothing else.
//
//     end = min(4, bx + 1)
//     for k in serial(end):    blocks 0, 1, 2, 3, 4, ...: lengths 1, 2, 3, 4, 4, ..., four cases
#pragma once

#include "core/access/access_program.h"
#include "core/analysis/lane_arithmetic.h"
#include "core/analysis/stmt_places.h"

#include "llvm/ADT/SetVector.h"

namespace tilescope {

class BlockCases {
public:
  explicit BlockCases(const StmtPlaces &places) : places_(places) {}

  void begin(const Launch &launch) { launch_ = &launch; }
  // Of a node of the program that `finish` gets. What is in no launch that was begun is left out.
  void addLoop(uint32_t node, const For &loop);
  void addCondition(uint32_t node, const Expr *condition);

  // Says how many cases there are, and of each node what it does in each. The program stays as it
  // is where there are none, or too many.
  void finish(AccessProgram &program);

private:
  struct Added {
    uint32_t node = 0;
    const Expr *expr = nullptr;
    bool isLoop = false;
  };
  struct Varying {
    uint32_t node = 0;
    Lanes byBlock; // trips of a loop; 1: the condition holds, 0: not
  };

  void findVariables(const Expr *expr);
  bool bindBlocks();
  std::vector<Varying> varying();

  const StmtPlaces &places_;
  const Launch *launch_ = nullptr;
  std::vector<Added> added_;
  LaneArithmetic lanes_; // a lane a block
  llvm::SmallSetVector<const Var *, 4> blockVars_;
  llvm::SmallSetVector<const Bind *, 4> binds_; // each behind those that it uses
  size_t blocks_ = 1;                           // told apart by `blockVars_`
};

} // namespace tilescope
