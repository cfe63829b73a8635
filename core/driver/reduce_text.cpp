#include "core/driver/reduce_text.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <vector>

namespace tilescope {

namespace {

size_t indentOf(llvm::StringRef line) { return line.size() - line.ltrim(' ').size(); }

// A call in a line, with the parts between its commas.
struct Call {
  size_t begin = 0; // of its name
  size_t end = 0;   // behind its closing bracket
  llvm::SmallVector<llvm::StringRef> arguments;
};

// The call, or bracket without a name, that opens at `open`; brackets in strings count too, which
// only costs an attempt.
std::optional<Call> callAt(llvm::StringRef line, size_t open) {
  Call call;
  call.begin = open;
  while (call.begin > 0 && (llvm::isAlnum(line[call.begin - 1]) || line[call.begin - 1] == '.' ||
                            line[call.begin - 1] == '_'))
    --call.begin;
  size_t depth = 0, start = open + 1;
  for (size_t at = open; at != line.size(); ++at) {
    char c = line[at];
    depth += c == '(' || c == '[';
    depth -= c == ')' || c == ']';
    if (depth == 0 || (depth == 1 && c == ',')) {
      call.arguments.push_back(line.slice(start, at).trim());
      start = at + 1;
    }
    if (depth == 0) {
      call.end = at + 1;
      return call;
    }
  }
  return std::nullopt;
}

class Reduction {
public:
  Reduction(llvm::StringRef text, llvm::function_ref<bool(llvm::StringRef)> keeps)
      : keeps_(keeps), result_(text.str()) {
    llvm::SmallVector<llvm::StringRef> lines;
    text.split(lines, '\n');
    for (llvm::StringRef line : lines)
      lines_.push_back(line.rtrim().str());
  }

  std::string run() {
    std::vector<std::string> filled = lines_;
    std::erase_if(filled, [](const std::string &line) { return line.empty(); });
    take(std::move(filled));
    do {
      isSmaller_ = false;
      dropUnits(0, lines_.size());
      dropFirstLines();
      replaceCalls();
    } while (isSmaller_);
    return result_;
  }

private:
  // Goes on with these lines if they still have the property.
  bool take(std::vector<std::string> lines) {
    std::string text = llvm::join(lines, "\n") + "\n";
    if (!asked_.insert(llvm::xxh3_64bits(text)).second || !keeps_(text))
      return false;
    lines_ = std::move(lines);
    result_ = std::move(text);
    isSmaller_ = true;
    return true;
  }

  size_t endOfUnit(size_t first) const {
    size_t end = first + 1;
    while (end < lines_.size() && indentOf(lines_[end]) > indentOf(lines_[first]))
      ++end;
    return end;
  }

  // First lines of the units from `begin` to `end`, and `end`.
  std::vector<size_t> unitsOf(size_t begin, size_t end) const {
    std::vector<size_t> units;
    for (size_t at = begin; at < end; at = endOfUnit(at))
      units.push_back(at);
    units.push_back(end);
    return units;
  }

  // Returns how many lines have gone.
  size_t dropUnits(size_t begin, size_t end) {
    size_t before = lines_.size();
    auto endNow = [&] { return end - (before - lines_.size()); };
    for (size_t length = unitsOf(begin, end).size() - 1; length > 0; length /= 2) {
      // From the back: what is defined goes after what uses it.
      for (size_t next = unitsOf(begin, endNow()).size() - 1; next > 0;) {
        std::vector<size_t> units = unitsOf(begin, endNow());
        size_t first = next - std::min(next, length);
        dropLines(units[first], units[next]);
        next = first;
      }
    }
    for (size_t at = begin; at < endNow(); at = endOfUnit(at))
      dropUnits(at + 1, endOfUnit(at));
    return before - lines_.size();
  }

  bool dropLines(size_t begin, size_t end) {
    std::vector<std::string> fewer = lines_;
    fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(begin),
                fewer.begin() + static_cast<ptrdiff_t>(end));
    return take(std::move(fewer));
  }

  void dropFirstLines() {
    for (size_t at = 0; at < lines_.size(); ++at) {
      size_t end = endOfUnit(at);
      if (end == at + 1)
        continue;
      size_t deeper = indentOf(lines_[at + 1]) - indentOf(lines_[at]);
      std::vector<std::string> fewer = lines_;
      for (size_t inner = at + 1; inner != end; ++inner)
        fewer[inner].erase(0, deeper);
      fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(at));
      if (take(std::move(fewer)))
        --at; // what is here now may have a body too
    }
  }

  void replaceCalls() {
    for (size_t at = 0; at < lines_.size(); ++at)
      for (size_t open = 0; open < lines_[at].size(); ++open)
        // What replaced it may be a call too.
        while (open < lines_[at].size() && lines_[at][open] == '(' && replaceCall(at, open))
          open = 0;
  }

  bool replaceCall(size_t at, size_t open) {
    std::string line = lines_[at];
    std::optional<Call> call = callAt(line, open);
    bool isTuple = call && call->begin == open && call->arguments.size() > 1;
    if (!call || isTuple)
      return false;
    for (llvm::StringRef argument : call->arguments) {
      std::vector<std::string> fewer = lines_;
      fewer[at].replace(call->begin, call->end - call->begin, argument.str());
      if (!argument.empty() && take(std::move(fewer)))
        return true;
    }
    return false;
  }

  llvm::function_ref<bool(llvm::StringRef)> keeps_;
  std::vector<std::string> lines_;
  std::string result_;
  bool isSmaller_ = false;
  llvm::DenseSet<uint64_t> asked_; // hashes
};

} // namespace

std::string reduceText(llvm::StringRef text, llvm::function_ref<bool(llvm::StringRef)> keeps) {
  return Reduction(text, keeps).run();
}

} // namespace tilescope
