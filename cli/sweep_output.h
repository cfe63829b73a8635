// How the result of a sweep is printed: shared by `sweep` and `merge`.
#pragma once

#include "cli/command.h"
#include "core/sweep/journal.h"

namespace tilescope {

// -o FILE, --format text|csv|json
class SweepOutput {
public:
  explicit SweepOutput(llvm::cl::OptionCategory &category);
  const std::string &path() const { return path_; } // "-": standard output
  bool hasFile() const { return path_ != "-"; }
  bool hasFormat() const { return format_.getNumOccurrences() > 0; }
  // Files at once or not at all. Returns the exit code: Findings if a point failed.
  int write(const SweepJournal &sweep) const;

private:
  enum class Format { Auto, Text, Csv, Json };
  Format format() const; // by the option, or the ending of the file
  std::string text(const SweepJournal &sweep) const;

  llvm::cl::opt<std::string> path_;
  ChoiceOption<Format> format_;
};

} // namespace tilescope
