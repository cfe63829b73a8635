#include "viewer/model/findings_model.h"

#include "core/support/diagnostics.h"
#include "core/trace/foreign_trace.h"
#include "core/trace/pass_figures.h"
#include "core/trace/trace_queries.h"
#include "viewer/model/capacity_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace {

constexpr const char *NotChecked = "not checked";

constexpr const char *Verified = "IR verified";
constexpr const char *ArenaSound = "arena sound";
constexpr const char *HazardFree = "free of hazards";
constexpr const char *WithinCapacity = "within capacity";

std::string answer(std::optional<bool> verdict) {
  return verdict ? *verdict ? "yes" : "no" : NotChecked;
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

bool fits(int64_t bytes, int64_t capacityBytes) {
  return capacityBytes == 0 || bytes <= capacityBytes; // 0: unlimited
}

std::optional<bool> fitsCapacity(const Trace &trace) {
  size_t last = trace.passes.size() - 1;
  const TraceSnapshot &snapshot = trace.snapshots[trace.passes[last].snapshot];
  if (!isLoaded(snapshot)) {
    PassFigures figures = figuresOf(trace, last);
    return figures.sharedIsPreview
               ? std::nullopt
               : std::optional(fits(figures.sharedBytes, trace.header.capacityBytes));
  }
  if (snapshot.arenas->empty())
    return true; // no shared memory at all
  bool allFit = true;
  for (const ArenaRecord &arena : *snapshot.arenas) {
    if (arena.preview)
      return std::nullopt;
    allFit &= fits(arena.plan.heightBytes, arena.problem.capacityBytes);
  }
  return allFit;
}

std::string overCapacityOf(const Trace &trace) {
  for (const ArenaRecord &arena : *trace.snapshots[trace.passes.back().snapshot].arenas)
    if (!arena.preview && !fits(arena.plan.heightBytes, arena.problem.capacityBytes))
      return capacityText(arena.plan.heightBytes, arena.problem.capacityBytes);
  return "";
}

// Why a question has no answer; `missing` is what no pass has done in a compile without faults.
std::string reasonOfGap(const Trace &trace, const std::string &missing) {
  const TracePass &last = trace.passes.back();
  if (last.status == PassStatus::Failed)
    return last.name + " failed";
  if (!trace.complete)
    return "the trace ends after " + last.name;
  return missing;
}

enum class Asked : uint8_t { Arena, Hazards };

// Of another compiler's program: what its recorder could not say; "": nothing that is asked.
std::string unknownsOf(const Trace &trace, Asked asked) {
  llvm::SmallSetVector<llvm::StringRef, 8> unknowns;
  for (const AccessRecord &access : *trace.snapshots[trace.passes.back().snapshot].accesses) {
    unknowns.insert(access.notFollowed.begin(), access.notFollowed.end());
    if (asked == Asked::Hazards)
      unknowns.insert(access.notOrdered.begin(), access.notOrdered.end());
  }
  return unknowns.empty() ? "" : "it is not known " + llvm::join(unknowns, ", ");
}

void addGaps(const Trace &trace, FindingsView &view) {
  auto add = [&](const char *question, bool isOpen, const std::string &missing) {
    if (isOpen)
      view.notChecked.push_back({question, reasonOfGap(trace, missing)});
  };
  bool isWithoutArena =
      isForeign(trace.header) && trace.snapshots[trace.passes.back().snapshot].arenas->empty();
  auto unless = [&](const char *missing, Asked asked) {
    std::string unknowns = unknownsOf(trace, asked);
    return unknowns.empty() ? missing : unknowns;
  };
  add(Verified, !view.verified,
      isForeign(trace.header) ? "Tilescope does not know the IR of " + trace.header.compiler
                              : "no pass left an IR");
  add(ArenaSound, view.arenaSound == NotChecked,
      unless(isWithoutArena ? "the kernel uses no dynamic shared memory"
                            : "no pass has planned shared memory",
             Asked::Arena));
  add(HazardFree, view.hazardFree == NotChecked,
      unless("no pass has placed the last barriers", Asked::Hazards));
  add(WithinCapacity, view.withinCapacity == NotChecked, "no pass has planned shared memory");
}

// A place for every character before the column, in UTF-8; columns count bytes.
std::string caretOf(llvm::StringRef source, size_t begin, size_t end) {
  std::string caret;
  for (size_t i = 0; i < std::min(end, source.size()); ++i)
    if ((static_cast<unsigned char>(source[i]) & 0xC0) != 0x80)
      caret += i < begin ? ' ' : i == begin ? '^' : '~';
  return caret;
}

class Places {
public:
  explicit Places(const Trace &trace) {
    llvm::StringRef(trace.header.fileText).split(lines_, '\n');
  }

  FindingPlace of(const Span &span) const {
    FindingPlace place{span.line, span.column, "", ""};
    if (span.line == 0 || span.line > lines_.size())
      return place;
    llvm::StringRef line = lines_[span.line - 1].rtrim();
    llvm::StringRef source = line.ltrim();
    size_t indentation = line.size() - source.size();
    place.source = source.str();
    if (span.column <= indentation)
      return place;
    size_t begin = span.column - 1 - indentation;
    bool isOneLine = span.endLine == span.line && span.endColumn > span.column;
    size_t end = isOneLine ? span.endColumn - 1 - indentation : source.size();
    place.caret = caretOf(source, begin, std::max(end, begin + 1));
    return place;
  }

private:
  llvm::SmallVector<llvm::StringRef> lines_;
};

FindingRow rowOf(const TraceDiagnostic &diagnostic, const Places &places) {
  FindingRow row{diagnostic.severity,
                 diagnostic.id,
                 diagnostic.text,
                 diagnostic.span.line,
                 places.of(diagnostic.span),
                 {}};
  for (const DiagnosticText &note : diagnostic.notes)
    row.notes.push_back({note.text, places.of(note.span)});
  return row;
}

void printPlace(const FindingPlace &place, llvm::raw_ostream &out) {
  if (place.source.empty())
    return;
  out << "    " << place.source << '\n';
  if (!place.caret.empty())
    write(out, "    " + place.caret + "\n", {Ink::Notice});
}

} // namespace

bool FindingsView::isClean() const {
  return verified.value_or(!hasVerifier) && arenaSound != "no" && hazardFree != "no" &&
         withinCapacity != "no" &&
         llvm::none_of(findings, [](const FindingRow &row) { return row.severity == "error"; });
}

std::vector<FindingAnswer> answersOf(const FindingsView &view) {
  std::vector<FindingAnswer> answers{{Verified, answer(view.verified), ""},
                                     {ArenaSound, view.arenaSound, ""},
                                     {HazardFree, view.hazardFree, ""},
                                     {WithinCapacity, view.withinCapacity, ""}};
  answers.back().why = view.overCapacity;
  for (FindingAnswer &answer : answers)
    for (const FindingGap &gap : view.notChecked)
      if (gap.question == answer.question)
        answer.why = gap.why;
  return answers;
}

FindingsView buildFindings(const Trace &trace, const Selection & /*selection*/) {
  FindingsView view;
  const TracePass &last = trace.passes.back();
  view.lastPass = passPlace(trace, trace.passes.size() - 1);
  view.hasVerifier = !isForeign(trace.header);
  view.verified = last.verdicts.verified;
  view.arenaSound = answer(trace, last.verdicts.arenaSound, {DiagId::ArenaUnsound});
  view.hazardFree =
      answer(trace, last.verdicts.hazardFree, {DiagId::MemoryHazard, DiagId::AllowedHazard});
  view.withinCapacity = answer(trace, fitsCapacity(trace), {DiagId::SharedMemoryOverCapacity});
  view.overCapacity = overCapacityOf(trace);
  addGaps(trace, view);
  Places places(trace);
  for (const TraceDiagnostic &diagnostic : trace.diagnostics)
    view.findings.push_back(rowOf(diagnostic, places));
  view.lost = trace.recovery;
  return view;
}

void print(const FindingsView &view, llvm::raw_ostream &out) {
  out << "after " << view.lastPass << '\n';
  std::vector<std::vector<std::string>> rows;
  std::vector<FindingAnswer> answers = answersOf(view);
  for (const FindingAnswer &answer : answers)
    rows.push_back({"  " + answer.question,
                    answer.why.empty() ? answer.answer : answer.answer + ": " + answer.why});
  printTable(out, rows, 2, [&](size_t row, size_t column) {
    const std::string &text = answers[row].answer;
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
    printPlace(row.place, out);
    for (const FindingNote &note : row.notes) {
      out << "  note";
      if (note.place.line)
        out << ", line " << note.place.line;
      out << ": " << note.text << '\n';
      printPlace(note.place, out);
    }
  }
  if (!view.lost.empty()) {
    write(out, "not read", {Ink::Notice});
    out << ": " << view.lost << '\n';
  }
}

} // namespace tilescope
