#include "core/plan/exact_placer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tilescope {

ExactPlacer::Outcome ExactPlacer::place(const PlacementConflicts &conflicts, int64_t limitBytes,
                                        llvm::ArrayRef<std::optional<int64_t>> pins,
                                        int64_t maxSteps) {
  maxSteps_ = maxSteps;
  core_.clear();
  items_.clear();
  for (size_t buffer = 0; buffer != problem_.buffers.size(); ++buffer)
    if (problem_.buffers[buffer].sizeBytes > 0)
      items_.push_back(buffer);
  width_ = items_.size() + 1;
  listConflicts(conflicts);
  if (isCliqueAbove(limitBytes))
    return Outcome::Impossible;
  std::vector<size_t> open(conflicts_.size());
  for (size_t index = 0; index != open.size(); ++index)
    open[index] = index;
  Distances least(width_ * width_, 0);
  offsets_.assign(problem_.buffers.size(), 0);
  for (size_t buffer = 0; buffer != pins.size(); ++buffer)
    offsets_[buffer] = pins[buffer].value_or(0);
  bool isPlaced = boundOffsets(limitBytes, pins, least) && tightenToAlignment(least) &&
                  search(std::move(least), std::move(open));
  if (isPlaced)
    return Outcome::Placed;
  return steps_ >= maxSteps_ ? Outcome::OutOfSteps : Outcome::Impossible;
}

void ExactPlacer::listConflicts(const PlacementConflicts &conflicts) {
  conflicts_.clear();
  std::vector<size_t> itemOf(problem_.buffers.size(), 0);
  for (auto [item, buffer] : llvm::enumerate(items_))
    itemOf[buffer] = item;
  for (size_t first = 0; first != items_.size(); ++first) {
    const ArenaBuffer &one = problem_.buffers[items_[first]];
    for (size_t second = 0; second != first; ++second) {
      const ArenaBuffer &other = problem_.buffers[items_[second]];
      PlacementConflicts::Whole whole = conflicts.wholeRow(items_[first])[items_[second]];
      if (whole != PlacementConflicts::None)
        conflicts_.push_back({first,
                              second,
                              {-other.sizeBytes, one.sizeBytes},
                              whole == PlacementConflicts::ByBarrier});
    }
    for (const PlacementConflicts::Partial &partial : conflicts.partialsOf(items_[first]))
      if (partial.other < items_[first])
        conflicts_.push_back({first, itemOf[partial.other], partial.distances, true});
  }
}

// Cliques are grown from each two versions that conflict only for want of a barrier: without such
// two the conflicts are those of lifetimes, with which the least plan was placed.
bool ExactPlacer::isCliqueAbove(int64_t limitBytes) {
  ConflictGraph graph = buildConflictGraph();
  for (const auto &begun : graph.byBarrier) {
    std::vector<size_t> clique = {begun.first.first, begun.first.second};
    int64_t bytes = growClique(graph, clique);
    if (bytes <= limitBytes)
      continue;
    for (const auto &[two, conflict] : graph.byBarrier)
      if (llvm::is_contained(clique, two.first) && llvm::is_contained(clique, two.second))
        addToCore(conflicts_[conflict]);
    return true;
  }
  return false;
}

ExactPlacer::ConflictGraph ExactPlacer::buildConflictGraph() {
  ConflictGraph graph;
  std::vector<size_t> firstOf; // per item
  for (size_t buffer : items_) {
    firstOf.push_back(graph.sizes.size());
    const ArenaBuffer &one = problem_.buffers[buffer];
    int64_t count = std::max<int64_t>(one.versions, 1);
    graph.sizes.insert(graph.sizes.end(), count, one.sizeBytes / count);
  }
  firstOf.push_back(graph.sizes.size());
  auto count = static_cast<unsigned>(graph.sizes.size());
  graph.neighbours.resize(count, llvm::BitVector(count));
  for (size_t item = 0; item != items_.size(); ++item)
    for (size_t version = firstOf[item]; version != firstOf[item + 1]; ++version) {
      graph.neighbours[version].set(firstOf[item], firstOf[item + 1]);
      graph.neighbours[version].reset(version);
    }
  for (auto [index, conflict] : llvm::enumerate(conflicts_))
    for (size_t first = firstOf[conflict.first]; first != firstOf[conflict.first + 1]; ++first)
      for (size_t second = firstOf[conflict.second]; second != firstOf[conflict.second + 1];
           ++second) {
        ++steps_;
        int64_t size = graph.sizes[first], otherSize = graph.sizes[second];
        int64_t between = static_cast<int64_t>(first - firstOf[conflict.first]) * size -
                          static_cast<int64_t>(second - firstOf[conflict.second]) * otherSize;
        if (conflict.distances.above > between - otherSize ||
            conflict.distances.below < between + size)
          continue;
        graph.neighbours[first].set(second);
        graph.neighbours[second].set(first);
        if (conflict.isByBarrier)
          graph.byBarrier[{first, second}] = index;
      }
  return graph;
}

// The bytes of the clique, to which the largest version that conflicts with all of it is added,
// again and again.
int64_t ExactPlacer::growClique(const ConflictGraph &graph, std::vector<size_t> &clique) {
  llvm::BitVector candidates(static_cast<unsigned>(graph.sizes.size()), true);
  int64_t bytes = 0;
  for (size_t version : clique) {
    candidates &= graph.neighbours[version];
    bytes += graph.sizes[version];
  }
  while (candidates.any()) {
    auto largest = static_cast<size_t>(candidates.find_first());
    for (unsigned version : candidates.set_bits()) {
      ++steps_;
      if (graph.sizes[version] > graph.sizes[largest])
        largest = version;
    }
    clique.push_back(largest);
    candidates &= graph.neighbours[largest];
    bytes += graph.sizes[largest];
  }
  return bytes;
}

// Where each may begin and end, before any conflict is looked at.
bool ExactPlacer::boundOffsets(int64_t limitBytes, llvm::ArrayRef<std::optional<int64_t>> pins,
                               Distances &least) const {
  size_t floor = items_.size();
  for (auto [item, buffer] : llvm::enumerate(items_)) {
    int64_t highest = limitBytes - problem_.buffers[buffer].sizeBytes;
    if (highest < 0 || pins[buffer].value_or(0) > highest)
      return false;
    at(least, floor, item) = pins[buffer].value_or(0);
    at(least, item, floor) = -pins[buffer].value_or(highest);
  }
  for (size_t from = 0; from != floor; ++from)
    for (size_t to = 0; to != floor; ++to)
      if (from != to)
        at(least, from, to) = at(least, from, floor) + at(least, floor, to);
  return true;
}

bool ExactPlacer::search(Distances least, std::vector<size_t> open) {
  if (!propagate(least, open))
    return false;
  std::optional<size_t> violated = tightestViolated(least, open);
  if (!violated) {
    for (auto [item, buffer] : llvm::enumerate(items_))
      offsets_[buffer] = at(least, items_.size(), item);
    return true;
  }
  const Conflict &conflict = conflicts_[*violated];
  addToCore(conflict);
  auto [above, below] = conflict.distances;
  // The case with more slack first: it is the likelier to end in a placement.
  int64_t slackAbove = -at(least, conflict.second, conflict.first) - below;
  int64_t slackBelow = above - at(least, conflict.first, conflict.second);
  for (bool isAbove : {slackAbove >= slackBelow, slackAbove < slackBelow}) {
    Distances changed = least;
    bool canBe = isAbove ? tighten(changed, conflict.first, conflict.second, below)
                         : tighten(changed, conflict.second, conflict.first, -above);
    if (canBe && tightenToAlignment(changed) && search(std::move(changed), open))
      return true;
    if (steps_ >= maxSteps_)
      return false;
  }
  return false;
}

// Unit propagation: of the open conflicts, takes the case of each that has one left; false if one
// has none. Those that are decided are no longer open.
bool ExactPlacer::propagate(Distances &least, std::vector<size_t> &open) {
  for (bool hasChanged = true; hasChanged;) {
    hasChanged = false;
    std::vector<size_t> left;
    for (size_t index : open) {
      if (++steps_ >= maxSteps_)
        return false;
      const Conflict &conflict = conflicts_[index];
      auto [above, below] = conflict.distances;
      int64_t lowest = at(least, conflict.first, conflict.second);
      int64_t highest = -at(least, conflict.second, conflict.first);
      if (lowest >= below || highest <= above)
        continue;
      if (lowest <= above && highest >= below) {
        left.push_back(index);
        continue;
      }
      addToCore(conflict);
      hasChanged = true;
      bool canBe = highest >= below
                       ? tighten(least, conflict.first, conflict.second, below)
                       : lowest <= above && tighten(least, conflict.second, conflict.first, -above);
      if (!canBe || !tightenToAlignment(least))
        return false;
    }
    open = std::move(left);
  }
  return true;
}

// With everything as low as can be: of the conflicts that are violated, that with the least slack.
std::optional<size_t> ExactPlacer::tightestViolated(const Distances &least,
                                                    llvm::ArrayRef<size_t> open) const {
  std::optional<size_t> tightest;
  int64_t leastSlack = 0;
  for (size_t index : open) {
    const Conflict &conflict = conflicts_[index];
    size_t floor = items_.size();
    if (!conflict.distances.contains(at(least, floor, conflict.second) -
                                     at(least, floor, conflict.first)))
      continue;
    int64_t slack = -at(least, conflict.second, conflict.first) - conflict.distances.below +
                    conflict.distances.above - at(least, conflict.first, conflict.second);
    if (tightest && slack >= leastSlack)
      continue;
    tightest = index;
    leastSlack = slack;
  }
  return tightest;
}

// `to` begins at least so far above `from`, and all others as far as follows by longest paths;
// false if that cannot be.
bool ExactPlacer::tighten(Distances &least, size_t from, size_t to, int64_t distance) {
  if (distance <= at(least, from, to))
    return true;
  if (distance + at(least, to, from) > 0)
    return false;
  for (size_t lower = 0; lower != width_; ++lower) {
    int64_t reached = at(least, lower, from) + distance;
    if (reached <= at(least, lower, to))
      continue;
    steps_ += static_cast<int64_t>(width_);
    for (size_t upper = 0; upper != width_; ++upper)
      at(least, lower, upper) = std::max(at(least, lower, upper), reached + at(least, to, upper));
  }
  return true;
}

// Buffers begin at multiples of their alignment.
bool ExactPlacer::tightenToAlignment(Distances &least) {
  size_t floor = items_.size();
  for (size_t item = 0; item != floor;) {
    int64_t alignment = std::max<int64_t>(problem_.buffers[items_[item]].alignmentBytes, 1);
    int64_t lowest = at(least, floor, item), highest = -at(least, item, floor);
    if (lowest % alignment == 0 && highest % alignment == 0) {
      ++item;
      continue;
    }
    auto up = static_cast<int64_t>(
        llvm::alignTo(static_cast<uint64_t>(lowest), static_cast<uint64_t>(alignment)));
    if (!tighten(least, floor, item, up) ||
        !tighten(least, item, floor, -(highest / alignment * alignment)))
      return false;
    item = 0;
  }
  return true;
}

void ExactPlacer::addToCore(const Conflict &conflict) {
  if (conflict.isByBarrier)
    core_.insert(std::minmax(items_[conflict.first], items_[conflict.second]));
}

} // namespace tilescope
