// What a kernel starts from, on the command line: seed, dynamic dimensions, contents of tensors.
#pragma once

#include "cli/command.h"
#include "core/exec/problem.h"

namespace tilescope {

class ProblemOption {
public:
  explicit ProblemOption(llvm::cl::OptionCategory &category);
  llvm::Expected<ProblemOptions> given() const;

private:
  CountOption seed_;
  llvm::cl::list<std::string> dims_;
  llvm::cl::list<std::string> fills_;
};

} // namespace tilescope
