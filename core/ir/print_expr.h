// Expressions, element accesses and regions as IR text.
#pragma once

#include "core/ir/text_names.h"

namespace tilescope {

// How tightly an operator binds, as in Python; an operand that binds less is put in parentheses.
enum class Precedence : uint8_t {
  Conditional,
  Or,
  And,
  Not,
  Comparison,
  BitOr,
  BitXor,
  BitAnd,
  Shift,
  Sum,
  Product,
  Unary,
  Atom,
};

// Each print function appends to `out`, which outlives the printer: a text that returned strings
// would copy every leaf once for each expression around it.
class ExprPrinter {
public:
  ExprPrinter(const TextNames &names, std::string &out) : names_(names), out_(out) {}

  void print(const Expr *expr, Precedence least = Precedence::Conditional);
  void printList(ExprList list);
  // "A[k % 3, i, j]"
  void printElement(BufferId buffer, const Expr *slot, ExprList indices);
  // "A[k % 3, 0:128, i]"
  void printRegion(const BufferRegion &region);
  // "0, 4" or "T.span(0, 4)": the bounds of a loop
  void printBounds(const Range &range);

private:
  void printBare(const Expr *expr);
  void printBinary(const Binary *binary);
  void printUnary(const Unary *unary);
  void printCast(const Cast *cast);
  void printSelect(const Select *select);
  void printRange(const Range &range);
  void printMinAndStop(const Range &range, llvm::StringRef separator);

  const TextNames &names_;
  std::string &out_;
  Context scratch_; // of stops, which are no part of the program
};

std::string printExpr(const TextNames &names, const Expr &expr);

} // namespace tilescope
