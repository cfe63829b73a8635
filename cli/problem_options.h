// What a kernel starts from, on the command line: seed, dynamic dimensions, contents of tensors.
#pragma once

#include "cli/command.h"
#include "core/exec/problem.h"

namespace tilescope {

class ProblemOption {
public:
  explicit ProblemOption(llvm::cl::OptionCategory &category);
  llvm::Expected<ProblemOptions> given() const;
  bool isGiven() const {
    return seed_.getNumOccurrences() > 0 || !dims_.empty() || !fills_.empty();
  }

private:
  CountOption seed_;
  llvm::cl::list<std::string> dims_;
  llvm::cl::list<std::string> fills_;
};

// Says on standard error which scalars were given no single value.
void printChosen(const Problem &problem);

} // namespace tilescope
