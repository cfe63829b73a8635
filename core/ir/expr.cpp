#include "core/ir/expr.h"

namespace tilescope {

llvm::StringRef spellingOf(UnaryOp op) {
  switch (op) {
#define UNARY(Name, spelling)                                                                      \
  case UnaryOp::Name:                                                                              \
    return spelling;
#include "core/ir/operators.def"
  }
  return "?";
}

llvm::StringRef spellingOf(BinaryOp op) {
  switch (op) {
#define BINARY(Name, spelling, isPredicate)                                                        \
  case BinaryOp::Name:                                                                             \
    return spelling;
#include "core/ir/operators.def"
  }
  return "?";
}

llvm::StringRef spellingOf(MathFn fn) {
  switch (fn) {
#define MATH(Name, spelling, arity, typing)                                                        \
  case MathFn::Name:                                                                               \
    return spelling;
#include "core/ir/operators.def"
  }
  return "?";
}

size_t arityOf(MathFn fn) {
  static constexpr size_t Table[] = {
#define MATH(Name, spelling, arity, typing) arity,
#include "core/ir/operators.def"
  };
  return Table[static_cast<size_t>(fn)];
}

MathTyping typingOf(MathFn fn) {
  static constexpr MathTyping Table[] = {
#define MATH(Name, spelling, arity, typing) MathTyping::typing,
#include "core/ir/operators.def"
  };
  return Table[static_cast<size_t>(fn)];
}

DType mathResult(MathFn fn, DType operand) {
  switch (typingOf(fn)) {
  case MathTyping::Test:
    return DType::boolean();
  case MathTyping::Count:
    return DType::int32();
  default:
    return operand;
  }
}

bool isPredicate(BinaryOp op) {
  switch (op) {
#define BINARY(Name, spelling, isPredicate)                                                        \
  case BinaryOp::Name:                                                                             \
    return isPredicate;
#include "core/ir/operators.def"
  }
  return false;
}

} // namespace tilescope
