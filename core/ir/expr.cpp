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
#define MATH(Name, spelling, arity)                                                                \
  case MathFn::Name:                                                                               \
    return spelling;
#include "core/ir/operators.def"
  }
  return "?";
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
