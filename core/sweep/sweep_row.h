// What a sweep knows of one of its points.
#pragma once

#include "core/json/archive.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope {

// Of a kernel file that launches several kernels: the highest peak, the fewest blocks, the sum of
// global bytes, barriers and spills, the most stages and registers.
struct SweepFigures {
  int64_t peakBytes = 0; // of dynamic shared memory
  std::string proof;     // "optimal" or "gap"
  // That threads read and write in global memory; nullopt: that cannot be counted before the launch
  // (core/analysis/global_traffic.h).
  std::optional<int64_t> globalBytes;
  // By shared memory and threads, and by registers where they are known; nullopt: sizes that only
  // the launch knows.
  std::optional<int64_t> blocksPerSm;
  std::vector<std::string> limitedBy; // what allows no more: see OccupancyLimit
  int64_t barriers = 0;               // of the block, that stand in the code
  int64_t stages = 0;                 // of the deepest pipelined loop; 0: there is none
  // Of a thread; nullopt: ptxas was not asked.
  std::optional<int64_t> registers;
  std::optional<int64_t> spillBytes;
  // Nanoseconds of one run of all launches on a GPU of the machine; nullopt: it was not timed.
  std::optional<int64_t> medianNs;
  // Of that GPU meanwhile; nullopt: it was not timed, or NVML did not say it.
  std::optional<int64_t> smMhz;
  std::optional<int64_t> watts;
  std::optional<int64_t> celsius;
  std::vector<std::string> slowedBy; // why its clock was lower than it can be

  friend bool operator==(const SweepFigures &, const SweepFigures &) = default;
};

struct SweepRow {
  uint64_t point = 0;
  std::string error; // the first diagnostic; "": it compiled
  // Types and shapes of the tensors: points are compared that solve the same problem.
  std::string problem;
  SweepFigures figures;

  friend bool operator==(const SweepRow &, const SweepRow &) = default;
};

// A row that failed has no figures.
template <typename Archive> void figureFields(Archive &archive, SweepFigures &figures) {
  archive("peakBytes", figures.peakBytes);
  archive("proof", figures.proof);
  archive("globalBytes", figures.globalBytes);
  archive("blocksPerSm", figures.blocksPerSm);
  archive("limitedBy", figures.limitedBy);
  archive("barriers", figures.barriers);
  archive("stages", figures.stages);
  archive("registers", figures.registers);
  archive("spillBytes", figures.spillBytes);
  archive("medianNs", figures.medianNs);
  archive("smMhz", figures.smMhz);
  archive("watts", figures.watts);
  archive("celsius", figures.celsius);
  archive("slowedBy", figures.slowedBy);
}

template <typename Archive> void fields(Archive &archive, SweepRow &row) {
  archive.always("point", row.point);
  archive("error", row.error);
  archive("problem", row.problem);
  figureFields(archive, row.figures);
}

} // namespace tilescope
