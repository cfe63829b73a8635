#include "core/trace/trace.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

const TracePass *Trace::findPass(std::string_view name) const {
  for (const TracePass &pass : llvm::reverse(passes))
    if (pass.name == name)
      return &pass;
  return nullptr;
}

} // namespace tilescope
