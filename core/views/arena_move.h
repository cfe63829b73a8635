// What becomes of a plan when one buffer lies elsewhere and all others stay: said before anything
// is compiled. Barriers that shared bytes then need are up to the pass that places them.
#pragma once

#include "core/views/arena_model.h"

namespace tilescope {

struct ArenaMove {
  std::string name;
  int64_t offsetBytes = 0;
  int64_t heightBytes = 0;     // where the highest buffer then ends
  int64_t brokenAlignment = 0; // that the offset is no multiple of; 0: it is one
  int64_t overBytes = 0;       // that the arena ends above the capacity
  // `first` is the buffer, `second` what holds some of its bytes as well; both are rows of the
  // function. By row, then by point.
  std::vector<ArenaConflict> conflicts;

  bool isSound() const { return brokenAlignment == 0 && overBytes == 0 && conflicts.empty(); }
};

// `row` is an index into the buffers of the function.
ArenaMove judgeMove(const ArenaFunction &function, uint32_t row, int64_t offsetBytes);

// The multiple of the alignment of a row that is next to an offset, from 0 on.
int64_t alignedOffset(const ArenaRow &row, double offsetBytes);
// From an offset of a row to the next where it touches another buffer, the bottom or the capacity;
// `direction` is 1 or -1. The offset itself: there is none.
int64_t nextTouch(const ArenaFunction &function, uint32_t row, int64_t offsetBytes, int direction);

// "K_shared at 32,768: the arena ends at 163,840", or a line a reason why not: "V_shared at 32,768:
// K_shared holds bytes [32,768, 49,152) at points [3, 17)".
std::string toText(const ArenaMove &move, const ArenaFunction &function);

} // namespace tilescope
