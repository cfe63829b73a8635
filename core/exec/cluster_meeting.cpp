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
    auto warps = static_cast<uint32_t>(llvm::divideCeil(lanes.size(), LanesOfWarp));
    block.knowledge.tellWarps(meeting.arriving().work, group.actorOf(lanes.front(), BufferId()),
                              warps);
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
    for (uint32_t lane : group.all().take_front(isOfBlock ? 1 : group.size()))
      block.knowledge.learn(told.work, group.actorOf(lane, BufferId()));
    if (isOfBlock)
      group.meet(BarrierScope::Block);
    return true;
  });
}

} // namespace tilescope
