// The state of one thread block while the reference runs it, and what op files may ask of it.
#pragma once

#include "core/exec/arithmetic.h"
#include "core/exec/copies_in_flight.h"
#include "core/exec/live_blocks.h"
#include "core/exec/mbarriers.h"
#include "core/exec/overwrites.h"
#include "core/exec/tensor.h"
#include "core/exec/tile_shadow.h"
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
  // Of workspaces that lowered code has, by element: whether anything was written there.
  std::map<BufferId, std::vector<uint8_t>> written;
  std::mutex atomics;
  Overwrites *overwrites = nullptr; // of blocks that one thread runs; null: not looked for
};

// A box of a buffer with constant bounds.
struct TensorRegion {
  BufferId buffer;
  Tensor *tensor = nullptr;
  TileShadow *shadow = nullptr; // null: of a tensor in global memory
  bool isGlobal = false;
  llvm::SmallVector<int64_t> min;
  llvm::SmallVector<int64_t> extent;
  // Of own memory where all threads work together: that of each.
  llvm::MutableArrayRef<Tensor> copies;
  llvm::MutableArrayRef<TileShadow> copyShadows;

  // Axes of extent other than 1; regions of one operation pair them in order.
  llvm::SmallVector<size_t> wideAxes() const;
  // The element at `wide` (coordinates along the wide axes); -1: outside the tensor.
  int64_t at(llvm::ArrayRef<size_t> axes, llvm::ArrayRef<int64_t> wide) const {
    return tensor->indexOf(coordinatesAt(axes, wide));
  }
  llvm::SmallVector<int64_t> coordinatesAt(llvm::ArrayRef<size_t> axes,
                                           llvm::ArrayRef<int64_t> wide) const;
};

// Registers that each thread of a block has to itself.
inline bool isOwnMemory(const Buffer &buffer) {
  return buffer.scope == Scope::Local || buffer.scope == Scope::LocalVar;
}

class BlockFrame {
public:
  // Tile operations and the iterations of parallel loops are the work of all threads together, or
  // of those of a role: what they ask of a thread's own values must be the same in each of them.
  static constexpr int64_t AllThreads = -1;

  BlockFrame(const Function &function, GlobalMemory &memory)
      : function_(function), memory_(memory) {}
  // A copy starts with the same bindings and no tiles.
  BlockFrame(const BlockFrame &other)
      : function_(other.function_), memory_(other.memory_), vars_(other.vars_) {}
  BlockFrame &operator=(const BlockFrame &) = delete;

  const Function &function() const { return function_; }
  GlobalMemory &memory() const { return memory_; }

  // A block without tiles, of so many threads that are told apart.
  // `writer`: the same of blocks that may order their writes to global memory.
  void startBlock(int64_t block, int64_t threads, int64_t writer);
  int64_t threads() const { return threads_; }
  // What follows is done by one thread, or by AllThreads.
  void setThread(int64_t thread) {
    thread_ = thread;
    reads_.setThread(thread);
  }
  // By these together.
  friend void setTogether(BlockFrame &frame, int64_t first, int64_t threads);
  // Those that get to the statement that is run, ascending: of what they find out together.
  llvm::ArrayRef<int64_t> activeThreads;
  LiveBlocks *blocks = nullptr; // that wait for each other; null: they do not
  struct InCluster {
    // By rank, those that run; null: they do not reach each other.
    const std::vector<BlockFrame *> *blocks = nullptr;
    int64_t rank = 0;
  };
  InCluster cluster;
  Mbarriers mbarriers;
  // A Break of the innermost loop was reached.
  bool endsLoop = false;
  // The statement that is run: where evaluation fails.
  void setStatement(const Stmt &stmt);
  // What is known of the tiles, and found.
  TileReads &reads() { return reads_; }

  void bind(const Var *var, Number value) { vars_[var->id.value] = value; }
  // A value of its own for each of some threads.
  void bindEach(const Var *var, llvm::ArrayRef<int64_t> threads, llvm::ArrayRef<Number> values);
  void unbind(const Var *var) { vars_.erase(var->id.value); }
  bool isBound(const Var *var) const { return vars_.contains(var->id.value); }
  // Names that are equal in all threads, of which those at another place may have others.
  using Names = llvm::DenseMap<uint32_t, Number>;
  friend Names &namesOf(BlockFrame &frame) { return frame.vars_; }
  // `threads` have those that are set, `others` have `names`: what differs each has for itself.
  friend void joinNames(BlockFrame &frame, llvm::ArrayRef<int64_t> threads, const Names &names,
                        llvm::ArrayRef<int64_t> others);

  // Global memory reads as 0 outside its bounds.
  Number evaluate(const Expr *expr);
  // Of a name, and what decides something: an index, a bound or a condition.
  Number evaluateIndex(const Expr *expr);
  int64_t evaluateInt(const Expr *expr) {
    llvm::StringRef outer = reads_.take();
    int64_t value = evaluateIndex(expr).i;
    reads_.use();
    reads_.putBack(outer);
    return value;
  }
  TensorRegion evaluate(const BufferRegion &region);
  // Of own memory the copy of the thread that is set, of a buffer with versions that of the slot.
  Tensor &tensor(BufferId id, const Expr *slot = nullptr) {
    return copiesOf(id).tensors[copyOf(id, slot)];
  }
  // Elements, by their place in memory. What is written is what has been read since the last write.
  Number read(const TensorRegion &region, int64_t place) {
    reads_.read(region.shadow, place);
    return region.tensor->get(place);
  }
  void write(const TensorRegion &region, int64_t place, Number value) {
    reads_.write(region.shadow, place);
    if (region.isGlobal && memory_.overwrites && !isAtomic_)
      memory_.overwrites->write(region.buffer, *region.tensor, place, value, writer_);
    else
      region.tensor->set(place, value);
  }
  // Of an element; a negative index counts from the end, as in Python.
  llvm::SmallVector<int64_t> coordinatesIn(const Tensor &tensor, ExprList indices);
  // Where a store goes; -1: nowhere. One outside a global tensor is dropped, any other fails.
  int64_t placeToStore(const Store &store);
  // All threads together store to each copy of own memory.
  void store(const Store &store, int64_t place, Number value);
  // Asynchronous copies are there when their group has been waited for; until then a destination
  // holds what nobody should see.
  void startCopy(const TensorRegion &region, int64_t place, Number value);
  // One element, of which others say when it is there.
  friend CopiesInFlight::Element beginCopy(BlockFrame &frame, const TensorRegion &region,
                                           int64_t place, Number value);
  friend void endCopy(BlockFrame &frame, const CopiesInFlight::Element &element);
  // One that begins at the same place of another block, by the statement that is run here.
  friend CopiesInFlight::Element beginCopyIn(BlockFrame &other, BlockFrame &frame,
                                             const BufferRegion &region, int64_t place,
                                             Number value);
  void commitCopies() { copies_.commit(thread_); }
  void waitForCopies(int64_t pending);
  // When the block ends: nobody waits for what is in flight any more.
  friend void findCopiesInFlight(BlockFrame &frame);
  // A store outside a tensor does nothing if it is global, and fails elsewhere.
  void storeOutside(const Stmt &where, BufferId id, llvm::ArrayRef<int64_t> coordinates);

  // The first failure is kept; running on is pointless but harmless. `kind`: what is wrong with the
  // kernel; nullopt: it is only beyond what the reference knows.
  void fail(const Stmt &where, std::string text, std::optional<FindingKind> kind = std::nullopt);
  bool hasFailed() const { return failure_.stmt != nullptr; }
  struct Failure {
    const Stmt *stmt = nullptr; // null: there is none
    std::string text;
    std::optional<FindingKind> kind;
    int64_t block = 0;
    int64_t thread = 0; // negative: all threads together
  };
  const Failure &failure() const { return failure_; }

private:
  // A finding, but for a tensor in global memory.
  void leaveTile(const Stmt &where, llvm::StringRef access, BufferId id,
                 llvm::ArrayRef<int64_t> coordinates);
  Number evaluateBinary(const Binary &binary);
  Number evaluateMath(const Math &math);
  Number evaluateLoad(const Load &load);
  Number evaluateVar(const Var &var);
  void failUnlessEqual(Number first, Number other, llvm::StringRef name);
  // Of a buffer: its slots, or one for each thread.
  struct Copies {
    llvm::MutableArrayRef<Tensor> tensors;
    llvm::MutableArrayRef<TileShadow> shadows; // none in global memory

    TileShadow *shadowOf(size_t copy) const { return shadows.empty() ? nullptr : &shadows[copy]; }
  };
  Copies copiesOf(BufferId id) {
    if (auto found = found_.find(id.value); found != found_.end())
      return found->second;
    Copies copies = findCopies(id);
    found_[id.value] = copies;
    return copies;
  }
  Copies findCopies(BufferId id);
  // Of own memory those of the threads that work together.
  friend Copies togetherOf(BlockFrame &frame, BufferId id);
  // Which of them is meant.
  size_t copyOf(BufferId id, const Expr *slot);

  const Function &function_;
  GlobalMemory &memory_;
  int64_t threads_ = 1;
  int64_t block_ = 0;
  int64_t writer_ = 0;
  int64_t thread_ = 0;
  int64_t firstTogether_ = 0; // of AllThreads
  int64_t together_ = 1;
  const Stmt *stmt_ = nullptr;
  IntegerWidth width_ = IntegerWidth::OfType;                   // of the expression
  bool isAtomic_ = false;                                       // the statement
  Names vars_;                                                  // equal in all threads
  llvm::DenseMap<uint32_t, llvm::SmallVector<Number>> ownVars_; // by thread
  struct Tiles {
    std::vector<Tensor> tensors;
    std::vector<TileShadow> shadows;
  };
  std::map<BufferId, Tiles> tiles_; // own memory by thread
  TileReads reads_;
  // Tensors that were asked for, global or not.
  llvm::DenseMap<uint32_t, Copies> found_;
  CopiesInFlight copies_;
  Failure failure_;
};

// The block of this rank of the cluster; null after failing: there is none, or it has ended.
BlockFrame *reachBlock(const OpStmt &op, BlockFrame &frame, int64_t rank);
// Until all blocks of the cluster are here; fails at the operation where some have ended.
void meetCluster(const OpStmt &op, BlockFrame &frame);

inline double readReal(BlockFrame &frame, const TensorRegion &region, int64_t place) {
  frame.reads().read(region.shadow, place);
  return region.tensor->real(place);
}

// What an operation reads from and writes to one element: of own memory, where all threads work
// together, from and to all copies, which must agree.
Number readElement(BlockFrame &frame, const Stmt &where, const TensorRegion &region, int64_t place);
void writeElement(BlockFrame &frame, const TensorRegion &region, int64_t place, Number value);

// Runs a statement and everything below it once: for the thread that is set, or for all of them.
void execute(const Stmt *stmt, BlockFrame &frame);

// Calls `visit` for all coordinates below `extents`, the last one fastest.
void forEachCoordinate(llvm::ArrayRef<int64_t> extents,
                       llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);

} // namespace tilescope
