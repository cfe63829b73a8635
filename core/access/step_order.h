// What the threads of a program know at each of their steps: how far others are for sure, and what
// of their work is seen.
//
//                                     steps made by             phases ended of
//   strand              step          load, elected   compute   full[0]   empty[0]
//   load, elected       4: copy       4               6         1         1
//   compute             3: read       3               0         1         0
//
// A figure n of a strand: each of its threads has made its first n steps before, and whoever stands
// here sees what these did. Of a strand of several threads its own figure is what all of them have
// made: they know of each other only where they met.
#pragma once

#include "core/access/lane_steps.h"

#include "llvm/ADT/ArrayRef.h"

namespace tilescope {

// The threads of a lane that do the same: its elected thread, or all others. The elected thread of
// what stands outside of the roles may be of any lane, so it is a strand of its own, which makes
// what all lanes make.
struct Strand {
  size_t lane = 0;
  bool isElected = false;
  bool isOutside = false;
  int64_t threads = 0; // 0: not known
};

// Phases of an mbarrier that must have ended.
struct PhaseNeed {
  static constexpr int Nothing = -1; // it never is

  int mbarrier = Nothing;
  int32_t phases = 0;
};

// The steps that each strand has made, then the phases that have ended.
using Knowledge = std::vector<int32_t>;

void join(Knowledge &known, llvm::ArrayRef<int32_t> other);

struct StepOrder {
  LaneSteps lanes;
  std::vector<Strand> strands;
  // Per strand: for each step, and for its end, a figure of each strand and of each mbarrier.
  std::vector<std::vector<int32_t>> known;
  // Per lane and step: when what it copies by mbarriers has arrived.
  std::vector<std::vector<std::vector<PhaseNeed>>> arrivals;
  // Of one execution: the lane whose elected thread does what one thread does outside of the roles.
  std::optional<size_t> outsideLane;

  // False: the program could not be followed, and nothing is known.
  bool isKnown() const { return !known.empty(); }
  bool hasRoles() const { return lanes.lanes.size() > 1; }
  bool makes(const AccessProgram &program, size_t strand, const LaneStep &step) const;
  llvm::ArrayRef<LaneStep> stepsOf(size_t strand) const {
    return lanes.lanes[strands[strand].lane].steps;
  }
  llvm::ArrayRef<int32_t> knownAt(size_t strand, size_t step) const {
    size_t width = known[strand].size() / (stepsOf(strand).size() + 1);
    return llvm::ArrayRef<int32_t>(known[strand]).slice(step * width, width);
  }
};

// Whether the threads of a strand make a step of their lane.
bool makes(const AccessProgram &program, const Strand &strand, const LaneStep &step, bool hasRoles);
// The same in one execution, see StepOrder::outsideLane.
bool makes(const AccessProgram &program, const Strand &strand, const LaneStep &step, bool hasRoles,
           std::optional<size_t> outsideLane);

} // namespace tilescope
