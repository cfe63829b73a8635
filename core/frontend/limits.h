// What a kernel file may spend while it is evaluated. Files come from strangers: each limit ends
// in an error that names the limit and the flag that raises it.
#pragma once

#include <cstdint>

namespace tilescope {

struct EvalLimits {
  uint64_t steps = 5'000'000;          // --max-steps: statements and expressions evaluated
  uint64_t callDepth = 100;            // --max-call-depth: nested function calls
  uint64_t listLength = 1'000'000;     // --max-list-length: elements of a list, string or range
  uint64_t memoryBytes = 256ull << 20; // --max-memory: bytes of all values together
};

// Deepest nesting of evaluation, calls included; guards the native stack, so no flag raises it.
constexpr unsigned MaxEvalDepth = 1200;
// Longest integer, in bits: Python has no limit, kernels have no need.
constexpr unsigned MaxIntegerBits = 4096;
// An IR expression that grows past this in a helper is a loop gone wrong, or an attack on every
// walk behind it.
constexpr unsigned MaxIrExprDepth = 400;
constexpr uint64_t MaxIrExprNodes = 10'000;

} // namespace tilescope
