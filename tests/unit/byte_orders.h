// What becomes of one byte of shared memory in every order of a small AccessProgram with roles.
//
// ClobberedByte: a buffer is read after another has overwritten the byte that it had written.
//
//   lane 0    write A                        arrive
//   lane 1              wait ... passes too early: write B         read B
//   lane 0                                            read A: B's
//
// An access of the byte is made by one of the threads that make the statement, any of them. What
// stands in one lane, or outside of the roles between the same two ends of them, touches the byte
// in its order, and behind the queues that are waited for before it: that threads of a lane meet
// where they must is asked of hazards, not of plans. So is that copies are waited for.
//
// RacedByte: two threads could touch the byte next, in different statements, and one would write;
// or one could while a copy of it is under way.
#pragma once

#include "tests/unit/interleavings.h"
#include "tests/unit/role_machine.h"

namespace tilescope::test {

class ByteMachine : public RoleMachine {
public:
  ByteMachine(const AccessProgram &program, const ByteOwners &owners, size_t outsideThread,
              unsigned choices)
      : RoleMachine(program, outsideThread, choices) {
    for (const Event &event : events) {
      touching_.emplace_back();
      for (const RoleSlot &one : event.accesses)
        if (auto owner = owners.find({one.buffer, one.slot}); owner != owners.end())
          touching_.back().push_back(
              {one.access, static_cast<int>(std::distance(owners.begin(), owner))});
    }
  }

protected:
  struct Touch {
    const Access *access = nullptr;
    int owner = 0; // the number of the buffer's slot
  };

  llvm::ArrayRef<Touch> touchesOf(const Event &event) const {
    return touching_[static_cast<size_t>(&event - events.data())];
  }
  bool isSeen(const Event &event) const override { return !touchesOf(event).empty(); }

private:
  std::vector<std::vector<Touch>> touching_; // per event: its accesses of the byte
};

class ClobberedByte : public ByteMachine {
public:
  using ByteMachine::ByteMachine;

private:
  bool isSeenLanding(const Event &event) const override { return isSeen(event); }

  void land(State state, const Flight &flight, States &next) override {
    perform(std::move(state), touchesOf(events[flight.event]), true, next);
  }

  void makeAccesses(State state, size_t thread, States &next) override {
    const Event &event = eventOf(state, thread);
    if (!isSeen(event)) {
      issue(state, thread);
      ++state.at[thread];
      return next.push_back(std::move(state));
    }
    if (!isInTurn(state, thread))
      return;
    uint64_t bit = uint64_t(1) << event.scope;
    bool isTaken = state.memory.taken & bit, isLast = isPassedByOthers(state, thread);
    if (isTaken || !isLast)
      next.push_back(passed(state, thread, isTaken && !isLast));
    if (isTaken)
      return;
    issue(state, thread);
    perform(passed(std::move(state), thread, !isLast), touchesOf(event), false, next);
  }

  State passed(State state, size_t thread, bool isTaken) const {
    uint64_t bit = uint64_t(1) << eventOf(state, thread).scope;
    state.memory.taken = isTaken ? state.memory.taken | bit : state.memory.taken & ~bit;
    ++state.at[thread];
    return state;
  }

  bool hasPassed(const State &state, size_t thread, size_t event) const {
    size_t place = placeOf(threads[thread].lane, event);
    return place == lists[threads[thread].lane].size() || !does(thread, events[event]) ||
           state.at[thread] > place;
  }

  bool isPassedByOthers(const State &state, size_t thread) const {
    size_t event = lists[threads[thread].lane][state.at[thread]];
    for (size_t other = 0; other != threads.size(); ++other)
      if (other != thread && !hasPassed(state, other, event))
        return false;
    return true;
  }

  bool isInTurn(const State &state, size_t thread) const {
    llvm::ArrayRef<size_t> list = lists[threads[thread].lane];
    for (size_t event : list.take_front(state.at[thread])) {
      bool isOrdered =
          events[event].scope == eventOf(state, thread).scope &&
          (isSeen(events[event]) || nodeOf(events[event]).kind == AccessNode::Kind::Wait);
      for (size_t other = 0; other != threads.size() && isOrdered; ++other)
        if (!hasPassed(state, other, event))
          return false;
    }
    return true;
  }

  // By a copy that nobody waited for before the read: a hazard.
  bool isToBeReplaced(const State &state, int owner) const {
    return llvm::any_of(state.flying, [&](const Flight &flight) {
      return !flight.hasLanded &&
             llvm::any_of(touchesOf(events[flight.event]), [&](const Touch &touch) {
               return touch.owner == owner && touch.access->kind == AccessKind::Write;
             });
    });
  }

  // Reads, then writes; a partial write may leave the byte alone.
  void perform(State state, llvm::ArrayRef<Touch> touches, bool isAsync, States &next) {
    bool mayLeaveAlone = false;
    State before = state;
    for (AccessKind kind : {AccessKind::Read, AccessKind::Write})
      for (const Touch &touch : touches) {
        if (touch.access->kind != kind || touch.access->async != isAsync)
          continue;
        uint64_t bit = uint64_t(1) << touch.owner;
        if (kind == AccessKind::Read) {
          isSeenWrong |= (state.memory.defined & bit) && state.memory.last != touch.owner &&
                         !isToBeReplaced(state, touch.owner);
          continue;
        }
        mayLeaveAlone |= !touch.access->full;
        state.memory.last = touch.owner;
        state.memory.defined |= bit;
      }
    next.push_back(std::move(state));
    if (mayLeaveAlone)
      next.push_back(std::move(before));
  }
};

class RacedByte : public ByteMachine {
public:
  using ByteMachine::ByteMachine;

private:
  bool isWrong(const State &state, size_t thread) const override {
    const Event &event = eventOf(state, thread);
    for (size_t other = 0; other != threads.size(); ++other)
      if (other != thread && !isAtEnd(state, other) && does(other, eventOf(state, other)) &&
          conflict(event, eventOf(state, other)))
        return true;
    return llvm::any_of(
        state.flying, [&](const Flight &flight) { return conflict(event, events[flight.event]); });
  }

  bool conflict(const Event &event, const Event &other) const {
    if (&event == &other)
      return false;
    for (const Touch &mine : touchesOf(event))
      for (const Touch &theirs : touchesOf(other))
        if (mine.access->kind == AccessKind::Write || theirs.access->kind == AccessKind::Write)
          return true;
    return false;
  }
};

// Some thread waits for ever.
class Stuck : public ByteMachine {
public:
  using ByteMachine::ByteMachine;

private:
  bool isWrongToStick() const override { return true; }
};

// Of some byte, with any thread as the one that does what one does outside of the roles.
template <typename Orders>
bool canGoWrong(const AccessProgram &program, const std::vector<BufferBytes> &bytes,
                unsigned choices = 0) {
  for (const ByteOwners &owners : byteOwners(program, bytes))
    for (int64_t thread = 0; thread != std::max<int64_t>(program.threads, 1); ++thread)
      if (Orders(program, owners, static_cast<size_t>(thread), choices).canGoWrong())
        return true;
  return false;
}

} // namespace tilescope::test
