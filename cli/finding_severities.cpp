#include "cli/finding_severities.h"

#include "core/support/diagnostics.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

constexpr llvm::StringLiteral AllGaps = "not-established";

struct AskedQuestion {
  const char *name; // as of the keys of `check --format json`
  std::string text; // of a FindingGap
};

std::vector<AskedQuestion> askedQuestions() {
  return {{"verified", textOf(Question::Verified)},
          {"arena-sound", textOf(Question::ArenaSound)},
          {"hazard-free", textOf(Question::HazardFree)},
          {"within-capacity", textOf(Question::WithinCapacity)},
          {"runs-as-written", "runs as written"}};
}

struct NamedDiagnostic {
  llvm::StringRef name;
  Severity severity;
  const char *text;
};

constexpr NamedDiagnostic AllDiagnostics[] = {
#define DIAG(severity, name, text) {#name, Severity::severity, text},
#include "core/support/diagnostics.def"
};

// "BoundsNotEstablished" and "bounds-not-established" are one name.
std::string comparedName(llvm::StringRef name) {
  std::string compared;
  for (char c : name)
    if (c != '-' && c != '_')
      compared += llvm::toLower(c);
  return compared;
}

bool isOneName(llvm::StringRef left, llvm::StringRef right) {
  return comparedName(left) == comparedName(right);
}

// "BoundsNotEstablished": "bounds-not-established".
std::string dashedWords(llvm::StringRef name) {
  std::string words;
  for (char c : name) {
    if (llvm::isUpper(c) && !words.empty())
      words += '-';
    words += llvm::toLower(c);
  }
  return words;
}

std::vector<std::string> severityNames() {
  std::vector<std::string> names{AllGaps.str()};
  for (const AskedQuestion &question : askedQuestions())
    names.emplace_back(question.name);
  for (const NamedDiagnostic &diagnostic : AllDiagnostics)
    if (diagnostic.severity == Severity::Warning)
      names.push_back(dashedWords(diagnostic.name));
  return names;
}

// Success of the name of a warning or of a question.
llvm::Error checkSeverityName(llvm::StringRef name) {
  std::vector<std::string> names = severityNames();
  if (llvm::any_of(names, [&](const std::string &known) { return isOneName(known, name); }))
    return llvm::Error::success();
  for (const NamedDiagnostic &diagnostic : AllDiagnostics)
    if (diagnostic.severity == Severity::Error && isOneName(diagnostic.name, name))
      return llvm::createStringError("-W: '" + name + "' is an error, and stays one");
  return llvm::createStringError("-W: no warning is called '" + name + "'" +
                                 didYouMean(dashedWords(name), names) + "; -W help names them");
}

} // namespace

std::string questionName(llvm::StringRef question) {
  for (const AskedQuestion &asked : askedQuestions())
    if (question == asked.text)
      return asked.name;
  return "";
}

llvm::Expected<FindingSeverities> FindingSeverities::parse(llvm::ArrayRef<std::string> words,
                                                           bool isStrict) {
  FindingSeverities severities;
  severities.allGapsCount_ = isStrict;
  for (const std::string &word : words)
    if (llvm::Error error = severities.add(word))
      return error;
  return severities;
}

llvm::Error FindingSeverities::add(llvm::StringRef word) {
  llvm::StringRef name = word;
  bool isOff = name.consume_front("no-");
  bool isOfError = name == "error" || name.starts_with("error=");
  if (name.empty() || name == "error=")
    return llvm::createStringError(
        "-W wants error, error=NAME, no-error=NAME, no-NAME or help, not '" + word + "'");
  if (name == "error") {
    allWarningsCount_ = !isOff;
    return llvm::Error::success();
  }
  name.consume_front("error=");
  if (!isOff && !isOfError)
    return llvm::createStringError("-W: a warning is on unless 'no-" + name +
                                   "' turns it off; 'error=" + name + "' makes it count");
  if (llvm::Error error = checkSeverityName(name))
    return error;
  bool isOfGap = isOneName(name, AllGaps) ||
                 llvm::any_of(askedQuestions(), [&](const AskedQuestion &question) {
                   return isOneName(name, question.name);
                 });
  if (isOff && !isOfError && isOfGap)
    return llvm::createStringError("-W: what is not established is always said; 'no-error=" + name +
                                   "' makes it not count");
  if (isOneName(name, AllGaps))
    allGapsCount_ = !isOff;
  else
    named_[comparedName(name)] = !isOfError ? Level::Ignored : isOff ? Level::Said : Level::Counts;
  return llvm::Error::success();
}

FindingSeverities::Level FindingSeverities::levelOf(llvm::StringRef name,
                                                    bool countsOtherwise) const {
  auto found = named_.find(comparedName(name));
  if (found != named_.end())
    return found->second;
  return countsOtherwise ? Level::Counts : Level::Said;
}

bool FindingSeverities::apply(FindingsView &view) const {
  bool hasCounted = false;
  std::erase_if(view.findings, [&](FindingRow &row) {
    if (row.severity != "warning")
      return false;
    Level level = levelOf(row.id, allWarningsCount_);
    if (level == Level::Counts) {
      row.severity = "error";
      hasCounted = true;
    }
    return level == Level::Ignored;
  });
  return hasCounted ||
         llvm::any_of(view.notEstablished, [&](const FindingGap &gap) { return counts(gap); });
}

std::vector<Diagnostic> FindingSeverities::applied(const Diagnostics &diagnostics) const {
  std::vector<Diagnostic> applied;
  for (const Diagnostic &diagnostic : diagnostics.all()) {
    bool isWarning = diagnostic.severity == Severity::Warning;
    Level level = isWarning ? levelOf(nameOf(diagnostic.id), allWarningsCount_) : Level::Said;
    if (level == Level::Ignored)
      continue;
    applied.push_back(diagnostic);
    if (level == Level::Counts)
      applied.back().severity = Severity::Error;
  }
  return applied;
}

bool FindingSeverities::counts(const FindingGap &gap) const {
  return levelOf(questionName(gap.question), allGapsCount_) == Level::Counts;
}

bool FindingSeverities::countGaps() const {
  return llvm::any_of(askedQuestions(), [&](const AskedQuestion &question) {
    return levelOf(question.name, allGapsCount_) == Level::Counts;
  });
}

SeverityOption::SeverityOption(llvm::cl::OptionCategory &category)
    : words_(
          "W", llvm::cl::Prefix,
          llvm::cl::desc("-Werror: warnings count; -Werror=NAME: this one, or a question that is "
                         "not established; -Wno-NAME: not said; -W help: the names"),
          llvm::cl::value_desc("WORD"), llvm::cl::cat(category)) {}

bool SeverityOption::asksForNames(const CommandLine &commandLine) {
  for (size_t i = 0; i != commandLine.size(); ++i) {
    llvm::StringRef word = commandLine[i];
    bool isNext = word == "-W" && i + 1 != commandLine.size();
    if (word == "-Whelp" || (isNext && llvm::StringRef(commandLine[i + 1]) == "help"))
      return true;
  }
  return false;
}

void SeverityOption::printNames(llvm::raw_ostream &out) {
  out << "questions that are not established (-Werror=NAME: they count; no always does):\n";
  out << llvm::formatv("  {0,-32} {1}\n", AllGaps, "every one of these, as --strict");
  for (const AskedQuestion &question : askedQuestions())
    out << llvm::formatv("  {0,-32} {1}\n", question.name, question.text);
  out << "warnings (-Werror=NAME: it counts, -Wno-NAME: it is not said):\n";
  for (const NamedDiagnostic &diagnostic : AllDiagnostics)
    if (diagnostic.severity == Severity::Warning)
      out << llvm::formatv("  {0,-32} {1}\n", dashedWords(diagnostic.name), diagnostic.text);
}

llvm::Expected<FindingSeverities> SeverityOption::given(bool isStrict) const {
  return FindingSeverities::parse(std::vector<std::string>(words_.begin(), words_.end()), isStrict);
}

} // namespace tilescope
