#include "core/exec/mbarriers.h"

#include "core/exec/block_frame.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

bool Mbarriers::init(const Name &name, int64_t arrivals) {
  auto [found, isNew] = states_.try_emplace(name);
  State &state = found->second;
  bool isIdle = state.inFlight.empty();
  uint32_t counter = isNew ? begun_++ % PhaseCounters : state.counter;
  state = {.arrivals = arrivals, .missing = arrivals, .counter = counter};
  return isIdle;
}

bool Mbarriers::arrive(const Name &name, int64_t bytes) {
  State &state = states_[name];
  if (state.missing == 0)
    return false;
  --state.missing;
  state.bytes += bytes;
  endPhase(state);
  return true;
}

void Mbarriers::start(const Name &name, Copy copy) {
  states_[name].inFlight.push_back(std::move(copy));
}

bool Mbarriers::hasEnded(const Name &name, int64_t parity, const Moment &when) {
  State &state = states_[name];
  auto isOver = [&] { return (state.phases & 1) != (parity & 1); };
  while (!isOver() && !state.inFlight.empty()) {
    Copy copy = std::move(state.inFlight.front());
    state.inFlight.pop_front();
    copy.arrive({state.counter, state.phases + 1}, when);
    state.bytes -= copy.bytes;
    endPhase(state);
  }
  return isOver();
}

void Mbarriers::endPhase(State &state) {
  if (state.missing != 0 || state.bytes != 0)
    return;
  ++state.phases;
  state.told.add(state.arriving);
  state.toldBlocks.add(state.arrivingBlocks);
  uint32_t &known = state.told.phases[state.counter];
  known = std::max(known, state.phases);
  state.missing = state.arrivals;
}

Mbarriers::Phase Mbarriers::phaseOf(const Name &name) {
  const State &state = states_[name];
  return {state.phases, state.arrivals, state.missing, state.bytes};
}

void Mbarriers::forEachLeft(llvm::function_ref<void(const Copy &)> visit) const {
  for (const auto &[name, state] : states_)
    for (const Copy &copy : state.inFlight)
      visit(copy);
}

Mbarriers::Name mbarrierOf(const LaneRegion &barrier, uint32_t lane) {
  int64_t slot = barrier.slot.empty() ? 0 : barrier.slot[lane].i;
  return {barrier.buffer->id, slot, barrier.min.empty() ? 0 : barrier.min.back()[lane].i};
}

Mbarriers::Name mbarrierOf(const BufferRegion &barrier, BlockFrame &frame) {
  int64_t slot = barrier.slot ? frame.evaluateInt(barrier.slot) : 0;
  llvm::ArrayRef<Range> ranges = barrier.ranges;
  return {barrier.buffer, slot, ranges.empty() ? 0 : frame.evaluateInt(ranges.back().min)};
}

} // namespace tilescope
