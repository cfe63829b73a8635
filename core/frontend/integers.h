// Whole numbers past 64 bits. Python's have no limit; ours have MaxIntegerBits.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

Value integerOf(Evaluation &evaluation, const llvm::APInt &value, Span span); // a signed number
Value integerOf(Evaluation &evaluation, double whole, Span span);             // towards zero
Value integerOf(Evaluation &evaluation, llvm::StringRef digits, unsigned radix, Span span);
Value binaryBigIntegers(Evaluation &evaluation, ast::BinaryOp op, Value lhs, Value rhs, Span span);

} // namespace tilescope::frontend
