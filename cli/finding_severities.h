// -W of check and compile: which warnings count, which are not said, and what counts of what is not
// established.
#pragma once

#include "cli/command_line.h"
#include "core/support/diagnostics.h"
#include "core/views/findings_model.h"

#include "llvm/ADT/StringMap.h"

namespace tilescope {

// By the names of diagnostics ("bounds-not-established" or "BoundsNotEstablished") and of questions
// ("hazard-free"). An error and a no always count.
class FindingSeverities {
public:
  // Words as they stand behind -W, the later ones over the earlier: "error", "error=NAME",
  // "no-error=NAME", "no-NAME". The error says what is no such word. `isStrict`: as
  // "error=not-established" before them.
  static llvm::Expected<FindingSeverities> parse(llvm::ArrayRef<std::string> words, bool isStrict);

  // Takes out the warnings that are not to be said, and calls those that count errors. Whether
  // there is one of these, or a question that counts and is not established.
  bool apply(FindingsView &view) const;
  // The same of diagnostics: what is to be said, warnings that count as errors.
  std::vector<Diagnostic> applied(const Diagnostics &diagnostics) const;
  bool counts(const FindingGap &gap) const;
  // Whether any question counts where it is not established.
  bool countGaps() const;

private:
  enum class Level : uint8_t { Ignored, Said, Counts };
  llvm::Error add(llvm::StringRef word);
  Level levelOf(llvm::StringRef name, bool countsOtherwise) const;

  llvm::StringMap<Level> named_; // by the name as it is compared
  bool allWarningsCount_ = false;
  bool allGapsCount_ = false;
};

// "hazard-free" of the question "free of hazards", as the keys of `check --format json`.
std::string questionName(llvm::StringRef question);

// -W, any number of times.
class SeverityOption {
public:
  explicit SeverityOption(llvm::cl::OptionCategory &category);
  bool isGiven() const { return !words_.empty(); }
  // -W help. Nothing else is needed then.
  static bool asksForNames(const CommandLine &commandLine);
  // Every name with what it is of.
  static void printNames(llvm::raw_ostream &out);
  llvm::Expected<FindingSeverities> given(bool isStrict) const;

private:
  llvm::cl::list<std::string> words_;
};

} // namespace tilescope
