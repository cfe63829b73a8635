// Facet `accesses`: who touches shared memory when, and the lifetimes that follow.
#pragma once

#include "core/access/lifetimes.h"

namespace tilescope {

class Module;
struct Target;

struct AccessRecord {
  std::string function;
  AccessProgram program;
  Lifetimes lifetimes;

  friend bool operator==(const AccessRecord &, const AccessRecord &) = default;
};

void computeFacet(const Module &module, const Target &target, std::vector<AccessRecord> &records);

} // namespace tilescope
