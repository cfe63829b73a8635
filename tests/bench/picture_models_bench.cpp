// Building the views that pictures draw, for a snapshot of 20,000 buffers with 200,000 intervals.
// Run alone: bench --benchmark_filter=Picture
#include "core/views/arena_model.h"
#include "core/views/lifetimes_model.h"
#include "core/views/stages_model.h"
#include "core/views/timeline_model.h"

#include <benchmark/benchmark.h>

namespace tilescope {
namespace {

constexpr uint32_t Buffers = 20'000;
constexpr ProgramPoint Points = 5'000;
constexpr ProgramPoint Lives = 10; // of a buffer
constexpr int64_t BufferBytes = 256;

// Buffers that live at the same time lie beside one another; each lives in ten stretches.
std::vector<LiveInterval> livesOf(uint32_t buffer) {
  std::vector<LiveInterval> live;
  for (ProgramPoint life = 0; life != Lives; ++life) {
    ProgramPoint begin = life * (Points / Lives) + static_cast<ProgramPoint>(buffer % 100);
    live.push_back({begin, begin + 100});
  }
  return live;
}

BufferRecord declarationOf(uint32_t id) {
  BufferRecord record;
  record.id = BufferId(id);
  record.name = "tile_" + std::to_string(id);
  record.key = {"kernel", record.name, 0, ""};
  record.dtype = "float16";
  record.shape = {"8", "16"};
  record.scope = BufferScope::SharedDynamic;
  record.sizeBytes = BufferBytes;
  return record;
}

void addBuffer(uint32_t id, AccessRecord &accesses, ArenaRecord &arena) {
  std::string name = "tile_" + std::to_string(id);
  accesses.program.buffers.push_back({BufferId(id), name, 1});
  BufferLifetime lifetime{BufferId(id), livesOf(id), {}, {}, {}};
  for (const LiveInterval &live : lifetime.intervals) {
    lifetime.defs.push_back(live.begin);
    lifetime.uses.push_back(live.end - 1);
  }
  ArenaBuffer buffer;
  buffer.id = BufferId(id);
  buffer.name = std::move(name);
  buffer.sizeBytes = buffer.strideBytes = BufferBytes;
  buffer.live = lifetime.intervals;
  arena.problem.buffers.push_back(std::move(buffer));
  Placement placement;
  placement.id = BufferId(id);
  placement.offsetBytes = id * BufferBytes;
  placement.sizeBytes = BufferBytes;
  arena.plan.placements.push_back(placement);
  accesses.lifetimes.buffers.push_back(std::move(lifetime));
}

Trace largePictureTrace() {
  Trace trace;
  TraceSnapshot snapshot;
  AccessRecord accesses;
  ArenaRecord arena;
  accesses.function = arena.function = "kernel";
  std::vector<LineId> lines;
  AccessNode root;
  for (uint32_t point = 0; point != static_cast<uint32_t>(Points); ++point) {
    trace.lines.push_back({"T.copy(A[k * 128, 0], tile)", StmtId(point), {}, {}});
    lines.push_back(point);
    AccessNode leaf;
    leaf.kind = AccessNode::Kind::Leaf;
    leaf.stmt = StmtId(point);
    root.children.push_back(accesses.program.add(leaf));
  }
  accesses.program.root = accesses.program.add(root);
  std::vector<BufferRecord> declarations;
  for (uint32_t id = 0; id != Buffers; ++id) {
    declarations.push_back(declarationOf(id));
    addBuffer(id, accesses, arena);
  }
  arena.plan.heightBytes = int64_t(Buffers) * BufferBytes;
  snapshot.lines = std::make_shared<std::vector<LineId>>(std::move(lines));
  snapshot.buffers = std::make_shared<std::vector<BufferRecord>>(std::move(declarations));
  snapshot.accesses = std::make_shared<std::vector<AccessRecord>>(1, std::move(accesses));
  snapshot.arenas = std::make_shared<std::vector<ArenaRecord>>(1, std::move(arena));
  trace.snapshots.push_back(std::move(snapshot));
  trace.header.target = "sm_80";
  trace.passes.resize(200);
  for (TracePass &pass : trace.passes)
    pass.figures = PassFigures{0, 0, int64_t(Buffers) * BufferBytes, true};
  return trace;
}

const Trace &large() {
  static const Trace Large = largePictureTrace();
  return Large;
}

template <auto Build> void buildView(benchmark::State &state) {
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(Build(PassState(large(), 0)));
}

void buildTimelineView(benchmark::State &state) {
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(buildTimeline(large(), Selection()));
}

BENCHMARK(buildView<buildArena>)->Name("Picture/arena")->Unit(benchmark::kMillisecond);
BENCHMARK(buildView<buildLifetimes>)->Name("Picture/lifetimes")->Unit(benchmark::kMillisecond);
constexpr StagesView (*StagesOfState)(const PassState &) = buildStages;
BENCHMARK(buildView<StagesOfState>)->Name("Picture/stages")->Unit(benchmark::kMillisecond);
BENCHMARK(buildTimelineView)->Name("Picture/timeline")->Unit(benchmark::kMillisecond);

} // namespace
} // namespace tilescope
