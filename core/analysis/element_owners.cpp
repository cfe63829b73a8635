#include "core/analysis/element_owners.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

namespace tilescope {

namespace {

bool isSameAxis(const OwnedAxis &a, const OwnedAxis &b) {
  return a.period == b.period && a.begin == b.begin && a.extent == b.extent &&
         isSameFixedPart(a.fixed, b.fixed);
}

// Of one element.
bool areAtOdds(int32_t owner, int32_t other) {
  return owner != other && owner != -1 && other != -1;
}

} // namespace

std::optional<OwnedAxis> axisOf(const LaneIndex &index, int64_t extent, const Lanes &active) {
  constexpr int64_t Farthest = int64_t(1) << 40;
  OwnedAxis axis{index.fixed, index.period, 0, 0};
  int64_t least = Farthest, most = -Farthest;
  for (size_t lane = 0; lane != std::max(index.first.size(), active.size()); ++lane)
    if (laneOf(active, lane) != 0) {
      least = std::min(least, laneOf(index.first, lane));
      most = std::max(most, laneOf(index.first, lane));
    }
  if (least > most)
    return axis;
  if (least <= -Farthest || most >= Farthest)
    return std::nullopt;
  axis.begin = least;
  axis.extent = most - least + extent;
  return axis;
}

void widen(OwnedAxis &axis, const OwnedAxis &other) {
  int64_t period = std::gcd(axis.period, other.period);
  if (!isSameFixedPart(axis.fixed, other.fixed)) {
    period = std::gcd(period, std::gcd(periodOf(axis.fixed), periodOf(other.fixed)));
    axis.fixed.clear();
  }
  axis.period = period;
  int64_t begin = axis.begin, end = axis.begin + axis.extent;
  if (axis.extent == 0)
    begin = other.begin, end = other.begin + other.extent;
  else if (other.extent != 0)
    begin = std::min(begin, other.begin), end = std::max(end, other.begin + other.extent);
  bool isRound = period != 0 && end - begin >= period;
  axis.begin = isRound ? 0 : begin;
  axis.extent = isRound ? period : end - begin;
}

int64_t placeIn(const OwnedAxis &axis, int64_t coordinate) {
  int64_t place = coordinate - axis.begin, period = axis.period;
  return period == 0 ? place : (place % period + period) % period;
}

bool ElementOwners::allocate() {
  int64_t elements = 1;
  for (const OwnedAxis &axis : axes) {
    if (axis.extent != 0 && elements > MaxOwnedElements / axis.extent)
      return false;
    elements *= axis.extent;
  }
  threads.assign(elements, -1);
  return true;
}

bool ElementOwners::merge(const ElementOwners &other) {
  if (threadVar != other.threadVar || axes.size() != other.axes.size())
    return false;
  ElementOwners both{threadVar, axes, {}};
  bool isAsBefore = true;
  for (auto [axis, mine, theirs] : llvm::zip_equal(both.axes, axes, other.axes)) {
    widen(axis, theirs);
    isAsBefore &= isSameAxis(axis, mine);
  }
  if (isAsBefore)
    return add(other);
  if (!both.allocate() || !both.add(*this) || !both.add(other))
    return false;
  *this = std::move(both);
  return true;
}

// The axes are at least as wide as the other's.
bool ElementOwners::add(const ElementOwners &other) {
  if (llvm::all_of(llvm::zip_equal(axes, other.axes),
                   [](auto pair) { return isSameAxis(std::get<0>(pair), std::get<1>(pair)); }))
    return addAlike(other);
  // Elements of the other may be one here.
  std::vector<int32_t> both = threads;
  for (auto [place, owner] : llvm::zip_equal(placesOf(other), other.threads)) {
    if (areAtOdds(both[place], owner))
      return false;
    both[place] = std::max(both[place], owner);
  }
  threads = std::move(both);
  return true;
}

// The number here of each of its elements.
std::vector<int64_t> ElementOwners::placesOf(const ElementOwners &other) const {
  std::vector<int64_t> places = {0}, steps;
  for (auto [axis, theirs] : llvm::zip_equal(axes, other.axes)) {
    steps.clear();
    for (int64_t step = 0; step != theirs.extent; ++step)
      steps.push_back(placeIn(axis, theirs.begin + step));
    std::vector<int64_t> outer = std::move(places);
    places.clear();
    places.reserve(outer.size() * steps.size());
    for (int64_t row : outer)
      for (int64_t step : steps)
        places.push_back(row * axis.extent + step);
  }
  return places;
}

bool ElementOwners::addAlike(const ElementOwners &other) {
  for (auto [mine, theirs] : llvm::zip_equal(threads, other.threads))
    if (areAtOdds(mine, theirs))
      return false;
  for (auto [mine, theirs] : llvm::zip_equal(threads, other.threads))
    mine = std::max(mine, theirs);
  return true;
}

uint32_t OwnerTokens::tokenOf(BufferId buffer, const DrawKey &drawn) {
  auto known = llvm::find(drawn_, std::pair(buffer, drawn));
  if (known == drawn_.end())
    known = drawn_.insert(known, {buffer, drawn});
  return FirstOfDrawn + static_cast<uint32_t>(known - drawn_.begin());
}

uint32_t OwnerTokens::tokenOf(BufferId buffer, const ElementOwners &owners) {
  for (auto [index, known] : llvm::enumerate(known_))
    if (known.first == buffer && known.second.merge(owners))
      return static_cast<uint32_t>(index + 1);
  known_.push_back({buffer, owners});
  return static_cast<uint32_t>(known_.size());
}

} // namespace tilescope
