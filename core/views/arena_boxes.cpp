#include "core/views/arena_boxes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <optional>

namespace tilescope {

namespace {

// Past this a picture is red all over.
constexpr size_t MaxConflicts = 1000;

// A set of small numbers that finds neighbours: a bit a number, and a bit a word that is not empty.
class RankSet {
public:
  explicit RankSet(size_t count) : words_((count + 63) / 64), summary_((words_.size() + 63) / 64) {}

  void insert(size_t rank) {
    words_[rank / 64] |= bit(rank);
    summary_[rank / 4096] |= bit(rank / 64);
  }
  void erase(size_t rank) {
    words_[rank / 64] &= ~bit(rank);
    if (words_[rank / 64] == 0)
      summary_[rank / 4096] &= ~bit(rank / 64);
  }
  bool contains(size_t rank) const { return (words_[rank / 64] & bit(rank)) != 0; }

  // The largest number below `rank`, the smallest above.
  std::optional<size_t> before(size_t rank) const {
    if (uint64_t word = words_[rank / 64] & (bit(rank) - 1))
      return rank / 64 * 64 + highest(word);
    size_t at = rank / 64;
    for (size_t top = at / 64 + 1; top-- > 0;) {
      uint64_t mask = top == at / 64 ? bit(at) - 1 : ~uint64_t(0);
      if (uint64_t words = summary_[top] & mask) {
        size_t word = top * 64 + highest(words);
        return word * 64 + highest(words_[word]);
      }
    }
    return std::nullopt;
  }
  std::optional<size_t> after(size_t rank) const {
    if (uint64_t word = words_[rank / 64] & ~(bit(rank) | (bit(rank) - 1)))
      return rank / 64 * 64 + lowest(word);
    size_t at = rank / 64;
    for (size_t top = at / 64; top != summary_.size(); ++top) {
      uint64_t mask = top == at / 64 ? ~(bit(at) | (bit(at) - 1)) : ~uint64_t(0);
      if (uint64_t words = summary_[top] & mask) {
        size_t word = top * 64 + lowest(words);
        return word * 64 + lowest(words_[word]);
      }
    }
    return std::nullopt;
  }

private:
  static uint64_t bit(size_t at) { return uint64_t(1) << (at % 64); }
  static size_t highest(uint64_t word) { return 63 - static_cast<size_t>(llvm::countl_zero(word)); }
  static size_t lowest(uint64_t word) { return static_cast<size_t>(llvm::countr_zero(word)); }

  std::vector<uint64_t> words_, summary_;
};

// Boxes that live at the point of the sweep. While they are disjoint in bytes, a new one can only
// meet its neighbours; those that meet another are kept apart, in a list.
class Sweep {
public:
  Sweep(const std::vector<ArenaBox> &boxes, const std::vector<ByteRange> &rows)
      : boxes_(boxes), rows_(rows), ends_(rows.size()), live_(rows.size()) {}

  std::vector<ArenaConflict> run() {
    std::vector<ArenaBox> byEnd(boxes_);
    for (ArenaBox &box : byEnd)
      std::swap(box.begin, box.end);
    sortByBegin(byEnd);
    auto ended = byEnd.begin();
    for (const ArenaBox &box : boxes_) {
      for (; ended != byEnd.end() && ended->begin <= box.begin; ++ended)
        remove(*ended);
      if (rows_[box.row].begin < rows_[box.row].end)
        add(box);
      if (conflicts_.size() >= MaxConflicts)
        break;
    }
    return std::move(conflicts_);
  }

private:
  void remove(const ArenaBox &box) {
    if (live_.contains(box.row) && ends_[box.row] == box.begin)
      live_.erase(box.row);
  }

  void add(const ArenaBox &box) {
    size_t before = conflicts_.size();
    const ByteRange &bytes = rows_[box.row];
    llvm::erase_if(apart_, [&](const ArenaBox &other) { return other.end <= box.begin; });
    for (const ArenaBox &other : apart_)
      meet(box, other.row, other.end);
    if (live_.contains(box.row)) {
      apart_.push_back(box); // a life that overlaps itself: not a conflict of two
      return;
    }
    for (auto row = live_.before(box.row); row && rows_[*row].end > bytes.begin;
         row = live_.before(*row))
      meet(box, static_cast<uint32_t>(*row), ends_[*row]);
    for (auto row = live_.after(box.row); row && rows_[*row].begin < bytes.end;
         row = live_.after(*row))
      meet(box, static_cast<uint32_t>(*row), ends_[*row]);
    if (conflicts_.size() != before) {
      apart_.push_back(box);
      return;
    }
    live_.insert(box.row);
    ends_[box.row] = box.end;
  }

  void meet(const ArenaBox &box, uint32_t row, ProgramPoint end) {
    int64_t begin = std::max(rows_[box.row].begin, rows_[row].begin);
    int64_t endBytes = std::min(rows_[box.row].end, rows_[row].end);
    if (begin < endBytes && row != box.row)
      conflicts_.push_back({std::min(row, box.row),
                            std::max(row, box.row),
                            begin,
                            endBytes,
                            {box.begin, std::min(end, box.end)}});
  }

  const std::vector<ArenaBox> &boxes_;
  const std::vector<ByteRange> &rows_;
  std::vector<ProgramPoint> ends_; // by row, of those in live_
  RankSet live_;
  std::vector<ArenaBox> apart_;
  std::vector<ArenaConflict> conflicts_;
};

} // namespace

void sortByBegin(std::vector<ArenaBox> &boxes) {
  auto byBegin = [](const ArenaBox &a, const ArenaBox &b) { return a.begin < b.begin; };
  if (llvm::is_sorted(boxes, byBegin))
    return;
  auto [least, most] = std::minmax_element(boxes.begin(), boxes.end(), byBegin);
  auto count = static_cast<uint64_t>(int64_t(most->begin) - least->begin) + 1;
  if (count > 4 * boxes.size()) {
    llvm::stable_sort(boxes, byBegin);
    return;
  }
  ProgramPoint first = least->begin;
  std::vector<size_t> next(count + 1);
  for (const ArenaBox &box : boxes)
    ++next[static_cast<size_t>(box.begin - first) + 1];
  for (size_t i = 1; i != next.size(); ++i)
    next[i] += next[i - 1];
  std::vector<ArenaBox> sorted(boxes.size());
  for (const ArenaBox &box : boxes)
    sorted[next[static_cast<size_t>(box.begin - first)]++] = box;
  boxes = std::move(sorted);
}

std::vector<ArenaConflict> findConflicts(const std::vector<ArenaBox> &boxes,
                                         const std::vector<ByteRange> &rows) {
  return Sweep(boxes, rows).run();
}

} // namespace tilescope
