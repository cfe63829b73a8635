// The kernels of a file, by what can be asked of each.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tilescope {

struct ListedKernel {
  std::string path;                    // "matmul", "make.main"
  std::vector<std::string> parameters; // by name: what `--set` may give, without tensors
};

// Of the text of the kernel file `path`, in its order. Empty: it has none, or cannot be read.
std::vector<ListedKernel> kernelsOfFile(const std::string &path, const std::string &text);

// "make" names "make.main" too, as in `# tilescope:` lines.
bool isNamed(const ListedKernel &kernel, llvm::StringRef function);

} // namespace tilescope
