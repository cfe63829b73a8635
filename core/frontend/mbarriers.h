// mbarriers of a kernel: what T.alloc_barrier gives, or one element of it.
#pragma once

#include "core/frontend/builtins.h"
#include "core/frontend/tile_operands.h"

namespace tilescope::frontend {

// Whether the target has what a call of the language is for: mbarriers, TMA, roles. Reports if not.
bool requireOnTarget(const Args &args);
// The mbarrier that an argument is; nullopt after reporting that it is none, or several.
std::optional<BufferRegion> mbarrierOf(Args &args, llvm::StringRef param);
// Emits an operation of one mbarrier.
Value emitAtMbarrier(Args &args, llvm::StringRef param, Op op, ExprList exprs = {},
                     llvm::ArrayRef<std::pair<Attr, int64_t>> attrs = {});

} // namespace tilescope::frontend
