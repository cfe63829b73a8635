#include "core/sweep/value_list.h"

#include "core/support/caret.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <limits>

namespace tilescope {

namespace {

constexpr llvm::StringLiteral Opening = "([{";
constexpr llvm::StringLiteral Closing = ")]}";

struct Range {
  int64_t first = 0;
  int64_t last = 0;
  char step = '+';
  int64_t by = 1;
};

// "-12" at the front; leaves the rest.
bool takeInteger(llvm::StringRef &text, int64_t &value) {
  size_t end = text.starts_with("-") ? 1 : 0;
  while (end < text.size() && llvm::isDigit(text[end]))
    ++end;
  bool isTaken = !text.take_front(end).getAsInteger(10, value);
  text = text.drop_front(isTaken ? end : 0);
  return isTaken;
}

// The whole text must be one.
bool readRange(llvm::StringRef text, Range &range) {
  if (!takeInteger(text, range.first) || !text.consume_front("..") ||
      !takeInteger(text, range.last))
    return false;
  if (text.empty())
    return true;
  range.step = text.front();
  text = text.drop_front();
  return (range.step == '+' || range.step == '*') && takeInteger(text, range.by) && text.empty();
}

class ListParser {
public:
  explicit ListParser(llvm::StringRef text) : text_(text) {}

  llvm::Expected<std::vector<std::string>> run() {
    while (fault_.empty() && at_ <= text_.size())
      takeItem();
    if (!fault_.empty())
      return llvm::createStringError(fault_ + caretBelow(text_, faultAt_));
    return std::move(values_);
  }

private:
  void failAt(size_t at, const llvm::Twine &fault) {
    if (!fault_.empty())
      return;
    fault_ = fault.str();
    faultAt_ = at;
  }

  void takeItem() {
    size_t begin = at_;
    skipItem();
    llvm::StringRef item = text_.slice(begin, at_);
    begin += item.size() - item.ltrim().size();
    at_ += 1; // the comma, or past the end
    if (fault_.empty())
      addItem(item.trim(), begin);
  }

  // To the comma that ends the item, or the end.
  void skipItem() {
    std::vector<size_t> open;
    for (; at_ < text_.size(); ++at_) {
      char byte = text_[at_];
      if (byte == '"' || byte == '\'')
        skipQuoted();
      else if (Opening.contains(byte))
        open.push_back(at_);
      else if (Closing.contains(byte) && !closes(open, byte))
        return failAt(at_, "nothing opens this");
      else if (byte == ',' && open.empty())
        return;
    }
    if (!open.empty())
      failAt(open.back(), "nothing closes this");
  }

  bool closes(std::vector<size_t> &open, char byte) const {
    if (open.empty() || Opening.find(text_[open.back()]) != Closing.find(byte))
      return false;
    open.pop_back();
    return true;
  }

  // From the opening quote to the closing one.
  void skipQuoted() {
    size_t begin = at_;
    for (++at_; at_ < text_.size() && text_[at_] != text_[begin]; ++at_)
      at_ += text_[at_] == '\\';
    if (at_ >= text_.size()) {
      at_ = text_.size();
      failAt(begin, "nothing closes this");
    }
  }

  void addItem(llvm::StringRef item, size_t begin) {
    if (item.empty())
      return failAt(begin, "expected a value");
    Range range;
    if (readRange(item, range))
      return addRange(range, begin);
    // "1...4", "a..b": no literal has two dots outside of brackets and quotes.
    size_t dots = item.find("..");
    if (dots != llvm::StringRef::npos && item.find_first_of("([{\"'") == llvm::StringRef::npos)
      return failAt(begin, "expected a range such as 1..4, 0..96+32 or 64..1024*2");
    add(item.str(), begin);
  }

  void addRange(const Range &range, size_t begin) {
    if (range.last < range.first)
      return failAt(begin, "the range ends before it begins");
    if (range.step == '*' && (range.first < 1 || range.by < 2))
      return failAt(begin, "a range with * begins at 1 or above and multiplies by 2 or more");
    if (range.by < 1)
      return failAt(begin, "the step of a range is at least 1");
    for (int64_t value = range.first;;) {
      if (values_.size() == MaxSweepPoints)
        return failAt(begin, "more than " + llvm::Twine(MaxSweepPoints) + " values");
      add(std::to_string(value), begin);
      bool isLast = range.step == '+' ? value > std::numeric_limits<int64_t>::max() - range.by ||
                                            value + range.by > range.last
                                      : value > range.last / range.by;
      if (isLast || !fault_.empty())
        return;
      value = range.step == '+' ? value + range.by : value * range.by;
    }
  }

  void add(std::string value, size_t begin) {
    if (!known_.insert(value).second)
      return failAt(begin, "'" + value + "' is given twice");
    values_.push_back(std::move(value));
  }

  llvm::StringRef text_;
  size_t at_ = 0;
  std::vector<std::string> values_;
  llvm::StringSet<> known_;
  std::string fault_;
  size_t faultAt_ = 0;
};

} // namespace

llvm::Expected<std::vector<std::string>> parseValueList(llvm::StringRef text) {
  return ListParser(text).run();
}

} // namespace tilescope
