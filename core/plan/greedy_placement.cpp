#include "core/plan/greedy_placement.h"

#include <algorithm>
#include <numeric>
#include <queue>

namespace tilescope {

namespace {

bool shareSection(const SearchBox &a, const SearchBox &b) {
  auto left = a.live.begin(), right = b.live.begin();
  while (left != a.live.end() && right != b.live.end()) {
    if (left->begin < right->end && right->begin < left->end)
      return true;
    left->end < right->end ? ++left : ++right;
  }
  return false;
}

// What the orders compare. Doubles: an area may exceed 64 bits.
struct BoxMeasures {
  double total = 0;
  double width = 0;
  double size = 0;

  double area() const { return width * size; }
};

std::vector<BoxMeasures> measureBoxes(const SearchProblem &problem) {
  std::vector<int64_t> total(problem.sectionCount + 1, 0);
  for (const SearchBox &box : problem.boxes)
    for (const SectionRange &range : box.live) {
      total[range.begin] += box.size;
      total[range.end] -= box.size;
    }
  std::partial_sum(total.begin(), total.end(), total.begin());
  std::vector<BoxMeasures> measures;
  measures.reserve(problem.boxes.size());
  for (const SearchBox &box : problem.boxes) {
    BoxMeasures &measure = measures.emplace_back();
    measure.size = static_cast<double>(box.size);
    for (const SectionRange &range : box.live) {
      measure.width += range.end - range.begin;
      int64_t largest = *std::max_element(total.begin() + range.begin, total.begin() + range.end);
      measure.total = std::max(measure.total, static_cast<double>(largest));
    }
  }
  return measures;
}

std::array<double, 3> keyOf(const BoxMeasures &box, BoxOrder order) {
  switch (order) {
  case BoxOrder::TotalWidthArea:
    return {box.total, box.width, box.area()};
  case BoxOrder::TotalAreaWidth:
    return {box.total, box.area(), box.width};
  case BoxOrder::WidthAreaTotal:
    return {box.width, box.area(), box.total};
  case BoxOrder::WidthTotalArea:
    return {box.width, box.total, box.area()};
  case BoxOrder::Size:
    return {box.size, 0, 0};
  case BoxOrder::Area:
    return {box.area(), 0, 0};
  case BoxOrder::Allocation:
    return {0, 0, 0};
  }
  return {};
}

// A box that is not placed yet, at the lowest address that it had when it was last looked at.
struct Candidate {
  int64_t address;
  int32_t rank;
  int32_t box;

  friend bool operator>(const Candidate &a, const Candidate &b) {
    return std::tie(a.address, a.rank) > std::tie(b.address, b.rank);
  }
};

int64_t lowestAddress(const SearchBox &box, const std::vector<int64_t> &skyline) {
  int64_t address = 0;
  for (const SectionRange &range : box.live)
    address = std::max(
        address, *std::max_element(skyline.begin() + range.begin, skyline.begin() + range.end));
  return alignUp(address, box.alignment);
}

} // namespace

std::vector<int32_t> sortBoxes(const SearchProblem &problem, BoxOrder order) {
  std::vector<int32_t> sorted(problem.boxes.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  if (order == BoxOrder::Allocation)
    return sorted;
  std::vector<std::array<double, 3>> keys;
  keys.reserve(sorted.size());
  for (const BoxMeasures &measures : measureBoxes(problem))
    keys.push_back(keyOf(measures, order));
  std::sort(sorted.begin(), sorted.end(),
            [&](int32_t a, int32_t b) { return keys[a] != keys[b] ? keys[a] > keys[b] : a < b; });
  return sorted;
}

std::optional<Offsets> placeOnSkyline(const SearchProblem &problem,
                                      const std::vector<int32_t> &order) {
  Offsets offsets(problem.boxes.size(), 0);
  std::vector<int64_t> skyline(problem.sectionCount, 0);
  // A skyline only rises, so an address that is out of date is too low: it is found out when its
  // box comes first.
  std::vector<Candidate> candidates;
  candidates.reserve(order.size());
  for (size_t rank = 0; rank != order.size(); ++rank) {
    candidates.push_back({0, static_cast<int32_t>(rank), order[rank]});
    if (problem.boxes[order[rank]].pinned)
      return std::nullopt;
  }
  std::priority_queue queue(std::greater<Candidate>(), std::move(candidates));
  while (!queue.empty()) {
    Candidate next = queue.top();
    queue.pop();
    const SearchBox &box = problem.boxes[next.box];
    int64_t address = lowestAddress(box, skyline);
    if (address > next.address) {
      queue.push({address, next.rank, next.box});
      continue;
    }
    offsets[next.box] = address;
    for (const SectionRange &range : box.live)
      std::fill(skyline.begin() + range.begin, skyline.begin() + range.end, address + box.size);
  }
  return offsets;
}

Offsets placeFirstFit(const SearchProblem &problem, const std::vector<int32_t> &order) {
  std::vector<int32_t> pinnedFirst = order;
  std::stable_partition(pinnedFirst.begin(), pinnedFirst.end(),
                        [&](int32_t box) { return problem.boxes[box].pinned.has_value(); });
  Offsets offsets(problem.boxes.size(), 0);
  std::vector<int32_t> placed; // by rising offset
  for (int32_t index : pinnedFirst) {
    const SearchBox &box = problem.boxes[index];
    int64_t offset = box.pinned.value_or(0);
    if (!box.pinned)
      for (int32_t other : placed) {
        if (offsets[other] >= offset + box.size)
          break;
        int64_t end = offsets[other] + problem.boxes[other].size;
        if (end > offset && shareSection(box, problem.boxes[other]))
          offset = alignUp(end, box.alignment);
      }
    offsets[index] = offset;
    auto above = std::upper_bound(placed.begin(), placed.end(), offset,
                                  [&](int64_t o, int32_t other) { return o < offsets[other]; });
    placed.insert(above, index);
  }
  return offsets;
}

} // namespace tilescope
