// `&`, `|` and `^` of integers, of 64 bits and past them.
#pragma once

#include "core/syntax/ast.h"

#include <optional>

namespace tilescope::frontend {

// nullopt: another operator.
template <typename Integer>
std::optional<Integer> foldBits(ast::BinaryOp op, const Integer &a, const Integer &b) {
  switch (op) {
  case ast::BinaryOp::BitAnd:
    return a & b;
  case ast::BinaryOp::BitOr:
    return a | b;
  case ast::BinaryOp::BitXor:
    return a ^ b;
  default:
    return std::nullopt;
  }
}

} // namespace tilescope::frontend
