#include "core/views/passes_model.h"

#include "core/trace/pass_figures.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

namespace tilescope {

namespace {

std::string checksOf(const TracePass &pass) {
  if (pass.status == PassStatus::Failed)
    return "failed";
  if (pass.runsAsWritten == Verdict::No)
    return "wrong when run";
  llvm::SmallVector<llvm::StringRef> checks;
  if (pass.verdicts.verified == Verdict::Yes)
    checks.push_back("verified");
  if (pass.verdicts.arenaSound == Verdict::Yes)
    checks.push_back("arena");
  if (pass.verdicts.hazardFree == Verdict::Yes)
    checks.push_back("hazards");
  if (pass.runsAsWritten == Verdict::Yes)
    checks.push_back("run");
  return llvm::join(checks, ", ");
}

// A statement may have several lines, or none of its own.
int64_t statementCount(const Trace &trace, const TraceSnapshot &snapshot) {
  std::set<StmtId> statements;
  for (LineId line : *snapshot.lines)
    if (StmtId stmt = trace.lines[line].stmt; stmt.isValid())
      statements.insert(stmt);
  return static_cast<int64_t>(statements.size());
}

PassRow rowOf(const Trace &trace, size_t index) {
  const TracePass &pass = trace.passes[index];
  PassRow row;
  row.index = index;
  row.name = pass.name;
  row.options = pass.options;
  row.depth = pass.depth;
  row.changed = pass.status == PassStatus::Changed;
  row.failed = pass.status == PassStatus::Failed;
  row.wallMicroseconds = pass.wallMicroseconds;
  row.irBytes = pass.irBytes;
  row.remarkCount = pass.remarks.size();
  row.checks = checksOf(pass);
  row.verdicts = pass.verdicts;
  row.runsAsWritten = pass.runsAsWritten;
  PassFigures figures = figuresOf(trace, index);
  row.linesAdded = figures.linesAdded;
  row.linesRemoved = figures.linesRemoved;
  row.statements = statementCount(trace, trace.snapshots[pass.snapshot]);
  row.sharedBytes = figures.sharedBytes;
  row.sharedIsPreview = figures.sharedIsPreview;
  return row;
}

Ink inkOf(const PassRow &row, size_t column) {
  constexpr size_t Name = 1, Checks = 2;
  bool isWrong = row.runsAsWritten == Verdict::No;
  if (row.failed || (isWrong && column == Checks))
    return {Ink::Bad};
  if (!row.changed)
    return {Ink::Quiet};
  return column == Name ? Ink{Ink::Notice} : column == Checks ? Ink{Ink::Good} : Ink();
}

bool isStep(const TracePass &pass) { return pass.status != PassStatus::Unchanged; }

std::string optionsOf(const TraceHeader &header) {
  std::vector<std::string> options;
  if (!header.planFor.empty())
    options.push_back("--plan-for " + header.planFor);
  if (!header.previous.empty())
    options.push_back("--previous " + header.previous);
  if (header.allowHazards)
    options.push_back("--allow-hazards");
  if (header.noAliases)
    options.push_back("--no-aliases");
  for (const std::string &patch : header.patches)
    options.push_back("--patch " + patch);
  for (const std::string &library : header.libraries)
    options.push_back("--load " + library);
  if (!header.stopAfter.empty())
    options.push_back("a stop after " + header.stopAfter);
  return llvm::join(options, " ");
}

} // namespace

size_t nextChangedPass(const Trace &trace, size_t pass) {
  for (size_t next = pass + 1; next < trace.passes.size(); ++next)
    if (isStep(trace.passes[next]))
      return next;
  return pass;
}

size_t previousChangedPass(const Trace &trace, size_t pass) {
  for (size_t next = std::min(pass, trace.passes.size()); next-- > 0;)
    if (isStep(trace.passes[next]))
      return next;
  return pass;
}

PassesView buildPasses(const Trace &trace, const Selection & /*selection*/) {
  PassesView view;
  view.kernel = trace.header.file;
  if (!trace.header.function.empty())
    view.kernel += ":" + trace.header.function;
  view.target = trace.header.target;
  view.options = optionsOf(trace.header);
  for (size_t index = 0; index < trace.passes.size(); ++index) {
    PassRow row = rowOf(trace, index);
    if (size_t first = firstOfGroup(trace, index); first != 0)
      row.sharedDeltaBytes = row.sharedBytes - view.passes[first - 1].sharedBytes;
    view.passes.push_back(std::move(row));
  }
  view.notRun = passesNotRun(trace);
  return view;
}

void print(const PassesView &view, llvm::raw_ostream &out) {
  write(out, view.kernel, {Ink::Strong});
  out << " for " << view.target << '\n';
  if (!view.options.empty())
    out << "with " << view.options << '\n';
  out << '\n';
  std::vector<std::vector<std::string>> rows{{"#", "pass", "checks", "lines", "shared bytes",
                                              "delta", "ms", "remarks", "IR bytes", "stmts"}};
  for (const PassRow &row : view.passes) {
    std::string lines = row.changed || row.failed
                            ? llvm::formatv("+{0} -{1}", row.linesAdded, row.linesRemoved).str()
                            : "unchanged";
    std::string name = std::string(2 * static_cast<size_t>(row.depth), ' ') + row.name;
    if (!row.options.empty())
      name += "{" + row.options + "}";
    rows.push_back({std::to_string(row.index), name, row.checks, lines,
                    groupedNumber(row.sharedBytes) + (row.sharedIsPreview ? " ~" : "  "),
                    row.sharedDeltaBytes ? signedNumber(row.sharedDeltaBytes) : "",
                    llvm::formatv("{0:f3}", static_cast<double>(row.wallMicroseconds) / 1000).str(),
                    row.remarkCount ? std::to_string(row.remarkCount) : "",
                    row.irBytes ? groupedNumber(row.irBytes) : "",
                    row.statements ? groupedNumber(row.statements) : ""});
  }
  for (const NamedPass &pass : view.notRun)
    rows.push_back({"", std::string(2 * static_cast<size_t>(pass.depth), ' ') + pass.name, "",
                    "not run", "", "", "", "", "", ""});
  printTable(out, rows, 3, [&](size_t row, size_t column) {
    if (row > view.passes.size())
      return Ink{Ink::Quiet};
    return row == 0 ? Ink{Ink::Strong} : inkOf(view.passes[row - 1], column);
  });
  out << "\n~ preview: later passes may change sizes, versions or lifetimes\n";
}

} // namespace tilescope
