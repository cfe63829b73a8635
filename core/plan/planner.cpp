// planArena: bound, dives, exact search, explanation.
//
//   1. bound    the largest total of buffers live at one point; reached, it is the proof
//   2. dives    first fit and canonical dives under several orders: always a right plan
//   3. search   for a placement that meets the bound, then for anything below the best plan
//   4. explain  who is under whom, who shares bytes, what alignment cost
#include "core/plan/canonical_search.h"
#include "core/plan/plan.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace tilescope {

namespace {

// Deep recursion and quadratic tables: above this many buffers dives must do.
constexpr size_t MaxSearchBoxes = 1000;

int64_t alignUp(int64_t value, int64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

struct LiveSet {
  int64_t bytes = 0;
  ProgramPoint point = 0;
  std::vector<size_t> members;
};

// The problem with times turned into section numbers and sizes into multiples of the grain.
struct Normalised {
  SearchProblem search;
  std::vector<size_t> bufferOf; // per box: buffers without bytes have none
  int64_t grain = 1;
  LiveSet peak;
};

bool isLiveAt(const ArenaBuffer &buffer, ProgramPoint point) {
  return std::any_of(buffer.live.begin(), buffer.live.end(), [&](const LiveInterval &interval) {
    return interval.begin <= point && point < interval.end;
  });
}

// Points at which some buffer becomes live: the live set is largest just there.
std::vector<ProgramPoint> sectionStarts(const ArenaProblem &problem) {
  std::vector<ProgramPoint> starts;
  for (const ArenaBuffer &buffer : problem.buffers)
    for (const LiveInterval &interval : buffer.live)
      starts.push_back(interval.begin);
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  return starts;
}

// The smallest alignment: heights are counted in it.
int64_t grainOf(const ArenaProblem &problem) {
  int64_t grain = std::numeric_limits<int64_t>::max();
  for (const ArenaBuffer &buffer : problem.buffers)
    grain = std::min(grain, std::max<int64_t>(buffer.alignmentBytes, 1));
  return problem.buffers.empty() ? 1 : grain;
}

Normalised normalise(const ArenaProblem &problem) {
  Normalised result;
  result.grain = grainOf(problem);
  for (size_t index = 0; index != problem.buffers.size(); ++index) {
    const ArenaBuffer &buffer = problem.buffers[index];
    if (buffer.sizeBytes <= 0)
      continue;
    result.search.boxes.push_back({alignUp(buffer.sizeBytes, result.grain),
                                   std::max<int64_t>(buffer.alignmentBytes, 1),
                                   {},
                                   buffer.pinnedOffset});
    result.bufferOf.push_back(index);
  }
  std::vector<ProgramPoint> starts = sectionStarts(problem);
  result.search.sectionCount = static_cast<int32_t>(starts.size());
  for (int32_t section = 0; section != result.search.sectionCount; ++section) {
    LiveSet live;
    live.point = starts[section];
    for (size_t box = 0; box != result.bufferOf.size(); ++box)
      if (isLiveAt(problem.buffers[result.bufferOf[box]], live.point)) {
        result.search.boxes[box].sections.push_back(section);
        live.bytes += result.search.boxes[box].size;
        live.members.push_back(result.bufferOf[box]);
      }
    if (live.bytes > result.peak.bytes)
      result.peak = live;
  }
  return result;
}

int64_t heightOf(const SearchProblem &problem, const Offsets &offsets) {
  int64_t height = 0;
  for (size_t box = 0; box != offsets.size(); ++box)
    height = std::max(height, offsets[box] + problem.boxes[box].size);
  return height;
}

// Orders of the boxes, largest first by what the letters say; ties by allocation order.
std::vector<std::vector<int32_t>> diveOrders(const SearchProblem &problem) {
  size_t count = problem.boxes.size();
  std::vector<int64_t> sectionBytes(problem.sectionCount, 0);
  for (const SearchBox &box : problem.boxes)
    for (int32_t section : box.sections)
      sectionBytes[section] += box.size;
  std::vector<int64_t> width(count), total(count, 0), size(count), area(count);
  for (size_t box = 0; box != count; ++box) {
    width[box] = static_cast<int64_t>(problem.boxes[box].sections.size());
    size[box] = problem.boxes[box].size;
    area[box] = width[box] * size[box];
    for (int32_t section : problem.boxes[box].sections)
      total[box] = std::max(total[box], sectionBytes[section]);
  }
  std::vector<int32_t> allocation(count);
  std::iota(allocation.begin(), allocation.end(), 0);
  std::vector<std::vector<int32_t>> orders = {allocation};
  using Keys = std::vector<const std::vector<int64_t> *>;
  for (const Keys &keys : {Keys{&total, &width, &area}, Keys{&width, &area, &total}, Keys{&size},
                           Keys{&total, &area, &width}, Keys{&area}, Keys{&width}}) {
    orders.push_back(allocation);
    std::stable_sort(orders.back().begin(), orders.back().end(), [&](int32_t a, int32_t b) {
      for (const std::vector<int64_t> *key : keys)
        if ((*key)[a] != (*key)[b])
          return (*key)[a] > (*key)[b];
      return false;
    });
  }
  return orders;
}

struct Best {
  Offsets offsets;
  int64_t height = 0;
  int64_t nodes = 0;
  bool exhausted = false;
};

void keepLower(const SearchProblem &problem, Offsets offsets, Best &best) {
  int64_t height = heightOf(problem, offsets);
  if (best.offsets.empty() || height < best.height) {
    best.height = height;
    best.offsets = std::move(offsets);
  }
}

Best dive(const Normalised &normal, const std::vector<std::vector<int32_t>> &orders,
          int64_t enoughBytes) {
  Best best;
  for (const std::vector<int32_t> &order : orders) {
    keepLower(normal.search, placeFirstFit(normal.search, order), best);
    if (best.height <= enoughBytes)
      break;
    if (std::optional<Offsets> offsets = diveCanonically(normal.search, order))
      keepLower(normal.search, std::move(*offsets), best);
    if (best.height <= enoughBytes)
      break;
  }
  return best;
}

// Short runs under each order first: a good order is worth more than a long search.
SearchResult searchRestarting(const SearchProblem &problem,
                              const std::vector<std::vector<int32_t>> &orders, int64_t capacity,
                              int64_t nodeBudget, const std::function<bool()> &stop) {
  SearchResult result;
  int64_t runNodes = 2 * static_cast<int64_t>(problem.boxes.size()) + 16;
  for (size_t run = 0; result.nodes < nodeBudget && !(stop && stop()); ++run) {
    int64_t nodes = std::min(runNodes, nodeBudget - result.nodes);
    SearchResult one = searchCanonically(problem, orders[run % orders.size()], capacity, nodes);
    one.nodes += result.nodes;
    result = std::move(one);
    if (result.outcome != SearchOutcome::OutOfNodes)
      return result;
    if (run % orders.size() + 1 == orders.size())
      runNodes *= 2;
  }
  return result;
}

// Lowers `best` until it is low enough, nothing lower exists, or the nodes are spent.
void improve(const Normalised &normal, const std::vector<std::vector<int32_t>> &orders,
             const PlanLimits &limits, int64_t enoughBytes, Best &best) {
  if (normal.search.boxes.size() > MaxSearchBoxes)
    return;
  int64_t capacity = enoughBytes;
  while (best.height > enoughBytes && best.nodes < limits.searchNodes) {
    int64_t nodes =
        capacity == enoughBytes ? limits.searchNodes / 2 : limits.searchNodes - best.nodes;
    SearchResult result = searchRestarting(normal.search, orders, capacity, nodes, limits.stop);
    best.nodes += result.nodes;
    if (result.outcome == SearchOutcome::Found)
      keepLower(normal.search, std::move(result.offsets), best);
    else if (capacity == best.height - normal.grain) {
      best.exhausted = result.outcome == SearchOutcome::Impossible;
      return;
    }
    capacity = best.height - normal.grain;
  }
}

Certificate certify(const ArenaProblem &problem, const Normalised &normal, const Best &best) {
  Certificate certificate;
  certificate.searchNodes = best.nodes;
  certificate.boundBytes = normal.peak.bytes;
  certificate.point = normal.peak.point;
  for (size_t buffer : normal.peak.members)
    certificate.liveSet.push_back(problem.buffers[buffer].id);
  if (best.height == normal.peak.bytes) {
    certificate.kind = ProofKind::LiveAtPoint;
  } else if (best.exhausted) {
    certificate.kind = ProofKind::Exhausted;
    certificate.boundBytes = best.height;
  }
  return certificate;
}

bool overlapInBytes(const Placement &a, const Placement &b) {
  return a.offsetBytes < b.offsetBytes + b.sizeBytes && b.offsetBytes < a.offsetBytes + a.sizeBytes;
}

void explain(const ArenaProblem &problem, ArenaPlan &plan) {
  for (size_t index = 0; index != plan.placements.size(); ++index) {
    Placement &placement = plan.placements[index];
    const ArenaBuffer &buffer = problem.buffers[index];
    int64_t floor = 0;
    bool hasNeighbour = false;
    for (size_t other = 0; other != plan.placements.size(); ++other) {
      const Placement &neighbour = plan.placements[other];
      if (other == index || neighbour.sizeBytes == 0)
        continue;
      if (!conflictWitness(buffer, problem.buffers[other])) {
        if (overlapInBytes(placement, neighbour))
          placement.sharesWith.push_back(neighbour.id);
        continue;
      }
      hasNeighbour = true;
      int64_t end = neighbour.offsetBytes + neighbour.sizeBytes;
      if (end > placement.offsetBytes || end < floor)
        continue;
      if (end > floor)
        placement.below.clear();
      floor = end;
      placement.below.push_back(neighbour.id);
    }
    bool rests =
        alignUp(floor, std::max<int64_t>(buffer.alignmentBytes, 1)) == placement.offsetBytes;
    placement.paddingBytes = rests ? placement.offsetBytes - floor : 0;
    if (!rests)
      placement.below.clear();
    if (buffer.pinnedOffset)
      placement.reason = PlacementReason::Pinned;
    else if (!placement.sharesWith.empty())
      placement.reason = PlacementReason::ReusesBytes;
    else
      placement.reason = hasNeighbour ? PlacementReason::LowestFree : PlacementReason::OnlyBuffer;
  }
}

} // namespace

ArenaPlan planArena(const ArenaProblem &problem, int64_t nodeBudget) {
  return planArena(problem, {.searchNodes = nodeBudget, .enoughBytes = 0, .stop = {}});
}

ArenaPlan planArena(const ArenaProblem &problem, const PlanLimits &limits) {
  Normalised normal = normalise(problem);
  std::vector<std::vector<int32_t>> orders = diveOrders(normal.search);
  int64_t enoughBytes = std::max(limits.enoughBytes, normal.peak.bytes);
  Best best = dive(normal, orders, enoughBytes);
  improve(normal, orders, limits, enoughBytes, best);

  std::vector<int64_t> offsets;
  for (const ArenaBuffer &buffer : problem.buffers)
    offsets.push_back(buffer.pinnedOffset.value_or(0));
  for (size_t box = 0; box != normal.bufferOf.size(); ++box)
    offsets[normal.bufferOf[box]] = best.offsets[box];
  ArenaPlan plan = describePlan(problem, offsets);
  plan.certificate = certify(problem, normal, best);
  return plan;
}

ArenaPlan describePlan(const ArenaProblem &problem, const std::vector<int64_t> &offsetBytes) {
  ArenaPlan plan;
  for (size_t index = 0; index != problem.buffers.size(); ++index) {
    const ArenaBuffer &buffer = problem.buffers[index];
    plan.placements.push_back(
        {.id = buffer.id, .offsetBytes = offsetBytes[index], .sizeBytes = buffer.sizeBytes});
    if (buffer.sizeBytes > 0)
      plan.heightBytes = std::max(plan.heightBytes, offsetBytes[index] + buffer.sizeBytes);
  }
  plan.heightBytes = alignUp(plan.heightBytes, grainOf(problem));
  explain(problem, plan);
  return plan;
}

std::optional<ProgramPoint> conflictWitness(const ArenaBuffer &a, const ArenaBuffer &b) {
  for (const LiveInterval &left : a.live)
    for (const LiveInterval &right : b.live)
      if (left.begin < right.end && right.begin < left.end)
        return std::max(left.begin, right.begin);
  return std::nullopt;
}

} // namespace tilescope
