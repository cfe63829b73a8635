// All threads of a small AccessProgram with roles, mbarriers, named barriers and queues, in every
// order. Slow, obvious, and shares no code with what it judges; who derives from it says what must
// not be.
//
// A thread makes the leaves of its lane one after the other; a copy arrives at any moment after its
// issue. Barriers and mbarriers are what the machine has: threads that have come, ended phases,
// missing arrivals, missing bytes.
//
//   state      where each thread is     mbarriers       copies under way
//   lane 0     thread 0: leaf 3         m0: 1, 1, 0     of leaf 2, k = 1
//   lane 1     thread 0: leaf 1
#pragma once

#include "tests/unit/role_lists.h"

#include "llvm/ADT/STLExtras.h"

#include <set>
#include <tuple>

namespace tilescope::test {

class RoleMachine {
public:
  virtual ~RoleMachine() = default;

  // Some order is wrong.
  bool canGoWrong() {
    State start;
    start.at.assign(threads.size(), 0);
    start.isWaiting.assign(threads.size(), false);
    for (const AccessMbarrier &mbarrier : program.mbarriers)
      start.mbarriers.push_back({0, mbarrier.arrivals, 0});
    return explore(std::move(start));
  }

protected:
  static constexpr size_t MaxStates = 20'000;

  using Event = RoleEvent;
  struct Mbarrier {
    int64_t ended = 0, pending = 0, bytes = 0;
    auto operator<=>(const Mbarrier &) const = default;
  };
  // What one thread copies, from its issue to the end of its flight.
  struct Flight {
    size_t thread = 0, event = 0;
    int64_t commits = 0; // of its queue, since
    bool hasLanded = false;
    auto operator<=>(const Flight &) const = default;
  };
  // What the watched byte holds; 0s where none is watched.
  struct Memory {
    int last = -1;        // who wrote it last
    uint64_t defined = 0; // who ever wrote it
    uint64_t taken = 0;   // scopes whose threads have made the access that some are still to pass
    auto operator<=>(const Memory &) const = default;
  };
  struct State {
    std::vector<size_t> at; // per thread
    std::vector<bool> isWaiting;
    std::vector<Mbarrier> mbarriers;
    std::set<Flight> flying;
    Memory memory;
    auto key() const { return std::tie(at, isWaiting, mbarriers, flying, memory); }
    bool operator<(const State &other) const { return key() < other.key(); }
  };
  using States = std::vector<State>;

  // `outsideThread`: who does what one thread does outside of the roles. `choices`: see RoleLists.
  explicit RoleMachine(const AccessProgram &program, size_t outsideThread = 0, unsigned choices = 0)
      : RoleMachine(program, RoleLists(program, choices), outsideThread) {}

  // ---- What must not be, and what is seen -------------------------------------------------------

  // Before the thread makes the event where it stands.
  virtual bool isWrong(const State & /*state*/, size_t /*thread*/) const { return false; }
  // Nothing can go on, though some thread is not at its end.
  virtual bool isWrongToStick() const { return false; }
  // False: the order of the event and of what other threads do makes no difference.
  virtual bool isSeen(const Event & /*event*/) const { return true; }
  // A thread makes the accesses where it stands: what can be then; none: not yet.
  virtual void makeAccesses(State state, size_t thread, States &next) {
    issue(state, thread);
    ++state.at[thread];
    next.push_back(std::move(state));
  }
  // True: it makes a difference when a copy reaches the memory.
  virtual bool isSeenLanding(const Event & /*event*/) const { return false; }
  virtual void land(State state, const Flight & /*flight*/, States &next) {
    next.push_back(std::move(state));
  }

  // ---- For who says so --------------------------------------------------------------------------

  const AccessNode &nodeOf(const Event &event) const { return program.nodes[event.node]; }
  const Event &eventOf(const State &state, size_t thread) const {
    return events[lists[threads[thread].lane][state.at[thread]]];
  }
  bool isAtEnd(const State &state, size_t thread) const {
    return state.at[thread] == lists[threads[thread].lane].size();
  }
  // Where a lane comes to an event; its length: never.
  size_t placeOf(size_t lane, size_t event) const {
    return static_cast<size_t>(llvm::find(lists[lane], event) - lists[lane].begin());
  }
  bool does(size_t thread, const Event &event) const {
    if (!nodeOf(event).oneThread)
      return true;
    return event.isOutside ? thread == outsideThread_ % threads.size() : threads[thread].isElected;
  }
  bool isCounted(const Event &event) const {
    return llvm::any_of(nodeOf(event).accesses,
                        [](const Access &access) { return access.mbarrier.has_value(); });
  }
  void issue(State &state, size_t thread) const {
    size_t event = lists[threads[thread].lane][state.at[thread]];
    bool isCopy = llvm::any_of(nodeOf(events[event]).accesses,
                               [](const Access &access) { return access.async; });
    if (isCopy)
      state.flying.insert({thread, event, 0, !isSeenLanding(events[event])});
  }

  const AccessProgram &program;
  const std::vector<Event> events;
  const std::vector<std::vector<size_t>> lists; // per lane, and for the threads of none
  const std::vector<RoleThread> threads;

private:
  RoleMachine(const AccessProgram &program, const RoleLists &lists, size_t outsideThread)
      : program(program), events(lists.events), lists(lists.lists), threads(lists.threads),
        outsideThread_(outsideThread) {}

  // ---- In every order ---------------------------------------------------------------------------

  bool explore(State first) {
    skipUnseen(first);
    States open{first}, next;
    std::set<State> seen{first};
    while (!open.empty()) {
      State state = std::move(open.back());
      open.pop_back();
      next.clear();
      for (const Flight &flight : state.flying)
        goOn(state, flight, next);
      for (size_t thread = 0; thread != threads.size(); ++thread) {
        if (isAtEnd(state, thread))
          continue;
        if (does(thread, eventOf(state, thread)) && isWrong(state, thread))
          return true;
        advance(state, thread, next);
      }
      if (isSeenWrong || (next.empty() && isWrongToStick() && !areAllAtEnd(state)))
        return true;
      for (State &one : next) {
        skipUnseen(one);
        if (seen.size() < MaxStates && seen.insert(one).second)
          open.push_back(std::move(one));
      }
    }
    return false;
  }

  bool areAllAtEnd(const State &state) const {
    for (size_t thread = 0; thread != threads.size(); ++thread)
      if (!isAtEnd(state, thread))
        return false;
    return true;
  }

  void skipUnseen(State &state) const {
    for (size_t thread = 0; thread != threads.size(); ++thread)
      while (!isAtEnd(state, thread) && isSkipped(thread, eventOf(state, thread)))
        ++state.at[thread];
  }

  bool isSkipped(size_t thread, const Event &event) const {
    return !does(thread, event) || (isLeafAlone(event) && !isSeen(event));
  }

  bool isLeafAlone(const Event &event) const {
    const AccessNode &node = nodeOf(event);
    return (node.kind == AccessNode::Kind::Leaf && !isCounted(event)) ||
           node.kind == AccessNode::Kind::ProxyFence ||
           (node.kind == AccessNode::Kind::Barrier && node.scope == BarrierScope::Warp);
  }

  void test(Mbarrier &mbarrier, size_t index) const {
    if (mbarrier.pending > 0 || mbarrier.bytes != 0)
      return;
    ++mbarrier.ended;
    mbarrier.pending += program.mbarriers[index].arrivals;
  }

  // A copy reaches the memory, and then what waits for it knows.
  void goOn(State state, const Flight &flight, States &next) {
    state.flying.erase(flight);
    const Event &event = events[flight.event];
    bool isToLand = !flight.hasLanded;
    if (isCounted(event) && isToLand) {
      Flight landed = flight;
      landed.hasLanded = true;
      state.flying.insert(landed);
    } else if (isCounted(event)) {
      Mbarrier &mbarrier = state.mbarriers[event.mbarrier];
      mbarrier.bytes -= nodeOf(event).accesses[0].bytes;
      test(mbarrier, event.mbarrier);
    }
    if (isToLand)
      land(std::move(state), flight, next);
    else
      next.push_back(std::move(state));
  }

  void advance(State state, size_t thread, States &next) {
    const Event &event = eventOf(state, thread);
    const AccessNode &node = nodeOf(event);
    Mbarrier *mbarrier = state.mbarriers.empty() ? nullptr : &state.mbarriers[event.mbarrier];
    switch (node.kind) {
    case AccessNode::Kind::Leaf:
      return makeAccesses(std::move(state), thread, next);
    case AccessNode::Kind::Arrive:
      mbarrier->pending -= node.count;
      test(*mbarrier, event.mbarrier);
      break;
    case AccessNode::Kind::Expect:
      mbarrier->bytes += node.bytes;
      break;
    case AccessNode::Kind::WaitPhase:
      if (mbarrier->ended % 2 == event.parity)
        return;
      break;
    case AccessNode::Kind::Commit:
      commit(state, thread, node.queue);
      break;
    case AccessNode::Kind::Wait:
      if (isUnderWay(state, thread, node))
        return;
      break;
    case AccessNode::Kind::Barrier:
    case AccessNode::Kind::NamedBarrier:
      return meet(std::move(state), thread, next);
    default:
      break;
    }
    ++state.at[thread];
    next.push_back(std::move(state));
  }

  bool isOfQueue(const Flight &flight, size_t thread, uint32_t queue) const {
    return flight.thread == thread &&
           llvm::any_of(nodeOf(events[flight.event]).accesses,
                        [&](const Access &access) { return access.goesThrough(queue); });
  }

  void commit(State &state, size_t thread, uint32_t queue) const {
    std::set<Flight> flying;
    for (Flight flight : state.flying) {
      flight.commits += isOfQueue(flight, thread, queue);
      flying.insert(flight);
    }
    state.flying = std::move(flying);
  }

  bool isUnderWay(const State &state, size_t thread, const AccessNode &wait) const {
    return llvm::any_of(state.flying, [&](const Flight &flight) {
      return isOfQueue(flight, thread, wait.queue) && flight.commits > wait.pending;
    });
  }

  // The block barrier is the one of id 0. It opens when as many threads wait as the last one says.
  void meet(State state, size_t thread, States &next) const {
    if (state.isWaiting[thread])
      return;
    state.isWaiting[thread] = true;
    const AccessNode &mine = nodeOf(eventOf(state, thread));
    bool isBlock = mine.kind == AccessNode::Kind::Barrier;
    int64_t wanted = isBlock ? static_cast<int64_t>(threads.size()) : mine.threads;
    std::vector<size_t> waiting;
    for (size_t other = 0; other != threads.size(); ++other)
      if (state.isWaiting[other] &&
          nodeOf(eventOf(state, other)).barrierId == (isBlock ? 0 : mine.barrierId))
        waiting.push_back(other);
    if (static_cast<int64_t>(waiting.size()) >= wanted)
      for (size_t other : waiting) {
        state.isWaiting[other] = false;
        ++state.at[other];
      }
    next.push_back(std::move(state));
  }

protected:
  bool isSeenWrong = false;

private:
  size_t outsideThread_;
};

} // namespace tilescope::test
