// Operators on Python values. Where an IR expression takes part, expr_operators.h continues.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

Value binary(Evaluation &evaluation, ast::BinaryOp op, Value lhs, Value rhs, Span span);
Value binaryFloats(Evaluation &evaluation, ast::BinaryOp op, double lhs, double rhs, Span span);
Value unary(Evaluation &evaluation, ast::UnaryOp op, Value operand, Span span);
Value logicalNot(Evaluation &evaluation, Value operand, Span span);
Value compare(Evaluation &evaluation, ast::CompareOp op, Value lhs, Value rhs, Span span);
// `==`, metered; false after reporting that deciding takes too many steps.
bool areEqual(Evaluation &evaluation, const Value &a, const Value &b);
// Negative, zero or positive; numbers, strings, and lists and tuples of them.
std::optional<int> orderOf(Evaluation &evaluation, Value lhs, Value rhs, Span span);
// Python's truth; reports that an expression has none while the kernel is built.
std::optional<bool> truthOf(Evaluation &evaluation, Value value, Span span);
// Reports that there is no such operator for the two.
Value unsupportedOperands(Evaluation &evaluation, llvm::StringRef op, Value lhs, Value rhs,
                          Span span);

} // namespace tilescope::frontend
