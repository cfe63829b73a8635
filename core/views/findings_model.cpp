#include "core/views/findings_model.h"

#include "core/trace/trace_origin.h"
#include "core/trace/trace_queries.h"
#include "core/views/capacity_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace {

// A place for every character before the column, in UTF-8; columns count bytes.
std::string caretOf(llvm::StringRef source, size_t begin, size_t end) {
  std::string caret;
  for (size_t i = 0; i < std::min(end, source.size()); ++i)
    if ((static_cast<unsigned char>(source[i]) & 0xC0) != 0x80)
      caret += i < begin ? ' ' : i == begin ? '^' : '~';
  return caret;
}

bool isOfWord(char byte) { return llvm::isAlnum(byte) || byte == '_' || (byte & 0x80) != 0; }

// Where the last `word` of `text` begins that is no part of a longer one; npos: nowhere.
size_t lastWord(llvm::StringRef text, llvm::StringRef word) {
  for (size_t begin = text.rfind(word); begin != llvm::StringRef::npos;
       begin = text.take_front(begin + word.size() - 1).rfind(word)) {
    size_t end = begin + word.size();
    if ((begin == 0 || !isOfWord(text[begin - 1])) && (end == text.size() || !isOfWord(text[end])))
      return begin;
  }
  return llvm::StringRef::npos;
}

class Places {
public:
  explicit Places(const Trace &trace) {
    llvm::StringRef(trace.header.fileText).split(lines_, '\n');
  }

  FindingPlace of(const Span &span, bool isCarried) const {
    FindingPlace place{{span.line, isCarried}, span.column, span.endLine, span.endColumn, "", ""};
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

  // nullopt: the word does not stand there.
  std::optional<FindingFix> of(const std::optional<DiagnosticFix> &fix) const {
    if (!fix || fix->word.empty() || fix->span.endLine == 0 || fix->span.endLine > lines_.size())
      return std::nullopt;
    const Span &span = fix->span;
    llvm::StringRef line = lines_[span.endLine - 1];
    size_t first = span.line == span.endLine ? std::max(span.column, 1U) - 1 : 0;
    llvm::StringRef within = line.take_front(std::max(span.endColumn, 1U) - 1);
    size_t begin = lastWord(within.drop_front(std::min(first, within.size())), fix->word);
    if (begin == llvm::StringRef::npos)
      return std::nullopt;
    auto column = static_cast<uint32_t>(first + begin + 1);
    auto endColumn = static_cast<uint32_t>(column + fix->word.size());
    return FindingFix{{span.file, span.endLine, column, span.endLine, endColumn}, fix->text};
  }

private:
  llvm::SmallVector<llvm::StringRef> lines_;
};

FindingRow rowOf(const TraceDiagnostic &diagnostic, const Places &places) {
  FindingRow row{diagnostic.severity,
                 diagnostic.id,
                 diagnostic.text,
                 diagnostic.sourceLine(),
                 places.of(diagnostic.span, diagnostic.isCarried),
                 {}};
  for (const DiagnosticText &note : diagnostic.notes)
    row.notes.push_back({note.text, places.of(note.span, note.isCarried), places.of(note.fix)});
  return row;
}

// "not established, line 7: why"
std::string textOf(const FindingAnswer &answer) {
  std::string text = tilescope::textOf(answer.verdict) + lineText(", line ", answer.sourceLine);
  return answer.why.empty() ? text : text + ": " + answer.why;
}

void printPlace(const FindingPlace &place, llvm::raw_ostream &out) {
  if (place.source.empty())
    return;
  out << "    " << place.source << '\n';
  if (!place.caret.empty())
    write(out, "    " + place.caret + "\n", {Ink::Notice});
}

} // namespace

static constexpr const char *RunQuestion = "runs as written";

// Of what IR of ours does not matter to.
static Verdict othersOf(const FindingsView &view) {
  Verdict verdict = allOf(allOf(view.arenaSound, view.hazardFree), view.withinCapacity);
  return view.runsAsWritten ? allOf(verdict, *view.runsAsWritten) : verdict;
}

bool FindingsView::isClean() const {
  Verdict others = othersOf(*this);
  return verified != Verdict::No && (verified == Verdict::Yes || !hasVerifier) &&
         others != Verdict::No &&
         llvm::none_of(findings, [](const FindingRow &row) { return row.severity == "error"; });
}

Verdict FindingsView::soundness() const {
  Verdict others = othersOf(*this);
  return hasVerifier ? allOf(verified, others) : others;
}

std::vector<FindingAnswer> answersOf(const FindingsView &view) {
  std::vector<FindingAnswer> answers{
      {textOf(Question::Verified), view.verified, ""},
      {textOf(Question::ArenaSound), view.arenaSound, ""},
      {textOf(Question::HazardFree), view.hazardFree, ""},
      {textOf(Question::WithinCapacity), view.withinCapacity, view.overCapacity}};
  if (view.runsAsWritten)
    answers.push_back({RunQuestion, *view.runsAsWritten,
                       view.wrongAfter.empty() ? "" : "wrong after " + view.wrongAfter});
  for (FindingAnswer &answer : answers)
    for (const FindingGap &gap : view.notEstablished)
      if (gap.question == answer.question)
        answer = {gap.question, answer.verdict, gap.why, gap.place.line};
  return answers;
}

FindingsView findingsOf(const Trace &trace, const Judgement &judgement) {
  FindingsView view;
  view.lastPass = trace.passes.empty() ? "" : passPlace(trace, trace.passes.size() - 1);
  view.hasVerifier = !isForeign(trace.header) && !isPlanAlone(trace.header);
  view.verified = judgement[Question::Verified].verdict;
  view.arenaSound = judgement[Question::ArenaSound].verdict;
  view.hazardFree = judgement[Question::HazardFree].verdict;
  view.withinCapacity = judgement[Question::WithinCapacity].verdict;
  if (const std::optional<OverCapacity> &over = judgement.overCapacity)
    view.overCapacity = capacityText(over->bytes, over->capacityBytes);
  Places places(trace);
  if (const std::optional<Answer> &run = judgement.runsAsWritten) {
    view.runsAsWritten = run->verdict;
    if (run->verdict == Verdict::No)
      view.wrongAfter = run->why;
    else if (run->verdict == Verdict::NotEstablished)
      view.notEstablished.push_back({RunQuestion, run->why, {}});
  }
  for (Question question : AllQuestions)
    if (const Answer &answer = judgement[question]; answer.verdict == Verdict::NotEstablished)
      view.notEstablished.push_back(
          {textOf(question), answer.why, places.of(answer.span, answer.isCarried)});
  for (const TraceDiagnostic &diagnostic : judgement.findings)
    view.findings.push_back(rowOf(diagnostic, places));
  view.lost = trace.recovery;
  return view;
}

FindingsView buildFindings(const Trace &trace, const Selection & /*selection*/) {
  FindingsView view = findingsOf(trace, recordedJudgement(trace));
  view.isRecorded = !isForeign(trace.header);
  return view;
}

void print(const FindingsView &view, llvm::raw_ostream &out) {
  out << (view.lastPass.empty() ? "before the first pass" : "after " + view.lastPass)
      << (view.isRecorded ? ", as recorded\n" : "\n");
  std::vector<std::vector<std::string>> rows;
  std::vector<FindingAnswer> answers = answersOf(view);
  rows.reserve(answers.size());
  for (const FindingAnswer &answer : answers)
    rows.push_back({"  " + answer.question, textOf(answer)});
  printTable(out, rows, 2, [&](size_t row, size_t column) {
    constexpr Ink::Kind Inks[] = {Ink::Quiet, Ink::Bad, Ink::Good};
    return column == 0 ? Ink() : Ink{Inks[static_cast<size_t>(answers[row].verdict)]};
  });
  for (const KernelOccupancy &kernel : view.kernels)
    out << kernel.function << ": " << toText(kernel.occupancy) << '\n';
  for (const FindingRow &row : view.findings) {
    write(out, row.severity, {row.severity == "error" ? Ink::Bad : Ink::Notice});
    out << lineText(", line ", row.sourceLine) << ": " << row.text << " [" << row.id << "]\n";
    printPlace(row.place, out);
    for (const FindingNote &note : row.notes) {
      out << "  note" << lineText(", line ", note.place.line) << ": " << note.text << '\n';
      printPlace(note.place, out);
    }
  }
  if (!view.lost.empty()) {
    write(out, "not read", {Ink::Notice});
    out << ": " << view.lost << '\n';
  }
}

} // namespace tilescope
