// Operations that give a value: each writes a variable of its own, which expressions read then.
//
//     x = T.shfl_xor(v, 1) * 2    becomes    T.shuffle(shfl_xor[0], v, 1, kind="xor")
//                                            x = shfl_xor[0] * 2
#pragma once

#include "core/frontend/expr_operators.h"
#include "core/frontend/tile_operands.h"

namespace tilescope::frontend {

// Inside of a launch: the variable, named after the function that was called, as an operand.
struct ResultVariable {
  BufferRegion region;
  const Expr *value = nullptr; // to be read behind the operation
};
ResultVariable makeResult(const Args &args, DType dtype);

// Emits an operation whose only operand is its result; gives what it gives.
Value emitWithResult(const Args &args, Op op, DType result, llvm::ArrayRef<const Expr *> values,
                     llvm::ArrayRef<std::pair<Attr, int64_t>> attrs);

// The argument `predicate` as a condition; null after reporting. It is no float, which would lose
// what is not whole.
const Expr *toPredicate(const Args &args);
// Lanes of a warp; null: all. nullopt after reporting.
std::optional<const Expr *> toLaneMask(const Args &args, llvm::StringRef param);

} // namespace tilescope::frontend
