// Panel `peak`: why the arena is as high as it is, and what would lower it. `tilescope why TRACE
// --peak` prints it too.
#pragma once

#include "core/views/occupancy.h"
#include "core/views/peak_arguments.h"
#include "core/views/unplaced_buffers.h"
#include "core/views/why_facts.h"

namespace tilescope {

// One change to one buffer that lowers the peak.
struct PeakChange {
  std::string buffer;
  std::string change;    // "shorter-life", "fewer-versions", "no-padding"
  int64_t peakBytes = 0; // after it
  int64_t gainBytes = 0;
  int blocksPerSm = 0;   // after it; 0: unknown, or none fits
  int64_t stages = 0;    // fewer-stages: with num_stages of this
  KernelLine sourceLine; // fewer-stages: of the loop
};

// One stage less of a loop, on top of the steps before it.
struct PeakStep {
  std::vector<std::string> buffers; // that lose a version
  int64_t stages = 0;               // num_stages that is left
  KernelLine sourceLine;            // of the loop
  int64_t gainBytes = 0;
  int64_t peakBytes = 0; // after it
};

struct PeakFunction {
  WhyContext context;
  int64_t peakBytes = 0;
  int64_t capacityBytes = 0;
  std::string proof; // "optimal" or "gap"
  std::string certificate;
  std::string conflict; // the first of the plan; ""
  std::optional<OccupancyView> occupancy;
  WhyPoint at;                 // where most is live
  int64_t liveBytes = 0;       // there
  std::vector<WhyBuffer> live; // there, largest first
  // To buffers, largest gain first; then with fewer and fewer stages, loop by loop. That the lives
  // stay as they are is assumed. None for arenas of hundreds of buffers.
  std::vector<PeakChange> changes;
  // Towards one block more on an SM, until it fits or no stages are left.
  std::vector<PeakStep> steps;
  // Over capacity: the fewest buffers that exceed it together, largest first.
  std::vector<std::string> cannotFit;
};

struct PeakView {
  std::vector<PeakFunction> functions;
  std::vector<StaticArray> statics; // of all functions
  PeakTrials trials;                // where the kernel was compiled for them
};

// "one version less of K_shared"
std::string toText(const PeakChange &change);
// "one stage less of K_shared and V_shared (num_stages=1 in line 65)"
std::string toText(const PeakStep &step);
// "towards 2 blocks/SM: 83,456 bytes or less", and how far the steps come; "" where there are none.
std::string stepsHeading(const PeakFunction &function);
std::string stepsResult(const PeakFunction &function);

PeakView buildPeak(const PassState &state);
void print(const PeakView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, PeakChange &change) {
  archive("buffer", change.buffer);
  archive("change", change.change);
  archive.always("peakBytes", change.peakBytes);
  archive.always("gainBytes", change.gainBytes);
  archive("blocksPerSm", change.blocksPerSm);
  archive("stages", change.stages);
  lineFields(archive, change.sourceLine);
}

template <typename Archive> void fields(Archive &archive, PeakStep &step) {
  archive("buffers", step.buffers);
  archive.always("stages", step.stages);
  lineFields(archive, step.sourceLine);
  archive.always("gainBytes", step.gainBytes);
  archive.always("peakBytes", step.peakBytes);
}

template <typename Archive> void fields(Archive &archive, PeakFunction &function) {
  archive("context", function.context);
  archive.always("peakBytes", function.peakBytes);
  archive.always("capacityBytes", function.capacityBytes);
  archive("proof", function.proof);
  archive("certificate", function.certificate);
  archive("conflict", function.conflict);
  archive("occupancy", function.occupancy);
  archive("at", function.at);
  archive.always("liveBytes", function.liveBytes);
  archive.always("live", function.live);
  archive.always("changes", function.changes);
  archive("steps", function.steps);
  archive("cannotFit", function.cannotFit);
}

template <typename Archive> void fields(Archive &archive, PeakView &view) {
  archive.always("functions", view.functions);
  archive("statics", view.statics);
  archive("trials", view.trials);
}

} // namespace tilescope
