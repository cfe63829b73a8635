// Two threads run one path of an AccessProgram on shared bytes, in every order that barriers and
// waits allow: does a read ever see anything but what the program means? Slow, obvious, and shares
// no code with the checkers that it judges.
//
// One byte is watched at a time. Each access of it is made by one of the two threads, either one;
// an asynchronous access happens at any moment between its issue and the wait of its thread.
//
//   path        write A     barrier     read A                 A and B share the byte
//   thread 0    write A     barrier     read A -> A's value
//   thread 1                barrier                 write B
//
// What a read must see is what it sees when one thread runs alone and no two buffers share bytes.
// A byte that a partial write may leave alone is tried both ways; a read of what was never written
// may see anything.
#pragma once

#include "core/check/arena_check.h"
#include "tests/unit/brute_force.h"

#include <set>
#include <tuple>

namespace tilescope::test {

// One access of the watched byte, or a barrier, or the arrival of asynchronous ones.
struct ByteEvent {
  enum Kind : uint8_t { Barrier, Arrival, Access };
  Kind kind = Access;
  size_t buffer = 0;
  int64_t slot = 0;
  bool reads = false;
  bool writes = false;
  bool full = false;
  bool async = false;
  uint32_t queue = CopyQueue;
  uint64_t arriving = 0; // Arrival: bits of events
  int expected = -1;     // reads: the event whose value it must see; -1: any

  auto key() const { return std::tuple(kind, buffer, slot, reads, writes, full, async, arriving); }
  bool operator<(const ByteEvent &other) const { return key() < other.key(); }
};

class Interleavings {
public:
  // Masks have 64 bits; longer lists are not judged.
  static constexpr size_t MaxEvents = 40;
  static constexpr size_t MaxStates = 1'500;
  static constexpr size_t MaxPartial = 4;

  explicit Interleavings(std::vector<ByteEvent> events) : events_(std::move(events)) {}

  // Does some order make a read see what it must not?
  bool canGoWrong() {
    std::vector<size_t> partial;
    for (size_t at = 0; at != events_.size(); ++at)
      if (events_[at].writes && !events_[at].full)
        partial.push_back(at);
    size_t choices = size_t(1) << std::min(partial.size(), MaxPartial);
    for (size_t choice = 0; choice != choices; ++choice) {
      leavesAlone_ = 0;
      for (size_t index = 0; index != partial.size(); ++index)
        if (choice >> (index % MaxPartial) & 1)
          leavesAlone_ |= bit(partial[index]);
      expect();
      seen_.clear();
      if (explore({}))
        return true;
    }
    return false;
  }

private:
  struct State {
    size_t at[2] = {0, 0};  // the next event of each thread
    uint64_t second = 0;    // events that thread 1 makes, of those that only one has come to
    uint64_t pending = 0;   // issued, not happened
    uint64_t pendingOf = 0; // of these, thread 1's
    int value = -1;         // the event that wrote the byte last
  };

  static uint64_t bit(size_t at) { return uint64_t(1) << at; }

  bool covers(size_t at) const { return events_[at].writes && !(leavesAlone_ & bit(at)); }

  void expect() {
    std::map<std::pair<size_t, int64_t>, int> values;
    for (size_t at = 0; at != events_.size(); ++at) {
      ByteEvent &event = events_[at];
      auto known = values.find({event.buffer, event.slot});
      event.expected = event.reads && known != values.end() ? known->second : -1;
      if (covers(at))
        values[{event.buffer, event.slot}] = static_cast<int>(at);
    }
  }

  // Makes the access `at`; false if it reads what it must not.
  bool happen(size_t at, State &state) const {
    if (events_[at].expected >= 0 && state.value != events_[at].expected)
      return false;
    if (covers(at))
      state.value = static_cast<int>(at);
    return true;
  }

  bool explore(const State &state) {
    size_t behind = std::min(state.at[0], state.at[1]);
    uint64_t window = state.second & ~(bit(behind) - 1);
    if (seen_.size() >= MaxStates || !seen_
                                          .insert({state.at[0], state.at[1], window, state.pending,
                                                   state.pendingOf & state.pending, state.value})
                                          .second)
      return false;
    for (size_t at = 0; at != events_.size(); ++at)
      if (state.pending & bit(at)) {
        State next = state;
        next.pending &= ~bit(at);
        if (!happen(at, next) || explore(next))
          return true;
      }
    return advance(state, 0) || advance(state, 1);
  }

  bool advance(const State &state, int thread) {
    size_t at = state.at[thread];
    if (at == events_.size())
      return false;
    State next = state;
    ++next.at[thread];
    const ByteEvent &event = events_[at];
    if (event.kind == ByteEvent::Barrier) {
      if (state.at[1 - thread] != at)
        return false;
      ++next.at[1 - thread];
      return explore(next);
    }
    if (event.kind == ByteEvent::Arrival) {
      uint64_t mine = thread ? state.pendingOf : ~state.pendingOf;
      return !(state.pending & mine & event.arriving) && explore(next);
    }
    bool isFirst = state.at[1 - thread] <= at;
    for (int owner = 0; owner != 2; ++owner) {
      if (!isFirst && owner != static_cast<int>(state.second >> at & 1))
        continue;
      next.second = (state.second & ~bit(at)) | (owner ? bit(at) : 0);
      if (access(next, at, owner == thread, thread))
        return true;
    }
    return false;
  }

  bool access(State next, size_t at, bool isMine, int thread) {
    if (isMine && events_[at].async) {
      next.pending |= bit(at);
      next.pendingOf = (next.pendingOf & ~bit(at)) | (thread ? bit(at) : 0);
    } else if (isMine && !happen(at, next)) {
      return true;
    }
    return explore(next);
  }

  std::vector<ByteEvent> events_;
  uint64_t leavesAlone_ = 0;
  std::set<std::tuple<size_t, size_t, uint64_t, uint64_t, uint64_t, int>> seen_;
};

// Who lies over a byte: pairs of buffer and slot.
using ByteOwners = std::set<std::pair<size_t, int64_t>>;

// The different sets of owners that bytes of the arena have. Offsets are multiples of 16.
inline std::set<ByteOwners> byteOwners(const AccessProgram &program,
                                       const std::vector<BufferBytes> &bytes) {
  std::map<int64_t, ByteOwners> owners;
  for (size_t buffer = 0; buffer != bytes.size(); ++buffer)
    for (int64_t slot = 0; slot != program.buffers[buffer].versions; ++slot) {
      int64_t begin = bytes[buffer].offsetBytes + slot * bytes[buffer].strideBytes;
      for (int64_t byte = begin; byte < begin + bytes[buffer].sizeBytes; byte += 16)
        owners[byte].insert({buffer, slot});
    }
  std::set<ByteOwners> all;
  for (const auto &[byte, set] : owners)
    all.insert(set);
  return all;
}

// The accesses of one step: reads before writes; those of one slot are made by one thread.
inline void addAccesses(const PathStep &step, const ByteOwners &owners,
                        std::vector<ByteEvent> &events) {
  std::map<std::pair<size_t, int64_t>, ByteEvent> bySlot;
  for (const PathAccess &one : step.accesses) {
    if (!owners.count({one.buffer, one.slot}))
      continue;
    ByteEvent &event = bySlot[{one.buffer, one.slot}];
    event.buffer = one.buffer;
    event.slot = one.slot;
    bool isWrite = one.access->kind == AccessKind::Write;
    (isWrite ? event.writes : event.reads) = true;
    event.full |= isWrite && one.access->full;
    if (one.access->async) {
      event.async = true;
      event.queue = one.access->queue;
    }
  }
  for (bool reads : {true, false})
    for (const auto &[slot, event] : bySlot)
      if (event.reads == reads)
        events.push_back(event);
}

// What of a path concerns a byte.
inline std::vector<ByteEvent> eventsOf(const AccessProgram &program, const Path &path,
                                       const ByteOwners &owners) {
  std::vector<ByteEvent> events;
  std::map<size_t, uint64_t> arrivals; // step -> bits of events
  for (size_t at = 0; at != path.size() && events.size() <= Interleavings::MaxEvents; ++at) {
    AccessNode::Kind kind = program.nodes[path[at].node].kind;
    if (kind == AccessNode::Kind::Barrier) {
      bool isNews = !events.empty() && events.back().kind != ByteEvent::Barrier;
      if (isNews)
        events.push_back({ByteEvent::Barrier});
    } else if (kind == AccessNode::Kind::Wait && arrivals.count(at)) {
      events.push_back({ByteEvent::Arrival});
      events.back().arriving = arrivals[at];
    } else {
      size_t before = events.size();
      addAccesses(path[at], owners, events);
      for (size_t event = before; event < std::min(events.size(), Interleavings::MaxEvents);
           ++event)
        if (events[event].async)
          arrivals[arrivalOf(program, path, at, events[event].queue)] |= uint64_t(1) << event;
    }
  }
  return events;
}

// Some path, some order of two threads: a read sees what it must not.
inline bool canMisread(const AccessProgram &program, const std::vector<BufferBytes> &bytes,
                       int64_t maxTrips, size_t pathLimit) {
  std::set<ByteOwners> all = byteOwners(program, bytes);
  std::set<std::vector<ByteEvent>> judged;
  bool isWrong = false;
  PathEnumerator(program, maxTrips).forEachPath(pathLimit, [&](const Path &path) {
    for (const ByteOwners &owners : all) {
      if (isWrong)
        return;
      std::vector<ByteEvent> events = eventsOf(program, path, owners);
      if (events.size() <= Interleavings::MaxEvents && judged.insert(events).second)
        isWrong = Interleavings(std::move(events)).canGoWrong();
    }
  });
  return isWrong;
}

} // namespace tilescope::test
