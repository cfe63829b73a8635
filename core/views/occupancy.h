// Blocks per SM of one kernel, and the bytes at which one more would fit.
#pragma once

#include "core/target/occupancy.h"
#include "core/trace/pass_state.h"
#include "core/trace/trace_fields.h"

namespace tilescope {

struct OccupancyView {
  int blocks = 0;        // per SM, by shared memory and threads; registers are not counted
  int nextBlocks = 0;    // blocks + 1; 0: threads or block slots forbid more
  int64_t nextBytes = 0; // most dynamic bytes at which `nextBlocks` fit
  int64_t lessBytes = 0; // by which the plan is too large for that
  int64_t staticBytes = 0;

  friend bool operator==(const OccupancyView &, const OccupancyView &) = default;
};

// Nothing for a target that this program does not know, or with sizes that only the launch knows. A
// trace holds the threads of a kernel only if its compile went to the end; before that they do not
// limit.
std::optional<OccupancyView> occupancyOf(const FacetState &facets, const FunctionState &function);

// The most bytes for 1, 2, ... blocks, of one kernel; none for a target that this program does not
// know.
std::vector<OccupancyStep> occupancyStepsOf(const FacetState &facets,
                                            const FunctionState &function);

// "1 block/SM; 2 need <= 82,944 bytes: 80,896 less"
std::string toText(const OccupancyView &view);

template <typename Archive> void fields(Archive &archive, OccupancyView &view) {
  archive.always("blocks", view.blocks);
  archive("nextBlocks", view.nextBlocks);
  archive("nextBytes", view.nextBytes);
  archive("lessBytes", view.lessBytes);
  archive("staticBytes", view.staticBytes);
}

} // namespace tilescope
