// What one block knows of the work of others, by atomic operations that release and acquire.
//
//     block 0                              block 1
//     W[tx] = x            any thread
//     barrier()
//     atomic (release) F   thread 0 -----> atomic (acquire) F    thread 0
//                                          barrier()
//                                          y = W[tx]             any thread
//
// A release tells what its thread did so far, and what it knows: of its block all that lies before
// the last barrier. Who acquires knows it from there on, and all threads of its block do behind
// their next barrier. An update in between hands on what it finds.
#pragma once

#include "core/exec/shadow.h"
#include "core/ir/op.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <optional>
#include <vector>

namespace tilescope {

// What was released of each block: all that it did before its barrier number `barriers`, and that
// each of its threads did up to a tick.
class ReleasedWork {
public:
  bool holds(int64_t block, const Moment &when, uint32_t by) const;
  // Of what any threads of the warp did up to the tick.
  bool holdsWarp(int64_t block, uint32_t warp, uint32_t tick) const;
  // Of copies that a phase of an mbarrier of the block counts: that it has ended.
  bool holdsPhase(int64_t block, const PhaseArrival &arrival) const;
  void add(const Actor &actor); // what it did until now
  // The same of all threads of so many warps, from that of the actor on.
  void addWarps(const Actor &actor, uint32_t count);
  // All of it, but for what is of the block `except`.
  void add(const ReleasedWork &other, std::optional<int64_t> except = std::nullopt);
  void clear() { blocks_.clear(); }
  bool isEmpty() const { return blocks_.empty(); }

private:
  struct OfBlock {
    uint32_t barriers = 0;
    std::vector<uint32_t> ticks; // by thread; 0: nothing of it
    WarpTicks warps = {};        // of all threads of a warp
    PhaseCounts phases = {};     // that have ended there
  };
  std::map<int64_t, OfBlock> blocks_;
};

// What the threads of a block know of others. It grows with the block's threads and those of the
// blocks that released, whatever the number of atomic operations is.
class BlockKnowledge {
public:
  void learn(const ReleasedWork &released, const Actor &by);
  // Of what was done there at that moment, by that thread; by several, where there is none of that
  // number.
  bool knows(int64_t block, const Moment &when, uint32_t by, const Actor &actor) const;
  // Adds all that the actor tells in a release.
  void tell(ReleasedWork &released, const Actor &actor);
  // The same for so many warps, from that of the actor on, which all release.
  void tellWarps(ReleasedWork &released, const Actor &actor, uint32_t count);
  // Of what any threads of a warp of that block did up to the tick.
  bool knowsWarp(int64_t block, uint32_t warp, uint32_t tick, const Actor &actor) const;
  bool knowsPhase(int64_t block, const PhaseArrival &arrival, const Actor &actor) const;

private:
  bool isAny(const Actor &actor, llvm::function_ref<bool(const ReleasedWork &)> holds) const;
  // A barrier of the block makes what one thread had learnt known to all.
  void settle(const Actor &actor);

  ReleasedWork common_;
  std::map<uint32_t, ReleasedWork> own_; // by thread, learnt behind the barrier `barriers_`
  uint32_t barriers_ = 0;
};

// What arrivals at a barrier tell other blocks: work, and work of which only reads are known to
// have been made.
struct BlockReleases {
  ReleasedWork work = {}, reads = {};

  void add(const BlockReleases &other) {
    work.add(other.work);
    reads.add(other.reads);
  }
};

// By element of global memory, what was released there.
using Releases = std::map<std::pair<BufferId, size_t>, ReleasedWork>;

// An atomic access learns what was released there, if it acquires, and releases in turn. True: it
// did, so what the actor does from here on is later than that.
bool passOn(Releases &releases, std::pair<BufferId, size_t> element, AtomicAccess access,
            MemoryOrder order, BlockKnowledge &knowledge, const Actor &actor);

} // namespace tilescope
