// Differences that somebody has agreed to: `diff --suppress FILE`.
//
//     # what           of which kernels
//     peak,occupancy   kernels/gemm.py:matmul*       # agreed in review
//     cuda             *
//
// A line names conditions or reasons (fail_condition.h) and a pattern of "FILE:INSTANCE" with * and
// ?. Empty lines and what follows # is skipped.
#pragma once

#include "core/diff/fail_condition.h"

namespace tilescope {

struct Suppression {
  size_t line = 0; // of the file, from 1
  std::string text;
  std::vector<std::string> names;
  std::string kernels;  // a pattern
  bool wasUsed = false; // it kept a condition from counting
};

// The error names file, line and cause.
llvm::Expected<std::vector<Suppression>> parseSuppressions(llvm::StringRef text,
                                                           llvm::StringRef fileName);

// Whether one of them covers the condition for "FILE:INSTANCE"; marks all that do as used.
bool suppresses(std::vector<Suppression> &suppressions, const FailCondition &condition,
                llvm::StringRef kernel);

} // namespace tilescope
