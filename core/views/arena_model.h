// Panel `arena`: shared memory after a pass. Bytes are offsets in the dynamic shared memory.
//
// A row is a buffer; it holds its bytes over the program points of its life, and version v of it
// lies at offsetBytes + v * strideBytes. Boxes are the same by program point, for drawing.
#pragma once

#include "core/exports/arena_svg.h"
#include "core/trace/trace_fields.h"
#include "core/views/arena_boxes.h"
#include "core/views/occupancy.h"
#include "core/views/unplaced_buffers.h"
#include "core/views/view.h"
#include "core/views/view_points.h"

namespace tilescope {

struct ArenaRow {
  BufferId buffer;
  std::string name;
  std::string type; // "float16 (128, 32) x3"
  int64_t offsetBytes = 0;
  int64_t sizeBytes = 0;
  int64_t alignmentBytes = 1;
  int64_t paddingBytes = 0; // below it
  int64_t versions = 1;
  int64_t strideBytes = 0; // from one version to the next
  std::vector<LiveInterval> live;
  std::vector<ProgramPoint> writes; // sorted
  std::vector<std::string> sharesWith;
  std::string reason;
  std::string viewOf;      // the shared buffer that this one is made from; ""
  uint32_t sourceLine = 0; // where it is allocated
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
  uint32_t sourceLine = 0; // where it is allocated
  int hueDegrees = 0;
};

struct ArenaFunction {
  std::string function;
  bool preview = true;
  std::vector<std::string> unknown; // what may still change a preview; else what lives do not go by
  int64_t peakBytes = 0;
  int64_t capacityBytes = 0;
  int64_t sumBytes = 0; // of all buffers, without sharing
  std::string proof;    // "optimal" or "gap"; a plan with conflicts proves nothing
  std::string certificate;
  int64_t boundBytes = 0;
  std::optional<OccupancyView> occupancy;  // nullopt: unknown target, or sizes known at launch only
  std::vector<ArenaRow> buffers;           // by offset
  std::vector<ByteRange> ranges;           // of `buffers`
  std::vector<LaunchSizedRow> launchSized; // above them, by region
  std::vector<StaticArray> statics;        // outside of the arena
  std::vector<OutsideBox> outside;         // launchSized and statics, as they are drawn
  std::vector<OccupancyStep> steps;        // most bytes for 1, 2, ... blocks per SM
  std::vector<TracePoint> points;          // by program point; empty: they are not known
  std::vector<uint32_t> irLines;           // by program point: the line of the IR, from 1
  std::vector<TraceLoop> loops;
  ProgramPoint peakPoint = 0;  // where most is live
  ProgramPoint pointCount = 0; // of the axis: all points and all boxes
  std::vector<ArenaBox> boxes; // by begin; rows are indices into `buffers`
  std::vector<ArenaConflict> conflicts;
};

struct ArenaView {
  std::string pass;
  int64_t capacityBytes = 0; // of the target
  int64_t scaleBytes = 1;    // end of the axis: the same for all functions and after all passes
  std::vector<ArenaFunction> functions;
};

// Whether one of them is made from the other, and has its bytes.
bool areViews(const ArenaRow &a, const ArenaRow &b);

// Who wrote the bytes of a row last, at a point: the statement there or above, and, where a loop
// around the point goes on to write them, the one from the iteration before. "57 cp_async(V[b,
// ...", by its line of the IR.
std::vector<std::string> writersAt(const ArenaFunction &function, uint32_t row, ProgramPoint point);

// "optimal: live at point 3 = 98,304: Q_shared, K_shared, V_shared", and the like. What does not
// fit says so first.
std::string certificateText(const ArenaRecord &arena);

// One line, what matters most first: "160 KiB of 163 KiB, 1 block/SM, optimal, attention_kernel".
std::string headlineOf(const ArenaFunction &function);

ArenaView buildArena(const PassState &state);
// One function of it, without its text.
ArenaFunction arenaOf(const FacetState &facets, const FunctionState &state);
// "conflict: A and B both hold bytes [0, 64) at points [1, 5)"
std::string toText(const ArenaConflict &conflict, const ArenaFunction &function);
// The same in two steps, of which the first serves all passes with the same facets; the second adds
// the name of the pass, points, loops and scale, and replaces those of another pass.
ArenaView buildArenaOfFacets(const FacetState &facets);
void completeArena(ArenaView &view, const PassState &state);
void print(const ArenaView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, ArenaRow &row) {
  archive("buffer", row.buffer);
  archive("name", row.name);
  archive("type", row.type);
  archive.always("offsetBytes", row.offsetBytes);
  archive.always("sizeBytes", row.sizeBytes);
  archive("paddingBytes", row.paddingBytes);
  archive("versions", row.versions);
  archive("strideBytes", row.strideBytes);
  archive("live", row.live);
  archive("sharesWith", row.sharesWith);
  archive("reason", row.reason);
  archive("viewOf", row.viewOf);
  archive("sourceLine", row.sourceLine);
}

template <typename Archive> void fields(Archive &archive, OccupancyStep &step) {
  archive.always("blocks", step.blocks);
  archive.always("dynamicBytes", step.dynamicBytes);
}

template <typename Archive> void fields(Archive &archive, ArenaConflict &conflict) {
  archive.always("first", conflict.first);
  archive.always("second", conflict.second);
  archive.always("beginBytes", conflict.beginBytes);
  archive.always("endBytes", conflict.endBytes);
  archive.always("points", conflict.points);
}

template <typename Archive> void fields(Archive &archive, LaunchSizedRow &row) {
  archive("buffer", row.buffer);
  archive("name", row.name);
  archive("type", row.type);
  archive.always("region", row.region);
  archive("live", row.live);
  archive("sharesWith", row.sharesWith);
  archive("sourceLine", row.sourceLine);
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
  archive("steps", function.steps);
  archive("points", function.points);
  archive("irLines", function.irLines);
  archive("loops", function.loops);
  archive.always("peakPoint", function.peakPoint);
  archive("conflicts", function.conflicts);
}

template <typename Archive> void fields(Archive &archive, ArenaView &view) {
  archive("pass", view.pass);
  archive("functions", view.functions);
  archive("scaleBytes", view.scaleBytes);
}

// The keys of the only function stand at the top too, since most kernels have one; those of a
// function without shared memory where there is none.
Json toJson(const ArenaView &view);
Json arenaSchema();

} // namespace tilescope
