#include "core/exports/perfetto_trace.h"

#include "core/exports/perfetto_roles.h"
#include "core/stages/pipeline_stages.h"
#include "core/trace/pass_figures.h"
#include "core/trace/pass_state.h"

#include <algorithm>
#include <map>

namespace tilescope {

namespace {

using Slices = std::vector<PerfettoSlice>;

constexpr int64_t Microsecond = 1000;
// Of one pass, nearly three hours: what a trace claims must not overflow when it is summed up.
constexpr int64_t MaxWallMicroseconds = 10'000'000'000;

const char *nameOf(PassStatus status) {
  constexpr const char *Names[] = {"changed", "unchanged", "failed"};
  return Names[static_cast<size_t>(status)];
}

PerfettoSlice sliceOf(std::string name, const LiveInterval &interval) {
  return {std::move(name), interval.begin * Microsecond, interval.end * Microsecond};
}

// The passes one after the other; a group reaches around its passes. Each takes at least a
// nanosecond, so that what is nested can be told.
Slices timesOf(const Trace &trace) {
  Slices slices;
  int64_t now = 0;
  for (size_t index = 0; index != trace.passes.size(); ++index) {
    const TracePass &pass = trace.passes[index];
    size_t first = firstOfGroup(trace, index);
    int64_t begin = first == index ? now : slices[first].begin;
    int64_t wall = std::clamp<int64_t>(pass.wallMicroseconds, 0, MaxWallMicroseconds);
    now = std::max(now, begin + std::max<int64_t>(wall * Microsecond, 1));
    slices.push_back({pass.name, begin, now});
  }
  return slices;
}

void addPasses(const Trace &trace, PerfettoTracks &tracks) {
  PerfettoTracks::TrackId process = tracks.addProcess("passes");
  PerfettoTracks::TrackId track = tracks.addTrack(process, "passes");
  PerfettoTracks::TrackId counter = tracks.addByteCounter(process, "shared bytes");
  Slices slices = timesOf(trace);
  for (size_t index = 0; index != slices.size(); ++index) {
    const TracePass &pass = trace.passes[index];
    PassFigures figures = figuresOf(trace, index);
    PerfettoSlice &slice = slices[index];
    slice.arguments = {{"status", std::string(nameOf(pass.status))},
                       {"linesAdded", figures.linesAdded},
                       {"linesRemoved", figures.linesRemoved},
                       {"sharedBytes", figures.sharedBytes}};
    if (!pass.options.empty())
      slice.arguments.emplace_back("options", pass.options);
    tracks.addCount(counter, slice.end, figures.sharedBytes);
  }
  tracks.addSlices(track, std::move(slices));
}

// Everything of one kernel whose axis are the program points of one snapshot.
class MemoryTracks {
public:
  MemoryTracks(const FunctionState &function, const FunctionText &text, PerfettoTracks &tracks)
      : function_(function), text_(text), tracks_(tracks) {}

  void add(llvm::StringRef pass) {
    process_ = tracks_.addProcess(function_.name + " after " + pass.str());
    addProgram();
    if (function_.arena)
      addLiveBytes();
    for (const BufferLifetime &lifetime : function_.accesses->lifetimes.buffers)
      addBuffer(*function_.find(lifetime.buffer));
  }

private:
  void addProgram() {
    Slices slices;
    for (const TraceLoop &loop : text_.loops) {
      slices.push_back(sliceOf(loop.text, {loop.begin, loop.end}));
      slices.back().addSourceLine(loop.sourceLine);
    }
    ProgramPoint next = 0;
    for (const TracePoint &point : text_.points) {
      slices.push_back(sliceOf(point.text, {next, next + 1}));
      slices.back().addSourceLine(point.sourceLine);
      ++next;
    }
    tracks_.addSlices(tracks_.addTrack(process_, "program"), std::move(slices));
  }

  void addLiveBytes() {
    std::map<ProgramPoint, int64_t> changes;
    for (const ArenaBuffer &buffer : function_.arena->problem.buffers) {
      for (const LiveInterval &interval : buffer.live) {
        changes[interval.begin] += buffer.sizeBytes;
        changes[interval.end] -= buffer.sizeBytes;
      }
    }
    PerfettoTracks::TrackId counter = tracks_.addByteCounter(process_, "live bytes");
    int64_t live = 0;
    for (auto [point, change] : changes)
      tracks_.addCount(counter, point * Microsecond, live += change);
  }

  void addBuffer(const SharedBuffer &buffer) {
    std::string name = buffer.declaration ? buffer.declaration->name : "?";
    Slices lives, copies;
    for (const LiveInterval &interval : buffer.lifetime->intervals) {
      lives.push_back(sliceOf(name, interval));
      addArguments(buffer, lives.back());
    }
    for (const LiveInterval &interval : buffer.lifetime->inFlight)
      copies.push_back(sliceOf("copy in flight", interval));
    tracks_.addSlices(tracks_.addTrack(process_, name), std::move(lives));
    tracks_.addLanes(process_, name + " copies", std::move(copies));
  }

  static void addArguments(const SharedBuffer &buffer, PerfettoSlice &slice) {
    if (const Placement *placement = buffer.placement) {
      slice.arguments.emplace_back("offsetBytes", placement->offsetBytes);
      slice.arguments.emplace_back("sizeBytes", placement->sizeBytes);
    }
    if (!buffer.declaration)
      return;
    slice.arguments.emplace_back("type", buffer.type());
    slice.addSourceLine(buffer.declaration->span.line);
  }

  const FunctionState &function_;
  const FunctionText &text_;
  PerfettoTracks &tracks_;
  PerfettoTracks::TrackId process_ = 0;
};

std::string stepName(const StageStep &step) {
  switch (step.kind) {
  case StageStep::Kind::Prologue:
    return "prologue";
  case StageStep::Kind::Iteration:
    return "iteration " + toText(step.iteration);
  case StageStep::Kind::LeftOut:
    return "...";
  case StageStep::Kind::Epilogue:
    return "epilogue";
  }
  return "";
}

void addStages(const PassState &state, const PipelineStages &stages, PerfettoTracks &tracks) {
  std::string name = "stages of " + stages.function;
  for (LineId id : *state.snapshot().lines) {
    const TraceLine &line = state.trace().lines[id];
    if (line.stmt != stages.loop || !line.sourceLine())
      continue;
    name += lineText(", line ", line.sourceLine());
    break;
  }
  PerfettoTracks::TrackId process = tracks.addProcess(name);
  Slices steps;
  for (const StageStep &step : stages.steps)
    steps.push_back({stepName(step), step.begin * Microsecond, step.end * Microsecond});
  tracks.addSlices(tracks.addTrack(process, "steps"), std::move(steps));
  std::vector<Slices> tiles(stages.rows.size()), copies(stages.rows.size());
  for (const SlotOccupancy &occupancy : stages.occupancies) {
    int64_t begin = occupancy.begin * Microsecond, ready = occupancy.ready * Microsecond;
    tiles[occupancy.row].push_back(
        {"tile " + toText(occupancy.tile), begin, occupancy.end * Microsecond});
    if (ready > begin)
      copies[occupancy.row].push_back({"copy in flight", begin, ready});
  }
  for (size_t row = 0; row != stages.rows.size(); ++row) {
    const BufferRecord *record = state.facets()->declaration(stages.rows[row].buffer);
    std::string slot =
        (record ? record->name : "?") + "[" + std::to_string(stages.rows[row].slot) + "]";
    tracks.addLanes(process, slot, std::move(tiles[row]));
    tracks.addLanes(process, slot + " copies", std::move(copies[row]));
  }
}

} // namespace

std::string perfettoTrace(const Trace &trace, size_t pass) {
  PassState state(trace, pass);
  PerfettoTracks tracks;
  addPasses(trace, tracks);
  for (const FunctionState &function : state.functions())
    if (function.accesses && !function.accesses->lifetimes.buffers.empty())
      MemoryTracks(function, state.textOf(function), tracks).add(trace.passes[pass].name);
  for (const PipelineStages &stages : pipelineStagesOf(state.snapshot()))
    if (stages.refusal.empty())
      addStages(state, stages, tracks);
  addRoles(state, tracks);
  return tracks.text();
}

} // namespace tilescope
