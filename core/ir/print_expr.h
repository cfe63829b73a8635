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

class ExprPrinter {
public:
  explicit ExprPrinter(const TextNames &names) : names_(names) {}

  std::string print(const Expr *expr, Precedence least = Precedence::Conditional);
  std::string printList(ExprList list);
  // "A[k % 3, i, j]"
  std::string printElement(BufferId buffer, const Expr *slot, ExprList indices);
  // "A[k % 3, 0:128, i]"
  std::string printRegion(const BufferRegion &region);
  // "0, 4" or "T.span(0, 4)": the bounds of a loop
  std::string printBounds(const Range &range);

private:
  std::string printBare(const Expr *expr);
  std::string printBinary(const Binary *binary);
  std::string printUnary(const Unary *unary);
  std::string printCast(const Cast *cast);
  std::string printSelect(const Select *select);
  std::string printRange(const Range &range);
  std::string printSpan(const Range &range);

  const TextNames &names_;
  Context scratch_; // of stops, which are no part of the program
};

} // namespace tilescope
