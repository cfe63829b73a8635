// What handing bytes from one buffer to another costs in barriers, for all plans of one program.
//
// Found out once: for each two versions that may share bytes, the hand-overs between them, each as
// the set of places at which a barrier would make it safe. Where a barrier stands already there is
// none. What a plan costs is then a matter of which versions overlap in it. It is what planBarriers
// would find for the same bytes, without following the accesses again.
//
//     read  A
//     -- place 0       A, C overlap: {0, 1}
//     read  B          B, D overlap: {1, 2}         both: one barrier at 1 will do
//     -- place 1       A, D overlap: {0, 1, 2}
//     write C
//     -- place 2
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

class HandOvers {
public:
  // Of so many buffers, which cost nothing.
  explicit HandOvers(size_t count) : versions_(count) {}
  // `versions` has, for each buffer of the problem and in its order, stride and size of a version;
  // its offsets are not looked at. Buffers that are live together never share bytes. `others` lie
  // where they lie, in bytes that the problem has no part in. The program is looked at later, too.
  HandOvers(const AccessProgram &program, const ArenaProblem &problem,
            llvm::ArrayRef<BufferBytes> versions, llvm::ArrayRef<BufferBytes> others = {});

  struct Cost {
    // How often the barriers are passed that are not there yet, standing where planBarriers would
    // put them. A hand-over that no barrier can make safe counts more than all others together.
    double runs = 0;
    size_t barriers = 0;
    std::vector<unsigned> places; // ascending; they meet what the plan needs
    bool isFewest = true;         // shown of the places
  };
  // With these offsets, one a buffer of the problem.
  Cost costOf(llvm::ArrayRef<int64_t> offsetBytes) const;
  // With no bytes shared: what the program needs by itself.
  Cost costOfNone() const;

  // Places between which no need tells are one.
  size_t placeCount() const { return runs_.size(); }
  double runsOf(unsigned place) const { return runs_[place]; }

  // A need is a set of places of which one must have a barrier. None: no barrier can help.
  size_t needCount() const { return needs_.size(); }
  const llvm::BitVector &need(unsigned index) const { return needs_[index]; }
  // What the program needs by itself.
  const llvm::BitVector &ownNeeds() const { return own_; }

  using Needs = llvm::SmallVector<unsigned, 4>;
  // One version each of two buffers, by index in the problem, that need something if they overlap.
  struct VersionPair {
    uint32_t firstBuffer = 0;
    uint32_t secondBuffer = 0;
    int64_t firstVersion = 0;
    int64_t secondVersion = 0;
    Needs needs;
  };
  // Those of the same two buffers stand together.
  llvm::ArrayRef<VersionPair> pairs() const { return pairs_; }
  // From the first buffer to the second: where the two versions overlap.
  DistanceRange overlapOf(const VersionPair &pair) const;

  // Barriers in both arms of an If may settle together what none settles alone. Then a plan may
  // cost less than the cheapest places that meet its needs.
  bool mayCostLess() const { return mayCostLess_; }

private:
  void mergeAlikePlaces(llvm::ArrayRef<BarrierGap> gaps);
  void findImplied();
  Cost costOfNeeds(const llvm::BitVector &needs) const;
  bool isInBothArms(llvm::ArrayRef<unsigned> places) const;
  void planAgain(llvm::ArrayRef<int64_t> offsetBytes, Cost &cost) const;

  const AccessProgram *program_ = nullptr;
  bool mayCostLess_ = false;
  std::vector<BufferBytes> versions_;
  std::vector<BufferBytes> others_;
  std::vector<double> runs_;             // per place
  std::vector<uint32_t> seqs_;           // per place: the node of the program that holds it
  std::vector<llvm::BitVector> needs_;   // all different
  std::vector<llvm::BitVector> implied_; // per need: those that a barrier for it settles as well
  llvm::BitVector own_;                  // needs of the program by itself
  std::vector<VersionPair> pairs_;
};

} // namespace tilescope
