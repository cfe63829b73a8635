#include "core/exec/releases.h"

#include "core/ir/atomic_attrs.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tilescope {

bool ReleasedWork::holds(int64_t block, const Moment &when, uint32_t by) const {
  auto found = blocks_.find(block);
  if (found == blocks_.end())
    return false;
  const OfBlock &work = found->second;
  return when.block < work.barriers || (by < work.ticks.size() && when.tick <= work.ticks[by]) ||
         (by < MostWarps * LanesOfWarp && when.tick <= work.warps[by / LanesOfWarp]);
}

bool ReleasedWork::holdsWarp(int64_t block, uint32_t warp, uint32_t tick) const {
  auto found = blocks_.find(block);
  return tick == 0 || (found != blocks_.end() && tick <= found->second.warps[warp]);
}

bool ReleasedWork::holdsPhase(int64_t block, const PhaseArrival &arrival) const {
  auto found = blocks_.find(block);
  return found != blocks_.end() && arrival.phase <= found->second.phases[arrival.counter];
}

void ReleasedWork::addWarps(const Actor &actor, uint32_t count) {
  OfBlock &work = blocks_[actor.block];
  work.barriers = std::max(work.barriers, actor.now.block);
  uint32_t first = actor.thread / LanesOfWarp;
  for (uint32_t warp = first; warp != first + count; ++warp)
    work.warps[warp] = std::max(work.warps[warp], actor.now.tick);
  for (auto [phase, own] : llvm::zip(work.phases, *actor.phases))
    phase = std::max(phase, own);
}

void ReleasedWork::add(const Actor &actor) {
  OfBlock &work = blocks_[actor.block];
  work.barriers = std::max(work.barriers, actor.now.block);
  if (work.ticks.size() <= actor.thread)
    work.ticks.resize(actor.thread + 1);
  work.ticks[actor.thread] = std::max(work.ticks[actor.thread], actor.now.tick);
}

void ReleasedWork::add(const ReleasedWork &other, std::optional<int64_t> except) {
  for (const auto &[block, theirs] : other.blocks_) {
    if (block == except)
      continue;
    OfBlock &work = blocks_[block];
    work.barriers = std::max(work.barriers, theirs.barriers);
    work.ticks.resize(std::max(work.ticks.size(), theirs.ticks.size()));
    for (auto [tick, their] : llvm::zip(work.ticks, theirs.ticks))
      tick = std::max(tick, their);
    for (auto [tick, their] : llvm::zip(work.warps, theirs.warps))
      tick = std::max(tick, their);
    for (auto [phase, their] : llvm::zip(work.phases, theirs.phases))
      phase = std::max(phase, their);
  }
}

void BlockKnowledge::settle(const Actor &actor) {
  if (actor.now.block <= barriers_)
    return;
  for (const auto &[thread, learnt] : own_)
    common_.add(learnt);
  own_.clear();
  barriers_ = actor.now.block;
}

void BlockKnowledge::learn(const ReleasedWork &released, const Actor &by) {
  settle(by);
  own_[by.thread].add(released, by.block);
}

bool BlockKnowledge::isAny(const Actor &actor,
                           llvm::function_ref<bool(const ReleasedWork &)> holds) const {
  if (holds(common_))
    return true;
  if (actor.now.block > barriers_)
    return llvm::any_of(own_, [&](const auto &learnt) { return holds(learnt.second); });
  auto learnt = own_.find(actor.thread);
  return learnt != own_.end() && holds(learnt->second);
}

bool BlockKnowledge::knows(int64_t block, const Moment &when, uint32_t by,
                           const Actor &actor) const {
  return isAny(actor, [&](const ReleasedWork &work) { return work.holds(block, when, by); });
}

bool BlockKnowledge::knowsWarp(int64_t block, uint32_t warp, uint32_t tick,
                               const Actor &actor) const {
  return isAny(actor, [&](const ReleasedWork &work) { return work.holdsWarp(block, warp, tick); });
}

bool BlockKnowledge::knowsPhase(int64_t block, const PhaseArrival &arrival,
                                const Actor &actor) const {
  return isAny(actor, [&](const ReleasedWork &work) { return work.holdsPhase(block, arrival); });
}

void BlockKnowledge::tell(ReleasedWork &released, const Actor &actor) {
  settle(actor);
  released.add(actor);
  released.add(common_);
  if (auto learnt = own_.find(actor.thread); learnt != own_.end())
    released.add(learnt->second);
}

void BlockKnowledge::tellWarps(ReleasedWork &released, const Actor &actor, uint32_t count) {
  settle(actor);
  released.addWarps(actor, count);
  released.add(common_);
  auto first = own_.lower_bound(actor.thread);
  auto last = own_.lower_bound(actor.thread + count * LanesOfWarp);
  for (auto learnt = first; learnt != last; ++learnt)
    released.add(learnt->second);
}

// A plain store ends what was released there; an update hands it on.
bool passOn(Releases &releases, std::pair<BufferId, size_t> element, AtomicAccess access,
            MemoryOrder order, BlockKnowledge &knowledge, const Actor &actor) {
  bool isRelease = access != AtomicAccess::Read && releasesBefore(order);
  auto there = releases.find(element);
  if (there == releases.end() && !isRelease)
    return false;
  if (there == releases.end())
    there = releases.try_emplace(element).first;
  if (access != AtomicAccess::Write && acquiresBehind(order))
    knowledge.learn(there->second, actor);
  if (access == AtomicAccess::Write)
    there->second.clear();
  if (isRelease)
    knowledge.tell(there->second, actor);
  return isRelease;
}

} // namespace tilescope
