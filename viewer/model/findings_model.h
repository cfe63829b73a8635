// Panel `findings`: what the verifier and the checkers say of a compile; `tilescope check` is its
// exit code.
#pragma once

#include "viewer/model/view.h"

namespace tilescope {

// A line of the kernel file and what of it is meant.
struct FindingPlace {
  uint32_t line = 0; // from 1; 0: none
  uint32_t column = 0;
  std::string source; // the line without indentation
  std::string caret;  // to stand below it: "    ^~~~"
};

struct FindingNote {
  std::string text;
  FindingPlace place;
};

struct FindingRow {
  std::string severity; // "error" or "warning"
  std::string id;
  std::string text;
  uint32_t sourceLine = 0; // 0: none
  FindingPlace place;
  std::vector<FindingNote> notes;
};

// A question without an answer.
struct FindingGap {
  std::string question; // "arena sound"
  std::string why;
};

struct FindingsView {
  std::string lastPass;
  bool hasVerifier = true;      // false: passes of another compiler
  std::optional<bool> verified; // nullopt: the last pass gave nothing to verify
  // "yes", "no", or "not checked": no pass that would make it checked ran, or it failed.
  std::string arenaSound;
  std::string hazardFree;
  std::string withinCapacity;
  std::string overCapacity; // "200,000 of 166,912 bytes"; "": the plan fits, or there is none
  std::vector<FindingGap> notChecked;
  std::vector<FindingRow> findings;
  std::string lost; // what of a torn trace could not be read; "": nothing

  bool isClean() const;
};

struct FindingAnswer {
  std::string question;
  std::string answer; // "yes", "no", "not checked"
  std::string why;    // of "not checked"; of a capacity, by how much it is missed
};

// The questions in order.
std::vector<FindingAnswer> answersOf(const FindingsView &view);

FindingsView buildFindings(const Trace &trace, const Selection &selection);
void print(const FindingsView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, FindingPlace &place) {
  archive("line", place.line);
  archive("column", place.column);
  archive("source", place.source);
  archive("caret", place.caret);
}

template <typename Archive> void fields(Archive &archive, FindingNote &note) {
  archive("text", note.text);
  archive("place", note.place);
}

template <typename Archive> void fields(Archive &archive, FindingRow &row) {
  archive("severity", row.severity);
  archive("id", row.id);
  archive("text", row.text);
  archive("sourceLine", row.sourceLine);
  archive("place", row.place);
  archive("notes", row.notes);
}

template <typename Archive> void fields(Archive &archive, FindingGap &gap) {
  archive("question", gap.question);
  archive("why", gap.why);
}

template <typename Archive> void fields(Archive &archive, FindingsView &view) {
  archive("lastPass", view.lastPass);
  archive.always("verified", view.verified);
  archive("arenaSound", view.arenaSound);
  archive("hazardFree", view.hazardFree);
  archive("withinCapacity", view.withinCapacity);
  archive("overCapacity", view.overCapacity);
  archive("notChecked", view.notChecked);
  archive.always("findings", view.findings);
  archive("lost", view.lost);
}

} // namespace tilescope
