// The hazards that arise where two buffers use the same bytes one after the other, and what their
// barriers cost, for all plans of one program.
//
// Found once: for each two versions that may share bytes their hazards, each as the set of sites at
// which a barrier resolves it. Where a barrier stands already there is none. What a plan costs is
// then a matter of which versions overlap in it. It is what planBarriers would find for the same
// bytes, without following the accesses again.
//
//     read  A
//     -- site 0        A, C overlap: {0, 1}
//     read  B          B, D overlap: {1, 2}         both: one barrier at 1 will do
//     -- site 1        A, D overlap: {0, 1, 2}
//     write C
//     -- site 2
//     write D
#pragma once

#include "core/access/access_program.h"
#include "core/access/arena_plan.h"
#include "core/access/buffer_bytes.h"
#include "core/plan/barrier_hazards.h"
#include "core/plan/placement_conflicts.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"

namespace tilescope {

class ReuseHazards {
public:
  // Of so many buffers, which cost nothing.
  explicit ReuseHazards(size_t count) : versions_(count) {}
  // `versions` has, for each buffer of the problem and in its order, stride and size of a version;
  // its offsets are not looked at. Buffers that are live together never share bytes. `others` lie
  // where they lie, in bytes that the problem has no part in. The program is looked at later, too.
  ReuseHazards(const AccessProgram &program, const ArenaProblem &problem,
               llvm::ArrayRef<BufferBytes> versions, llvm::ArrayRef<BufferBytes> others = {});

  struct Cost {
    // How often the barriers are passed that are not there yet, standing where planBarriers would
    // put them. A hazard that no barrier can resolve counts more than all others together.
    double runs = 0;
    size_t barriers = 0;
    std::vector<unsigned> sites; // ascending; they resolve all hazards of the plan
    bool isLeast = true;         // proven: no other sites that do are passed less often
  };
  // With these offsets, one a buffer of the problem.
  Cost costOf(llvm::ArrayRef<int64_t> offsetBytes) const;
  // With no bytes shared: what the program needs by itself.
  Cost costWithoutReuse() const;

  // Sites that resolve the same hazards are one.
  size_t siteCount() const { return runs_.size(); }
  double runsOf(unsigned site) const { return runs_[site]; }

  // By number. One of its sites must have a barrier; none: no barrier can resolve it.
  size_t hazardCount() const { return sitesOf_.size(); }
  const llvm::BitVector &sitesOf(unsigned hazard) const { return sitesOf_[hazard]; }
  // Those of the program by itself.
  const llvm::BitVector &ownHazards() const { return own_; }

  using Hazards = llvm::SmallVector<unsigned, 4>;
  // One version each of two buffers, by index in the problem, that have hazards if they overlap.
  struct VersionPair {
    uint32_t firstBuffer = 0;
    uint32_t secondBuffer = 0;
    int64_t firstVersion = 0;
    int64_t secondVersion = 0;
    Hazards hazards;
  };
  // Those of the same two buffers stand together.
  llvm::ArrayRef<VersionPair> pairs() const { return pairs_; }
  // From the first buffer to the second: where the two versions overlap.
  DistanceRange overlapOf(const VersionPair &pair) const;

  // Barriers in both arms of an If may resolve together what none resolves alone. Then a plan may
  // cost less than the least hitting set of its hazards.
  bool mayCostLess() const { return mayCostLess_; }

private:
  void mergeEquivalentSites(llvm::ArrayRef<CandidateSite> candidates);
  void findImplied();
  Cost costOfHazards(const llvm::BitVector &hazards) const;
  bool isInBothArms(llvm::ArrayRef<unsigned> sites) const;
  void planBarriersOf(llvm::ArrayRef<int64_t> offsetBytes, Cost &cost) const;

  const AccessProgram *program_ = nullptr;
  bool mayCostLess_ = false;
  std::vector<BufferBytes> versions_;
  std::vector<BufferBytes> others_;
  std::vector<double> runs_;             // per site
  std::vector<uint32_t> seqs_;           // per site: the node of the program that holds it
  std::vector<llvm::BitVector> sitesOf_; // per hazard; all different
  std::vector<llvm::BitVector> implied_; // per hazard: those that its barrier resolves as well
  llvm::BitVector own_;                  // hazards of the program by itself
  std::vector<VersionPair> pairs_;
};

} // namespace tilescope
