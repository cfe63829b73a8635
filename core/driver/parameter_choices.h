// What a user may be offered as the value of a kernel's parameter.
#pragma once

#include "core/driver/kernel_instances.h"
#include "core/frontend/frontend.h"

namespace tilescope {

class ParameterChoices {
public:
  // Of the kernel `function` in a kernel file's text. Instance lines that cannot be read offer
  // nothing: whoever compiles instances reports them.
  ParameterChoices(llvm::StringRef text, llvm::StringRef function);

  // Python literals, each once: every type for a dtype, both values of a bool; else what instance
  // lines set the parameter to, and its default, in order. Empty where the type is not known.
  std::vector<std::string> of(const ElaboratedParameter &parameter) const;

private:
  std::vector<KernelInstance> instances_;
};

} // namespace tilescope
