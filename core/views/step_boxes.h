// The bytes of a block over the steps of its run: which step wrote them last.
#pragma once

#include "core/access/block_steps.h"

namespace tilescope {

// Bytes [begin, end) hold what one step wrote, from a step on until another one writes them, or
// until the last one has been made; half-open.
struct StepBox {
  int64_t begin = 0;
  int64_t end = 0;
  size_t from = 0;
  size_t until = 0;
  size_t writer = 0;       // the step
  size_t touch = 0;        // of it, into BlockSteps::touches
  bool isInFlight = false; // a copy into them has begun, and is not there yet
};

// Sorted by `from`, then by `begin`; in proportion to the ranges that are written.
std::vector<StepBox> stepBoxesOf(const BlockSteps &block);

} // namespace tilescope
