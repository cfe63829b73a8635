// Collects the IR of one function while its kernel is executed.
#pragma once

#include "core/frontend/value.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

class KernelBuilder {
public:
  KernelBuilder(Builder &ir, llvm::StringRef name) : ir_(ir), name_(name) { push(); }

  Builder &ir() { return ir_; }

  // --- statements: emitted into the innermost open block ---
  void push() { blocks_.emplace_back(); }
  // Closes the innermost block; its variables go out of scope.
  const Stmt *pop(Span span);
  void emitFirst(const Stmt *stmt) {
    blocks_.back().stmts.insert(blocks_.back().stmts.begin(), stmt);
  }
  void emit(const Stmt *stmt) { blocks_.back().stmts.push_back(stmt); }
  size_t emittedInBlock() const { return blocks_.back().stmts.size(); }
  // `name = value` as a statement; the variable is visible until the block closes.
  const Var *bind(llvm::StringRef name, const Expr *value, Span span);
  // What the variable was bound to; null: bind() did not make it.
  const Expr *valueOf(const Var *var) const { return named_.lookup(var); }
  const Var *newVar(llvm::StringRef name, DType dtype);
  // Outside every loop, branch and launch.
  bool atFunctionLevel() const { return blocks_.size() == 1; }
  // In a launch, outside every loop, branch and role of it.
  bool atLaunchLevel() const { return launch_ && blocks_.size() == launch_->level; }
  // False for a variable whose block is closed.
  bool isVisible(const Var *var) const { return !closed_.contains(var); }

  // --- launches ---
  struct OpenRole {
    int64_t registers = 0; // of a thread; 0: nothing was said
    bool isHint = false;   // they may be ignored
  };
  struct OpenLaunch {
    llvm::SmallVector<const Var *, 3> blockVars;
    const Var *threadVar = nullptr; // counts all threads, x fastest
    llvm::SmallVector<const Expr *, 3> gridExtents;
    llvm::SmallVector<int64_t, 3> threads;
    llvm::SmallVector<int64_t, 3> cluster; // Launch::cluster
    BlockRaster raster;
    int64_t minBlocks = 0;               // of T.annotate_min_blocks_per_sm; 0: none
    BufferObject *randomState = nullptr; // of T.rng_init
    std::optional<OpenRole> role;        // of T.ws
    OpenRole *side = nullptr;            // the innermost side of an `if` that the device decides
    bool hasMbarriers = false;
    llvm::SmallVector<const Stmt *> first; // before all that was collected
    size_t level = 0;                      // of open blocks, its own included
  };
  void openLaunch(const LaunchObject &launch);
  // The block variables, with the names of the source; "_" keeps the default.
  llvm::ArrayRef<const Var *> nameBlockVars(llvm::ArrayRef<llvm::StringRef> names);
  // `rewrite` makes another body of the one that was collected.
  void closeLaunch(const LaunchObject &launch, const StmtInfo &info,
                   llvm::function_ref<const Stmt *(const Stmt *)> rewrite);
  bool hasLaunched() const { return hasLaunched_; }
  // The index of this thread along one axis of the block; 0 along one that the block has not.
  const Expr *threadIndex(size_t axis);
  // Threads along neighbouring axes: `extent` of them, `stride` apart.
  struct ThreadAxes {
    int64_t stride = 0;
    int64_t extent = 0;
  };
  // Of indices that `threadIndex` gave, in any order; nullopt: they are none, or no neighbours.
  std::optional<ThreadAxes> threadAxes(ExprList indices);
  // The open one, or null.
  OpenLaunch *launch() { return launch_ ? &*launch_ : nullptr; }

  // --- reducers (reducers.h) ---
  // From `stmt` on, a placeholder, the reducer holds its result.
  struct FinalizedReducer {
    BufferObject *reducer = nullptr;
    const Stmt *stmt = nullptr;
    std::optional<BufferRegion> target; // that gets the result, too
  };
  void finalizeReducer(const FinalizedReducer &finalized) { finalized_.push_back(finalized); }
  llvm::ArrayRef<FinalizedReducer> finalizedReducers() const { return finalized_; }

  // --- buffers and parameters ---
  // The buffer is named by the first assignment.
  BufferObject *addBuffer(Heap &heap, DType dtype, llvm::ArrayRef<const Expr *> shape, Scope scope,
                          Span span);
  void nameBuffer(BufferObject &buffer, llvm::StringRef name);
  BufferObject *findBuffer(BufferId id) const;
  // Whether something else than 0 is read outside of a tensor (safe_values.h).
  bool hasSafeValues() const {
    return llvm::any_of(buffers_, [](const BufferObject *buffer) { return buffer->outside; });
  }
  // They are of one launch.
  void forgetSafeValues() {
    for (BufferObject *buffer : buffers_)
      buffer->outside = nullptr;
  }
  // `position` orders the parameters, whatever the order of their declarations.
  void addTensorParam(BufferObject &buffer, size_t position) {
    params_.push_back({position, &buffer, nullptr});
  }
  void addScalarParam(const Var &var, size_t position) {
    params_.push_back({position, nullptr, &var});
  }
  // Takes back the scalar or the tensor, whichever is not null; its position, nullopt: it is no
  // parameter. The buffer is found by its id as before.
  std::optional<size_t> removeParam(const Var *var, const BufferObject *buffer);
  // In the order of the parameters.
  llvm::SmallVector<const BufferObject *> tensorParams();

  // CUDA that stands in front of the kernel, once.
  void importSource(std::string source) {
    if (!source.empty() && !llvm::is_contained(sources_, source))
      sources_.push_back(std::move(source));
  }

  // The function, with its parameters in order and then the symbolic dimensions in the order in
  // which shapes mention them.
  const Function *finish(Span span, llvm::ArrayRef<const BufferObject *> outputs);

private:
  struct Block {
    llvm::SmallVector<const Stmt *> stmts;
    llvm::SmallVector<const Var *, 2> vars;
  };
  struct ParamDraft {
    size_t position;
    const BufferObject *buffer; // or null: a scalar
    const Var *var;
  };

  void sortParams();
  void nameAllBuffers();
  void addSymbolicDimensions(llvm::SmallVectorImpl<Param> &params);

  Builder &ir_;
  std::string name_;
  llvm::SmallVector<Block, 8> blocks_;
  llvm::DenseSet<const Var *> closed_;
  llvm::DenseMap<const Var *, const Expr *> named_; // what bind() was given
  Substitution bound_; // values of bound variables, in terms of what nothing binds
  std::optional<OpenLaunch> launch_;
  bool hasLaunched_ = false;
  std::vector<FinalizedReducer> finalized_; // of the open launch
  std::vector<BufferObject *> buffers_;
  llvm::DenseMap<uint32_t, BufferObject *> byId_;
  std::vector<ParamDraft> params_;
  std::vector<std::string> sources_;
};

} // namespace tilescope::frontend
