// The barrier of the blocks of one cluster while they run (PTX ISA, "barrier.cluster").
//
//   block 0   W = x   arrive ............ wait   y = V     each knows what the other did before
//   block 1      V = z   arrive ... wait   u = W           it arrived
//
// A phase ends when all threads of all blocks have arrived; who has arrived may not do so again
// before it has waited.
#pragma once

#include "core/exec/releases.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <optional>

namespace tilescope {

class ThreadGroup;
struct BlockState;

// What those who arrive have done, and know.
struct ClusterKnowledge {
  BlockReleases blocks = {};                   // of blocks, for other blocks
  std::map<int64_t, WarpKnowledge> warps = {}; // by block, for its own warps
};

class ClusterMeeting {
public:
  // Groups of threads, of all blocks, that a phase takes.
  explicit ClusterMeeting(int64_t groups) : groups_(groups) {}

  bool isAwaited(const ThreadGroup &group) const { return phaseOf_.contains(&group); }
  // Of those who are about to arrive.
  ClusterKnowledge &arriving() { return arriving_; }
  void arrive(const ThreadGroup &group);
  // That it has arrived in, and not waited for; nothing: there is none.
  std::optional<uint32_t> takePhase(const ThreadGroup &group);
  bool hasEnded(uint32_t phase) const { return phase < phases_; }
  // Of the last phase that has ended. No later one does while somebody waits for that.
  const ClusterKnowledge &told() const { return told_; }

  // By rank, of those that run.
  std::vector<BlockState *> blocks;

private:
  int64_t groups_;
  int64_t arrived_ = 0; // in the phase that has not ended
  uint32_t phases_ = 0; // that have ended
  llvm::DenseMap<const ThreadGroup *, uint32_t> phaseOf_;
  ClusterKnowledge arriving_, told_;
};

// Ranks of the blocks that get a copy with this mask (Attr::ClusterMask) which the block of this
// rank comes to; none: another starts it.
llvm::SmallVector<int64_t> ranksToCopyTo(int64_t mask, int64_t rank);

// By cluster: the numbers that its blocks have in their grid, by rank. `cluster`: of the launch;
// empty: each block is one.
std::vector<std::vector<int64_t>> blocksByCluster(llvm::ArrayRef<int64_t> grid,
                                                  llvm::ArrayRef<int64_t> cluster);

} // namespace tilescope
