// What the verifiers of operations share. The module verifier has checked before that operands and
// arguments are there, that buffers are declared, and that ranks agree.
#pragma once

#include "core/ir/module.h"
#include "core/support/diagnostics.h"

#include "llvm/ADT/SmallVector.h"

namespace tilescope {

class OpCheck {
public:
  OpCheck(const OpStmt &op, const Function &function, Diagnostics &diagnostics)
      : op_(op), function_(function), diagnostics_(diagnostics) {}

  bool passed() const { return passed_; }

  const Buffer &buffer(size_t operand) const;
  const Expr *arg(size_t index) const { return op_.args[index]; }
  llvm::SmallVector<const Expr *> extents(size_t operand) const;
  // Without those that are the constant 1.
  llvm::SmallVector<const Expr *> wideExtents(size_t operand) const;

  // Each reports at the statement and lets the check fail.
  void requireScope(size_t operand, llvm::ArrayRef<Scope> allowed);
  void requireSameType(size_t first, size_t second);
  // Memory of a type of which there is the atomic operation.
  void requireAtomic(size_t operand, AtomicKind kind) {
    requireAtomic(operand, kind, buffer(operand).dtype);
  }
  // The same of another type of as many bits, which the operation takes the elements for.
  void requireAtomic(size_t operand, AtomicKind kind, DType dtype);
  // One element.
  void requireElement(size_t operand);
  // An mbarrier in shared memory.
  void requireMbarrier(size_t operand);
  // A register that gets a value.
  void requireResult(size_t operand, DType dtype);
  void requireBufferType(size_t operand, DType dtype);
  void requireArgType(size_t index, DType dtype); // an absent argument passes
  // Extents that are constant must agree; symbolic ones are taken to.
  void requireSameExtents(size_t first, llvm::ArrayRef<const Expr *> firstExtents, size_t second,
                          llvm::ArrayRef<const Expr *> secondExtents);
  void requireAttr(Attr attr, llvm::ArrayRef<int64_t> allowed);
  // One thread's contiguous elements: constant extents, only the last of them above 1, and
  // `bits` in all.
  void requireRun(size_t operand, int64_t bits);
  // One register of each thread.
  void requireRegister(size_t operand);
  template <typename... Args> void fail(DiagId id, Args &&...args) {
    diagnostics_.report(id, op_.span(), std::forward<Args>(args)...);
    passed_ = false;
  }

  llvm::StringRef opName() const { return nameOf(op_.op); }
  llvm::StringRef operandName(size_t operand) const;

private:
  const OpStmt &op_;
  const Function &function_;
  Diagnostics &diagnostics_;
  bool passed_ = true;
};

// False only if both are constant and differ.
bool mayBeEqual(const Expr *a, const Expr *b);
// "(128, 32)", with "?" for what is not constant.
std::string extentsText(llvm::ArrayRef<const Expr *> extents);

} // namespace tilescope
