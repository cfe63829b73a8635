// Blocks of a cluster that reach each other's shared memory, and what they tell each other.
#include "core/exec/thread_group.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tilescope {

void tellBlocks(ThreadGroup &group, BlockReleases &told, bool onlyReads) {
  BlockState &block = group.block();
  Actor actor = group.actorOf(0, BufferId());
  auto warps = static_cast<uint32_t>(llvm::divideCeil(group.size(), LanesOfWarp));
  block.knowledge.tellWarps(onlyReads ? told.reads : told.work, actor, warps);
  block.readKnowledge.tellWarps(told.reads, actor, warps);
}

void learnOfBlocks(ThreadGroup &group, Lanes lanes, const BlockReleases &told) {
  BlockState &block = group.block();
  for (uint32_t lane : lanes) {
    Actor actor = group.actorOf(lane, BufferId());
    if (!told.work.isEmpty())
      block.knowledge.learn(told.work, actor);
    if (!told.reads.isEmpty())
      block.readKnowledge.learn(told.reads, actor);
  }
}

BlockState *reachBlock(ThreadGroup &group, int64_t rank, const LaneRegion &mbarrier,
                       uint32_t lane) {
  if (rank == group.block().rank) {
    group.load(mbarrier, lane, 0);
    return &group.block();
  }
  llvm::StringRef name = mbarrier.buffer->name;
  llvm::ArrayRef<BlockState *> blocks = group.block().cluster->blocks;
  if (rank < 0 || rank >= static_cast<int64_t>(blocks.size())) {
    group.find(FindingKind::NoBlock, lane, name, std::to_string(rank));
    return nullptr;
  }
  BlockState *block = blocks[static_cast<size_t>(rank)];
  if (!block) {
    group.find(FindingKind::EndedBlock, lane, name);
    return nullptr;
  }
  ElementPlace place = group.placeOf(mbarrier, lane, 0);
  std::optional<size_t> bit = block->shared.bitOf(place.buffer.id, place.slot, place.coordinates);
  if (!bit) {
    group.findOutside(place);
    return nullptr;
  }
  UnitRange bytes = SharedMemory::bytesOf(*bit, place.buffer.dtype.bits);
  group.report(block->shared.shadow().read(bytes, group.actorOf(lane, place.buffer.id)), place);
  block->reached.read({0, 1}, group.actorOf(lane, BufferId()));
  return block;
}

// The last thread of a block ends it, so it is enough that one of them knows.
void findEndedEarly(llvm::ArrayRef<ThreadGroup *> groups) {
  BlockState &block = groups.front()->block();
  std::optional<Shadow::Conflict> found;
  for (ThreadGroup *group : groups) {
    Shadow reached = block.reached;
    found = reached.write({0, 1}, group->actorOf(0, BufferId()));
    if (!found)
      return;
  }
  const auto &reach = llvm::cast<OpStmt>(*found->other);
  groups.front()->setStatement(reach);
  groups.front()->find(FindingKind::EndedBlock, 0,
                       block.launch.function.buffer(reach.regions.back().buffer).name);
}

} // namespace tilescope
