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

#include <map>

namespace tilescope {

// All that a block did before its barrier number `barriers`, and that one thread up to the tick.
struct ReleasedWork {
  int64_t block = 0;
  uint32_t barriers = 0;
  uint32_t thread = 0;
  uint32_t tick = 0;

  bool holds(const Moment &when, uint32_t by) const {
    return when.block < barriers || (by == thread && when.tick <= tick);
  }
  friend bool operator==(const ReleasedWork &, const ReleasedWork &) = default;
};

class BlockKnowledge {
public:
  void learn(llvm::ArrayRef<ReleasedWork> released, const Actor &by);
  // Of what was done there at that moment, by that thread; by several, where there is none of that
  // number.
  bool knows(int64_t block, const Moment &when, uint32_t by, const Actor &actor) const;
  // All that the actor tells in a release.
  std::vector<ReleasedWork> toldBy(const Actor &actor) const;

private:
  struct Learnt {
    ReleasedWork work;
    uint32_t thread = 0;   // that acquired it
    uint32_t barriers = 0; // that it had come through

    bool isKnownTo(const Actor &actor) const {
      return actor.thread == thread || actor.now.block > barriers;
    }
  };
  std::map<int64_t, std::vector<Learnt>> learnt_; // by block
};

// By element of global memory, what was released there.
using Releases = std::map<std::pair<BufferId, size_t>, std::vector<ReleasedWork>>;

// An atomic access learns what was released there, if it acquires, and releases in turn. True: it
// did, so what the actor does from here on is later than that.
bool passOn(Releases &releases, std::pair<BufferId, size_t> element, AtomicAccess access,
            MemoryOrder order, BlockKnowledge &knowledge, const Actor &actor);

} // namespace tilescope
