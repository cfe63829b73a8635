#include "core/plan/canonical_search.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

namespace tilescope {

namespace {

int64_t alignUp(int64_t value, int64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

bool shareSection(const SearchBox &a, const SearchBox &b) {
  auto left = a.sections.begin();
  auto right = b.sections.begin();
  while (left != a.sections.end() && right != b.sections.end()) {
    if (*left == *right)
      return true;
    *left < *right ? ++left : ++right;
  }
  return false;
}

std::vector<std::vector<int32_t>> computeNeighbours(const SearchProblem &problem) {
  std::vector<std::vector<int32_t>> neighbours(problem.boxes.size());
  for (size_t a = 0; a != problem.boxes.size(); ++a)
    for (size_t b = a + 1; b != problem.boxes.size(); ++b)
      if (shareSection(problem.boxes[a], problem.boxes[b])) {
        neighbours[a].push_back(static_cast<int32_t>(b));
        neighbours[b].push_back(static_cast<int32_t>(a));
      }
  return neighbours;
}

class CanonicalSearch {
public:
  CanonicalSearch(const SearchProblem &problem, const std::vector<int32_t> &order, int64_t capacity,
                  int64_t nodeBudget)
      : problem_(problem), capacity_(capacity), nodeBudget_(nodeBudget),
        neighbours_(computeNeighbours(problem)), inSection_(problem.sectionCount),
        rank_(problem.boxes.size()), lowest_(problem.boxes.size(), 0),
        placed_(problem.boxes.size(), false), offsets_(problem.boxes.size(), 0) {
    for (size_t position = 0; position != order.size(); ++position)
      rank_[order[position]] = static_cast<int32_t>(position);
    for (size_t box = 0; box != problem.boxes.size(); ++box)
      for (int32_t section : problem.boxes[box].sections)
        inSection_[section].push_back(static_cast<int32_t>(box));
    for (size_t box = 0; box != problem.boxes.size(); ++box)
      lowest_[box] = problem.boxes[box].pinned.value_or(0);
  }

  SearchResult run() {
    SearchOutcome outcome = place(0, 0, -1);
    return {outcome, outcome == SearchOutcome::Found ? offsets_ : Offsets(), nodes_};
  }

private:
  int64_t sizeOf(int32_t box) const { return problem_.boxes[box].size; }

  // The lowest address at which a box can still be placed: nothing goes below the last one placed.
  int64_t releaseOf(int32_t box, int64_t lastOffset) const {
    return std::max(lowest_[box], lastOffset);
  }

  // One-machine bound: in each section the boxes left are jobs with a release address; chained in
  // the order of release they must end at or below the capacity.
  bool canFit(int64_t lastOffset) {
    for (const std::vector<int32_t> &section : inSection_) {
      jobs_.clear();
      for (int32_t box : section)
        if (!placed_[box])
          jobs_.emplace_back(releaseOf(box, lastOffset), sizeOf(box));
      std::sort(jobs_.begin(), jobs_.end());
      int64_t end = 0;
      for (auto [release, size] : jobs_)
        end = std::max(end, release) + size;
      if (end > capacity_)
        return false;
    }
    return true;
  }

  bool canBeLifted(int32_t box) const {
    if (problem_.boxes[box].pinned)
      return false;
    return std::any_of(neighbours_[box].begin(), neighbours_[box].end(),
                       [&](int32_t other) { return !placed_[other]; });
  }

  // Boxes that may be placed next, best first; nothing if one that was passed over cannot rise.
  std::optional<std::vector<int32_t>> candidates(int64_t lastOffset, int32_t lastRank) const {
    std::vector<int32_t> found;
    int64_t lowestEnd = std::numeric_limits<int64_t>::max();
    for (int32_t box = 0; box != static_cast<int32_t>(placed_.size()); ++box) {
      if (placed_[box])
        continue;
      lowestEnd = std::min(lowestEnd, lowest_[box] + sizeOf(box));
      if (lowest_[box] > lastOffset || (lowest_[box] == lastOffset && rank_[box] > lastRank))
        found.push_back(box);
      else if (!canBeLifted(box))
        return std::nullopt;
    }
    // A box placed at or above the end of another one leaves room for that one beneath: the
    // placement with that one dropped into the room is reached on another branch.
    std::erase_if(found, [&](int32_t box) { return lowest_[box] >= lowestEnd; });
    std::sort(found.begin(), found.end(), [&](int32_t a, int32_t b) {
      return std::pair(lowest_[a], rank_[a]) < std::pair(lowest_[b], rank_[b]);
    });
    return found;
  }

  // Raises the unplaced neighbours above `box`; false if a pinned one would have to move.
  bool raiseNeighbours(int32_t box, std::vector<std::pair<int32_t, int64_t>> &undo) {
    int64_t end = offsets_[box] + sizeOf(box);
    for (int32_t other : neighbours_[box]) {
      if (placed_[other])
        continue;
      int64_t raised = alignUp(end, problem_.boxes[other].alignment);
      if (raised <= lowest_[other])
        continue;
      if (problem_.boxes[other].pinned)
        return false;
      undo.emplace_back(other, lowest_[other]);
      lowest_[other] = raised;
    }
    return true;
  }

  SearchOutcome place(size_t count, int64_t lastOffset, int32_t lastRank) {
    if (count == placed_.size())
      return SearchOutcome::Found;
    if (++nodes_ > nodeBudget_)
      return SearchOutcome::OutOfNodes;
    if (!canFit(lastOffset))
      return SearchOutcome::Impossible;
    std::optional<std::vector<int32_t>> next = candidates(lastOffset, lastRank);
    if (!next)
      return SearchOutcome::Impossible;
    for (int32_t box : *next) {
      std::vector<std::pair<int32_t, int64_t>> undo;
      offsets_[box] = lowest_[box];
      placed_[box] = true;
      SearchOutcome outcome = SearchOutcome::Impossible;
      if (offsets_[box] + sizeOf(box) <= capacity_ && raiseNeighbours(box, undo))
        outcome = place(count + 1, offsets_[box], rank_[box]);
      if (outcome != SearchOutcome::Impossible)
        return outcome;
      placed_[box] = false;
      for (auto [other, before] : undo)
        lowest_[other] = before;
    }
    return SearchOutcome::Impossible;
  }

  const SearchProblem &problem_;
  int64_t capacity_;
  int64_t nodeBudget_;
  std::vector<std::vector<int32_t>> neighbours_;
  std::vector<std::vector<int32_t>> inSection_;
  std::vector<int32_t> rank_;
  std::vector<int64_t> lowest_; // lowest address the boxes placed so far allow
  std::vector<bool> placed_;
  Offsets offsets_;
  std::vector<std::pair<int64_t, int64_t>> jobs_;
  int64_t nodes_ = 0;
};

} // namespace

std::optional<Offsets> diveCanonically(const SearchProblem &problem,
                                       const std::vector<int32_t> &order) {
  size_t count = problem.boxes.size();
  std::vector<std::vector<int32_t>> neighbours = computeNeighbours(problem);
  Offsets offsets(count, 0);
  std::vector<int32_t> left = order;
  while (!left.empty()) {
    auto lowest = std::min_element(left.begin(), left.end(),
                                   [&](int32_t a, int32_t b) { return offsets[a] < offsets[b]; });
    int32_t box = *lowest;
    left.erase(lowest);
    if (problem.boxes[box].pinned)
      return std::nullopt;
    for (int32_t other : neighbours[box])
      if (std::find(left.begin(), left.end(), other) != left.end())
        offsets[other] = std::max(offsets[other], alignUp(offsets[box] + problem.boxes[box].size,
                                                          problem.boxes[other].alignment));
  }
  return offsets;
}

Offsets placeFirstFit(const SearchProblem &problem, const std::vector<int32_t> &order) {
  std::vector<int32_t> pinnedFirst = order;
  std::stable_partition(pinnedFirst.begin(), pinnedFirst.end(),
                        [&](int32_t box) { return problem.boxes[box].pinned.has_value(); });
  Offsets offsets(problem.boxes.size(), 0);
  std::vector<int32_t> placed;
  for (int32_t box : pinnedFirst) {
    const SearchBox &shape = problem.boxes[box];
    std::vector<std::pair<int64_t, int64_t>> taken;
    for (int32_t other : placed)
      if (shareSection(shape, problem.boxes[other]))
        taken.emplace_back(offsets[other], offsets[other] + problem.boxes[other].size);
    std::sort(taken.begin(), taken.end());
    int64_t offset = 0;
    for (auto [begin, end] : taken)
      if (begin < offset + shape.size)
        offset = std::max(offset, alignUp(end, shape.alignment));
    offsets[box] = shape.pinned.value_or(offset);
    placed.push_back(box);
  }
  return offsets;
}

SearchResult searchCanonically(const SearchProblem &problem, const std::vector<int32_t> &order,
                               int64_t capacity, int64_t nodeBudget) {
  return CanonicalSearch(problem, order, capacity, nodeBudget).run();
}

} // namespace tilescope
