// Facet `arenas`: the plan of shared memory, or its preview.
#pragma once

#include "core/plan/launch_regions.h"

namespace tilescope {

class Module;
struct Target;

// Arena of one function at one snapshot.
struct ArenaRecord {
  std::string function;
  bool preview = true; // not the final plan: see `unknown`
  // What may still change it. Of a final plan: what its lives do not go by, so that they may be
  // shorter (AccessRecord::notFollowed, notOrdered).
  std::vector<std::string> unknown;
  ArenaProblem problem;
  ArenaPlan plan;
  std::vector<LaunchSizedBuffer> launchSized; // above the plan, in the order of the buffer table

  friend bool operator==(const ArenaRecord &, const ArenaRecord &) = default;
};

void computeFacet(const Module &module, const Target &target, std::vector<ArenaRecord> &records);

} // namespace tilescope
