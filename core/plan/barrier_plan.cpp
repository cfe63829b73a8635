#include "core/plan/barrier_plan.h"

#include "core/plan/barrier_hazards.h"
#include "core/plan/hitting_set.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <set>

namespace tilescope {

namespace {

// Hazards that barriers at the same sites resolve.
struct HazardSet {
  llvm::BitVector sites;
  std::set<HazardPair> pairs;
};

bool isSubset(const llvm::BitVector &a, const llvm::BitVector &b) { return !a.test(b); }

// Whether a barrier stands below a node, and whether one does in both arms of an If there.
std::pair<bool, bool> armsThatHold(const AccessProgram &program, uint32_t index,
                                   const std::set<uint32_t> &seqs) {
  const AccessNode &node = program.nodes[index];
  bool isBarrier = node.kind == AccessNode::Kind::Barrier && node.scope == BarrierScope::Block;
  size_t arms = 0;
  bool inBoth = false;
  for (uint32_t child : node.children) {
    auto [stands, standsTwice] = armsThatHold(program, child, seqs);
    arms += stands;
    inBoth |= standsTwice;
  }
  inBoth |= node.kind == AccessNode::Kind::If && arms == 2;
  return {isBarrier || arms != 0 || seqs.count(index), inBoth};
}

class BarrierPlanner {
public:
  BarrierPlanner(const AccessProgram &program, const std::vector<BufferBytes> &bytes,
                 const ConcernsHazard &concerns)
      : program_(program), concerns_(concerns), candidates_(listCandidateSites(program)),
        bytes_(program.buffers.size()) {
    for (const BufferBytes &place : bytes)
      if (std::optional<size_t> buffer = indexOf(program, place.buffer))
        bytes_[*buffer] = place;
  }

  BarrierPlan plan(const std::function<bool()> &stop) {
    bool isStopped = false;
    findHazards([&](const SlotAccess &first, const SlotAccess &second,
                    const llvm::BitVector &sites) { addHazard(sites, pairOf(first, second)); },
                [&] { return isStopped = stop && stop(); });
    return isStopped ? BarrierPlan() : describe(dropRedundant(choose(), stop));
  }

private:
  using Visit = llvm::function_ref<void(const SlotAccess &first, const SlotAccess &second,
                                        const llvm::BitVector &sites)>;

  HazardPair pairOf(const SlotAccess &first, const SlotAccess &second) const {
    return {program_.buffers[first.buffer].id, program_.buffers[second.buffer].id,
            program_.nodes[first.node].stmt, program_.nodes[second.node].stmt};
  }

  // With barriers in the sites `standing`.
  void findHazards(Visit visit, const std::function<bool()> &stop,
                   const llvm::BitVector &standing = {}) const {
    forEachHazard(
        program_, candidates_,
        [&](const SlotAccess &a, const SlotAccess &b) { return overlap(a, b); },
        [&](const SlotAccess &a, const SlotAccess &b, const llvm::BitVector &sites) {
          if (!concerns_ || concerns_(pairOf(a, b)))
            visit(a, b, sites);
        },
        stop, standing);
  }

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

  // Keeps only hazards that no other implies: what resolves {a} resolves {a, b} as well. So a
  // barrier is said to separate the accesses next to it, not all that ever come before and after.
  void addHazard(const llvm::BitVector &sites, const HazardPair &pair) {
    if (sites.none()) {
      unsolved_.insert(pair);
      return;
    }
    for (HazardSet &known : hazards_) {
      if (known.sites == sites)
        known.pairs.insert(pair);
      if (isSubset(known.sites, sites))
        return;
    }
    llvm::erase_if(hazards_, [&](const HazardSet &known) { return isSubset(sites, known.sites); });
    hazards_.push_back({sites, {pair}});
  }

  std::vector<unsigned> choose() const {
    std::vector<const llvm::BitVector *> open;
    open.reserve(hazards_.size());
    for (const HazardSet &hazard : hazards_)
      open.push_back(&hazard.sites);
    return findHittingSet(llvm::map_to_vector(candidates_,
                                              [](const CandidateSite &site) { return site.runs; }),
                          open)
        .elements;
  }

  // A hazard that one site resolves on every way may be resolved by several, each on some ways:
  //
  //     write X
  //     if ...: barrier, ...   else: barrier, ...     for hazards of their own
  //     read X                                        needs none before it
  std::vector<unsigned> dropRedundant(std::vector<unsigned> chosen,
                                      const std::function<bool()> &stop) const {
    llvm::BitVector standing(candidates_.size());
    std::set<uint32_t> seqs; // that hold one
    for (unsigned site : chosen) {
      standing.set(site);
      seqs.insert(candidates_[site].seq);
    }
    if (chosen.empty() || !standInBothArms(program_, seqs))
      return chosen;
    // The most often passed first.
    llvm::stable_sort(
        chosen, [&](unsigned a, unsigned b) { return candidates_[a].runs > candidates_[b].runs; });
    for (unsigned site : chosen) {
      standing.reset(site);
      if (leavesHazard(standing, stop))
        standing.set(site);
    }
    return std::vector<unsigned>(standing.set_bits_begin(), standing.set_bits_end());
  }

  bool leavesHazard(const llvm::BitVector &standing, const std::function<bool()> &stop) const {
    bool isLeft = false;
    findHazards([&](const SlotAccess & /*first*/, const SlotAccess & /*second*/,
                    const llvm::BitVector &sites) { isLeft |= sites.any(); },
                [&] { return isLeft || (stop && stop()); }, standing);
    return isLeft;
  }

  BarrierPlan describe(llvm::ArrayRef<unsigned> chosen) const {
    BarrierPlan plan;
    plan.unsolved.assign(unsolved_.begin(), unsolved_.end());
    for (unsigned site : chosen) {
      std::set<HazardPair> separates;
      for (const HazardSet &hazard : hazards_)
        if (hazard.sites.test(site))
          separates.insert(hazard.pairs.begin(), hazard.pairs.end());
      plan.sites.push_back({candidates_[site].seq,
                            candidates_[site].before,
                            candidates_[site].runs,
                            {separates.begin(), separates.end()}});
    }
    return plan;
  }

  const AccessProgram &program_;
  const ConcernsHazard &concerns_;
  std::vector<CandidateSite> candidates_;
  std::vector<std::optional<BufferBytes>> bytes_;
  std::vector<HazardSet> hazards_; // none implies another
  std::set<HazardPair> unsolved_;  // that no site resolves
};

} // namespace

bool standInBothArms(const AccessProgram &program, const std::set<uint32_t> &seqs) {
  return program.root < program.nodes.size() && armsThatHold(program, program.root, seqs).second;
}

BarrierPlan planBarriers(const AccessProgram &program, const std::vector<BufferBytes> &bytes,
                         const std::function<bool()> &stop, const ConcernsHazard &concerns) {
  return BarrierPlanner(program, bytes, concerns).plan(stop);
}

} // namespace tilescope
