// Operations in which what a thread gets depends on what others have, for both ways to run: the
// reference, which runs a block's threads statement by statement, and groups of threads in step.
#pragma once

#include "core/exec/thread_group.h"

namespace tilescope {

// One thread of the scope of the operation, in the order of their numbers.
struct ExchangeThread {
  bool takesPart = false;
  llvm::SmallVector<Number, 3> args; // of the operation; of absent ones 0
  bool isDefined = true;             // the first of them is made of what was written
  Number result{.i = 0};
  bool isResultDefined = true;
};

// What threads of one warp, or of the block, get.
using ExchangeRule =
    llvm::function_ref<void(const OpStmt &, llvm::MutableArrayRef<ExchangeThread>)>;

// Operand 0 is the result. The threads that get there must be those that the operation names.
void exchange(const OpStmt &op, BlockFrame &frame, ExchangeRule rule);
void exchange(const OpStmt &op, ThreadGroup &group, Lanes lanes, ExchangeRule rule);

} // namespace tilescope
