// Panel `lifetimes`: a lane a shared buffer over the program points of the selected snapshot.
#pragma once

#include "core/views/view.h"
#include "core/views/view_points.h"

namespace tilescope {

struct LifetimeLane {
  BufferId buffer;
  std::string name;
  std::string type; // "float16 (128, 32) x3"
  int64_t versions = 1;
  std::vector<LiveInterval> live; // half-open program points, sorted
  std::vector<LiveInterval> inFlight;
  std::vector<ProgramPoint> defs;   // sorted
  std::vector<ProgramPoint> uses;   // sorted
  std::vector<ProgramPoint> copies; // those of `defs` that are asynchronous
  int hueDegrees = 0;
};

struct LifetimeFunction {
  std::string function;
  std::vector<TracePoint> points;
  std::vector<TraceLoop> loops;
  std::vector<LifetimeLane> lanes; // by first definition
};

struct LifetimesView {
  std::string pass;
  std::vector<LifetimeFunction> functions;
};

LifetimesView buildLifetimes(const PassState &state);
// The same in two steps, of which the first serves all passes with the same facets; the second adds
// the name of the pass, points and loops, and replaces those of another pass.
LifetimesView buildLifetimesOfFacets(const FacetState &facets);
void completeLifetimes(LifetimesView &view, const PassState &state);
void print(const LifetimesView &view, llvm::raw_ostream &out);

// What a loop may be called, the longest first: "65  for kb in T.serial(0, 32)",
// "65  for kb", "for kb", "kb".
std::vector<std::string> loopLabels(const TraceLoop &loop);

template <typename Archive> void fields(Archive &archive, LifetimeLane &lane) {
  archive("buffer", lane.buffer);
  archive("name", lane.name);
  archive("type", lane.type);
  archive("versions", lane.versions);
  archive("live", lane.live);
  archive("inFlight", lane.inFlight);
  archive("defs", lane.defs);
  archive("uses", lane.uses);
  archive("copies", lane.copies);
}

template <typename Archive> void fields(Archive &archive, LifetimeFunction &function) {
  archive("function", function.function);
  archive("points", function.points);
  archive("loops", function.loops);
  archive("lanes", function.lanes);
}

template <typename Archive> void fields(Archive &archive, LifetimesView &view) {
  archive("pass", view.pass);
  archive("functions", view.functions);
}

} // namespace tilescope
