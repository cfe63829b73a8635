// Which copies from shared memory to tensors TMA makes, and which atomic operations of tiles.
#pragma once

#include "core/pass/pass.h"
#include "passes/marked_stmts.h"

namespace tilescope {

enum class StoresOf : uint8_t { Roles, All };
// With those copies that TMA can make asking for it; a remark says of each other copy from a tile
// to a tensor why it cannot be.
MarkedStmts withTmaStores(const Function &function, PassContext &pass, StoresOf stores);
// With those atomic operations of tiles that ask for TMA, and that it can make, still asking; a
// remark says of each other why it does not any more.
MarkedStmts withTmaReductions(const Function &function, PassContext &pass);
// With none of them asking. The same pointer: none does.
const Function *withoutTmaReductions(const Function &function, Context &context);
void remarkNotReduced(const Function &function, const OpStmt &atomic, llvm::StringRef reason,
                      RemarkSink &remarks);
void remarkNotStored(const Function &function, const OpStmt &copy, llvm::StringRef reason,
                     RemarkSink &remarks);

} // namespace tilescope
