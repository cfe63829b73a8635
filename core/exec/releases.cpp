#include "core/exec/releases.h"

#include "core/ir/atomic_attrs.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

void BlockKnowledge::learn(llvm::ArrayRef<ReleasedWork> released, const Actor &by) {
  for (const ReleasedWork &work : released) {
    if (work.block == by.block)
      continue;
    std::vector<Learnt> &known = learnt_[work.block];
    bool isKnown = llvm::any_of(
        known, [&](const Learnt &one) { return one.work == work && one.isKnownTo(by); });
    if (!isKnown)
      known.push_back({work, by.thread, by.now.block});
  }
}

bool BlockKnowledge::knows(int64_t block, const Moment &when, uint32_t by,
                           const Actor &actor) const {
  auto known = learnt_.find(block);
  return known != learnt_.end() && llvm::any_of(known->second, [&](const Learnt &one) {
           return one.isKnownTo(actor) && one.work.holds(when, by);
         });
}

std::vector<ReleasedWork> BlockKnowledge::toldBy(const Actor &actor) const {
  std::vector<ReleasedWork> told = {{actor.block, actor.now.block, actor.thread, actor.now.tick}};
  for (const auto &[block, known] : learnt_)
    for (const Learnt &one : known)
      if (one.isKnownTo(actor))
        told.push_back(one.work);
  return told;
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
    llvm::append_range(there->second, knowledge.toldBy(actor));
  return isRelease;
}

} // namespace tilescope
