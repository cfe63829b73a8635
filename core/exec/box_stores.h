// Copies of boxes from shared memory to tensors, and what is added to them so, in the groups of the
// thread that began them.
//
// Executed as late as may be: a box is read, and the tensor gets it, when its group is waited for.
#pragma once

#include "core/exec/lane_values.h"
#include "core/exec/shadow.h"

#include <deque>
#include <map>

namespace tilescope {

class OpStmt;
class ThreadGroup;

// Of a block. `lane`: the thread, by its number in the group.
class BoxStoresInFlight {
public:
  void start(ThreadGroup &group, const OpStmt &op, uint32_t lane);
  void commit(const ThreadGroup &group, uint32_t lane);
  void wait(ThreadGroup &group, uint32_t lane, int64_t pending);
  // When the group ends: what nobody has waited for.
  void findLeft(ThreadGroup &group) const;

private:
  struct Box {
    const OpStmt *op = nullptr;
    LaneRegion source, destination;
    int64_t group = 0; // commits before it
    Moment begun;      // when
  };
  struct Thread {
    std::deque<Box> boxes; // in order
    int64_t commits = 0;
  };
  Thread &threadOf(const ThreadGroup &group, uint32_t lane);
  static void finish(ThreadGroup &group, uint32_t lane, const Box &box);
  static void arrive(ThreadGroup &group, uint32_t lane, const Box &box, int64_t element,
                     Number value);

  std::map<uint32_t, Thread> threads_; // by number in the block
};

} // namespace tilescope
