// Hazards of a program of roles and mbarriers: shown to be absent by what holds in every execution,
// shown to be there by one execution, or neither.
#pragma once

#include "core/access/happens_before.h"
#include "core/access/loop_lengths.h"
#include "core/check/arena_check.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace tilescope {

struct StepHazards {
  std::vector<HazardFault> found; // some execution has them
  StmtId stuckAt;                 // of some execution: a thread waits here for ever
  std::vector<HazardFault> open;  // neither shown to be absent nor found
  std::string why;                // "": all was looked at; else what was not: "what ..."

  bool isFound() const { return !found.empty() || stuckAt.isValid(); }
  bool isFree() const { return !isFound() && open.empty() && why.empty(); }
};

// `bytes` as for checkHazards, `order` of the same program.
StepHazards judgeSteps(const AccessProgram &program, const std::vector<BufferBytes> &bytes,
                       const FollowedSteps &order);

// Of a program with a loop of unknown length, by all that `followLengths` gave of it. What some
// length has is open: whether the loop is ever that long is not known.
StepHazards judgeLengths(llvm::ArrayRef<OfLength> lengths, const std::vector<BufferBytes> &bytes);

} // namespace tilescope
