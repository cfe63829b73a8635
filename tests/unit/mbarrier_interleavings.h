// All threads of a small AccessProgram with roles and mbarriers, in every order: is what
// `happens_before.h` claims ever wrong? Slow, obvious, and shares no code with what it judges.
//
// A thread makes the leaves of its lane one after the other; a copy arrives at any moment after its
// issue. An mbarrier is what the machine has: ended phases, missing arrivals, missing bytes.
//
//   state      where each thread is     mbarriers       copies under way
//   lane 0     thread 0: leaf 3         m0: 1, 1, 0     of leaf 2, k = 1
//   lane 1     thread 0: leaf 1
#pragma once

#include "core/access/happens_before.h"

#include <map>
#include <set>
#include <tuple>

namespace tilescope::test {

class MbarrierInterleavings {
public:
  static constexpr size_t MaxStates = 20'000;

  MbarrierInterleavings(const AccessProgram &program, const HappensBefore &claims)
      : program_(program), claims_(claims) {
    size_t lanes = 1;
    for (const AccessNode &node : program.nodes)
      if (node.kind == AccessNode::Kind::Roles)
        lanes = node.children.size();
    for (size_t lane = 0; lane != lanes; ++lane) {
      lane_ = lane;
      isBehind_ = false;
      lists_.emplace_back();
      list(program.root);
    }
    for (size_t lane = 0; lane != lanes; ++lane)
      for (int64_t thread = 0; thread != threadsOf(lane, lanes); ++thread)
        threads_.push_back({lane, thread == 0});
  }

  // Some order makes a claim wrong.
  bool canGoWrong() {
    State start;
    start.at.assign(threads_.size(), 0);
    start.isWaiting.assign(threads_.size(), false);
    for (const AccessMbarrier &mbarrier : program_.mbarriers)
      start.mbarriers.push_back({0, mbarrier.arrivals, 0});
    return explore(start);
  }

private:
  struct Event {
    uint32_t node = 0;
    size_t mbarrier = 0;
    int64_t parity = 0;
    bool isOutside = false;
    bool isBehind = false; // outside, and after the roles
    bool isInTail = false;
  };
  struct Thread {
    size_t lane = 0;
    bool isElected = false;
  };
  struct Mbarrier {
    int64_t ended = 0, pending = 0, bytes = 0;
    auto operator<=>(const Mbarrier &) const = default;
  };
  struct State {
    std::vector<size_t> at; // per thread
    std::vector<bool> isWaiting;
    std::vector<Mbarrier> mbarriers;
    std::set<std::pair<size_t, size_t>> flying; // lane and event
    auto key() const { return std::tie(at, isWaiting, mbarriers, flying); }
    bool operator<(const State &other) const { return key() < other.key(); }
  };

  int64_t threadsOf(size_t lane, size_t lanes) const {
    for (const AccessNode &node : program_.nodes)
      if (node.kind == AccessNode::Kind::Roles)
        return node.laneThreads[lane];
    return lanes == 1 ? program_.threads : 0;
  }

  // ---- What each lane does ----------------------------------------------------------------------

  int64_t valueOf(const LoopCounter &counter) {
    int64_t value = counter.offset;
    for (const LoopCounter::Term &term : counter.terms)
      value += term.step * k_[term.loop];
    return value;
  }

  void list(uint32_t index) {
    const AccessNode &node = program_.nodes[index];
    if (node.kind == AccessNode::Kind::Roles)
      return listLane(node.children[lane_]);
    if (node.kind == AccessNode::Kind::If && !isTaken(node))
      return;
    int64_t times = node.kind == AccessNode::Kind::Loop ? node.minTrips : 1;
    for (int64_t k = 0; k != times; ++k) {
      if (node.kind == AccessNode::Kind::Loop)
        k_[node.stmt] = k;
      for (uint32_t child : node.children)
        list(child);
    }
    if (!isLeaf(node))
      return;
    Event event;
    event.node = index;
    event.isOutside = !isInside_;
    event.isBehind = isBehind_;
    event.isInTail = isInTail_;
    const std::optional<MbarrierRef> &ref =
        node.accesses.empty() ? node.mbarrier : node.accesses[0].mbarrier;
    if (ref)
      event.mbarrier = ref->first + valueOf(ref->counter) % ref->modulus;
    event.parity = valueOf(node.parity.counter) / node.parity.divisor % 2;
    lists_[lane_].push_back(event);
  }

  bool isTaken(const AccessNode &node) {
    int64_t k = k_[node.rangeLoop];
    return node.rangeBegin <= k && k < node.rangeEnd;
  }

  void listLane(uint32_t index) {
    isInside_ = true;
    for (size_t child = 0; child != program_.nodes[index].children.size(); ++child) {
      isInTail_ = claims_.tail && claims_.tail->lane == lane_ && child >= claims_.tail->firstChild;
      list(program_.nodes[index].children[child]);
    }
    isInside_ = isInTail_ = false;
    isBehind_ = true;
  }

  // ---- In every order ---------------------------------------------------------------------------

  bool explore(const State &first) {
    std::vector<State> open{first};
    std::set<State> seen{first};
    auto add = [&](State state) {
      if (seen.size() < MaxStates && seen.insert(state).second)
        open.push_back(std::move(state));
    };
    while (!open.empty()) {
      State state = std::move(open.back());
      open.pop_back();
      for (auto copy : state.flying) {
        State next = state;
        next.flying.erase(copy);
        const Event &event = lists_[copy.first][copy.second];
        next.mbarriers[event.mbarrier].bytes -= program_.nodes[event.node].accesses[0].bytes;
        test(next.mbarriers[event.mbarrier], event.mbarrier);
        add(std::move(next));
      }
      for (size_t thread = 0; thread != threads_.size(); ++thread) {
        if (state.at[thread] == lists_[threads_[thread].lane].size())
          continue;
        if (isWrong(state, thread))
          return true;
        if (std::optional<State> next = advance(state, thread))
          add(std::move(*next));
      }
    }
    return false;
  }

  const Event &eventOf(const State &state, size_t thread) const {
    return lists_[threads_[thread].lane][state.at[thread]];
  }

  // What stands outside of the roles for one thread is done by that of the first lane.
  bool does(const Thread &thread, const Event &event) const {
    return !program_.nodes[event.node].oneThread ||
           (thread.isElected && (!event.isOutside || thread.lane == 0));
  }

  void test(Mbarrier &mbarrier, size_t index) const {
    if (mbarrier.pending > 0 || mbarrier.bytes != 0)
      return;
    ++mbarrier.ended;
    mbarrier.pending += program_.mbarriers[index].arrivals;
  }

  std::optional<State> advance(State state, size_t thread) const {
    const Event &event = eventOf(state, thread);
    const AccessNode &node = program_.nodes[event.node];
    if (!does(threads_[thread], event)) {
      ++state.at[thread];
      return state;
    }
    Mbarrier *mbarrier = state.mbarriers.empty() ? nullptr : &state.mbarriers[event.mbarrier];
    switch (node.kind) {
    case AccessNode::Kind::Arrive:
      mbarrier->pending -= node.count;
      test(*mbarrier, event.mbarrier);
      break;
    case AccessNode::Kind::Expect:
      mbarrier->bytes += node.bytes;
      break;
    case AccessNode::Kind::WaitPhase:
      if (mbarrier->ended % 2 == event.parity)
        return std::nullopt;
      break;
    case AccessNode::Kind::Barrier:
    case AccessNode::Kind::NamedBarrier:
      return meet(std::move(state), thread);
    default:
      if (!node.accesses.empty() && node.accesses[0].mbarrier)
        state.flying.insert({threads_[thread].lane, state.at[thread]});
    }
    ++state.at[thread];
    return state;
  }

  // All threads of the lane, or of the block outside of the roles.
  std::optional<State> meet(State state, size_t thread) const {
    if (state.isWaiting[thread])
      return std::nullopt;
    state.isWaiting[thread] = true;
    std::vector<size_t> others;
    for (size_t other = 0; other != threads_.size(); ++other)
      if (eventOf(state, thread).isOutside || threads_[other].lane == threads_[thread].lane)
        others.push_back(other);
    for (size_t other : others)
      if (!state.isWaiting[other])
        return state;
    for (size_t other : others) {
      state.isWaiting[other] = false;
      ++state.at[other];
    }
    return state;
  }

  // ---- Claims -----------------------------------------------------------------------------------

  bool isWrong(const State &state, size_t thread) const {
    const Event &event = eventOf(state, thread);
    if (!does(threads_[thread], event))
      return false;
    for (size_t copy = 0; copy != claims_.copies.size(); ++copy)
      if (claims_.hasArrived(copy, event.node) && isUnderWay(claims_.copies[copy], state, thread))
        return true;
    return event.isInTail && !isOver(1 - threads_[thread].lane, state);
  }

  // What one thread did for all outside of the roles stands in the lists of all lanes.
  bool isBefore(size_t lane, size_t at, const State &state, size_t thread) const {
    size_t mine = threads_[thread].lane;
    if (lane == mine)
      return at < state.at[thread];
    const Event &event = lists_[lane][at];
    if (!event.isOutside)
      return true;
    size_t left = lists_[lane].size() - at, mineLeft = lists_[mine].size() - state.at[thread];
    if (event.isBehind)
      return eventOf(state, thread).isBehind && mineLeft < left;
    return !eventOf(state, thread).isOutside || eventOf(state, thread).isBehind ||
           at < state.at[thread];
  }

  bool isUnderWay(uint32_t leaf, const State &state, size_t thread) const {
    for (auto [lane, at] : state.flying)
      if (lists_[lane][at].node == leaf && isBefore(lane, at, state, thread))
        return true;
    for (size_t other = 0; other != threads_.size(); ++other) {
      const std::vector<Event> &events = lists_[threads_[other].lane];
      bool isOther = threads_[other].lane != threads_[thread].lane;
      for (size_t at = state.at[other]; at != events.size() && isOther; ++at)
        if (events[at].node == leaf && !events[at].isOutside && does(threads_[other], events[at]))
          return true;
    }
    return false;
  }

  bool isOver(size_t lane, const State &state) const {
    for (auto [flyingLane, at] : state.flying)
      if (flyingLane == lane && !lists_[lane][at].isOutside)
        return false;
    for (size_t thread = 0; thread != threads_.size(); ++thread)
      for (size_t at = state.at[thread]; threads_[thread].lane == lane && at != lists_[lane].size();
           ++at) {
        const Event &event = lists_[lane][at];
        if (!event.isOutside && !program_.nodes[event.node].accesses.empty() &&
            does(threads_[thread], event))
          return false;
      }
    return true;
  }

  const AccessProgram &program_;
  const HappensBefore &claims_;
  std::vector<std::vector<Event>> lists_; // per lane
  std::vector<Thread> threads_;
  std::map<StmtId, int64_t> k_;
  size_t lane_ = 0;
  bool isInside_ = false, isInTail_ = false, isBehind_ = false;
};

} // namespace tilescope::test
