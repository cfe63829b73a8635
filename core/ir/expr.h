// Expressions: immutable, shared freely, without source spans (statements carry those).
#pragma once

#include "core/ir/context.h"
#include "core/support/dtype.h"

#include "llvm/Support/Casting.h"

namespace tilescope {

enum class ExprKind : uint8_t { IntImm, FloatImm, Var, Unary, Binary, Cast, Select, Load, Math };

enum class UnaryOp : uint8_t {
#define UNARY(Name, spelling) Name,
#include "core/ir/operators.def"
};

enum class BinaryOp : uint8_t {
#define BINARY(Name, spelling, isPredicate) Name,
#include "core/ir/operators.def"
};

enum class MathFn : uint8_t {
#define MATH(Name, spelling, arity, typing) Name,
#include "core/ir/operators.def"
};

// What a function takes and gives; operators.def says what each means.
enum class MathTyping : uint8_t { Real, Number, Integer, Test, Count, Bits };

llvm::StringRef spellingOf(UnaryOp op);
llvm::StringRef spellingOf(BinaryOp op);
llvm::StringRef spellingOf(MathFn fn);
size_t arityOf(MathFn fn);
MathTyping typingOf(MathFn fn);
// Of a function of numbers of this type. Bits: the node says.
DType mathResult(MathFn fn, DType operand);
bool isPredicate(BinaryOp op); // comparison or logical: the result is bool

class Expr {
public:
  ExprKind kind() const { return kind_; }
  DType dtype() const { return dtype_; }

protected:
  Expr(ExprKind kind, DType dtype) : kind_(kind), dtype_(dtype) {}

private:
  ExprKind kind_;
  DType dtype_;
};

using ExprList = llvm::ArrayRef<const Expr *>;

// An integer or boolean constant.
class IntImm : public Expr {
public:
  IntImm(DType dtype, int64_t value) : Expr(ExprKind::IntImm, dtype), value(value) {}
  static bool classof(const Expr *expr) { return expr->kind() == ExprKind::IntImm; }

  int64_t value;
};

class FloatImm : public Expr {
public:
  FloatImm(DType dtype, double value) : Expr(ExprKind::FloatImm, dtype), value(value) {}
  static bool classof(const Expr *expr) { return expr->kind() == ExprKind::FloatImm; }

  double value; // may be infinite
};

// A scalar variable. There is one node per id, so pointers compare.
class Var : public Expr {
public:
  Var(VarId id, llvm::StringRef name, DType dtype)
      : Expr(ExprKind::Var, dtype), id(id), name(name) {}
  static bool classof(const Expr *expr) { return expr->kind() == ExprKind::Var; }

  VarId id;
  llvm::StringRef name; // as in the source; the printer makes names unique
};

class Unary : public Expr {
public:
  Unary(UnaryOp op, const Expr *operand)
      : Expr(ExprKind::Unary, op == UnaryOp::Not ? DType::boolean() : operand->dtype()), op(op),
        operand(operand) {}
  static bool classof(const Expr *expr) { return expr->kind() == ExprKind::Unary; }

  UnaryOp op;
  const Expr *operand;
};

// Both operands have one type (the builders insert casts); shifts and comparisons included.
class Binary : public Expr {
public:
  Binary(BinaryOp op, const Expr *lhs, const Expr *rhs)
      : Expr(ExprKind::Binary, isPredicate(op) ? DType::boolean() : lhs->dtype()), op(op), lhs(lhs),
        rhs(rhs) {}
  static bool classof(const Expr *expr) { return expr->kind() == ExprKind::Binary; }

  BinaryOp op;
  const Expr *lhs;
  const Expr *rhs;
};

class Cast : public Expr {
public:
  Cast(DType dtype, const Expr *operand) : Expr(ExprKind::Cast, dtype), operand(operand) {}
  static bool classof(const Expr *expr) { return expr->kind() == ExprKind::Cast; }

  const Expr *operand;
};

// `whenTrue if condition else whenFalse`: only the chosen side is evaluated (it guards loads).
class Select : public Expr {
public:
  Select(const Expr *condition, const Expr *whenTrue, const Expr *whenFalse)
      : Expr(ExprKind::Select, whenTrue->dtype()), condition(condition), whenTrue(whenTrue),
        whenFalse(whenFalse) {}
  static bool classof(const Expr *expr) { return expr->kind() == ExprKind::Select; }

  const Expr *condition;
  const Expr *whenTrue;
  const Expr *whenFalse;
};

// One element. `slot` is null unless the buffer has versions; indices are logical coordinates
// (for a lowered fragment: one index, the register; see Buffer::layout).
class Load : public Expr {
public:
  Load(DType dtype, BufferId buffer, const Expr *slot, ExprList indices)
      : Expr(ExprKind::Load, dtype), buffer(buffer), slot(slot), indices(indices) {}
  static bool classof(const Expr *expr) { return expr->kind() == ExprKind::Load; }

  BufferId buffer;
  const Expr *slot;
  ExprList indices;
};

class Math : public Expr {
public:
  Math(MathFn fn, ExprList args) : Math(fn, mathResult(fn, args[0]->dtype()), args) {}
  Math(MathFn fn, DType dtype, ExprList args) : Expr(ExprKind::Math, dtype), fn(fn), args(args) {}
  static bool classof(const Expr *expr) { return expr->kind() == ExprKind::Math; }

  MathFn fn;
  ExprList args;
};

} // namespace tilescope
