// What the lowerings of single operations share: one statement on its way to thread level.
#pragma once

#include "core/analysis/fragment_digits.h"
#include "core/ir/visit.h"
#include "core/pass/pass.h"
#include "passes/lower/added_buffers.h"

namespace tilescope {

class LowerContext {
public:
  LowerContext(PassContext &pass, const Function &function, const Launch &launch);

  PassContext &pass() { return pass_; }
  Context &context() { return pass_.context; }
  Builder &builder() { return builder_; }
  const Function &function() const { return function_; }
  const Buffer &buffer(BufferId id) const;
  // That share out what is lowered: of the role around it, else of the block.
  int64_t threads() const { return role_ ? role_->threads : launch_.threads; }

  // The statement that is being lowered: new statements get its anchor, span and origin.
  void startStmt(const Stmt &stmt) { from_ = &stmt; }
  const Stmt &stmt() const { return *from_; }
  StmtInfo info() { return builder_.lowered(*from_); }

  // --- index arithmetic in the type of the thread variable; mixed widths become the wider ---
  const Expr *index(int64_t value) { return builder_.integer(value, launch_.threadVar->dtype()); }
  const Var *indexVar(llvm::StringRef name) {
    return builder_.var(name, launch_.threadVar->dtype());
  }
  const Expr *add(const Expr *a, const Expr *b) { return binary(BinaryOp::Add, a, b); }
  const Expr *scale(const Expr *a, int64_t factor);
  const Expr *binary(BinaryOp op, const Expr *a, const Expr *b);
  // `tx // stride % extent`, without what the number of threads makes superfluous.
  const Expr *threadDigit(const Digit &digit);
  // A number whose digits are all on threads, outermost first.
  const Expr *threadNumber(llvm::ArrayRef<Digit> digits);
  // The number of the thread among those.
  const Expr *threadVar();
  // The variable of a value that depends on the thread alone: a coordinate of the lane in a layout,
  // named once for all statements that ask for the same. A variable or a constant is itself.
  const Expr *laneCoordinate(llvm::StringRef name, const Expr *value);
  // Of the body of a role, which `lowerBody` lowers: its threads count from its first, and names
  // that it asks for stand in it.
  const Stmt *inRole(const Role &role, llvm::function_ref<const Stmt *()> lowerBody);
  // Puts the names that the statement asked for first in front of what it became.
  const Stmt *withLaneNames(const Stmt *lowered);
  // Moves names that several statements of the launch, or of the role, asked for to its head.
  const Stmt *withSharedLaneNames(const Stmt *body);

  // --- statements ---
  const Stmt *bind(const Var *var, const Expr *value) {
    return context().make<Bind>(info(), var, value);
  }
  const Stmt *unrolled(const Var *var, int64_t extent, const Stmt *body);
  const Stmt *seq(llvm::ArrayRef<const Stmt *> stmts) { return builder_.seq(info(), stmts); }
  // A loop over [0, extent) whose body `makeBody` makes; without a loop if there is one iteration.
  const Stmt *unrolledOver(llvm::StringRef name, int64_t extent,
                           llvm::function_ref<const Stmt *(const Expr *)> makeBody) {
    return loopOver(name, extent, ForKind::Unrolled, makeBody);
  }
  const Stmt *loopOver(llvm::StringRef name, int64_t extent, ForKind kind,
                       llvm::function_ref<const Stmt *(const Expr *)> makeBody);

  // A register array of one thread that serves the operation.
  const Buffer &makeRegisters(const Buffer &of, llvm::StringRef role, int64_t elements) {
    return added_.make(of, role, elements, stmt().span());
  }
  // A tile that serves the operation.
  const Buffer &makeTile(const Buffer &of, llvm::StringRef role, llvm::ArrayRef<int64_t> shape,
                         Scope scope, const Layout *layout) {
    return added_.makeTile(of, role, shape, scope, layout, stmt().span());
  }
  // `elements` registers from `first` on.
  BufferRegion registers(BufferId buffer, const Expr *first, int64_t elements);
  llvm::ArrayRef<const Buffer *> added() const { return added_.added(); }

  // The value of another lane, into the first register of `result`.
  const Stmt *shuffle(const Buffer &result, ShuffleKind kind, const Expr *value, int64_t lane);

  // Reports that the statement cannot be lowered; null, for returning.
  const Stmt *fail(BufferId buffer, llvm::StringRef reason);

private:
  // A coordinate of the lane that statements of the launch ask for.
  struct LaneName {
    const Bind *bind = nullptr;
    const Stmt *askedBy = nullptr; // the statement that asked first
    bool isShared = false;         // other statements asked, too
  };

  PassContext &pass_;
  const Function &function_;
  const Launch &launch_;
  Builder builder_;
  const Stmt *from_ = nullptr;
  const Role *role_ = nullptr; // around what is lowered; null: none
  AddedBuffers added_;
  llvm::SmallVector<LaneName> laneNames_;
};

// One lowering per tile operation, in passes/lower/<op>.cpp. Null: an error was reported.
#define LOWERING(Name) const Stmt *lower##Name(LowerContext &lower, const OpStmt &op);
#include "passes/lower/lowerings.def"
const Stmt *lowerParallel(LowerContext &lower, const Parallel &parallel);

} // namespace tilescope
