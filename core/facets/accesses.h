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
  // Of another compiler's program, what its recorder could not put into accesses: while there is
  // anything, checks establish nothing.
  std::vector<std::string> notFollowed;
  // What orders accesses besides what the program says, or what in it shows no order: with less
  // order it may look unsound, and it may be free of hazards where it looks so or not.
  std::vector<std::string> notOrdered;
  // And the buffers of which a write may define more than is said.
  std::vector<BufferId> inexact;
  // Of these, the buffers whose writes are said in full in the run of `AccessProgram::zeroed`.
  std::vector<BufferId> exactOnZeros;

  friend bool operator==(const AccessRecord &, const AccessRecord &) = default;
};

void computeFacet(const Module &module, const Target &target, std::vector<AccessRecord> &records);

} // namespace tilescope
