#include "core/views/line_alignment.h"

#include "core/support/line_edits.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <unordered_map>

namespace tilescope {

namespace {

// Comparing each line with each is worth this much; beyond it lines of unlike text stay alone.
constexpr size_t MaxComparisons = 4096;
// Below this share of common words two lines have nothing to do with each other.
constexpr double MinLikeness = 0.5;

// Positions [beginBefore, endBefore) and [beginAfter, endAfter) of the two sides.
struct Block {
  size_t beginBefore, endBefore;
  size_t beginAfter, endAfter;
};

// Positions of lines that face each other.
using Pair = std::pair<size_t, size_t>;

// What each line of a side stands for, and where. A line is the n-th one of its statement or of its
// declaration.
class Identities {
public:
  static constexpr uint64_t Nothing = 0;

  Identities() = default; // of nothing
  Identities(const Trace &trace, llvm::ArrayRef<LineId> lines) {
    llvm::DenseMap<uint64_t, uint32_t> seen;
    ofLine_.reserve(lines.size());
    lineOf_.reserve(lines.size());
    for (LineId id : lines) {
      const TraceLine &line = trace.lines[id];
      uint64_t identity = Nothing;
      if (line.stmt.isValid() || line.buffer.isValid()) {
        identity = line.stmt.isValid() ? line.stmt.value : DeclarationBit | line.buffer.value;
        identity += 1 + (uint64_t(seen[identity]++) << 34);
        lineOf_[identity] = ofLine_.size();
      }
      ofLine_.push_back(identity);
    }
  }

  uint64_t of(size_t line) const { return ofLine_.empty() ? Nothing : ofLine_[line]; }
  // -1: nowhere.
  int32_t find(uint64_t identity) const {
    auto found = lineOf_.find(identity);
    return found == lineOf_.end() ? -1 : static_cast<int32_t>(found->second);
  }

private:
  // Ids have 32 bits, and lines of one id are fewer than 2^29: no identity is a key that DenseMap
  // keeps for itself.
  static constexpr uint64_t DeclarationBit = uint64_t(1) << 33;
  std::vector<uint64_t> ofLine_;
  llvm::DenseMap<uint64_t, size_t> lineOf_;
};

struct AlignedSide {
  std::vector<uint32_t> keys; // lines that are alike have the same
  std::vector<llvm::StringRef> texts;
  Identities identities;

  size_t size() const { return keys.size(); }
};

class Aligner {
public:
  Aligner(AlignedSide before, AlignedSide after)
      : before_(std::move(before)), after_(std::move(after)) {}

  std::vector<AlignedRow> run() {
    size_t x = 0, y = 0;
    rows_.reserve(std::max(before_.size(), after_.size()));
    for (const LineEdit &edit : diffLines(before_.keys, after_.keys)) {
      for (; x < edit.at; ++x, ++y)
        addPair(x, y);
      alignBlock({x, x + edit.removed, y, y + edit.inserted.size()});
      x += edit.removed;
      y += edit.inserted.size();
    }
    for (; x < before_.size(); ++x, ++y)
      addPair(x, y);
    return std::move(rows_);
  }

private:
  llvm::StringRef textBefore(size_t x) const { return before_.texts[x]; }
  llvm::StringRef textAfter(size_t y) const { return after_.texts[y]; }

  void addPair(size_t x, size_t y) {
    AlignedRow &row = rows_.emplace_back();
    row.before = static_cast<int32_t>(x);
    row.after = static_cast<int32_t>(y);
    llvm::StringRef before = textBefore(x), after = textAfter(y);
    // One line of the trace, on both sides of most pairs, is not read.
    bool isOne = before.data() == after.data() && before.size() == after.size();
    if (isOne || before == after)
      return;
    row.kind = RowKind::Modified;
    row.words = diffWords(before, after);
  }

  // Where the line of one side is on the other, if not beside it.
  int32_t findAfter(size_t x) const { return after_.identities.find(before_.identities.of(x)); }
  int32_t findBefore(size_t y) const { return before_.identities.find(after_.identities.of(y)); }

  void addUnpaired(Block block) {
    for (size_t x = block.beginBefore; x != block.endBefore; ++x)
      rows_.push_back({RowKind::Removed, static_cast<int32_t>(x), -1, findAfter(x), {}});
    for (size_t y = block.beginAfter; y != block.endAfter; ++y)
      rows_.push_back({RowKind::Added, -1, static_cast<int32_t>(y), findBefore(y), {}});
  }

  // Calls `alignGap` for what lies between the pairs, which ascend on both sides.
  void alignBetween(Block block, llvm::ArrayRef<Pair> pairs,
                    llvm::function_ref<void(Block)> alignGap) {
    for (auto [x, y] : pairs) {
      alignGap({block.beginBefore, x, block.beginAfter, y});
      addPair(x, y);
      block.beginBefore = x + 1;
      block.beginAfter = y + 1;
    }
    alignGap(block);
  }

  void alignBlock(Block block) {
    alignBetween(block, pairsByIdentity(block), [&](Block gap) {
      alignBetween(gap, pairsByText(gap), [&](Block rest) {
        alignBetween(rest, pairsByLikeness(rest), [&](Block alone) { addUnpaired(alone); });
      });
    });
  }

  std::vector<Pair> pairsByIdentity(Block block) const;
  std::vector<Pair> pairsByText(Block block) const;
  std::vector<Pair> pairsByLikeness(Block block) const;

  AlignedSide before_;
  AlignedSide after_;
  std::vector<AlignedRow> rows_;
};

// The longest ascending choice of pairs that ascend in `first`: patience sorting.
std::vector<Pair> longestAscending(llvm::ArrayRef<Pair> pairs) {
  std::vector<size_t> tops; // the pair that ends the best choice of each length
  std::vector<size_t> previous(pairs.size(), pairs.size());
  for (size_t i = 0; i != pairs.size(); ++i) {
    auto top = llvm::lower_bound(tops, pairs[i].second,
                                 [&](size_t other, size_t y) { return pairs[other].second < y; });
    if (top != tops.begin())
      previous[i] = *(top - 1);
    if (top == tops.end())
      tops.push_back(i);
    else
      *top = i;
  }
  std::vector<Pair> chosen;
  for (size_t i = tops.empty() ? pairs.size() : tops.back(); i != pairs.size(); i = previous[i])
    chosen.push_back(pairs[i]);
  std::reverse(chosen.begin(), chosen.end());
  return chosen;
}

std::vector<Pair> Aligner::pairsByIdentity(Block block) const {
  std::vector<Pair> pairs;
  for (size_t x = block.beginBefore; x != block.endBefore; ++x)
    if (auto y = static_cast<size_t>(findAfter(x)); y >= block.beginAfter && y < block.endAfter)
      pairs.emplace_back(x, y);
  return longestAscending(pairs);
}

std::vector<Pair> Aligner::pairsByText(Block block) const {
  llvm::DenseMap<llvm::StringRef, LineId> ids;
  std::vector<LineId> before, after;
  for (size_t x = block.beginBefore; x != block.endBefore; ++x)
    before.push_back(ids.try_emplace(textBefore(x), ids.size()).first->second);
  for (size_t y = block.beginAfter; y != block.endAfter; ++y)
    after.push_back(ids.try_emplace(textAfter(y), ids.size()).first->second);
  std::vector<Pair> pairs;
  size_t x = 0, y = 0;
  auto addKept = [&](size_t until) {
    for (; x < until; ++x, ++y)
      pairs.emplace_back(block.beginBefore + x, block.beginAfter + y);
  };
  for (const LineEdit &edit : diffLines(before, after)) {
    addKept(edit.at);
    x += edit.removed;
    y += edit.inserted.size();
  }
  addKept(before.size());
  return pairs;
}

// The words of a line, sorted.
std::vector<llvm::StringRef> wordsOf(llvm::StringRef line) {
  std::vector<llvm::StringRef> words;
  for (TextSpan token : tokensOf(line))
    if (isWordByte(line[token.begin]))
      words.push_back(textOf(line, token));
  llvm::sort(words);
  return words;
}

// Twice the number of common words over the number of all (Dice); 0 if below MinLikeness.
double likeness(llvm::ArrayRef<llvm::StringRef> a, llvm::ArrayRef<llvm::StringRef> b) {
  size_t common = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    int order = a[i].compare(b[j]);
    common += order == 0;
    i += order <= 0;
    j += order >= 0;
  }
  double share = a.empty() && b.empty()
                     ? 0
                     : 2 * static_cast<double>(common) / static_cast<double>(a.size() + b.size());
  return share >= MinLikeness ? share : 0;
}

// Of all ways to pair lines in order the one with the greatest sum of likenesses. A line that was
// moved is like no other.
std::vector<Pair> Aligner::pairsByLikeness(Block block) const {
  size_t n = block.endBefore - block.beginBefore;
  size_t m = block.endAfter - block.beginAfter;
  if (n == 0 || m == 0 || n * m > MaxComparisons)
    return {};
  std::vector<std::vector<llvm::StringRef>> after;
  for (size_t y = block.beginAfter; y != block.endAfter; ++y)
    after.push_back(findBefore(y) < 0 ? wordsOf(textAfter(y)) : std::vector<llvm::StringRef>());
  // best[i][j]: the sum over the lines from i and j on; like[i][j]: of these two.
  std::vector<double> best((n + 1) * (m + 1), 0), like(n * m, 0);
  auto bestAt = [&](size_t i, size_t j) -> double & { return best[i * (m + 1) + j]; };
  for (size_t i = n; i-- != 0;) {
    size_t x = block.beginBefore + i;
    std::vector<llvm::StringRef> before;
    if (findAfter(x) < 0)
      before = wordsOf(textBefore(x));
    for (size_t j = m; j-- != 0;) {
      like[i * m + j] = likeness(before, after[j]);
      bestAt(i, j) =
          std::max({bestAt(i + 1, j), bestAt(i, j + 1), bestAt(i + 1, j + 1) + like[i * m + j]});
    }
  }
  std::vector<Pair> pairs;
  for (size_t i = 0, j = 0; i < n && j < m;) {
    double pairLikeness = like[i * m + j];
    if (pairLikeness > 0 && bestAt(i, j) == bestAt(i + 1, j + 1) + pairLikeness)
      pairs.emplace_back(block.beginBefore + i++, block.beginAfter + j++);
    else if (bestAt(i, j) == bestAt(i + 1, j))
      ++i;
    else
      ++j;
  }
  return pairs;
}

AlignedSide sideOf(const Trace &trace, llvm::ArrayRef<LineId> lines) {
  AlignedSide side{lines.vec(), {}, Identities(trace, lines)};
  for (LineId id : lines)
    side.texts.emplace_back(trace.lines[id].text);
  return side;
}

AlignedSide sideOf(llvm::ArrayRef<IdentifiedLine> lines,
                   std::unordered_map<std::string_view, uint32_t> &keys) {
  AlignedSide side;
  for (const IdentifiedLine &line : lines) {
    side.keys.push_back(
        keys.try_emplace(line.identity, static_cast<uint32_t>(keys.size())).first->second);
    side.texts.push_back(line.text);
  }
  return side;
}

} // namespace

std::vector<AlignedRow> alignLines(const Trace &trace, llvm::ArrayRef<LineId> before,
                                   llvm::ArrayRef<LineId> after) {
  return Aligner(sideOf(trace, before), sideOf(trace, after)).run();
}

std::vector<AlignedRow> alignIdentified(llvm::ArrayRef<IdentifiedLine> before,
                                        llvm::ArrayRef<IdentifiedLine> after) {
  std::unordered_map<std::string_view, uint32_t> keys;
  AlignedSide sideBefore = sideOf(before, keys);
  return Aligner(std::move(sideBefore), sideOf(after, keys)).run();
}

} // namespace tilescope
