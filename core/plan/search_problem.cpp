#include "core/plan/search_problem.h"

#include <algorithm>
#include <numeric>

namespace tilescope {

namespace {

// Boxes that begin or end at one point.
struct Change {
  ProgramPoint point = 0;
  bool isBegin = false;
  int32_t box = 0;

  friend auto operator<=>(const Change &, const Change &) = default;
};

// Sizes are counted in it. An alignment that divides it holds by itself and need not be kept.
int64_t unitBytesOf(const std::vector<SearchBox> &boxes) {
  int64_t unit = 0;
  for (const SearchBox &box : boxes)
    unit = std::gcd(std::gcd(unit, box.size), box.pinned.value_or(0));
  for (bool changed = true; changed;) {
    changed = false;
    for (const SearchBox &box : boxes) {
      int64_t divisor = unit % box.alignment == 0 ? unit : std::gcd(unit, box.alignment);
      changed |= divisor != unit;
      unit = divisor;
    }
  }
  return std::max<int64_t>(unit, 1);
}

void scale(SearchProblem &problem) {
  int64_t unit = unitBytesOf(problem.boxes);
  problem.unitBytes = unit;
  for (SearchBox &box : problem.boxes) {
    box.size /= unit;
    box.alignment = unit % box.alignment == 0 ? 1 : box.alignment / unit;
    if (box.pinned)
      *box.pinned /= unit;
  }
}

// Sweeps time. A section is kept where a box ends after another began: the live set is a largest
// one there.
class SectionSweep {
public:
  SectionSweep(const ArenaProblem &arena, SearchProblem &problem)
      : arena_(arena), problem_(problem), firstSection_(problem.boxes.size(), 0) {}

  void run() {
    bool hasGrown = false;
    for (const Change &change : sortedChanges()) {
      if (!change.isBegin && hasGrown)
        closeSection();
      hasGrown = change.isBegin;
      SearchBox &box = problem_.boxes[change.box];
      if (change.isBegin) {
        lastBegin_ = change.point;
        firstSection_[change.box] = problem_.sectionCount;
        liveSize_ += box.size;
      } else {
        box.live.push_back({firstSection_[change.box], problem_.sectionCount});
        liveSize_ -= box.size;
      }
    }
    for (SearchBox &box : problem_.boxes)
      if (box.live.empty())
        addOwnSection(box);
    findPeakBuffers();
  }

private:
  std::vector<Change> sortedChanges() const {
    std::vector<Change> changes;
    changes.reserve(2 * problem_.boxes.size());
    for (size_t box = 0; box != problem_.boxes.size(); ++box)
      for (const LiveInterval &interval : arena_.buffers[problem_.bufferOf[box]].live) {
        if (interval.begin >= interval.end)
          continue;
        changes.push_back({interval.begin, true, static_cast<int32_t>(box)});
        changes.push_back({interval.end, false, static_cast<int32_t>(box)});
      }
    std::sort(changes.begin(), changes.end());
    return changes;
  }

  void closeSection() {
    if (liveSize_ > problem_.peakSize) {
      problem_.peakSize = liveSize_;
      problem_.peakPoint = lastBegin_;
    }
    ++problem_.sectionCount;
  }

  void addOwnSection(SearchBox &box) {
    box.live.push_back({problem_.sectionCount, problem_.sectionCount + 1});
    ++problem_.sectionCount;
    if (box.size > problem_.peakSize) {
      problem_.peakSize = box.size;
      problem_.peakPoint.reset();
    }
  }

  void findPeakBuffers() {
    if (!problem_.peakPoint)
      return;
    ProgramPoint peak = *problem_.peakPoint;
    for (size_t buffer : problem_.bufferOf)
      for (const LiveInterval &interval : arena_.buffers[buffer].live)
        if (interval.begin <= peak && peak < interval.end)
          problem_.peakBuffers.push_back(buffer);
  }

  const ArenaProblem &arena_;
  SearchProblem &problem_;
  std::vector<int32_t> firstSection_; // of the interval that is open
  int64_t liveSize_ = 0;
  ProgramPoint lastBegin_ = 0;
};

} // namespace

int64_t grainBytesOf(const ArenaProblem &problem) {
  int64_t grain = 0;
  for (const ArenaBuffer &buffer : problem.buffers)
    grain = std::gcd(grain, std::max<int64_t>(buffer.alignmentBytes, 1));
  return std::max<int64_t>(grain, 1);
}

SearchProblem makeSearchProblem(const ArenaProblem &problem) {
  SearchProblem result;
  int64_t grain = grainBytesOf(problem);
  result.boxes.reserve(problem.buffers.size());
  result.bufferOf.reserve(problem.buffers.size());
  for (size_t index = 0; index != problem.buffers.size(); ++index) {
    const ArenaBuffer &buffer = problem.buffers[index];
    if (buffer.sizeBytes <= 0)
      continue;
    result.boxes.push_back({alignUp(buffer.sizeBytes, grain),
                            std::max<int64_t>(buffer.alignmentBytes, 1),
                            {},
                            buffer.pinnedOffset});
    result.bufferOf.push_back(index);
  }
  scale(result);
  SectionSweep(problem, result).run();
  return result;
}

int64_t heightOf(const SearchProblem &problem, const Offsets &offsets) {
  int64_t height = 0;
  for (size_t box = 0; box != offsets.size(); ++box)
    height = std::max(height, offsets[box] + problem.boxes[box].size);
  return height;
}

} // namespace tilescope
