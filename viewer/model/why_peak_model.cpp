#include "viewer/model/why_peak_model.h"

#include "core/plan/savings.h"
#include "core/trace/trace_queries.h"
#include "viewer/model/arena_model.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// Each change is planned anew, so there is a limit to how many buffers that is done for.
constexpr size_t MaxBuffers = 256;
constexpr int64_t SearchNodes = 2'000;

std::vector<PeakChange> changesOf(const Trace &trace, const ArenaRecord &arena,
                                  const ArenaFacts &facts) {
  static constexpr const char *Names[] = {"shorter-life", "fewer-versions", "no-padding"};
  std::vector<PeakChange> changes;
  if (arena.problem.buffers.size() > MaxBuffers)
    return changes;
  llvm::Expected<const Target *> target = findTarget(trace.header.target);
  for (const Saving &saving : cheapestSavings(arena.problem, SearchNodes)) {
    PeakChange change{facts.nameOf(saving.buffer), Names[saving.kind], saving.heightBytes,
                      saving.gainBytes, 0};
    if (target) {
      BlockDemand demand = demandOf(trace, arena, **target);
      demand.dynamicBytes = saving.heightBytes;
      change.blocksPerSm = blocksPerSm(**target, demand);
    }
    changes.push_back(std::move(change));
  }
  if (!target)
    llvm::consumeError(target.takeError());
  return changes;
}

PeakFunction functionOf(const Trace &trace, const Selection &selection, const ArenaRecord &arena) {
  ArenaFacts facts(trace, selection, arena);
  PeakFunction function;
  function.context = facts.context();
  function.peakBytes = arena.plan.heightBytes;
  function.capacityBytes = arena.problem.capacityBytes;
  function.proof = arena.plan.certificate.kind == ProofKind::Gap ? "gap" : "optimal";
  function.certificate = certificateText(arena);
  function.occupancy = occupancyOf(trace, arena);
  function.at = facts.at(peakPoint(arena));
  for (const ArenaBuffer &buffer : arena.problem.buffers) {
    if (!isLiveAt(buffer, function.at.point) || buffer.sizeBytes == 0)
      continue;
    function.live.push_back(facts.describe(buffer.id));
    function.liveBytes += buffer.sizeBytes;
  }
  llvm::stable_sort(function.live, [](const WhyBuffer &a, const WhyBuffer &b) {
    return a.sizeBytes > b.sizeBytes;
  });
  function.changes = changesOf(trace, arena, facts);
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

std::string changeText(const PeakChange &change) {
  if (change.change == "fewer-versions")
    return "  one version less of " + change.buffer;
  if (change.change == "no-padding")
    return "  no more alignment of " + change.buffer + " than the others need";
  return "  a life of " + change.buffer + " that ends before that point or begins after it";
}

void printChanges(const PeakFunction &function, llvm::raw_ostream &out) {
  if (function.changes.empty())
    return;
  out << "\n  single changes that would lower it\n";
  std::vector<std::vector<std::string>> rows{{"  change", "gains", "peak", "blocks/SM"}};
  for (const PeakChange &change : function.changes)
    rows.push_back({changeText(change), groupedNumber(change.gainBytes),
                    groupedNumber(change.peakBytes),
                    change.blocksPerSm ? std::to_string(change.blocksPerSm) : ""});
  printTable(out, rows, 1);
}

void printFunction(const PeakFunction &function, llvm::raw_ostream &out) {
  printContext(function.context, out);
  out << llvm::formatv("  {0} of {1} bytes; {2}\n", groupedNumber(function.peakBytes),
                       groupedNumber(function.capacityBytes), function.certificate);
  if (function.occupancy)
    out << "  " << toText(*function.occupancy) << '\n';
  if (!function.live.empty())
    printLive(function, out);
  printChanges(function, out);
}

} // namespace

WhyPeakView buildWhyPeak(const Trace &trace, const Selection &selection) {
  WhyPeakView view;
  for (const ArenaRecord &arena : *selectedSnapshot(trace, selection).arenas)
    view.functions.push_back(functionOf(trace, selection, arena));
  return view;
}

void print(const WhyPeakView &view, llvm::raw_ostream &out) {
  if (view.functions.empty())
    out << "this kernel uses no shared memory\n";
  const char *separator = "";
  for (const PeakFunction &function : view.functions) {
    out << separator;
    printFunction(function, out);
    separator = "\n";
  }
}

} // namespace tilescope
