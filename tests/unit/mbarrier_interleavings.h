// Is what `happens_before.h` claims of a small AccessProgram ever wrong, in any order of its
// threads?
#pragma once

#include "core/access/happens_before.h"
#include "tests/unit/role_machine.h"

namespace tilescope::test {

class MbarrierInterleavings : public RoleMachine {
public:
  MbarrierInterleavings(const AccessProgram &program, const HappensBefore &claims)
      : RoleMachine(program), claims_(claims) {}

private:
  bool isWrong(const State &state, size_t thread) const override {
    const Event &event = eventOf(state, thread);
    for (size_t copy = 0; copy != claims_.copies.size(); ++copy)
      if (claims_.hasArrived(copy, event.node) && isUnderWay(claims_.copies[copy], state, thread))
        return true;
    return isInTail(event, threads_[thread].lane) && !isOver(1 - threads_[thread].lane, state);
  }

  bool isInTail(const Event &event, size_t lane) const {
    return claims_.tail && !event.isOutside && claims_.tail->lane == lane &&
           event.laneChild >= claims_.tail->firstChild;
  }

  // What one thread did for all outside of the roles stands in the lists of all lanes.
  bool isUnderWay(uint32_t leaf, const State &state, size_t thread) const {
    size_t mine = threads_[thread].lane;
    for (const Flight &flight : state.flying) {
      size_t place = placeOf(mine, flight.event);
      bool isOfOthers = place == lists_[mine].size();
      if (events_[flight.event].node == leaf && (isOfOthers || place < state.at[thread]))
        return true;
    }
    for (size_t other = 0; other != threads_.size(); ++other)
      for (size_t at = state.at[other]; at != lists_[threads_[other].lane].size(); ++at) {
        const Event &event = events_[lists_[threads_[other].lane][at]];
        if (threads_[other].lane != mine && event.node == leaf && !event.isOutside &&
            does(other, event))
          return true;
      }
    return false;
  }

  bool isOver(size_t lane, const State &state) const {
    for (const Flight &flight : state.flying)
      if (threads_[flight.thread].lane == lane && !events_[flight.event].isOutside)
        return false;
    for (size_t thread = 0; thread != threads_.size(); ++thread)
      for (size_t at = state.at[thread]; threads_[thread].lane == lane && at != lists_[lane].size();
           ++at) {
        const Event &event = events_[lists_[lane][at]];
        if (!event.isOutside && !event.accesses.empty() && does(thread, event))
          return false;
      }
    return true;
  }

  const HappensBefore &claims_;
};

} // namespace tilescope::test
