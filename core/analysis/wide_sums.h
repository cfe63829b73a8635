// Atomic sums of several adjacent elements by one instruction.
#pragma once

#include "core/ir/module.h"
#include "core/target/target.h"

namespace tilescope {

// Most elements of the buffer that the target adds to at once; 1: there is no such instruction.
int64_t widestSum(const Target &target, const Buffer &buffer);

// An atomic sum of one element, of its type, that nobody waits for and that orders nothing.
bool isPlainSum(const OpStmt &op, const Function &function);

// Sums of adjacent elements by one thread, of which Attr::Bytes says how much one instruction adds.
bool isWideSum(const OpStmt &op);

} // namespace tilescope
