#include "core/plan/exact_placer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tilescope {

ExactPlacer::Outcome ExactPlacer::place(const PlacementConflicts &conflicts, int64_t limitBytes,
                                        llvm::ArrayRef<std::optional<int64_t>> pins,
                                        int64_t maxSteps) {
  maxSteps_ = maxSteps;
  used_.clear();
  items_.clear();
  for (size_t buffer = 0; buffer != problem_.buffers.size(); ++buffer)
    if (problem_.buffers[buffer].sizeBytes > 0)
      items_.push_back(buffer);
  width_ = items_.size() + 1;
  listConflicts(conflicts);
  if (isTooMuch(limitBytes))
    return Outcome::Impossible;
  std::vector<size_t> open(conflicts_.size());
  for (size_t index = 0; index != open.size(); ++index)
    open[index] = index;
  Distances least(width_ * width_, 0);
  offsets_.assign(problem_.buffers.size(), 0);
  for (size_t buffer = 0; buffer != pins.size(); ++buffer)
    offsets_[buffer] = pins[buffer].value_or(0);
  bool isPlaced = start(limitBytes, pins, least) && raiseAligned(least) &&
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

// Versions that may not meet pair by pair need as many bytes as they have together. Begun with each
// two that only want of a barrier keeps apart; the largest that fits is added, again and again.
bool ExactPlacer::isTooMuch(int64_t limitBytes) {
  VersionsApart versions = listVersionsApart();
  for (const auto &begun : versions.byBarrier) {
    std::vector<size_t> chosen = {begun.first.first, begun.first.second};
    int64_t bytes = addUp(versions, chosen);
    if (bytes <= limitBytes)
      continue;
    for (const auto &[two, conflict] : versions.byBarrier)
      if (llvm::is_contained(chosen, two.first) && llvm::is_contained(chosen, two.second))
        use(conflicts_[conflict]);
    return true;
  }
  return false;
}

ExactPlacer::VersionsApart ExactPlacer::listVersionsApart() {
  VersionsApart versions;
  std::vector<size_t> firstOf; // per item
  for (size_t buffer : items_) {
    firstOf.push_back(versions.sizes.size());
    const ArenaBuffer &one = problem_.buffers[buffer];
    int64_t count = std::max<int64_t>(one.versions, 1);
    versions.sizes.insert(versions.sizes.end(), count, one.sizeBytes / count);
  }
  firstOf.push_back(versions.sizes.size());
  auto count = static_cast<unsigned>(versions.sizes.size());
  versions.apart.resize(count, llvm::BitVector(count));
  for (size_t item = 0; item != items_.size(); ++item)
    for (size_t version = firstOf[item]; version != firstOf[item + 1]; ++version) {
      versions.apart[version].set(firstOf[item], firstOf[item + 1]);
      versions.apart[version].reset(version);
    }
  for (auto [index, conflict] : llvm::enumerate(conflicts_))
    for (size_t first = firstOf[conflict.first]; first != firstOf[conflict.first + 1]; ++first)
      for (size_t second = firstOf[conflict.second]; second != firstOf[conflict.second + 1];
           ++second) {
        ++steps_;
        int64_t size = versions.sizes[first], otherSize = versions.sizes[second];
        int64_t between = static_cast<int64_t>(first - firstOf[conflict.first]) * size -
                          static_cast<int64_t>(second - firstOf[conflict.second]) * otherSize;
        if (conflict.distances.above > between - otherSize ||
            conflict.distances.below < between + size)
          continue;
        versions.apart[first].set(second);
        versions.apart[second].set(first);
        if (conflict.isByBarrier)
          versions.byBarrier[{first, second}] = index;
      }
  return versions;
}

// The bytes of the chosen, to which it adds.
int64_t ExactPlacer::addUp(const VersionsApart &versions, std::vector<size_t> &chosen) {
  llvm::BitVector candidates(static_cast<unsigned>(versions.sizes.size()), true);
  int64_t bytes = 0;
  for (size_t version : chosen) {
    candidates &= versions.apart[version];
    bytes += versions.sizes[version];
  }
  while (candidates.any()) {
    auto largest = static_cast<size_t>(candidates.find_first());
    for (unsigned version : candidates.set_bits()) {
      ++steps_;
      if (versions.sizes[version] > versions.sizes[largest])
        largest = version;
    }
    chosen.push_back(largest);
    candidates &= versions.apart[largest];
    bytes += versions.sizes[largest];
  }
  return bytes;
}

// Where each may begin and end, before any conflict is looked at.
bool ExactPlacer::start(int64_t limitBytes, llvm::ArrayRef<std::optional<int64_t>> pins,
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
  if (!decide(least, open))
    return false;
  std::optional<size_t> met = worstMet(least, open);
  if (!met) {
    for (auto [item, buffer] : llvm::enumerate(items_))
      offsets_[buffer] = at(least, items_.size(), item);
    return true;
  }
  const Conflict &conflict = conflicts_[*met];
  use(conflict);
  auto [above, below] = conflict.distances;
  // The case with more room first.
  int64_t roomAbove = -at(least, conflict.second, conflict.first) - below;
  int64_t roomBelow = above - at(least, conflict.first, conflict.second);
  for (bool isAbove : {roomAbove >= roomBelow, roomAbove < roomBelow}) {
    Distances changed = least;
    bool canBe = isAbove ? raise(changed, conflict.first, conflict.second, below)
                         : raise(changed, conflict.second, conflict.first, -above);
    if (canBe && raiseAligned(changed) && search(std::move(changed), open))
      return true;
    if (steps_ >= maxSteps_)
      return false;
  }
  return false;
}

// Of the open conflicts, takes the side of each that has one left; false if one has none. Those
// that are settled are no longer open.
bool ExactPlacer::decide(Distances &least, std::vector<size_t> &open) {
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
      use(conflict);
      hasChanged = true;
      bool canBe = highest >= below
                       ? raise(least, conflict.first, conflict.second, below)
                       : lowest <= above && raise(least, conflict.second, conflict.first, -above);
      if (!canBe || !raiseAligned(least))
        return false;
    }
    open = std::move(left);
  }
  return true;
}

// With everything as low as can be: of the conflicts that are met, that with the least room.
std::optional<size_t> ExactPlacer::worstMet(const Distances &least,
                                            llvm::ArrayRef<size_t> open) const {
  std::optional<size_t> worst;
  int64_t leastRoom = 0;
  for (size_t index : open) {
    const Conflict &conflict = conflicts_[index];
    size_t floor = items_.size();
    if (!conflict.distances.contains(at(least, floor, conflict.second) -
                                     at(least, floor, conflict.first)))
      continue;
    int64_t room = -at(least, conflict.second, conflict.first) - conflict.distances.below +
                   conflict.distances.above - at(least, conflict.first, conflict.second);
    if (worst && room >= leastRoom)
      continue;
    worst = index;
    leastRoom = room;
  }
  return worst;
}

// `to` begins at least so far above `from`, and all others as far as follows; false if that cannot
// be.
bool ExactPlacer::raise(Distances &least, size_t from, size_t to, int64_t distance) {
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
bool ExactPlacer::raiseAligned(Distances &least) {
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
    if (!raise(least, floor, item, up) ||
        !raise(least, item, floor, -(highest / alignment * alignment)))
      return false;
    item = 0;
  }
  return true;
}

void ExactPlacer::use(const Conflict &conflict) {
  if (conflict.isByBarrier)
    used_.insert(std::minmax(items_[conflict.first], items_[conflict.second]));
}

} // namespace tilescope
