// The conditions of `diff --fail-on`: what makes a difference count.
//
//     peak>           the peak grew                   occupancy<      fewer blocks per SM
//     peak>+1KiB      ... by more than 1,024 bytes    occupancy<-1    ... by more than one
//     peak>+5%        ... by more than a twentieth    occupancy<2     less than two now
//     peak>160KiB     it is higher than that now      cuda            a reason, by its name
//     peak>=160KiB    or as high                      blanks do not count; sizes: size_text.h
//
// `unsound` holds where a verdict fell, too: what is no longer shown to be sound counts as well.
// Metrics: peak, padding (bytes, of each function), occupancy (blocks per SM, of each function),
// registers, spills (bytes; of a thread of each function whose registers are known), barriers,
// copies (statements of the kernel). `any` is any verdict but "same".
#pragma once

#include "core/diff/compile_diff.h"

#include "llvm/Support/Error.h"

namespace tilescope {

enum class DiffMetric : uint8_t {
  Peak,
  Padding,
  Occupancy,
  Registers,
  Spills,
  Barriers,
  Copies,
};

struct FailCondition {
  enum class Kind : uint8_t {
    AnyReason,
    Reason,
    Direction, // "peak>": more than before
    Absolute,  // "peak>48KiB"
    Change,    // "peak>+1KiB"
    Percent,   // "peak>+5%", of what it was before
  };
  std::string text; // as given
  std::string name; // of the metric or reason
  Kind kind = Kind::AnyReason;
  DiffReason reason = DiffReason::Failed;
  DiffMetric metric = DiffMetric::Peak;
  bool isMore = true; // '>'
  bool orEqual = false;
  // Of the metric; for Change and Percent by how much, not negative.
  double threshold = 0;
};

// "peak>+1KiB,occupancy<,cuda". The error quotes the condition and says what would be right.
llvm::Expected<std::vector<FailCondition>> parseFailConditions(llvm::StringRef text);

// `diff` is null where one side does not compile; without a `before` no metric has changed.
bool holds(const FailCondition &condition, const CompileDiff *diff,
           const std::vector<DiffReason> &reasons);

// "any", all metrics, all reasons.
std::vector<std::string> conditionNames();

} // namespace tilescope
