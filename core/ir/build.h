// Makes nodes. Integer arithmetic folds constants; nothing else is simplified here.
#pragma once

#include "core/ir/module.h"

namespace tilescope {

class Builder {
public:
  explicit Builder(Context &context) : context_(context) {}
  Context &context() { return context_; }

  // --- expressions ---
  const IntImm *integer(int64_t value, DType dtype = DType::int32());
  const IntImm *boolean(bool value);
  const FloatImm *floating(double value, DType dtype = DType::float32());
  const Var *var(llvm::StringRef name, DType dtype = DType::int32());
  const Expr *unary(UnaryOp op, const Expr *operand);
  // Operands must have one dtype; folds integer constants and the neutral elements 0 and 1.
  const Expr *binary(BinaryOp op, const Expr *lhs, const Expr *rhs);
  const Expr *add(const Expr *lhs, const Expr *rhs) { return binary(BinaryOp::Add, lhs, rhs); }
  const Expr *sub(const Expr *lhs, const Expr *rhs) { return binary(BinaryOp::Sub, lhs, rhs); }
  const Expr *mul(const Expr *lhs, const Expr *rhs) { return binary(BinaryOp::Mul, lhs, rhs); }
  const Expr *floorDiv(const Expr *lhs, const Expr *rhs) {
    return binary(BinaryOp::FloorDiv, lhs, rhs);
  }
  const Expr *floorMod(const Expr *lhs, const Expr *rhs) {
    return binary(BinaryOp::FloorMod, lhs, rhs);
  }
  const Expr *less(const Expr *lhs, const Expr *rhs) { return binary(BinaryOp::Less, lhs, rhs); }
  const Expr *logicalAnd(const Expr *lhs, const Expr *rhs); // either may be null: the other
  const Expr *cast(DType dtype, const Expr *operand);       // nothing if it has that type already
  const Expr *select(const Expr *condition, const Expr *whenTrue, const Expr *whenFalse);
  const Expr *load(const Buffer &buffer, const Expr *slot, ExprList indices);
  const Expr *math(MathFn fn, ExprList args);
  // The bits of a number as one of another type; nothing if it has that type already.
  const Expr *reinterpret(DType dtype, const Expr *operand);

  // Where all new statements stand, whatever span they are given; invalid: at that span.
  Span standIn;
  Span placeOf(const Span &span) const { return standIn.isValid() ? standIn : span; }

  // --- statements; `info` from fresh(), derived() or the statement that is rebuilt ---
  StmtInfo fresh(const Span &span);   // a new statement, its own anchor
  StmtInfo lowered(const Stmt &from); // new id, anchor and span of `from`, origin `from`
  StmtInfo cloned(const Stmt &from);  // new id, its own anchor, origin `from`
  // `like` gives all but the body.
  const Stmt *role(const StmtInfo &info, const Role &like, const Stmt *body);
  const Stmt *role(const StmtInfo &info, const Var *threadVar, int64_t firstThread, int64_t threads,
                   const Stmt *body, int64_t registers = 0, llvm::StringRef name = {});
  // One statement as it is, several as a Seq (nested Seqs are flattened), none as an empty Seq.
  const Stmt *seq(const StmtInfo &info, StmtList stmts);
  const Stmt *op(const StmtInfo &info, Op op, llvm::ArrayRef<BufferRegion> regions,
                 ExprList args = {}, llvm::ArrayRef<std::pair<Attr, int64_t>> attrs = {});
  BufferRegion region(BufferId buffer, const Expr *slot, llvm::ArrayRef<Range> ranges,
                      Span span = {});

private:
  Context &context_;
};

// Rebuilds with changed children, keeping identity.
const Function *withBody(Context &context, const Function &function, const Stmt *body);
const Function *withBuffers(Context &context, const Function &function,
                            llvm::ArrayRef<const Buffer *> buffers);
const Function *withProperties(Context &context, const Function &function, PropertySet properties);
const Module *withFunctions(const Module &module, llvm::ArrayRef<const Function *> functions);

// Value of an integer constant.
std::optional<int64_t> constantValue(const Expr *expr);

} // namespace tilescope
