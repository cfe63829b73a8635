#include "core/views/history_model.h"

#include "core/trace/pass_figures.h"
#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

constexpr size_t NamedDigits = 8; // of a hash

int64_t liveBytesOf(const ArenaRecord &arena) {
  ProgramPoint at = peakPoint(arena);
  int64_t bytes = 0;
  for (const ArenaBuffer &buffer : arena.problem.buffers)
    if (contains(buffer.live, at))
      bytes += buffer.sizeBytes;
  return bytes;
}

ArenaBytes bytesOf(const Trace &trace) {
  ArenaBytes bytes;
  for (const ArenaRecord &arena : *trace.snapshots[trace.passes.back().snapshot].arenas) {
    bytes.arenaBytes = std::max(bytes.arenaBytes, arena.plan.heightBytes);
    bytes.liveBytes = std::max(bytes.liveBytes, liveBytesOf(arena));
  }
  return bytes;
}

bool isError(const TraceDiagnostic &diagnostic) { return diagnostic.severity == "error"; }

} // namespace

KernelCommit compiledCommit(KernelCommit commit, llvm::Expected<Trace> compiled) {
  commit.isCompiled = true;
  if (!compiled) {
    commit.error = llvm::toString(compiled.takeError());
    return commit;
  }
  const Trace &trace = *compiled;
  auto error = llvm::find_if(trace.diagnostics, isError);
  if (error != trace.diagnostics.end())
    commit.error = error->text;
  else
    commit.bytes = bytesOf(trace);
  return commit;
}

HistoryView buildHistory(const Trace &trace, const KernelHistory &history) {
  HistoryView view;
  view.missing = history.missing;
  if (!view.missing.empty())
    return view;
  for (const KernelCommit &commit : history.commits)
    view.rows.push_back({.commit = commit.hash.substr(0, NamedDigits),
                         .title = commit.title,
                         .isPending = !commit.isCompiled,
                         .bytes = commit.bytes,
                         .error = commit.error});
  HistoryRow open{.commit = OpenKernel.str(), .bytes = bytesOf(trace)};
  if (llvm::any_of(trace.diagnostics, isError))
    open.bytes.reset();
  view.rows.push_back(std::move(open));
  std::optional<int64_t> before;
  for (HistoryRow &row : view.rows) {
    if (!row.bytes)
      continue;
    row.deltaBytes = row.bytes->arenaBytes - before.value_or(row.bytes->arenaBytes);
    before = row.bytes->arenaBytes;
    view.mostBytes = std::max({view.mostBytes, row.bytes->arenaBytes, row.bytes->liveBytes});
  }
  view.capacityBytes = capacityAfter(trace, trace.passes.size() - 1);
  return view;
}

void print(const HistoryView &view, llvm::raw_ostream &out) {
  if (!view.missing.empty())
    return;
  std::vector<std::vector<std::string>> rows = {{"commit", "title", "arena", "delta", "live"}};
  for (const HistoryRow &row : view.rows) {
    std::string title = row.error.empty()
                            ? row.title
                            : row.title + ": " + llvm::StringRef(row.error).split('\n').first.str();
    if (row.bytes)
      rows.push_back({row.commit, title, groupedNumber(row.bytes->arenaBytes),
                      row.deltaBytes ? signedNumber(row.deltaBytes) : "",
                      groupedNumber(row.bytes->liveBytes)});
    else
      rows.push_back({row.commit, title, row.isPending ? "..." : "none", "", ""});
  }
  printTable(out, rows, /*leftColumns=*/2);
}

} // namespace tilescope
