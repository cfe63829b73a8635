// Casts that do not round to the nearest number, as `T.cast(x, "float16", round="rz")`.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

// "rn" to the nearest, "rz" towards zero, "rp" upwards, "rm" downwards.
enum class CastRounding : uint8_t { Nearest, TowardsZero, Upwards, Downwards };

// Nullopt: no such word.
std::optional<CastRounding> castRoundingOf(llvm::StringRef word);
// Of a float32 or float64 to an integer or a shorter type of 16 or 32 bits, of anything else where
// nothing is rounded; null after reporting that it is none of these.
const Expr *castRounded(Evaluation &evaluation, DType dtype, const Expr *x, CastRounding rounding,
                        Span span);

} // namespace tilescope::frontend
