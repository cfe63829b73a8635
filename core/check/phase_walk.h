// PhaseWalk: an abstract interpreter over the tree of an AccessProgram, for the checkers alone (the
// planner's side has `FlowGraph`; the two share no code on purpose).
//
// A loop body is run for each reachable pair (k mod period, iterations left) to a fixpoint: slots
// `(k + c) mod V` become numbers and guards `k + d < trips` become known. What a loop says about
// itself (redefinesAllSlots) is not read.
#pragma once

#include "core/access/happens_before.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>

namespace tilescope {

// Client: a type `State` with `bool join(const State &)` (true if it grew),
// `void step(uint32_t node, State &)`, called on every leaf, `const HappensBefore &order()`, and
// `bool RolesInterleave`, whether what one of concurrent roles does is seen by the others. Faults
// go into the client as they are found; a state only grows, so what is found on the way holds at
// the end.
template <typename Client> class PhaseWalk {
public:
  using State = typename Client::State;

  // `stop` is asked at every node, and not again once it said yes; it may be empty.
  PhaseWalk(const AccessProgram &program, Client &client, bool byPhase,
            const std::function<bool()> &stop)
      : program_(program), client_(client), byPhase_(byPhase), stop_(stop) {
    for (uint32_t index = 0; index != program.nodes.size(); ++index)
      if (program.nodes[index].kind == AccessNode::Kind::Loop)
        loops_[program.nodes[index].stmt].node = index;
    if (byPhase)
      for (const AccessNode &node : program.nodes)
        learnFrom(node);
    if (byPhase)
      for (auto &[id, loop] : loops_)
        unrollShortLoop(program.nodes[loop.node], loop);
  }

  // False: more than `maxSteps` nodes were visited, or it was stopped; nothing is known then.
  bool run(State &state, int64_t maxSteps) {
    stepsLeft_ = maxSteps;
    if (program_.root < program_.nodes.size())
      walk(program_.root, state);
    return stepsLeft_ > 0;
  }

  bool isStopped() const { return isStopped_; }

  // Slots [first, second) that an access may touch where the walk stands.
  std::pair<int64_t, int64_t> slotsOf(const Access &access, int64_t versions) const {
    const Slot &slot = access.slot;
    if (slot.kind == Slot::Kind::Constant)
      return {slot.offset, slot.offset + 1};
    if (slot.kind == Slot::Kind::Dynamic || slot.modulus < 1)
      return {0, versions};
    auto loop = loops_.find(slot.loop);
    bool isKnown = loop != loops_.end() && loop->second.iteration >= 0 &&
                   loop->second.period % slot.modulus == 0;
    if (!isKnown)
      return {0, slot.modulus};
    int64_t number = (loop->second.iteration + slot.offset) % slot.modulus;
    number = (number + slot.modulus) % slot.modulus;
    return {number, number + 1};
  }

private:
  struct LoopState {
    uint32_t node = 0;
    int64_t period = 1;
    int64_t horizon = 0;    // fewer iterations left than this are counted exactly
    int64_t iteration = -1; // k mod period; -1: outside
    int64_t left = -1;      // after the current one, capped at the horizon; -1: outside
    int64_t trips = -1;     // assumed before the loop, capped at horizon + 1; -1: nothing assumed
  };

  void learnFrom(const AccessNode &node) {
    if (auto loop = loops_.find(node.guardLoop); loop != loops_.end() && isNear(node))
      loop->second.horizon = std::max(loop->second.horizon, node.guardDistance);
    for (const Access &access : node.accesses) {
      auto loop = loops_.find(access.slot.loop);
      if (access.slot.kind != Slot::Kind::Loop || loop == loops_.end() || access.slot.modulus < 1)
        continue;
      int64_t period = std::lcm(loop->second.period, access.slot.modulus);
      if (period <= 64)
        loop->second.period = period;
    }
  }

  // A guard that looks too far ahead is an `if` like any other.
  static bool isNear(const AccessNode &guard) { return guard.guardDistance <= 64; }

  // Short pipelined loops are run trip by trip; a loop that runs once has no back edge.
  static void unrollShortLoop(const AccessNode &node, LoopState &loop) {
    bool isPipelined = loop.period > 1 || loop.horizon > 0;
    if (isPipelined)
      loop.horizon = std::max(loop.horizon, std::clamp<int64_t>(node.minTrips, 0, loop.period));
    if (node.maxTrips && *node.maxTrips <= (isPipelined ? 8 : 1))
      loop.horizon = std::max(loop.horizon, *node.maxTrips);
  }

  void walk(uint32_t index, State &state) {
    const AccessNode &node = program_.nodes[index];
    if (!isStepLeft())
      return;
    switch (node.kind) {
    case AccessNode::Kind::Seq:
      walkSeq(node, 0, node.children.size(), state);
      return;
    case AccessNode::Kind::Loop:
      walkLoop(node, state);
      return;
    case AccessNode::Kind::If:
      walkIf(node, state);
      return;
    case AccessNode::Kind::Roles:
      walkRoles(node, state);
      return;
    default:
      client_.step(index, state);
    }
  }

  // Work without leaves costs as much as any.
  bool isStepLeft() {
    if (stepsLeft_ <= 0)
      return false;
    isStopped_ = stop_ && stop_();
    stepsLeft_ = isStopped_ ? 0 : stepsLeft_ - 1;
    return stepsLeft_ > 0;
  }

  void walkSeq(const AccessNode &node, size_t begin, size_t end, State &state) {
    for (size_t at = begin; at < end && stepsLeft_ > 0;) {
      auto [loop, last] = assumptionNeeded(node, at, end);
      if (!loop) {
        walk(node.children[at++], state);
        continue;
      }
      State entry = state;
      bool first = true;
      for (int64_t trips : tripCounts(*loop)) {
        if (!isStepLeft())
          break;
        State copy = entry;
        loop->trips = trips;
        walkSeq(node, at, last + 1, copy);
        first ? void(state = copy) : void(state.join(copy));
        first = false;
      }
      loop->trips = -1;
      at = last + 1;
    }
  }

  // A guard in child `at` asks for the trip count of a loop in a later child: that loop and child.
  std::pair<LoopState *, size_t> assumptionNeeded(const AccessNode &node, size_t at, size_t end) {
    std::set<StmtId> guards;
    if (byPhase_)
      collectGuards(node.children[at], guards);
    for (StmtId guard : guards) {
      auto loop = loops_.find(guard);
      if (loop == loops_.end() || loop->second.trips >= 0 || loop->second.left >= 0)
        continue;
      for (size_t later = at + 1; later < end; ++later)
        if (holds(node.children[later], loop->second.node))
          return {&loop->second, later};
    }
    return {nullptr, 0};
  }

  void collectGuards(uint32_t index, std::set<StmtId> &guards) const {
    if (program_.nodes[index].guardLoop.isValid() && isNear(program_.nodes[index]))
      guards.insert(program_.nodes[index].guardLoop);
    for (uint32_t child : program_.nodes[index].children)
      collectGuards(child, guards);
  }

  bool holds(uint32_t index, uint32_t wanted) const {
    const std::vector<uint32_t> &children = program_.nodes[index].children;
    return index == wanted || std::any_of(children.begin(), children.end(),
                                          [&](uint32_t child) { return holds(child, wanted); });
  }

  std::vector<int64_t> tripCounts(const LoopState &loop) const {
    const AccessNode &node = program_.nodes[loop.node];
    std::vector<int64_t> counts;
    for (int64_t trips = 0; trips <= loop.horizon + 1; ++trips) {
      bool isCap = trips == loop.horizon + 1;
      bool highEnough = isCap || trips >= node.minTrips;
      bool lowEnough = !node.maxTrips || trips <= *node.maxTrips;
      if (highEnough && lowEnough)
        counts.push_back(trips);
    }
    return counts;
  }

  void walkIf(const AccessNode &node, State &state) {
    auto loop = loops_.find(node.guardLoop);
    if (byPhase_ && loop != loops_.end() && isNear(node) &&
        (loop->second.left >= 0 || loop->second.trips >= 0)) {
      const LoopState &now = loop->second;
      bool holds = now.left >= 0 ? now.left >= node.guardDistance : now.trips > node.guardDistance;
      size_t branch = holds ? 0 : 1;
      if (branch < node.children.size())
        walk(node.children[branch], state);
      return;
    }
    State skipped = state;
    State merged = state;
    walk(node.children[0], merged);
    if (node.children.size() > 1)
      walk(node.children[1], skipped);
    merged.join(skipped);
    state = merged;
  }

  // Any interleaving: each role may run after any part of the others.
  void walkRoles(const AccessNode &node, State &state) {
    if (!Client::RolesInterleave)
      return walkRolesApart(node, state);
    for (bool grew = true; grew && stepsLeft_ > 0;) {
      grew = false;
      for (uint32_t child : node.children) {
        State after = state;
        walk(child, after);
        grew |= state.join(after);
      }
    }
  }

  // What begins when the other lane is done comes after both.
  void walkRolesApart(const AccessNode &node, State &state) {
    const State entry = state;
    const std::optional<RoleTail> &tail = client_.order().tail;
    for (size_t lane = 0; lane != node.children.size(); ++lane) {
      State after = entry;
      if (tail && tail->lane == lane)
        walkSeq(program_.nodes[node.children[lane]], 0, tail->firstChild, after);
      else
        walk(node.children[lane], after);
      lane == 0 ? void(state = after) : void(state.join(after));
    }
    if (!tail)
      return;
    const AccessNode &seq = program_.nodes[node.children[tail->lane]];
    walkSeq(seq, tail->firstChild, seq.children.size(), state);
  }

  void walkLoop(const AccessNode &node, State &state) {
    LoopState &loop = loops_[node.stmt];
    std::map<std::pair<int64_t, int64_t>, State> heads; // (k mod period, left)
    std::set<std::pair<int64_t, int64_t>> pending;
    auto enter = [&](int64_t iteration, int64_t left, const State &at) {
      auto [head, isNew] = heads.try_emplace({iteration, left}, at);
      if (isNew || head->second.join(at))
        pending.insert({iteration, left});
    };
    std::optional<State> leaving;
    auto leave = [&](const State &at) { leaving ? void(leaving->join(at)) : void(leaving = at); };

    int64_t assumed = loop.trips;
    std::vector<int64_t> counts = assumed >= 0 ? std::vector<int64_t>{assumed} : tripCounts(loop);
    for (int64_t trips : counts)
      trips == 0 ? leave(state) : enter(0, std::min(trips - 1, loop.horizon), state);
    while (!pending.empty() && stepsLeft_ > 0) {
      auto [iteration, left] = *pending.begin();
      pending.erase(pending.begin());
      loop.iteration = byPhase_ ? iteration : -1;
      loop.left = byPhase_ ? left : -1;
      State after = heads.at({iteration, left});
      for (uint32_t child : node.children)
        walk(child, after);
      int64_t next = (iteration + 1) % loop.period;
      if (left == loop.horizon) {
        enter(next, left, after);
        // With a known trip count, the iteration that is `horizon` from the end has a known number.
        bool isFixed = node.maxTrips == node.minTrips;
        if (isFixed && (node.minTrips - loop.horizon) % loop.period != next)
          continue;
      }
      if (left > 0)
        enter(next, left - 1, after);
      else
        leave(after);
    }
    loop.iteration = -1;
    loop.left = -1;
    if (leaving)
      state = *leaving;
  }

  const AccessProgram &program_;
  Client &client_;
  bool byPhase_;
  std::map<StmtId, LoopState> loops_;
  int64_t stepsLeft_ = 0;
  const std::function<bool()> &stop_;
  bool isStopped_ = false;
};

} // namespace tilescope
