// Structural rules of the IR. Run after every pass, in every build.
#pragma once

#include "core/ir/module.h"
#include "core/support/diagnostics.h"

namespace tilescope {

// CUDA C++ Programming Guide, technical specifications per compute capability.
inline constexpr int64_t MaxThreadsOfBlock = 1024;
inline constexpr int64_t MaxBlocksOfMultiprocessor = 32;

// Rules: ids unique in the module; variables bound before use; buffers declared; rank and slot of
// every access agree with the table; operand and argument counts of ops; dtype of stores; ops legal
// at the function's properties; each op's own `verify`. Reports all breaches; true if none.
bool verifyModule(const Module &module, Diagnostics &diagnostics);

} // namespace tilescope
