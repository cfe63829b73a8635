#include "viewer/model/findings_model.h"

#include "core/support/diagnostics.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

constexpr const char *NotEstablished = "not established";

std::string answer(std::optional<bool> verdict) {
  return verdict ? *verdict ? "yes" : "no" : NotEstablished;
}

bool hasFinding(const Trace &trace, DiagId id) {
  return llvm::any_of(trace.diagnostics,
                      [&](const TraceDiagnostic &found) { return found.id == nameOf(id); });
}

// What was found outside of passes, or allowed by the user, is in no verdict.
std::string answer(const Trace &trace, std::optional<bool> verdict,
                   std::initializer_list<DiagId> refutations) {
  bool isRefuted = llvm::any_of(refutations, [&](DiagId id) { return hasFinding(trace, id); });
  return answer(isRefuted ? std::optional(false) : verdict);
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
  return verified.value_or(false) && arenaSound != "no" && hazardFree != "no" &&
         withinCapacity != "no" &&
         llvm::none_of(findings, [](const FindingRow &row) { return row.severity == "error"; });
}

FindingsView buildFindings(const Trace &trace, const Selection & /*selection*/) {
  FindingsView view;
  const TracePass &last = trace.passes.back();
  view.lastPass = last.name;
  view.verified = last.verdicts.verified;
  view.arenaSound = answer(trace, last.verdicts.arenaSound, {DiagId::ArenaUnsound});
  view.hazardFree =
      answer(trace, last.verdicts.hazardFree, {DiagId::MemoryHazard, DiagId::AllowedHazard});
  view.withinCapacity = answer(trace, fitsCapacity(trace.snapshots[last.snapshot]),
                               {DiagId::SharedMemoryOverCapacity});
  for (const TraceDiagnostic &diagnostic : trace.diagnostics)
    view.findings.push_back(
        {diagnostic.severity, diagnostic.id, diagnostic.text, diagnostic.span.line});
  return view;
}

void print(const FindingsView &view, llvm::raw_ostream &out) {
  out << "after " << view.lastPass << '\n';
  std::vector<std::vector<std::string>> rows{{"  IR verified", answer(view.verified)},
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
