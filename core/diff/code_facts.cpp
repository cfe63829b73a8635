#include "core/diff/code_facts.h"

#include "core/support/diagnostics.h"
#include "core/support/line_edits.h"
#include "core/trace/trace_origin.h"
#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <set>

namespace tilescope {

namespace {

int64_t barriersOf(const TraceSnapshot &snapshot) {
  int64_t barriers = 0;
  for (const AccessRecord &record : *snapshot.accesses)
    barriers += llvm::count_if(record.program.nodes, [](const AccessNode &node) {
      return node.kind == AccessNode::Kind::Barrier && node.scope == BarrierScope::Block;
    });
  return barriers;
}

bool isCopy(llvm::StringRef function) {
  if (function.ends_with("_commit") || function.ends_with("_wait"))
    return false;
  return llvm::any_of(llvm::ArrayRef<llvm::StringRef>{"cp_async", "copy_vector", "ldmatrix",
                                                      "stmatrix", "tma_load", "tma_store"},
                      [&](llvm::StringRef prefix) { return function.starts_with(prefix); });
}

// "cp_async<16>" of "cp_async<16>(&a[0], &b[0]);"; "": no call stands there.
llvm::StringRef calledFunction(llvm::StringRef text) {
  size_t end = text.find_if_not([](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (end == llvm::StringRef::npos || end == 0)
    return "";
  if (text[end] == '<')
    end = text.find('>', end) == llvm::StringRef::npos ? end : text.find('>', end) + 1;
  return end < text.size() && text[end] == '(' ? text.take_front(end) : "";
}

void countCopies(llvm::StringRef line, std::map<std::string, int64_t> &copies) {
  for (size_t at = 0; at < line.size(); ++at) {
    if (at > 0 && (llvm::isAlnum(line[at - 1]) || line[at - 1] == '_'))
      continue;
    llvm::StringRef function = calledFunction(line.drop_front(at));
    if (!function.empty() && isCopy(function.take_until([](char c) { return c == '<'; })))
      ++copies[function.str()];
  }
}

// Of the kernels alone: what they call is defined above the first.
std::map<std::string, int64_t> copiesOf(llvm::StringRef cuda) {
  std::map<std::string, int64_t> copies;
  bool isInKernel = false;
  for (llvm::StringRef line : cudaCode(cuda)) {
    isInKernel |= line.contains("__global__");
    if (isInKernel)
      countCopies(line, copies);
  }
  return copies;
}

std::vector<PipelineFacts> pipelinesOf(const Trace &trace, const TraceSnapshot &snapshot) {
  std::vector<PipelineFacts> pipelines;
  for (const PipelineRecord &record : *snapshot.pipelines) {
    PipelineFacts facts;
    facts.stages = record.numStages;
    std::set<int64_t> groups;
    for (const PipelineStmtRecord &stmt : record.schedule)
      if (stmt.group >= 0)
        groups.insert(stmt.group);
    facts.groups = static_cast<int64_t>(groups.size());
    for (LineId id : *snapshot.lines)
      if (trace.lines[id].stmt == record.loop && !facts.sourceLine)
        facts.sourceLine = trace.lines[id].sourceLine();
    pipelines.push_back(facts);
  }
  return pipelines;
}

// The last snapshot that still knows the schedule: passes after it write it out. Null: none does.
const TraceSnapshot *scheduledSnapshot(const Trace &trace) {
  for (const TracePass &pass : llvm::reverse(trace.passes))
    for (const PipelineRecord &record : *trace.snapshots[pass.snapshot].pipelines)
      if (!record.schedule.empty())
        return &trace.snapshots[pass.snapshot];
  return nullptr;
}

// Of another compiler's trace nothing, unless it has a schedule.
std::optional<std::vector<PipelineFacts>> pipelinesOf(const Trace &trace) {
  if (const TraceSnapshot *scheduled = scheduledSnapshot(trace))
    return pipelinesOf(trace, *scheduled);
  if (isForeign(trace.header))
    return std::nullopt;
  if (trace.passes.empty())
    return std::vector<PipelineFacts>();
  return pipelinesOf(trace, trace.snapshots[trace.passes.back().snapshot]);
}

// What the checkers said; errors of other kinds end a compile.
std::vector<std::string> faultsOf(const Trace &trace) {
  std::vector<std::string> faults;
  for (const TraceDiagnostic &diagnostic : trace.diagnostics) {
    bool isAllowed = diagnostic.id == nameOf(DiagId::AllowedHazard);
    std::string place = lineText("line ", diagnostic.sourceLine(), ": ");
    if (diagnostic.severity == "error" || isAllowed)
      faults.push_back(place + diagnostic.text);
  }
  return faults;
}

} // namespace

CodeFacts codeFactsOf(const Trace &trace) {
  CodeFacts facts;
  facts.copies = copiesOf(trace.cuda);
  facts.pipelines = pipelinesOf(trace);
  if (trace.passes.empty())
    return facts;
  facts.barriers = barriersOf(trace.snapshots[trace.passes.back().snapshot]);
  const TraceVerdicts &verdicts = trace.passes.back().verdicts;
  facts.isSound =
      allOf(allOf(verdicts.verified, verdicts.arenaSound), verdicts.hazardFree) != Verdict::No;
  if (!facts.isSound)
    facts.faults = faultsOf(trace);
  for (const LaunchRecord &launch : trace.launches)
    facts.launches.push_back({launch.kernel, launch.threads, launch.grid, launch.cluster});
  return facts;
}

std::vector<llvm::StringRef> cudaCode(llvm::StringRef cuda) {
  llvm::SmallVector<llvm::StringRef> lines;
  cuda.split(lines, '\n');
  std::vector<llvm::StringRef> code;
  for (llvm::StringRef line : lines)
    if (llvm::StringRef text = line.split("//").first.trim(); !text.empty())
      code.push_back(text);
  return code;
}

CudaDiff diffCuda(llvm::StringRef before, llvm::StringRef after) {
  llvm::StringMap<uint32_t> ids;
  auto intern = [&](llvm::StringRef cuda) {
    std::vector<uint32_t> lines;
    for (llvm::StringRef line : cudaCode(cuda))
      lines.push_back(ids.try_emplace(line, ids.size()).first->second);
    return lines;
  };
  CudaDiff diff;
  for (const LineEdit &edit : diffLines(intern(before), intern(after))) {
    diff.removed += edit.removed;
    diff.added += static_cast<int64_t>(edit.inserted.size());
  }
  diff.hasOtherComments = diff.isSameCode() && before != after;
  return diff;
}

} // namespace tilescope
