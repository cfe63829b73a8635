// Panel `findings`: what the verifier and the checkers said of a compile. `tilescope check` prints
// the same of what it finds itself, and exits by it.
#pragma once

#include "core/trace/judgement.h"
#include "core/trace/trace_fields.h"
#include "core/views/occupancy.h"
#include "core/views/view.h"

namespace tilescope {

// A line of the kernel file and what of it is meant.
struct FindingPlace {
  KernelLine line;
  uint32_t column = 0; // from 1, in bytes
  uint32_t endLine = 0;
  uint32_t endColumn = 0; // the first that is not meant
  std::string source;     // the line without indentation
  std::string caret;      // to stand below it: "    ^~~~"
};

// What mends it: `text` in place of `span`, which is of one line.
struct FindingFix {
  Span span;
  std::string text;
};

struct FindingNote {
  std::string text;
  FindingPlace place;
  std::optional<FindingFix> fix;
};

struct FindingRow {
  std::string severity; // "error" or "warning"
  std::string id;
  std::string text;
  KernelLine sourceLine;
  FindingPlace place;
  std::vector<FindingNote> notes;
};

// A question that is neither answered with yes nor with no.
struct FindingGap {
  std::string question; // "arena sound"
  std::string why;
  FindingPlace place; // of the statement that stopped the check, if it is one
};

struct FindingsView {
  std::string lastPass;
  bool isRecorded = false; // the verdicts are those of the trace
  bool hasVerifier = true; // false: there is no IR of ours
  Verdict verified = Verdict::NotEstablished;
  Verdict arenaSound = Verdict::NotEstablished;
  Verdict hazardFree = Verdict::NotEstablished;
  Verdict withinCapacity = Verdict::NotEstablished;
  std::optional<Verdict> runsAsWritten; // nullopt: nobody ran it
  std::string wrongAfter;               // the first pass after which it does not; "": none
  std::string overCapacity; // "200,000 of 166,912 bytes"; "": the plan fits, or there is none
  std::vector<FindingGap> notEstablished;
  std::vector<FindingRow> findings;
  std::vector<KernelOccupancy> kernels; // whose registers were asked for
  std::string lost;                     // what of a torn trace could not be read; "": nothing

  bool isClean() const;
  // What all that is asked comes to.
  Verdict soundness() const;
};

struct FindingAnswer {
  std::string question;
  Verdict verdict;
  std::string why;       // of what is not established; of a capacity, by how much it is missed
  KernelLine sourceLine; // of the statement that stopped the check
};

// The questions in order.
std::vector<FindingAnswer> answersOf(const FindingsView &view);

// The verdicts as the trace has them.
FindingsView buildFindings(const Trace &trace, const Selection &selection);
// Of a trace that was judged by somebody; one without a pass, too.
FindingsView findingsOf(const Trace &trace, const Judgement &judgement);
void print(const FindingsView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, FindingPlace &place) {
  archive("line", place.line.number);
  archive("carried", place.line.isCarried);
  archive("column", place.column);
  archive("endLine", place.endLine);
  archive("endColumn", place.endColumn);
  archive("source", place.source);
  archive("caret", place.caret);
}

template <typename Archive> void fields(Archive &archive, FindingFix &fix) {
  archive("span", fix.span);
  archive("text", fix.text);
}

template <typename Archive> void fields(Archive &archive, FindingNote &note) {
  archive("text", note.text);
  archive("place", note.place);
  archive("fix", note.fix);
}

template <typename Archive> void fields(Archive &archive, FindingRow &row) {
  archive("severity", row.severity);
  archive("id", row.id);
  archive("text", row.text);
  lineFields(archive, row.sourceLine);
  archive("place", row.place);
  archive("notes", row.notes);
}

template <typename Archive> void fields(Archive &archive, FindingGap &gap) {
  archive("question", gap.question);
  archive("why", gap.why);
  archive("place", gap.place);
}

template <typename Archive> void fields(Archive &archive, FindingsView &view) {
  archive.always("lastPass", view.lastPass);
  archive.always("recorded", view.isRecorded);
  archive.always("verified", view.verified);
  archive.always("arenaSound", view.arenaSound);
  archive.always("hazardFree", view.hazardFree);
  archive.always("withinCapacity", view.withinCapacity);
  archive("runsAsWritten", view.runsAsWritten);
  archive("wrongAfter", view.wrongAfter);
  archive("overCapacity", view.overCapacity);
  archive.always("notEstablished", view.notEstablished);
  archive.always("findings", view.findings);
  archive("kernels", view.kernels);
  archive("lost", view.lost);
}

} // namespace tilescope
