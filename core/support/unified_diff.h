// Unified diffs, as `diff -u` writes and `patch` reads them: read, carried out, and made.
//
//     --- after simplify              the old name, up to a tab
//     +++ after simplify              the new name
//     @@ -7,3 +7,3 @@                 from line 7 of the old text 3 lines; the same of the new
//      one line of context
//     -what is removed
//     +what stands there instead
//      another line of context
//
// Text outside of hunks that is no header is skipped, and where the `---` line ends in a carriage
// return they are taken off every line, both as `patch` does. Input is untrusted: numbers that do
// not fit, counts that are wrong and texts that do not match are errors.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilescope {

struct DiffLine {
  char mark = ' ';  // ' ' kept, '-' removed, '+' added
  std::string text; // with its newline, unless the file ends without one
  size_t line = 0;  // in the diff, from 1
};

struct DiffHunk {
  size_t line = 0; // of the "@@" in the diff, from 1
  // As stated: the first line, from 1, of `oldCount` old ones. Of none, the line before them.
  uint64_t oldBegin = 0;
  uint64_t oldCount = 0;
  uint64_t newCount = 0;
  std::vector<DiffLine> lines;
};

// What a diff says about one file.
struct FileDiff {
  size_t line = 0; // of the "---" in the diff, from 1
  std::string oldName;
  std::string newName;
  std::vector<DiffHunk> hunks; // one at least
};

// What is wrong with a diff, or with the text that it should fit.
class DiffError : public llvm::ErrorInfo<DiffError> {
public:
  static char ID;
  DiffError(size_t line, std::string text) : line(line), text(std::move(text)) {}
  void log(llvm::raw_ostream &out) const override { out << "line " << line << ": " << text; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  size_t line = 0; // of the diff, from 1
  std::string text;
  // A hunk that does not fit: the line of the text, from 1, that is another one. 0: no such line.
  size_t textLine = 0;
};

// One entry a file, in order; one at least. The error is a DiffError.
llvm::Expected<std::vector<FileDiff>> parseUnifiedDiff(llvm::StringRef text);

// Carries out the hunks in order. Kept and removed lines must be there exactly, next to each other;
// where the text has shifted, the place nearest to the stated line counts, and two that are equally
// near are an error. The error is a DiffError and names the hunk.
llvm::Expected<std::string> applyDiff(const FileDiff &diff, llvm::StringRef text);

// From `before` to `after` with three lines of context, both files called `name`. "" if they are
// equal.
std::string makeUnifiedDiff(llvm::StringRef before, llvm::StringRef after, llvm::StringRef name);

} // namespace tilescope
