// What each lane of an AccessProgram does, step by step: its loops unrolled, every mbarrier and
// parity a number. What can be followed that way is what `happens_before.h` reasons about.
//
//   Loop s1, trips 3                       steps   WaitPhase 0, parity 1
//   |- WaitPhase empty[k mod 2]                    Leaf s2, copy on 0
//   `- Leaf s2: async write, on k mod 2            WaitPhase 1, parity 1
//                                                  Leaf s2, copy on 1
//                                                  WaitPhase 0, parity 0
//                                                  Leaf s2, copy on 0
//
// A loop of unknown length and an `If` of an unknown condition are one step each. So is what has no
// synchronisation inside, since nothing can be told apart in it.
#pragma once

#include "core/access/access_program.h"

#include "llvm/ADT/SmallVector.h"

namespace tilescope {

struct LaneStep {
  static constexpr int Unknown = -1;

  uint32_t node = 0;
  // All that stands under `node`, any number of times; false: `node` is a leaf.
  bool isOpaque = false;
  bool isOutside = false; // it stands before or behind the roles
  StmtId loop;            // the innermost that is unrolled around it; invalid: none
  int64_t iteration = 0;  // of that loop
  int mbarrier = Unknown; // Arrive, Expect, WaitPhase
  int parity = Unknown;   // WaitPhase
  // Leaf: per access; Unknown for those that no mbarrier counts.
  llvm::SmallVector<int, 4> mbarriersOf;
  llvm::SmallVector<int, 4> slotsOf; // Leaf: per access; Unknown: it may be any
};

// The steps of one lane from begin to end of the program, with those outside of the roles.
struct Lane {
  int64_t threads = 0; // 0: not known
  std::vector<LaneStep> steps;
  // Of the lane's Seq: the step at which each child begins, and the end of the last.
  std::vector<size_t> childBegins;
};

// How a program divides into lanes: without roles there is one, the block.
struct LaneSteps {
  std::vector<Lane> lanes;
  // Why the program cannot be followed, and the statement; "": it can.
  std::string problem;
  StmtId problemStmt;
};

LaneSteps unrollLanes(const AccessProgram &program);

} // namespace tilescope
