// The verifier's rules about expressions and accesses.
#pragma once

#include "core/ir/module.h"
#include "core/support/diagnostics.h"

#include "llvm/ADT/DenseSet.h"

namespace tilescope {

class ExprVerifier {
public:
  ExprVerifier(const Function &function, Diagnostics &diagnostics)
      : function_(function), diagnostics_(diagnostics) {}

  // Breaches are reported at `span` from now on.
  void setSpan(Span span) { span_ = span; }

  // False after a report if the variable was bound before in this function.
  bool bind(const Var *var);
  void unbind(const Var *var) { inScope_.erase(var); }

  void check(const Expr *expr);
  // `what` names it: "the extent", "the slot".
  void checkInteger(const Expr *expr, llvm::StringRef what);
  void checkType(const Expr *expr, DType dtype, llvm::StringRef what);
  // Declared, rank, slot: null if the buffer is not declared or the access does not fit it.
  const Buffer *checkAccess(BufferId id, const Expr *slot, size_t rank);
  void checkElement(BufferId id, const Expr *slot, ExprList indices);
  // True if the region fits its buffer.
  bool checkRegion(const BufferRegion &region);

private:
  template <typename... Args> void fail(DiagId id, Args &&...args) {
    diagnostics_.report(id, span_, std::forward<Args>(args)...);
  }
  void checkNode(const Expr *expr);
  void checkLiteral(const IntImm *imm);
  void checkUnary(const Unary *unary);
  void checkBinary(const Binary *binary);
  void checkSelect(const Select *select);
  void checkMath(const Math *math);

  const Function &function_;
  Diagnostics &diagnostics_;
  Span span_;
  llvm::DenseSet<const Var *> inScope_;
  llvm::DenseSet<const Var *> boundOnce_;
};

} // namespace tilescope
