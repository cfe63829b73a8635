#include "core/exec/mbarriers.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

bool Mbarriers::init(const Name &name, int64_t arrivals) {
  State &state = states_[name];
  bool isIdle = state.inFlight.empty();
  state = {.arrivals = arrivals, .missing = arrivals};
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

static void join(WarpTicks &into, const WarpTicks &from) {
  for (auto [all, own] : llvm::zip(into, from))
    all = std::max(all, own);
}

void Mbarriers::tell(const Name &name, const WarpTicks &known) {
  join(states_[name].arriving, known);
}

void Mbarriers::start(const Name &name, Copy copy) {
  states_[name].inFlight.push_back(std::move(copy));
}

bool Mbarriers::hasEnded(const Name &name, int64_t parity) {
  State &state = states_[name];
  auto isOver = [&] { return (state.phases & 1) != (parity & 1); };
  while (!isOver() && !state.inFlight.empty()) {
    Copy copy = std::move(state.inFlight.front());
    state.inFlight.pop_front();
    copy.arrive();
    state.bytes -= copy.bytes;
    endPhase(state);
  }
  return isOver();
}

void Mbarriers::endPhase(State &state) {
  if (state.missing != 0 || state.bytes != 0)
    return;
  ++state.phases;
  join(state.told, state.arriving);
  state.missing = state.arrivals;
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
