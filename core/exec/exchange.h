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

// What the operands of an operation of a warp are to its lanes: boxes of elements, each lane's own.
class WarpRegisters {
public:
  WarpRegisters(const OpStmt &op, BlockFrame &frame, int64_t firstThread);

  int64_t firstThread() const { return first_; }
  DType dtype(size_t operand) const;
  int64_t size(size_t operand) const; // elements of a lane
  Number load(size_t operand, uint32_t lane, int64_t element);
  void store(size_t operand, uint32_t lane, int64_t element, Number value);

private:
  int64_t placeOf(const TensorRegion &region, int64_t element) const;

  BlockFrame &frame_;
  int64_t first_;
  std::vector<std::vector<TensorRegion>> regions_; // by lane and operand
};

// Of the warps that get there; all lanes of each must.
void forEachWarp(const OpStmt &op, BlockFrame &frame,
                 llvm::function_ref<void(WarpRegisters &)> visit);

} // namespace tilescope
