#include "core/support/kernel_line.h"

#include "llvm/ADT/Twine.h"

namespace tilescope {

std::string lineText(const KernelLine &line) { return lineText("", line); }

std::string lineText(llvm::StringRef before, const KernelLine &line, llvm::StringRef after) {
  if (!line)
    return "";
  return (before + (line.isCarried ? "~" : "") + llvm::Twine(line.number) + after).str();
}

} // namespace tilescope
