// Operators on IR expressions, and how their types meet.
//
//   a Python int      takes the type of a float operand and of an integer of 32 bits or more;
//                     beside narrower integers and bool both become int32
//   a Python float    is float32, and lifts float16, bfloat16, float8 and integers to float32
//   float and int     the float type
//   two floats        the wider; float16 of float16 and bfloat16
//   two integers      the wider; of equal width the unsigned one
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

std::optional<DType> toDType(Evaluation &evaluation, Value value, Span span);
const Expr *toExpr(Evaluation &evaluation, Value value, Span span);
const Expr *toExprOf(Evaluation &evaluation, DType dtype, Value value, Span span);
// An integer of at least 32 bits; `what` names it in the message.
const Expr *toIndex(Evaluation &evaluation, Value value, llvm::StringRef what, Span span);
// The same index in 32 bits, where it is made of such without a sum or product; else as it is.
const Expr *narrowIndex(Builder &ir, const Expr *index);
const Expr *toCondition(Evaluation &evaluation, Value value, Span span);
// The value of an expression just built; refuses one that grew too large.
Value fromExpr(Evaluation &evaluation, const Expr *expr, Span span);

// Two operands of one type.
struct ExprPair {
  const Expr *lhs = nullptr;
  const Expr *rhs = nullptr;
};
// Brings two numbers or expressions to the type in which they meet.
std::optional<ExprPair> unify(Evaluation &evaluation, Value lhs, Value rhs, Span span);

Value binaryOf(Evaluation &evaluation, BinaryOp op, Value lhs, Value rhs, Span span);
Value binaryExprs(Evaluation &evaluation, ast::BinaryOp op, Value lhs, Value rhs, Span span);
Value compareExprs(Evaluation &evaluation, ast::CompareOp op, Value lhs, Value rhs, Span span);
Value unaryExpr(Evaluation &evaluation, ast::UnaryOp op, Value operand, Span span);
Value select(Evaluation &evaluation, Value condition, Value whenTrue, Value whenFalse, Span span);

} // namespace tilescope::frontend
