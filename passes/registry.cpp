#include "passes/registry.h"

namespace tilescope {

#define PASS(name, Class, required, results, help) std::unique_ptr<Pass> create##Class();
#include "passes/passes.def"

llvm::ArrayRef<PassInfo> allPasses() {
  using enum Property;
  static const std::vector<PassInfo> Passes = {
#define PASS(name, Class, required, results, help)                                                 \
  {name, PropertySet(required), help, create##Class, ResultChange::results},
#include "passes/passes.def"
  };
  return Passes;
}

} // namespace tilescope
