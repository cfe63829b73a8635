// Whether values tell blocks apart, found by running all blocks and the loops that the values
// mention.
//
//     t = bx + 132 * wave         132 blocks, 16 waves: 2,112 runs
//     (t // 8 % 64, t // 512 * 8 + t % 8)        no two blocks have the same pair
//
// Each access has loops of its own, so all runs of all accesses are compared.
//
// For what arithmetic does not join again; only of few runs.
#pragma once

#include "core/analysis/common_values.h"
#include "core/analysis/ir_affine.h"

#include "llvm/ADT/DenseSet.h"

#include <map>

namespace tilescope {

class BlockRuns {
public:
  // `untold`: the coordinates that two blocks may differ in; in others they are the same.
  // `inside`: variables that may have another value in each iteration.
  BlockRuns(IrAffine &affine, const Launch &launch, const llvm::DenseSet<const Var *> &inside,
            llvm::ArrayRef<const Var *> untold)
      : affine_(affine), launch_(launch), inside_(inside), untold_(untold) {}

  // Whether no two blocks have the same of all values, whatever the accesses.
  bool areTold(llvm::ArrayRef<CommonValues> values);

private:
  struct Variable {
    const Var *var = nullptr;
    int64_t first = 0;
    int64_t last = 0;
  };
  using Variables = llvm::SmallVector<Variable, 4>;
  struct Run {
    std::vector<int64_t> common; // what two blocks have both
    std::vector<int64_t> block;
  };
  using Blocks = std::map<std::vector<int64_t>, std::vector<int64_t>>; // by what is common

  std::vector<CommonValues> candidatesOf(llvm::ArrayRef<CommonValues> values) const;
  bool isOfBlocks(Affine value) const;
  bool addVariable(const Var *var, Variables &variables);
  static int64_t countOf(const Variables &variables);
  bool addVariablesOf(Affine value, Variables &variables);
  bool addVariablesOf(const CommonValues &values);
  bool runAccess(size_t access, llvm::ArrayRef<CommonValues> values, Blocks &blocks);
  std::optional<Run> run(int64_t number, const Variables &variables, const CommonValues &values);

  IrAffine &affine_;
  const Launch &launch_;
  const llvm::DenseSet<const Var *> &inside_;
  llvm::ArrayRef<const Var *> untold_;
  std::vector<Variables> variables_; // of each access
};

} // namespace tilescope
