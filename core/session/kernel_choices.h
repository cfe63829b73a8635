// The kernels of the file that is open, to choose another one.
#pragma once

#include "core/driver/compile.h"
#include "core/driver/kernel_list.h"
#include "core/session/document.h"

namespace tilescope {

class KernelChoices {
public:
  // In the order of the file: what to ask for to have each, with those of the arguments of now that
  // it takes, else those of the first instance that the file lists of it.
  std::vector<Preset> of(const CompileRequest &request, const Requested &now,
                         llvm::ArrayRef<Preset> instances);

private:
  std::string text_; // that `kernels_` is of
  std::vector<ListedKernel> kernels_;
};

} // namespace tilescope
