#include "viewer/model/peak_model.h"

#include "core/plan/infeasible.h"
#include "core/plan/savings.h"
#include "core/trace/trace_queries.h"
#include "viewer/model/arena_model.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

namespace tilescope {

std::string toText(const PeakChange &change) {
  if (change.change == "fewer-stages")
    return llvm::formatv("num_stages={0} in line {1}", change.stages, change.sourceLine).str();
  if (change.change == "fewer-versions")
    return "one version less of " + change.buffer;
  if (change.change == "no-padding")
    return "no more alignment of " + change.buffer + " than the others need";
  return "a life of " + change.buffer + " that ends before that point or begins after it";
}

namespace {

// Each change is planned anew, so there is a limit to how many buffers that is done for.
constexpr size_t MaxBuffers = 256;
constexpr int64_t SearchNodes = 2'000;

// Loops of more stages than this are nobody's, nor are more versions.
constexpr int64_t MaxStages = 16;
constexpr int64_t MaxVersions = 64;

// The most versions that loops other than `pipeline` need of a buffer; at least 1.
int64_t versionsElsewhere(const TraceSnapshot &snapshot, const PipelineRecord &pipeline,
                          BufferId id) {
  int64_t versions = 1;
  for (const PipelineRecord &other : *snapshot.pipelines)
    for (const auto &[otherId, count] : other.versions)
      if (other.loop != pipeline.loop && otherId == id)
        versions = std::max(versions, count);
  return versions;
}

// `problem` with `stages` instead of `pipeline.numStages`: as many versions less of what the loop
// versions, but no fewer than another loop needs.
ArenaProblem withStages(const TraceSnapshot &snapshot, const PipelineRecord &pipeline,
                        int64_t stages, ArenaProblem problem) {
  for (const auto &[id, count] : pipeline.versions) {
    int64_t left = std::clamp(count, int64_t(1), MaxVersions) - (pipeline.numStages - stages);
    int64_t versions = std::max(left, versionsElsewhere(snapshot, pipeline, id));
    for (ArenaBuffer &buffer : problem.buffers) {
      if (buffer.id != id || versions >= buffer.versions)
        continue;
      buffer.versions = versions;
      buffer.sizeBytes = buffer.sizeBytes > 0 ? versions * buffer.strideBytes : 0;
    }
  }
  return problem;
}

void addStages(const Trace &trace, const TraceSnapshot &snapshot, const ArenaRecord &arena,
               std::vector<PeakChange> &changes) {
  for (const PipelineRecord &pipeline : *snapshot.pipelines) {
    uint32_t sourceLine = 0;
    for (LineId line : *snapshot.lines)
      if (trace.lines[line].stmt == pipeline.loop && sourceLine == 0)
        sourceLine = trace.lines[line].span.line;
    if (pipeline.numStages > MaxStages)
      continue;
    int64_t last = arena.plan.heightBytes;
    for (int64_t stages = pipeline.numStages - 1; stages > 0; --stages) {
      ArenaProblem problem = withStages(snapshot, pipeline, stages, arena.problem);
      int64_t bytes = planArena(problem, SearchNodes).heightBytes;
      if (bytes >= last)
        continue;
      last = bytes;
      changes.push_back(
          {"", "fewer-stages", bytes, arena.plan.heightBytes - bytes, 0, stages, sourceLine});
    }
  }
}

std::vector<PeakChange> changesOf(const Trace &trace, const TraceSnapshot &snapshot,
                                  const ArenaRecord &arena, const ArenaFacts &facts) {
  static constexpr const char *Names[] = {"shorter-life", "fewer-versions", "no-padding"};
  std::vector<PeakChange> changes;
  if (arena.problem.buffers.size() > MaxBuffers)
    return changes;
  for (const Saving &saving : cheapestSavings(arena.problem, SearchNodes))
    changes.push_back(
        {facts.nameOf(saving.buffer), Names[saving.kind], saving.heightBytes, saving.gainBytes});
  addStages(trace, snapshot, arena, changes);
  const Target *target = targetOf(trace);
  if (!target)
    return changes;
  for (PeakChange &change : changes) {
    BlockDemand demand = demandOf(trace, arena, *target);
    demand.dynamicBytes = change.peakBytes;
    change.blocksPerSm = blocksPerSm(*target, demand);
  }
  return changes;
}

PeakFunction functionOf(const Trace &trace, const Selection &selection, const ArenaRecord &arena) {
  ArenaFacts facts(trace, selection, arena);
  PeakFunction function;
  function.context = facts.context();
  function.peakBytes = arena.plan.heightBytes;
  function.capacityBytes = arena.problem.capacityBytes;
  function.proof = proofWord(arena.plan);
  function.certificate = certificateText(arena);
  function.occupancy = occupancyOf(trace, arena);
  function.at = facts.at(peakPoint(arena));
  for (const ArenaBuffer &buffer : arena.problem.buffers) {
    if (!contains(buffer.live, function.at.point) || buffer.sizeBytes == 0)
      continue;
    function.live.push_back(facts.describe(buffer.id));
    function.liveBytes += buffer.sizeBytes;
  }
  llvm::stable_sort(function.live, [](const WhyBuffer &a, const WhyBuffer &b) {
    return a.sizeBytes > b.sizeBytes;
  });
  for (BufferId id : infeasibleCore(arena.problem))
    function.cannotFit.push_back(facts.nameOf(id));
  function.changes = changesOf(trace, selectedSnapshot(trace, selection), arena, facts);
  return function;
}

void printLive(const PeakFunction &function, llvm::raw_ostream &out) {
  out << "\n  most is live at " << toText(function.at) << ": " << groupedNumber(function.liveBytes)
      << " bytes\n";
  std::vector<std::vector<std::string>> rows{
      {"  buffer", "written", "last read", "bytes", "versions"}};
  for (const WhyBuffer &buffer : function.live)
    rows.push_back({"  " + buffer.name, buffer.definition ? toText(*buffer.definition) : "never",
                    buffer.lastUse ? toText(*buffer.lastUse) : "never",
                    groupedNumber(buffer.sizeBytes), std::to_string(buffer.versions)});
  printTable(out, rows, 3, [&](size_t row, size_t column) {
    return row > 0 && column == 0 ? Ink::ofHue(function.live[row - 1].hueDegrees)
                                  : headingInk(row, column);
  });
}

void printChanges(const PeakFunction &function, llvm::raw_ostream &out) {
  if (function.changes.empty())
    return;
  auto tooLarge = [&](int64_t bytes) {
    return function.capacityBytes > 0 && bytes > function.capacityBytes;
  };
  out << "\n  single changes that would lower it\n";
  std::vector<std::vector<std::string>> rows{{"  change", "gains", "peak", "blocks/SM"}};
  for (const PeakChange &change : function.changes)
    rows.push_back({"  " + toText(change), groupedNumber(change.gainBytes),
                    groupedNumber(change.peakBytes),
                    tooLarge(change.peakBytes) ? "too large"
                    : change.blocksPerSm > 0   ? std::to_string(change.blocksPerSm)
                                               : ""});
  printTable(out, rows, 1);
}

void printFunction(const PeakFunction &function, llvm::raw_ostream &out) {
  printContext(function.context, out);
  out << llvm::formatv("  {0} of {1} bytes; {2}\n", groupedNumber(function.peakBytes),
                       groupedNumber(function.capacityBytes), function.certificate);
  if (function.occupancy)
    out << "  " << toText(*function.occupancy) << '\n';
  if (!function.cannotFit.empty())
    out << "  cannot fit together: " << llvm::join(function.cannotFit, ", ") << '\n';
  if (!function.live.empty())
    printLive(function, out);
  printChanges(function, out);
}

} // namespace

PeakView buildPeak(const Trace &trace, const Selection &selection) {
  PeakView view;
  const TraceSnapshot &snapshot = selectedSnapshot(trace, selection);
  for (const ArenaRecord &arena : *snapshot.arenas)
    view.functions.push_back(functionOf(trace, selection, arena));
  view.statics = staticArraysOf(snapshot);
  return view;
}

void print(const PeakView &view, llvm::raw_ostream &out) {
  if (view.functions.empty() && view.statics.empty())
    out << "this kernel uses no shared memory\n";
  const char *separator = "";
  std::set<std::string> printed;
  for (const PeakFunction &function : view.functions) {
    out << separator;
    printFunction(function, out);
    printStatics(view.statics, function.context.function, out);
    printed.insert(function.context.function);
    separator = "\n";
  }
  for (const StaticArray &array : view.statics) {
    if (!printed.insert(array.function).second)
      continue;
    out << separator << array.function << ": no dynamic shared memory\n";
    printStatics(view.statics, array.function, out);
    separator = "\n";
  }
}

} // namespace tilescope
