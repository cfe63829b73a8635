#include "core/exec/cluster_meeting.h"

#include "core/exec/thread_group.h"

namespace tilescope {

void ClusterMeeting::arrive(const ThreadGroup &group) {
  phaseOf_[&group] = phases_;
  if (++arrived_ < groups_)
    return;
  arrived_ = 0;
  ++phases_;
  told_ = std::exchange(arriving_, {});
}

std::optional<uint32_t> ClusterMeeting::takePhase(const ThreadGroup &group) {
  auto found = phaseOf_.find(&group);
  if (found == phaseOf_.end())
    return std::nullopt;
  uint32_t phase = found->second;
  phaseOf_.erase(found);
  return phase;
}

llvm::SmallVector<int64_t> ranksToCopyTo(int64_t mask, int64_t rank) {
  if (!(mask >> rank & 1))
    return {rank};
  llvm::SmallVector<int64_t> ranks;
  for (int64_t other = rank; mask >> other != 0 && mask % (int64_t{1} << rank) == 0; ++other)
    if (mask >> other & 1)
      ranks.push_back(other);
  return ranks;
}

std::vector<std::vector<int64_t>> blocksByCluster(llvm::ArrayRef<int64_t> grid,
                                                  llvm::ArrayRef<int64_t> cluster) {
  int64_t blocks = 1;
  for (int64_t extent : grid)
    blocks *= extent;
  std::map<int64_t, std::vector<int64_t>> found;
  for (int64_t block = 0; block != blocks; ++block) {
    int64_t rest = block, number = 0, below = 1;
    for (auto [axis, extent] : llvm::enumerate(grid)) {
      int64_t along = axis < cluster.size() ? cluster[axis] : 1;
      number += rest % extent / along * below;
      below *= (extent + along - 1) / along;
      rest /= extent;
    }
    found[number].push_back(block);
  }
  std::vector<std::vector<int64_t>> clusters;
  clusters.reserve(found.size());
  for (auto &[number, members] : found)
    clusters.push_back(std::move(members));
  return clusters;
}

static bool isWholeGroup(ThreadGroup &group, Lanes lanes) {
  bool isWhole = lanes.size() == group.size();
  if (!isWhole)
    group.find(FindingKind::DivergentBarrier, lanes.front(), "",
               "only " + std::to_string(lanes.size()));
  return isWhole;
}

bool arriveAtCluster(ThreadGroup &group, Lanes lanes, bool isRelaxed) {
  BlockState &block = group.block();
  ClusterMeeting &meeting = *block.cluster;
  if (!isWholeGroup(group, lanes))
    return false;
  if (meeting.isAwaited(group)) {
    group.find(FindingKind::PhaseOverrun, lanes.front(), "barrier.cluster");
    return false;
  }
  if (!isRelaxed) {
    tellBlocks(group, meeting.arriving().blocks, /*onlyReads=*/false);
    meeting.arriving().warps[block.block].add(whatIsDone(group));
  }
  meeting.arrive(group);
  return true;
}

void awaitCluster(ThreadGroup &group, Lanes lanes, bool isOfBlock) {
  BlockState &block = group.block();
  if (!isWholeGroup(group, lanes))
    return;
  std::optional<uint32_t> phase = block.cluster->takePhase(group);
  if (!phase)
    return group.find(FindingKind::EndlessWait, lanes.front(), "");
  awaitPhase(group, [&group, &block, isOfBlock, phase = *phase] {
    if (!block.cluster->hasEnded(phase))
      return false;
    const ClusterKnowledge &told = block.cluster->told();
    if (auto warps = told.warps.find(block.block); warps != told.warps.end())
      learn(group, warps->second);
    // What one has learnt all know behind a barrier of the block.
    learnOfBlocks(group, group.all().take_front(isOfBlock ? 1 : group.size()), told.blocks);
    if (isOfBlock)
      group.meet(BarrierScope::Block);
    return true;
  });
}

} // namespace tilescope
