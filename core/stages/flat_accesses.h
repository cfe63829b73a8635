// An access program as a flat list of leaves, each with the conditions and loops around it.
#pragma once

#include "core/access/lifetimes.h"

#include <vector>

namespace tilescope {

// Runs when k + distance < trips, or does not, where k counts the iterations of `loop`.
struct TripGuard {
  static constexpr size_t None = SIZE_MAX;

  size_t parent = None; // that must hold, too
  StmtId loop;
  int64_t distance = 0;
  bool isNegated = false;
};

struct FlatLeaf {
  const AccessNode *node = nullptr;
  uint32_t index = 0;             // of the node
  size_t guard = TripGuard::None; // the innermost
  bool isConditional = false;     // by a condition that is not known
};

struct FlatLoop {
  const AccessNode *node = nullptr;
  uint32_t index = 0; // of the node
  LiveInterval points;
  LiveInterval scope; // points of the loop around it, else of the program
};

// Valid as long as the program.
struct FlatAccesses {
  const AccessProgram *program = nullptr;
  std::vector<FlatLeaf> leaves; // by ProgramPoint
  std::vector<FlatLoop> loops;  // in program order, outer ones first
  std::vector<TripGuard> guards;
  std::vector<uint32_t> parents; // by node; the root is its own
};

FlatAccesses flatten(const AccessProgram &program);

} // namespace tilescope
