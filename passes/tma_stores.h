// Which copies from shared memory to tensors TMA makes.
#pragma once

#include "core/pass/pass.h"
#include "passes/marked_stmts.h"

namespace tilescope {

enum class StoresOf : uint8_t { Roles, All };
// With those copies that TMA can make asking for it; a remark says of each other copy from a tile
// to a tensor why it cannot be.
MarkedStmts withTmaStores(const Function &function, PassContext &pass, StoresOf stores);
void remarkNotStored(const Function &function, const OpStmt &copy, llvm::StringRef reason,
                     RemarkSink &remarks);

} // namespace tilescope
