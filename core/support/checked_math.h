// 64-bit arithmetic that says when it overflows.
#pragma once

#include <cstdint>
#include <optional>

namespace tilescope {

inline std::optional<int64_t> checkedAdd(int64_t a, int64_t b) {
  int64_t result;
  return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

inline std::optional<int64_t> checkedMul(int64_t a, int64_t b) {
  int64_t result;
  return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

} // namespace tilescope
