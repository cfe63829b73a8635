#include "core/plan/barrier_plan.h"

#include "core/plan/barrier_hazards.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace tilescope {

namespace {

// Hazards that the same gaps would settle.
struct HazardSet {
  llvm::BitVector gaps;
  std::set<HazardPair> pairs;
};

bool isSubset(const llvm::BitVector &a, const llvm::BitVector &b) { return !a.test(b); }

class BarrierPlanner {
public:
  BarrierPlanner(const AccessProgram &program, const std::vector<BufferBytes> &bytes)
      : program_(program), gaps_(listGaps(program)), bytes_(program.buffers.size()) {
    for (const BufferBytes &place : bytes)
      if (std::optional<size_t> buffer = indexOf(program, place.buffer))
        bytes_[*buffer] = place;
  }

  BarrierPlan plan(const std::function<bool()> &stop) {
    bool isStopped = false;
    forEachMeeting(
        program_, gaps_, [&](const SlotAccess &a, const SlotAccess &b) { return overlap(a, b); },
        [&](const SlotAccess &first, const SlotAccess &second, const llvm::BitVector &gaps) {
          addHazard(gaps, {program_.buffers[first.buffer].id, program_.buffers[second.buffer].id,
                           program_.nodes[first.node].stmt, program_.nodes[second.node].stmt});
        },
        [&] { return isStopped = stop && stop(); });
    return isStopped ? BarrierPlan() : choose();
  }

private:
  bool overlap(const SlotAccess &a, const SlotAccess &b) const {
    if (!bytes_[a.buffer] || !bytes_[b.buffer])
      return false;
    auto begin = [](const BufferBytes &place, int64_t slot) {
      return place.offsetBytes + slot * place.strideBytes;
    };
    const BufferBytes &left = *bytes_[a.buffer];
    const BufferBytes &right = *bytes_[b.buffer];
    return begin(left, a.slot) < begin(right, b.slot) + right.sizeBytes &&
           begin(right, b.slot) < begin(left, a.slot) + left.sizeBytes;
  }

  // Keeps only hazards that no other implies: what settles {a} settles {a, b} as well. So a barrier
  // is said to separate the accesses next to it, not all that ever come before and after.
  void addHazard(const llvm::BitVector &gaps, const HazardPair &pair) {
    for (HazardSet &known : hazards_) {
      if (known.gaps == gaps)
        known.pairs.insert(pair);
      if (isSubset(known.gaps, gaps))
        return;
    }
    llvm::erase_if(hazards_, [&](const HazardSet &known) { return isSubset(gaps, known.gaps); });
    hazards_.push_back({gaps, {pair}});
  }

  BarrierPlan choose() const {
    std::vector<const llvm::BitVector *> open;
    std::vector<double> runs;
    std::set<HazardPair> lost;
    for (const HazardSet &hazard : hazards_) {
      if (hazard.gaps.any())
        open.push_back(&hazard.gaps);
      else
        lost.insert(hazard.pairs.begin(), hazard.pairs.end());
    }
    runs.reserve(gaps_.size());
    for (const BarrierGap &gap : gaps_)
      runs.push_back(gap.runs);
    BarrierPlan plan;
    plan.unsolved.assign(lost.begin(), lost.end());
    for (unsigned gap : chooseGaps(runs, open)) {
      std::set<HazardPair> separates;
      for (const HazardSet &hazard : hazards_)
        if (hazard.gaps.test(gap))
          separates.insert(hazard.pairs.begin(), hazard.pairs.end());
      plan.sites.push_back({gaps_[gap].seq,
                            gaps_[gap].before,
                            gaps_[gap].runs,
                            {separates.begin(), separates.end()}});
    }
    return plan;
  }

  const AccessProgram &program_;
  std::vector<BarrierGap> gaps_;
  std::vector<std::optional<BufferBytes>> bytes_;
  std::vector<HazardSet> hazards_; // none implies another
};

} // namespace

BarrierPlan planBarriers(const AccessProgram &program, const std::vector<BufferBytes> &bytes,
                         const std::function<bool()> &stop) {
  return BarrierPlanner(program, bytes).plan(stop);
}

} // namespace tilescope
