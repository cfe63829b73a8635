#include "core/pass/pass.h"

namespace tilescope {

const Module *forEachFunction(const Module &module,
                              llvm::function_ref<const Function *(const Function &)> transform) {
  llvm::SmallVector<const Function *> functions;
  for (const Function *function : module.functions)
    if (const Function *transformed = transform(*function))
      functions.push_back(transformed);
  // After an error the other functions were still looked at, for their own errors.
  bool failed = functions.size() != module.functions.size();
  return failed ? nullptr : withFunctions(module, functions);
}

} // namespace tilescope
