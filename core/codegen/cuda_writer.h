// Prints one device function: its statements and the kernel around them. The files
// core/ops/<op>/emit.cpp print one device operation each with it.
#pragma once

#include "core/analysis/copy_unrolling.h"
#include "core/codegen/cuda_buffers.h"
#include "core/codegen/cuda_counters.h"
#include "core/codegen/cuda_exprs.h"
#include "core/codegen/cuda_state.h"

namespace tilescope {

class CudaWriter {
public:
  CudaWriter(CudaModuleState &module, const Function &function, const LaunchRecord &record);
  CudaWriter(const CudaWriter &) = delete; // its parts point at each other

  // Functions of places, kernel and launcher, in this order.
  std::vector<CudaTextLine> print();

  // --- for emit.cpp of an operation ---
  const Buffer &buffer(BufferId id) const { return state_.function.buffer(id); }
  const Target &target() const { return state_.module.target; }
  Context &context() { return state_.module.context; }
  const Launch &launch() const { return state_.launch; }
  // The name of a helper that is now used.
  std::string call(Helper helper) { return state_.module.helpers.call(helper); }
  std::string call(const WgmmaHelper &helper) { return state_.module.helpers.call(helper); }
  // One line that stands for the statement being printed.
  void line(std::string text) { state_.lines.line(std::move(text)); }
  void openBlock(std::string head) { state_.lines.openBlock(std::move(head)); }
  void closeBlock() { state_.lines.closeBlock(); }
  // A value of the expression's type.
  std::string value(const Expr *expr) { return exprs_.value(expr); }
  // A condition; "" for null, which means "true".
  std::string condition(const Expr *expr) { return exprs_.condition(expr); }
  // The parameter that tells an op of its tensor (core/analysis/tensor_maps.h).
  const std::string &tensorMap(const OpStmt &op) const;
  // A mathematical integer.
  std::string index(const Expr *expr) { return exprs_.index(expr); }
  // Whether the C++ type of that has 64 bits.
  bool isWideIndex(const Expr *expr) { return exprs_.isWideIndex(expr); }
  // Pointer to the first element of a region, which is used only where the condition holds; null:
  // wherever.
  std::string address(const BufferRegion &region, const Expr *condition = nullptr) {
    return exprs_.guarded(condition, [&] { return buffers_.address(region); });
  }
  // The same for a function that is not known to leave alone what it only reads.
  std::string pointer(const BufferRegion &region);
  // The index of its first element in the slot.
  std::string place(const BufferRegion &region) {
    return buffers_.placeOf(buffer(region.buffer), firstIndices(region));
  }
  // The first element of a region, as a value to read.
  std::string element(const BufferRegion &region);
  // The statement that writes what `text` computes to the first element of a region.
  std::string assignment(const BufferRegion &region, const std::string &text);

private:
  void printKernel();
  void declareParameters();
  void printSignature();
  void declareLaunchVars(const Launch &launch);
  void printStmt(const Stmt *stmt);
  void printStmts(StmtList stmts);
  void printOne(const Stmt *stmt);
  void printFor(const For &loop);
  void printEndless(const For &loop);
  void printIf(const If &stmt);
  void printRole(const Role &role);
  void printBind(const Bind &bind);
  void printStore(const Store &store);
  void commentOn(const Stmt &stmt);
  bool isWritten(BufferId tensor) const;
  bool choosesSlots(const Var &var) const { return state_.uses.slotVars.contains(var.id.value); }
  // "[[maybe_unused]] " if nothing reads the variable: a warning would be an error.
  bool isRead(const Var *var) const;
  llvm::StringRef unusedMark(const Var *var) const;

  const LaunchRecord &record_;
  CudaFunctionState state_;
  CudaExprs exprs_;
  CudaBuffers buffers_;
  CudaCounters counters_;
  StmtId anchor_;          // of the last comment
  int64_t elected_ = 0;    // the thread that does what one does: of the role, or the block
  bool isAlone_ = false;   // it runs all of the role
  bool isElse_ = false;    // the next role is of other threads than those it stands behind
  std::string warpThread_; // the thread that is lane 0 of the warp, where roles ask for it
  // The variable that a Break of the innermost loop sets; "": it leaves the loop at once.
  std::string loopEnd_;
  const llvm::DenseMap<const For *, int64_t> copyUnrolling_;
};

// Where a box begins in its tensor, "x, y": ints, innermost first.
std::string boxCoordinates(const BufferRegion &box, CudaWriter &writer);

// Prints an operation that exists after lowering; dispatch is generated from ops.def.
void emitOp(const OpStmt &op, CudaWriter &writer);

} // namespace tilescope
