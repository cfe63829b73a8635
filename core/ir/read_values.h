// Constants and calls of IR text, as the reader takes them from the syntax tree.
#pragma once

#include "core/support/diagnostics.h"
#include "core/support/dtype.h"
#include "core/syntax/ast.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace tilescope {

// The `name` of `T.name`; empty for anything else.
llvm::StringRef nameInT(const ast::Expr *expr);
// The call if it is `T.name(...)`, else null.
const ast::CallExpr *asCallOfT(const ast::Expr *expr);

// A literal, negative ones included; nullopt if it is none, or does not fit 64 bits.
std::optional<int64_t> integerLiteral(const ast::Expr *expr);
std::optional<double> floatLiteral(const ast::Expr *expr); // integers included
// A type by its own name: no aliases, so that there is one spelling.
std::optional<DType> typeNamed(llvm::StringRef name);

// The elements of a tuple or list; anything else is its only element.
ast::ExprList elementsOf(const ast::Expr *const &expr);

// The arguments of one call. Each `take` reports what is of the wrong kind; `finish` reports what
// nobody took.
class CallArgs {
public:
  CallArgs(const ast::CallExpr &call, Diagnostics &diagnostics);

  llvm::StringRef name() const { return name_; }
  const ast::CallExpr &call() const { return call_; }
  // The next positional argument, or null.
  const ast::Expr *takePositional();
  // The next positional argument, or the keyword; reports and returns null if there is neither.
  const ast::Expr *takeRequired(llvm::StringRef keyword);
  const ast::Expr *takeKeyword(llvm::StringRef keyword); // or null
  int64_t takeInteger(llvm::StringRef keyword, int64_t absent);
  bool takeBool(llvm::StringRef keyword, bool absent);
  std::optional<llvm::StringRef> takeString(llvm::StringRef keyword);
  // A list of integers; empty if absent.
  llvm::SmallVector<int64_t> takeIntegers(llvm::StringRef keyword);
  // True if every argument was taken and none was of the wrong kind.
  bool finish();

private:
  const ast::Expr *expected(const ast::Expr *at, llvm::StringRef what);

  const ast::CallExpr &call_;
  Diagnostics &diagnostics_;
  llvm::StringRef name_;
  size_t position_ = 0;
  llvm::SmallVector<bool> taken_;
  bool failed_ = false;
};

} // namespace tilescope
