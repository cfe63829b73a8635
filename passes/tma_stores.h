// Which copies from shared memory to tensors TMA makes.
#pragma once

#include "core/pass/pass.h"

namespace tilescope {

struct WithTmaStores {
  // With those copies that TMA can make asking for it; null: there are none.
  const Function *function = nullptr;
  std::vector<const OpStmt *> chosen;
};
// A remark says of each other copy from a tile to a tensor why it cannot be.
WithTmaStores withTmaStores(const Function &function, PassContext &pass);
void remarkNotStored(const Function &function, const OpStmt &copy, llvm::StringRef reason,
                     RemarkSink &remarks);

} // namespace tilescope
