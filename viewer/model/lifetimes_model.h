// Panel `lifetimes`: a lane a shared buffer over the program points of the selected snapshot.
#pragma once

#include "core/trace/trace_fields.h"
#include "core/trace/trace_queries.h"
#include "viewer/model/view.h"

namespace tilescope {

struct LifetimeLane {
  BufferId buffer;
  std::string name;
  std::vector<LiveInterval> live; // half-open program points
  std::vector<LiveInterval> inFlight;
  std::vector<ProgramPoint> defs;
  std::vector<ProgramPoint> uses;
  int hueDegrees = 0;
};

struct LifetimeFunction {
  std::string function;
  std::vector<TracePoint> points;
  std::vector<LifetimeLane> lanes;
};

struct LifetimesView {
  std::string pass;
  std::vector<LifetimeFunction> functions;
};

LifetimesView buildLifetimes(const Trace &trace, const Selection &selection);
void print(const LifetimesView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, LifetimeLane &lane) {
  archive("buffer", lane.buffer);
  archive("name", lane.name);
  archive("live", lane.live);
  archive("inFlight", lane.inFlight);
  archive("defs", lane.defs);
  archive("uses", lane.uses);
}

template <typename Archive> void fields(Archive &archive, TracePoint &point) {
  archive("stmt", point.stmt);
  archive("text", point.text);
  archive("sourceLine", point.sourceLine);
}

template <typename Archive> void fields(Archive &archive, LifetimeFunction &function) {
  archive("function", function.function);
  archive("points", function.points);
  archive("lanes", function.lanes);
}

template <typename Archive> void fields(Archive &archive, LifetimesView &view) {
  archive("pass", view.pass);
  archive("functions", view.functions);
}

} // namespace tilescope
