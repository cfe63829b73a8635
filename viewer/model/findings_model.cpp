#include "viewer/model/findings_model.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

constexpr const char *NotEstablished = "not established";

std::string answer(std::optional<bool> verdict) {
  return verdict ? *verdict ? "yes" : "no" : NotEstablished;
}

std::optional<bool> fitsCapacity(const TraceSnapshot &snapshot) {
  if (snapshot.arenas->empty())
    return true; // no shared memory at all
  bool fits = true;
  for (const ArenaRecord &arena : *snapshot.arenas) {
    if (arena.preview)
      return std::nullopt;
    fits &= arena.plan.heightBytes <= arena.problem.capacityBytes;
  }
  return fits;
}

} // namespace

bool FindingsView::isClean() const {
  return verified && arenaSound != "no" && hazardFree != "no" && withinCapacity != "no" &&
         llvm::none_of(findings, [](const FindingRow &row) { return row.severity == "error"; });
}

FindingsView buildFindings(const Trace &trace, const Selection & /*selection*/) {
  FindingsView view;
  const TracePass &last = trace.passes.back();
  view.lastPass = last.name;
  view.verified = last.verdicts.verified;
  view.arenaSound = answer(last.verdicts.arenaSound);
  view.hazardFree = answer(last.verdicts.hazardFree);
  view.withinCapacity = answer(fitsCapacity(trace.snapshots[last.snapshot]));
  for (const TraceDiagnostic &diagnostic : trace.diagnostics)
    view.findings.push_back(
        {diagnostic.severity, diagnostic.id, diagnostic.text, diagnostic.span.line});
  return view;
}

void print(const FindingsView &view, llvm::raw_ostream &out) {
  out << "after " << view.lastPass << '\n';
  std::vector<std::vector<std::string>> rows{{"  IR verified", view.verified ? "yes" : "no"},
                                             {"  arena sound", view.arenaSound},
                                             {"  free of hazards", view.hazardFree},
                                             {"  within capacity", view.withinCapacity}};
  printTable(out, rows, 2, [&](size_t row, size_t column) {
    const std::string &text = rows[row][column];
    return column == 0 ? Ink()
                       : Ink{text == "yes"  ? Ink::Good
                             : text == "no" ? Ink::Bad
                                            : Ink::Quiet};
  });
  for (const FindingRow &row : view.findings) {
    write(out, row.severity, {row.severity == "error" ? Ink::Bad : Ink::Notice});
    if (row.sourceLine)
      out << ", line " << row.sourceLine;
    out << ": " << row.text << " [" << row.id << "]\n";
  }
}

} // namespace tilescope
