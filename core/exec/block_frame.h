// The state of one thread block while the reference runs it, and what op files may ask of it.
#pragma once

#include "core/exec/tensor.h"
#include "core/ir/module.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <mutex>
#include <string>

namespace tilescope {

// Tensors in global memory, shared by all blocks. Blocks run on several threads; each element is
// written by one block, or under `atomics`.
struct GlobalMemory {
  std::map<BufferId, Tensor> tensors;
  std::mutex atomics;
};

// A box of a buffer with constant bounds.
struct Region {
  Tensor *tensor = nullptr;
  bool isGlobal = false;
  llvm::SmallVector<int64_t> min;
  llvm::SmallVector<int64_t> extent;

  // Axes of extent other than 1; regions of one operation pair them in order.
  llvm::SmallVector<size_t> wideAxes() const;
  // The element at `wide` (coordinates along the wide axes); -1: outside the tensor.
  int64_t at(llvm::ArrayRef<size_t> axes, llvm::ArrayRef<int64_t> wide) const;
};

class BlockFrame {
public:
  BlockFrame(const Function &function, GlobalMemory &memory)
      : function_(function), memory_(memory) {}
  // A copy starts with the same bindings and no tiles.
  BlockFrame(const BlockFrame &other)
      : function_(other.function_), memory_(other.memory_), vars_(other.vars_) {}
  BlockFrame &operator=(const BlockFrame &) = delete;

  const Function &function() const { return function_; }
  GlobalMemory &memory() { return memory_; }
  void bind(const Var *var, Number value) { vars_[var->id.value] = value; }
  void forgetTiles() {
    tiles_.clear();
    found_.clear();
  }

  // Global memory reads as 0 outside its bounds.
  Number evaluate(const Expr *expr);
  int64_t evaluateInt(const Expr *expr) { return evaluate(expr).i; }
  Region evaluate(const BufferRegion &region);
  Tensor &tensor(BufferId id) {
    Tensor *&found = found_[id.value];
    return found ? *found : *(found = &findTensor(id));
  }
  // Stores outside a global tensor are dropped.
  void store(BufferId id, ExprList indices, Number value, const Stmt &where);

  // The first failure is kept; running on is pointless but harmless.
  void fail(const Stmt &where, std::string text);
  bool hasFailed() const { return failed_; }
  const std::string &failure() const { return failure_; }
  Span failureSpan() const { return failureSpan_; }

private:
  Number evaluateBinary(const Binary &binary);
  Number evaluateMath(const Math &math);
  Number evaluateLoad(const Load &load);
  Tensor &findTensor(BufferId id);

  const Function &function_;
  GlobalMemory &memory_;
  llvm::DenseMap<uint32_t, Number> vars_;
  std::map<BufferId, Tensor> tiles_;
  llvm::DenseMap<uint32_t, Tensor *> found_; // tensors that were asked for, global or not
  bool failed_ = false;
  std::string failure_;
  Span failureSpan_;
};

// Runs a statement and everything below it.
void execute(const Stmt *stmt, BlockFrame &frame);

// Calls `visit` for all coordinates below `extents`, the last one fastest.
void forEachCoordinate(llvm::ArrayRef<int64_t> extents,
                       llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);

} // namespace tilescope
