// Expressions of IR text: from the syntax tree to nodes. Nothing is folded, so that text reads back
// as the tree that was printed.
#pragma once

#include "core/ir/module.h"
#include "core/ir/read_values.h"

#include "llvm/ADT/StringMap.h"

namespace tilescope {

// What names mean at one place of a function.
class NameScope {
public:
  // False if the name is taken.
  bool declare(llvm::StringRef name, const Buffer *buffer);
  bool declare(llvm::StringRef name, const Var *var);
  void forget(llvm::StringRef name) { names_.erase(name); }

  const Buffer *buffer(llvm::StringRef name) const; // null if it is none
  const Var *var(llvm::StringRef name) const;       // null if it is none

private:
  struct Meaning {
    const Buffer *buffer = nullptr;
    const Var *var = nullptr;
  };
  llvm::StringMap<Meaning> names_;
};

// Every function returns null, or false, after reporting an error.
class ExprReader {
public:
  ExprReader(Context &context, const NameScope &names, Diagnostics &diagnostics)
      : context_(context), names_(names), diagnostics_(diagnostics) {}

  const Expr *read(const ast::Expr *expr);
  std::optional<ExprList> readAll(ast::ExprList exprs);
  const Buffer *readBuffer(const ast::Expr *expr); // by its name

  // "A[slot, i, j]"
  struct Element {
    const Buffer *buffer = nullptr;
    const Expr *slot = nullptr;
    ExprList indices;
  };
  std::optional<Element> readElement(const ast::Expr *expr);
  // "A[slot, 0:128, i]", or "A" for the whole of it.
  std::optional<BufferRegion> readRegion(const ast::Expr *expr);
  // "(stop)", "(start, stop)" or "(T.span(start, extent))": takes them from `args`.
  std::optional<Range> readBounds(CallArgs &args);

private:
  std::nullptr_t expected(const ast::Expr *at, llvm::StringRef what);
  const Expr *integer(int64_t value, DType dtype = DType::int32());

  const Expr *readName(const ast::NameExpr *name);
  const Expr *readInteger(const ast::Expr *expr);
  const Expr *readUnary(const ast::UnaryExpr *unary);
  const Expr *readBinary(const ast::BinaryExpr *binary);
  const Expr *readBoolOp(const ast::BoolOpExpr *boolOp);
  const Expr *readCompare(const ast::CompareExpr *compare);
  const Expr *readConditional(const ast::ConditionalExpr *conditional);
  const Expr *readLoad(const ast::SubscriptExpr *subscript);
  const Expr *readCall(const ast::Expr *expr);
  const Expr *readTyped(DType dtype, CallArgs &args);
  const Expr *readCast(CallArgs &args, bool ofBits);
  const Expr *readFloatConstant(double value, CallArgs &args);
  const Expr *readMath(MathFn fn, CallArgs &args);
  const Expr *readExtreme(BinaryOp op, CallArgs &args);

  std::optional<Range> readSpan(const ast::CallExpr &call);
  std::optional<Range> readRange(const ast::Expr *expr, const Expr *axisExtent);
  std::optional<Range> readSlice(const ast::SliceExpr *slice, const Expr *axisExtent);

  Context &context_;
  const NameScope &names_;
  Diagnostics &diagnostics_;
};

} // namespace tilescope
