// Which threads of each lane arrive at which mbarriers, expect bytes and issue copies, at which of
// their steps, and whether the counts fit: whole phases, and no byte copied that is not expected.
// The static half of `happens_before.h`.
#pragma once

#include "core/access/happens_before.h"
#include "core/access/step_order.h"

#include <set>

namespace tilescope {

// Something that a thread has done at a step: how much of it in all, with this time.
struct Tally {
  size_t step = 0;
  int64_t total = 0;
  int32_t phase = 0; // of an arrival: that which it is for, if the mbarrier is not broken
};

// What one thread of a strand does at one mbarrier.
struct MbarrierUse {
  std::vector<Tally> arrivals, expects, copies;
  // Its arrivals are those of all threads, of which it is one: they are counted there.
  bool isOneOfAll = false;

  static int64_t totalOf(llvm::ArrayRef<Tally> tallies) {
    return tallies.empty() ? 0 : tallies.back().total;
  }
  static int64_t totalBefore(llvm::ArrayRef<Tally> tallies, size_t step);
};

// Of all threads and mbarriers of a program that `unrollLanes` could follow.
class MbarrierUses {
public:
  MbarrierUses(const AccessProgram &program, const LaneSteps &lanes);

  llvm::ArrayRef<Strand> strands() const { return strands_; }
  llvm::ArrayRef<LaneStep> stepsOf(const Strand &strand) const {
    return lanes_.lanes[strand.lane].steps;
  }
  const AccessNode &nodeOf(const LaneStep &step) const { return program_.nodes[step.node]; }
  bool hasRoles() const { return lanes_.lanes.size() > 1; }
  // Whether the threads of a strand make a step of their lane.
  bool runs(const Strand &strand, const LaneStep &step) const {
    return makes(program_, strand, step, hasRoles());
  }

  const MbarrierUse &of(size_t strand, size_t mbarrier) const { return uses_[strand][mbarrier]; }
  int32_t phases(size_t mbarrier) const { return phases_[mbarrier]; } // that end in all
  bool isBroken(size_t mbarrier) const { return broken_[mbarrier]; }
  // Nothing follows from this mbarrier.
  void breakOff(size_t mbarrier, StmtId stmt, const std::string &why);
  StmtId firstUse(size_t mbarrier) const;

  std::vector<OrderGap> gaps;

private:
  void collectUse(size_t strand, size_t at, const LaneStep &step);
  bool isByOneThread(const Strand &strand, const LaneStep &step) const;
  void countBytes(size_t strand, size_t at, const LaneStep &step, int mbarrier,
                  const std::optional<MbarrierRef> &ref, int64_t bytes,
                  std::vector<Tally> MbarrierUse::*what);
  void use(size_t strand, size_t at, int mbarrier, const std::optional<MbarrierRef> &ref,
           int64_t amount, std::vector<Tally> MbarrierUse::*what);
  bool breakUnder(uint32_t index);
  std::pair<size_t, size_t> meant(const std::optional<MbarrierRef> &ref) const;
  void markBroken(const std::optional<MbarrierRef> &ref);
  void addGap(size_t first, size_t last, StmtId stmt, const std::string &why);
  void breakAll(const std::optional<MbarrierRef> &ref, StmtId stmt, const std::string &why);
  void collectArrival(size_t strand, size_t at, const LaneStep &step);
  void checkCounts(size_t mbarrier);
  int64_t countedThreads(size_t strand, size_t mbarrier) const;
  bool assignEvenly(size_t mbarrier);
  bool assignByWaits(size_t mbarrier, int64_t needed);
  void assignByWaits(size_t strand, size_t mbarrier);
  void checkBytes(size_t mbarrier, size_t strand);

  const AccessProgram &program_;
  const LaneSteps &lanes_;
  std::vector<Strand> strands_;
  std::vector<std::vector<MbarrierUse>> uses_; // per strand and mbarrier
  std::vector<bool> broken_;                   // per mbarrier
  std::vector<int32_t> phases_;                // per mbarrier
  std::set<uint32_t> opaque_;                  // nodes of opaque steps that were looked into
};

} // namespace tilescope
