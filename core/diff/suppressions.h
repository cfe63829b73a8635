// Differences that somebody has agreed to: `diff --suppress FILE`.
//
//     # what           of which kernels
//     peak,occupancy   kernels/gemm.py:matmul*       # agreed in review
//     cuda             *
//
// A line has names and a pattern of "FILE:INSTANCE" with * and ?. Empty lines and what follows # is
// skipped. A name covers conditions of --fail-on:
//
//     a metric        all on it and on what is said of it: peak covers peak>, peak<-5%, peak-grew
//     a reason        itself, and the metric in that direction: peak-grew covers peak>+1KiB
//     any             all but failed and not-compared
//
// The condition `any` is covered where all reasons are.
#pragma once

#include "core/diff/fail_condition.h"

namespace tilescope {

struct Suppression {
  size_t line = 0; // of the file, from 1
  std::string text;
  std::vector<std::string> names;
  std::string kernels;  // a pattern
  bool wasUsed = false; // some kernel has what it names
};

// The error names file, line and cause.
llvm::Expected<std::vector<Suppression>> parseSuppressions(llvm::StringRef text,
                                                           llvm::StringRef fileName);

// Whether they cover a condition that holds for "FILE:INSTANCE", with the reasons of that kernel.
bool suppresses(const std::vector<Suppression> &suppressions, const FailCondition &condition,
                llvm::StringRef kernel, const std::vector<DiffReason> &reasons);

// Marks those that name a reason of the kernel, or a metric that it is about.
void markUsed(std::vector<Suppression> &suppressions, llvm::StringRef kernel,
              const std::vector<DiffReason> &reasons);

} // namespace tilescope
