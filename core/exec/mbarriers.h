// The mbarriers of one block while it runs, and the copies that they count (PTX ISA, "mbarrier").
//
// A copy arrives as late as may be: when somebody waits at its mbarrier and nothing else can end
// the phase; the oldest first.
//
//   arrive, 64 bytes     phase 0: no arrival is missing, 64 bytes are
//   copy of 64 bytes     in flight
//   wait, parity 0       it arrives, phase 0 ends
#pragma once

#include "core/exec/lane_values.h"
#include "core/exec/releases.h"

#include <deque>
#include <functional>
#include <map>
#include <tuple>

namespace tilescope {

class BlockFrame;

class Mbarriers {
public:
  // Buffer, slot, element.
  using Name = std::tuple<BufferId, int64_t, int64_t>;
  struct Copy {
    const Stmt *stmt = nullptr;
    BufferId destination;
    int64_t bytes = 0;
    std::function<void(const PhaseArrival &, const Moment &)> arrive;
  };

  // False: copies that it counts are in flight, of which nobody will hear.
  bool init(const Name &name, int64_t arrivals);
  // Once, and `bytes` more are to come. False: no arrival is missing.
  bool arrive(const Name &name, int64_t bytes);
  // `bytes` more are to come.
  void expect(const Name &name, int64_t bytes) { states_[name].bytes += bytes; }
  // What who arrives next knows, for who waits for the phase; and what ended phases were told.
  void tell(const Name &name, const WarpKnowledge &known) { states_[name].arriving.add(known); }
  const WarpKnowledge &told(const Name &name) { return states_[name].told; }
  // The same between blocks of a cluster.
  BlockReleases &arrivingBlocks(const Name &name) { return states_[name].arrivingBlocks; }
  const BlockReleases &toldBlocks(const Name &name) { return states_[name].toldBlocks; }
  void start(const Name &name, Copy copy);
  // Whether a phase of this parity has ended, or ends when copies arrive; `when`: of who asks.
  bool hasEnded(const Name &name, int64_t parity, const Moment &when);
  // The one that has not ended, by number from 0.
  struct Phase {
    uint32_t number = 0;
    int64_t arrivals = 0, missing = 0;
    int64_t bytes = 0; // to come
  };
  Phase phaseOf(const Name &name);
  void forEachLeft(llvm::function_ref<void(const Copy &)> visit) const;

private:
  struct State {
    int64_t arrivals = 0; // that a phase takes
    int64_t missing = 0;  // of them, in this phase
    int64_t bytes = 0;    // to come; below zero: that nobody has expected
    uint32_t phases = 0;  // that have ended
    uint32_t counter = 0; // of its phases
    std::deque<Copy> inFlight;
    WarpKnowledge arriving = {}; // of this phase
    WarpKnowledge told = {};     // of those that have ended
    BlockReleases arrivingBlocks = {}, toldBlocks = {};
  };
  static void endPhase(State &state);

  std::map<Name, State> states_;
  uint32_t begun_ = 0; // of them, not counting those that began anew
};

Mbarriers::Name mbarrierOf(const LaneRegion &barrier, uint32_t lane);
Mbarriers::Name mbarrierOf(const BufferRegion &barrier, BlockFrame &frame);

} // namespace tilescope
