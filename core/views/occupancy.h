// Blocks per SM of one kernel, and the bytes at which one more would fit.
#pragma once

#include "core/target/occupancy.h"
#include "core/trace/pass_state.h"
#include "core/trace/trace_fields.h"

namespace tilescope {

struct OccupancyView {
  int blocks = 0;        // per SM, by shared memory, threads and registers
  int nextBlocks = 0;    // blocks + 1; 0: threads, block slots or registers forbid more
  int64_t nextBytes = 0; // most dynamic bytes at which `nextBlocks` fit
  int64_t lessBytes = 0; // by which the plan is too large for that
  int64_t staticBytes = 0;
  int64_t registersOfThread = 0;      // 0: not known, and not counted
  int64_t spillBytes = 0;             // stores and loads of a thread; of known registers
  std::vector<std::string> limitedBy; // what allows no more: see OccupancyLimit

  friend bool operator==(const OccupancyView &, const OccupancyView &) = default;
};

// Nothing for a target that this program does not know, or with sizes that only the launch knows. A
// trace holds the threads of a kernel only if its compile went to the end; before that they do not
// limit.
std::optional<OccupancyView> occupancyOf(const FacetState &facets, const FunctionState &function);

struct KernelOccupancy {
  std::string function;
  OccupancyView occupancy;
};

// After the last pass, of the kernels whose registers the trace has, also those without shared
// memory; not of those with sizes that only the launch knows.
std::vector<KernelOccupancy> occupanciesOf(const Trace &trace);

// The most bytes for 1, 2, ... blocks, of one kernel; none for a target that this program does not
// know.
std::vector<OccupancyStep> occupancyStepsOf(const FacetState &facets,
                                            const FunctionState &function);

// "1 block/SM, registers not counted; 2 need <= 82,944 bytes: 80,896 less", or
// "2 blocks/SM, as many as 212 registers of a thread allow, 16 bytes spilled"
std::string toText(const OccupancyView &view);

template <typename Archive> void fields(Archive &archive, OccupancyView &view) {
  archive.always("blocks", view.blocks);
  archive("nextBlocks", view.nextBlocks);
  archive("nextBytes", view.nextBytes);
  archive("lessBytes", view.lessBytes);
  archive("staticBytes", view.staticBytes);
  archive("registersOfThread", view.registersOfThread);
  archive("spillBytes", view.spillBytes);
  archive("limitedBy", view.limitedBy);
}

template <typename Archive> void fields(Archive &archive, KernelOccupancy &kernel) {
  archive.always("function", kernel.function);
  archive.always("occupancy", kernel.occupancy);
}

} // namespace tilescope
