#include "core/pass/pass.h"

namespace tilescope {

const Module *forEachFunction(const Module &module,
                              llvm::function_ref<const Function *(const Function &)> transform) {
  llvm::SmallVector<const Function *> functions;
  for (const Function *function : module.functions) {
    const Function *transformed = transform(*function);
    if (!transformed)
      return nullptr;
    functions.push_back(transformed);
  }
  return withFunctions(module, functions);
}

} // namespace tilescope
