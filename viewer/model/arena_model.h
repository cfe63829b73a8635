// Panel `arena`: shared memory after a pass. Bytes are offsets in the dynamic shared memory.
#pragma once

#include "core/trace/trace_fields.h"
#include "viewer/model/occupancy.h"
#include "viewer/model/unplaced_buffers.h"
#include "viewer/model/view.h"

namespace tilescope {

struct ArenaRow {
  BufferId buffer;
  std::string name;
  std::string type; // "float16 (128, 32) x3"
  int64_t offsetBytes = 0;
  int64_t sizeBytes = 0;
  int64_t paddingBytes = 0; // below it
  std::vector<LiveInterval> live;
  std::vector<std::string> sharesWith;
  std::string reason;
  int hueDegrees = 0;
};

// A buffer whose size is known at launch: see core/plan/launch_regions.h.
struct LaunchSizedRow {
  BufferId buffer;
  std::string name;
  std::string type;
  int64_t region = 0;
  std::vector<LiveInterval> live;
  std::vector<std::string> sharesWith;
  int hueDegrees = 0;
};

struct ArenaFunction {
  std::string function;
  bool preview = true;
  std::vector<std::string> unknown; // what may still change a preview
  int64_t peakBytes = 0;
  int64_t capacityBytes = 0;
  int64_t sumBytes = 0; // of all buffers, without sharing
  std::string proof;    // "optimal" or "gap"
  std::string certificate;
  int64_t boundBytes = 0;
  std::optional<OccupancyView> occupancy;  // nullopt: unknown target, or sizes known at launch only
  std::vector<ArenaRow> buffers;           // by offset
  std::vector<LaunchSizedRow> launchSized; // above them, by region
  std::vector<StaticArray> statics;        // outside of the arena
};

struct ArenaView {
  std::string pass;
  int64_t capacityBytes = 0; // of the target
  std::vector<ArenaFunction> functions;
};

// "optimal: live at point 3 = 98,304: Q_shared, K_shared, V_shared", and the like.
std::string certificateText(const ArenaRecord &arena);

ArenaView buildArena(const Trace &trace, const Selection &selection);
void print(const ArenaView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, ArenaRow &row) {
  archive("buffer", row.buffer);
  archive("name", row.name);
  archive("type", row.type);
  archive.always("offsetBytes", row.offsetBytes);
  archive.always("sizeBytes", row.sizeBytes);
  archive("paddingBytes", row.paddingBytes);
  archive("live", row.live);
  archive("sharesWith", row.sharesWith);
  archive("reason", row.reason);
}

template <typename Archive> void fields(Archive &archive, LaunchSizedRow &row) {
  archive("buffer", row.buffer);
  archive("name", row.name);
  archive("type", row.type);
  archive.always("region", row.region);
  archive("live", row.live);
  archive("sharesWith", row.sharesWith);
}

template <typename Archive> void fields(Archive &archive, ArenaFunction &function) {
  archive("function", function.function);
  archive("preview", function.preview);
  archive("unknown", function.unknown);
  archive.always("peakBytes", function.peakBytes);
  archive.always("capacityBytes", function.capacityBytes);
  archive.always("sumBytes", function.sumBytes);
  archive("proof", function.proof);
  archive("certificate", function.certificate);
  archive("boundBytes", function.boundBytes);
  archive("occupancy", function.occupancy);
  archive.always("buffers", function.buffers);
  archive("launchSized", function.launchSized);
  archive("statics", function.statics);
}

template <typename Archive> void fields(Archive &archive, ArenaView &view) {
  archive("pass", view.pass);
  archive("functions", view.functions);
}

// The keys of the only function stand at the top too, since most kernels have one; those of a
// function without shared memory where there is none.
Json toJson(const ArenaView &view);

} // namespace tilescope
