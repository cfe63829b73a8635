// What is searched for, made ready to be looked for in many lines.
//
// A query is text; it is found regardless of case unless it has a capital letter. /text/ is a POSIX
// extended regular expression, of which the same is true.
#pragma once

#include "core/support/text_span.h"

#include "llvm/Support/Regex.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope {

class TextQuery {
public:
  explicit TextQuery(llvm::StringRef query);

  // "": the query can be searched for.
  const std::string &error() const { return error_; }
  // Not overlapping, from left to right; what matches nothing at all is no hit.
  std::vector<TextSpan> find(llvm::StringRef line) const;
  size_t count(llvm::StringRef line) const;

private:
  // Position of the next hit of the text at or after `from`; npos: none.
  size_t findText(llvm::StringRef line, size_t from) const;
  std::optional<TextSpan> findNext(llvm::StringRef line, size_t from) const;

  std::string text_; // in lower case if case does not count
  bool ignoresCase_ = true;
  std::optional<llvm::Regex> regex_;
  std::string error_;
};

} // namespace tilescope
