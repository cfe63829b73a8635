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
    return isInTail(event, threads[thread].lane) && !isOver(1 - threads[thread].lane, state);
  }

  bool isInTail(const Event &event, size_t lane) const {
    return claims_.tail && !event.isOutside && claims_.tail->lane == lane &&
           event.laneChild >= claims_.tail->firstChild;
  }

  // What one thread did for all outside of the roles stands in the lists of all lanes.
  bool isUnderWay(uint32_t leaf, const State &state, size_t thread) const {
    size_t mine = threads[thread].lane;
    for (const Flight &flight : state.flying) {
      size_t place = placeOf(mine, flight.event);
      bool isOfOthers = place == lists[mine].size();
      if (events[flight.event].node == leaf && (isOfOthers || place < state.at[thread]))
        return true;
    }
    for (size_t other = 0; other != threads.size(); ++other)
      for (size_t at = state.at[other]; at != lists[threads[other].lane].size(); ++at) {
        const Event &event = events[lists[threads[other].lane][at]];
        if (threads[other].lane != mine && event.node == leaf && !event.isOutside &&
            does(other, event))
          return true;
      }
    return false;
  }

  bool isOver(size_t lane, const State &state) const {
    for (const Flight &flight : state.flying)
      if (threads[flight.thread].lane == lane && !events[flight.event].isOutside)
        return false;
    for (size_t thread = 0; thread != threads.size(); ++thread)
      for (size_t at = state.at[thread]; threads[thread].lane == lane && at != lists[lane].size();
           ++at) {
        const Event &event = events[lists[lane][at]];
        if (!event.isOutside && !event.accesses.empty() && does(thread, event))
          return false;
      }
    return true;
  }

  const HappensBefore &claims_;
};

} // namespace tilescope::test
