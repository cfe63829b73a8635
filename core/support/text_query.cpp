#include "core/support/text_query.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>

namespace tilescope {

namespace {

bool isCapital(char byte) { return byte >= 'A' && byte <= 'Z'; }

} // namespace

TextQuery::TextQuery(llvm::StringRef query)
    : text_(query.str()), ignoresCase_(llvm::none_of(query, isCapital)) {
  if (query.empty())
    error_ = "nothing is searched for";
  if (query.size() < 3 || !query.starts_with("/") || !query.ends_with("/"))
    return;
  regex_.emplace(query.drop_front().drop_back(),
                 ignoresCase_ ? llvm::Regex::IgnoreCase : llvm::Regex::NoFlags);
  regex_->isValid(error_);
}

size_t TextQuery::findText(llvm::StringRef line, size_t from) const {
  if (!ignoresCase_)
    return line.find(text_, from);
  if (line.size() < text_.size())
    return llvm::StringRef::npos;
  for (size_t last = line.size() - text_.size(); from <= last; ++from) {
    size_t length = 0;
    while (length != text_.size() && llvm::toLower(line[from + length]) == text_[length])
      ++length;
    if (length == text_.size())
      return from;
  }
  return llvm::StringRef::npos;
}

std::optional<TextSpan> TextQuery::findNext(llvm::StringRef line, size_t from) const {
  if (!regex_) {
    size_t begin = findText(line, from);
    if (begin == llvm::StringRef::npos)
      return std::nullopt;
    return TextSpan{static_cast<uint32_t>(begin), static_cast<uint32_t>(begin + text_.size())};
  }
  llvm::SmallVector<llvm::StringRef, 4> matches;
  // '^' means the beginning of the line, so what follows a hit is not searched for it.
  bool isAnchored = text_[1] == '^';
  if ((isAnchored && from != 0) || !regex_->match(line.drop_front(from), &matches) ||
      matches[0].empty())
    return std::nullopt;
  auto begin = static_cast<uint32_t>(matches[0].data() - line.data());
  return TextSpan{begin, static_cast<uint32_t>(begin + matches[0].size())};
}

std::vector<TextSpan> TextQuery::find(llvm::StringRef line) const {
  std::vector<TextSpan> spans;
  if (!error_.empty())
    return spans;
  size_t from = 0;
  while (std::optional<TextSpan> span = findNext(line, from)) {
    spans.push_back(*span);
    from = span->end;
  }
  return spans;
}

size_t TextQuery::count(llvm::StringRef line) const {
  size_t hits = 0;
  if (!error_.empty())
    return hits;
  size_t from = 0;
  while (std::optional<TextSpan> span = findNext(line, from)) {
    ++hits;
    from = span->end;
  }
  return hits;
}

} // namespace tilescope
