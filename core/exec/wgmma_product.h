// What a warp group computes with wgmma, each warp 16 of the 64 rows.
//
// Executed as late as may be: operands are read, and the accumulator gets its sums, when the group
// is waited for. Until then registers of the accumulator hold nothing that may be read.
#pragma once

#include "core/exec/lane_values.h"

#include <deque>
#include <map>

namespace tilescope {

class BlockFrame;
class ThreadGroup;

// Started by the lanes of one warp.
struct StartedWgmma {
  const OpStmt *op = nullptr;
  LaneRegion a, b, c;
  int64_t group = 0;   // commits before it
  Moment begun;        // when
  bool clears = false; // it adds to nothing
  // What the registers held, by lane and element; empty: another one in flight is to say.
  std::vector<Number> sums;
};

// Of the warps of a block.
class WgmmasInFlight {
public:
  void start(ThreadGroup &group, const OpStmt &op, llvm::ArrayRef<uint32_t> lanes);
  void commit(ThreadGroup &group, llvm::ArrayRef<uint32_t> lanes);
  void wait(ThreadGroup &group, llvm::ArrayRef<uint32_t> lanes, int64_t pending);
  // When the group ends: what nobody has waited for.
  void findLeft(ThreadGroup &group) const;

private:
  struct Warp {
    std::deque<StartedWgmma> products; // in order
    int64_t commits = 0;
  };
  Warp &warpOf(const ThreadGroup &group, uint32_t lane);
  static void beginReading(ThreadGroup &group, const LaneRegion &operand, uint32_t firstLane);
  static void finishFirst(ThreadGroup &group, uint32_t firstLane, Warp &warp);

  std::map<uint32_t, Warp> warps_; // by number in the block
};

// Of the reference: at once.
void multiplyOfWarpGroup(const OpStmt &op, BlockFrame &frame);

} // namespace tilescope
