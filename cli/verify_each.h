// --verify-each of compile and opt.
#pragma once

#include "cli/command_line.h"
#include "cli/problem_options.h"
#include "core/run/pass_execution.h"

namespace tilescope {

// Checks follow every pass whatever is asked; =exec runs the kernel after every pass as well.
class VerifyEachOption {
public:
  explicit VerifyEachOption(llvm::cl::OptionCategory &category);
  // Of the options beside it.
  llvm::Error check() const;
  // Fine if it need not run; Findings after saying on standard error what is wrong after which
  // pass.
  int verify(const CompileResult &compiled, const Stages &stages) const;

private:
  enum class VerifyEach : uint8_t { Checks, Exec };
  ChoiceOption<VerifyEach> verifyEach_;
  ProblemOption problem_;
};

} // namespace tilescope
