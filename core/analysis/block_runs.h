// Whether values tell blocks apart, found by running all blocks and the loops that the values
// mention.
//
//     t = bx + 132 * wave         132 blocks, 16 waves: 2,112 runs
//     (t // 8 % 64, t // 512 * 8 + t % 8)        no two blocks have the same pair
//
// For what arithmetic does not join again; only of few runs.
#pragma once

#include "core/analysis/common_values.h"
#include "core/analysis/ir_affine.h"

#include "llvm/ADT/DenseSet.h"

namespace tilescope {

class BlockRuns {
public:
  // `untold`: the coordinates that two blocks may differ in; in others they are the same.
  // `inside`: variables that may have another value in each iteration.
  BlockRuns(IrAffine &affine, const Launch &launch, const llvm::DenseSet<const Var *> &inside,
            llvm::ArrayRef<const Var *> untold)
      : affine_(affine), launch_(launch), inside_(inside), untold_(untold) {}

  // Whether no two blocks have the same of all values on which all accesses agree.
  bool areTold(llvm::ArrayRef<CommonValues> values);

private:
  struct Variable {
    const Var *var = nullptr;
    int64_t first = 0;
    int64_t last = 0;
  };
  struct Run {
    std::vector<int64_t> common; // what two blocks have both
    std::vector<int64_t> block;
  };

  std::vector<Affine> candidatesOf(llvm::ArrayRef<CommonValues> values) const;
  bool addVariable(const Var *var);
  bool addVariablesOf(Affine value);
  int64_t count() const;
  std::optional<Run> run(int64_t number, llvm::ArrayRef<Affine> values);

  IrAffine &affine_;
  const Launch &launch_;
  const llvm::DenseSet<const Var *> &inside_;
  llvm::ArrayRef<const Var *> untold_;
  llvm::SmallVector<Variable, 4> variables_;
};

} // namespace tilescope
