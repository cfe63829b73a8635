// What the operators of index arithmetic give, for tests that run IR on integers.
#pragma once

#include "core/ir/expr.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>

namespace tilescope::test {

// Division and modulo round down; nothing overflows in tests.
inline int64_t computeInteger(BinaryOp op, int64_t a, int64_t b) {
  switch (op) {
  case BinaryOp::Add:
    return a + b;
  case BinaryOp::Sub:
    return a - b;
  case BinaryOp::Mul:
    return a * b;
  case BinaryOp::FloorDiv:
    return a / b - (a % b < 0);
  case BinaryOp::FloorMod:
    return (a % b + b) % b;
  case BinaryOp::BitXor:
    return a ^ b;
  case BinaryOp::Min:
    return std::min(a, b);
  case BinaryOp::Max:
    return std::max(a, b);
  case BinaryOp::Less:
    return a < b;
  case BinaryOp::LessEqual:
    return a <= b;
  case BinaryOp::Greater:
    return a > b;
  case BinaryOp::GreaterEqual:
    return a >= b;
  case BinaryOp::Equal:
    return a == b;
  case BinaryOp::And:
    return a != 0 && b != 0;
  case BinaryOp::Or:
    return a != 0 || b != 0;
  default:
    llvm::report_fatal_error("the programs of tests have no such operator");
  }
}

} // namespace tilescope::test
