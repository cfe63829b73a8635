// checkHazards: forward over the program with the set of accesses that no barrier has closed yet.
//
//   write A      A is open
//   barrier      closed: whoever comes after may touch A
//
//   async A      in flight
//   barrier      still in flight: a barrier publishes only what has arrived
//   wait         arrived and open
//   barrier      closed
//
// What threads do themselves is seen by copies and wgmma, which read and write through the other
// proxy, only if a fence of the block lies on the way from one to the other: after the first, by
// program order and barriers, and before the second. So a fence stands either side of the barrier:
//
//   write A      A is open, and not fenced         write A      A is open, and not fenced
//   fence        fenced, for those who know of it  barrier      closed, and not fenced
//   barrier      closed, and everybody knows       fence        of all, also of whoever comes after
//
// The rule is that of NVIDIA's formal model (D. Lustig, S. Cooksey, O. Giroux, Mixed-Proxy
// Extensions for the NVIDIA PTX Memory Consistency Model, ISCA 2022, section 5; NVlabs/mixedproxy,
// alloy/ptx.als, proxy_preserved_cause_base: "proxy fence for dst"), which has no async proxy. Of
// that the PTX ISA says that its fences take effect within a thread and compose with other forms of
// synchronisation by the memory model (fence.proxy), and that bar.sync synchronises the threads
// (Memory synchronization). CUTLASS fences before the barrier, Triton behind it.
//
// A copy by threads that is still in flight no fence covers.
//
// A barrier of some threads, always the same ones, closes what they did for them alone:
//
//   write A      A is open
//   barrier 1    closed for its threads, open for the others
//
// Between roles only mbarriers order, and what they order is asked of `happens_before.h`.
#include "core/check/arena_check.h"

#include "core/access/node_threads.h"
#include "core/check/phase_walk.h"
#include "core/check/stoppable_checks.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

constexpr int64_t MaxHazardSteps = 1 << 19;

// Bits of an access that has happened: bit n < 61 an asynchronous one, n commits ago and not
// waited for; bit 61: fenced, and no block barrier has followed that; bit 62: not fenced; bit 63:
// has finished, and no block barrier has followed.
constexpr uint64_t Open = uint64_t(1) << 63;
constexpr uint64_t Unfenced = uint64_t(1) << 62;
constexpr uint64_t FencedHere = uint64_t(1) << 61;
constexpr uint64_t OldestInFlight = uint64_t(1) << 60;
constexpr uint64_t InFlight = FencedHere - 1;

uint64_t afterCommit(uint64_t bits) {
  uint64_t flying = bits & InFlight;
  uint64_t older = ((flying << 1) & InFlight) | (flying & OldestInFlight);
  return (bits & ~InFlight) | older;
}

uint64_t afterWait(uint64_t bits, int64_t pending) {
  if (pending >= 60)
    return bits;
  uint64_t young = (uint64_t(1) << (std::max<int64_t>(pending, 0) + 1)) - 1;
  bool hasArrived = (bits & InFlight & ~young) != 0;
  return (bits & ~InFlight) | (bits & young) | (hasArrived ? Open : 0);
}

// What a thread's own copy writes it has done itself only when that has arrived.
uint64_t afterFence(uint64_t bits) {
  bool isFenced = (bits & Unfenced) != 0 && (bits & InFlight) == 0;
  return isFenced ? (bits & ~Unfenced) | FencedHere : bits;
}

// Behind a barrier, of all threads: whoever comes later has made the fence.
uint64_t afterFenceOfAll(uint64_t bits) {
  return (bits & (Open | InFlight)) != 0 ? afterFence(bits) : bits & ~Unfenced;
}

class HazardChecker {
public:
  struct State {
    std::vector<uint64_t> events;
    // Per event, of what is open: a bit for each meeting of NodeThreads, for whose threads it is.
    std::vector<uint64_t> openTo;

    bool join(const State &other) {
      bool grew = false;
      auto joinBits = [&](std::vector<uint64_t> &into, const std::vector<uint64_t> &from) {
        for (size_t at = 0; at != into.size(); ++at) {
          grew |= (from[at] & ~into[at]) != 0;
          into[at] |= from[at];
        }
      };
      joinBits(events, other.events);
      joinBits(openTo, other.openTo);
      return grew;
    }
  };

  HazardChecker(const AccessProgram &program, const std::vector<BufferBytes> &bytes,
                const std::function<bool()> &stop)
      : program_(program), stop_(stop), order_(computeHappensBefore(program)), threads_(program),
        bytes_(program.buffers.size()) {
    for (const BufferBytes &place : bytes)
      if (std::optional<size_t> buffer = indexOf(program, place.buffer))
        bytes_[*buffer] = place;
    std::vector<uint32_t> leaves = leavesInOrder(program);
    for (size_t point = 0; point != leaves.size(); ++point) {
      firstEvent_[leaves[point]] = events_.size();
      addEvents(leaves[point], static_cast<ProgramPoint>(point));
    }
  }

  std::vector<HazardFault> check() {
    for (bool byPhase : {true, false}) {
      faults_.clear();
      walk_.emplace(program_, *this, byPhase, stop_);
      State state{std::vector<uint64_t>(events_.size(), 0),
                  std::vector<uint64_t>(events_.size(), 0)};
      if (walk_->run(state, MaxHazardSteps))
        break;
      if (walk_->isStopped())
        return {};
    }
    return faults_;
  }

  static constexpr bool RolesInterleave = true;

  const HappensBefore &order() const { return order_; }

  void step(uint32_t index, State &state) {
    const AccessNode &node = program_.nodes[index];
    switch (node.kind) {
    case AccessNode::Kind::Commit:
      for (auto [event, bits] : llvm::zip(events_, state.events))
        if (event.access->goesThrough(node.queue) && threads_.cover(program_, index, event.node))
          bits = afterCommit(bits);
      return;
    case AccessNode::Kind::Wait:
      for (auto [event, bits, openTo] : llvm::zip(events_, state.events, state.openTo))
        if (event.access->goesThrough(node.queue) && threads_.cover(program_, index, event.node)) {
          uint64_t before = bits;
          bits = afterWait(bits, node.pending);
          openTo |= before != bits ? ~uint64_t(0) : 0;
        }
      return;
    case AccessNode::Kind::NamedBarrier:
      meetSome(index, state);
      return;
    case AccessNode::Kind::Barrier:
      meetSome(index, state);
      if (node.scope == BarrierScope::Block && order_.meetsAtBarriers)
        for (uint64_t &bits : state.events)
          bits &= ~(Open | FencedHere);
      return;
    case AccessNode::Kind::ProxyFence:
      for (auto [event, bits] : llvm::zip(events_, state.events))
        if (isFencedBy(event, index))
          bits = isMadeByAll(index) ? afterFenceOfAll(bits) : afterFence(bits);
      return;
    default:
      stepLeaf(index, state);
    }
  }

private:
  // One access of one leaf to one slot.
  struct Event {
    uint32_t node = 0;
    ProgramPoint point = 0;
    const Access *access = nullptr;
    size_t buffer = 0;
    int64_t slot = 0;
  };

  // Of threads that are always the same, if it is one of those.
  void meetSome(uint32_t barrier, State &state) const {
    std::optional<size_t> meeting = threads_.meetingOf(program_, barrier);
    if (!meeting)
      return;
    for (auto [event, openTo] : llvm::zip(events_, state.openTo))
      if (threads_.isOfMeeting(*meeting, event.node))
        openTo &= ~(uint64_t(1) << *meeting);
  }

  void addEvents(uint32_t node, ProgramPoint point) {
    for (const Access &access : program_.nodes[node].accesses)
      if (std::optional<size_t> buffer = indexOf(program_, access.buffer))
        for (int64_t slot = 0; slot < versionsOf(*buffer); ++slot)
          events_.push_back({node, point, &access, *buffer, slot});
  }

  bool isFencedBy(const Event &event, uint32_t fence) const {
    return threads_.cover(program_, fence, event.node) && !threads_.isInRole(fence) &&
           !threads_.isInRole(event.node);
  }

  bool isMadeByAll(uint32_t node) const {
    return threads_.isOfAll(node) && !program_.nodes[node].oneThread;
  }

  int64_t versionsOf(size_t buffer) const {
    return std::max<int64_t>(program_.buffers[buffer].versions, 1);
  }

  void stepLeaf(uint32_t index, State &state) {
    std::vector<size_t> now;
    for (size_t at = firstEvent_.lookup(index); at != events_.size() && events_[at].node == index;
         ++at) {
      auto [first, last] = walk_->slotsOf(*events_[at].access, versionsOf(events_[at].buffer));
      if (first <= events_[at].slot && events_[at].slot < last)
        now.push_back(at);
    }
    for (size_t earlier = 0; earlier != events_.size(); ++earlier)
      if (state.events[earlier] != 0)
        for (size_t later : now)
          compare(events_[earlier], visibleTo(state, earlier, events_[later]), events_[later]);
    for (size_t at : now) {
      state.openTo[at] = ~uint64_t(0);
      state.events[at] |= (events_[at].access->async ? 1 : Open) |
                          (events_[at].access->isOfAsyncProxy ? 0 : Unfenced);
    }
  }

  // The bits of an access, as the threads of a later one have them.
  uint64_t visibleTo(const State &state, size_t earlier, const Event &later) const {
    for (size_t meeting = 0; meeting != threads_.meetings(); ++meeting)
      if (!(state.openTo[earlier] >> meeting & 1) && threads_.isOfMeeting(meeting, later.node))
        return state.events[earlier] & ~Open;
    return state.events[earlier];
  }

  bool touchSameBytes(const Event &a, const Event &b) const {
    if (a.buffer == b.buffer)
      return a.slot == b.slot;
    const std::optional<BufferBytes> &left = bytes_[a.buffer];
    const std::optional<BufferBytes> &right = bytes_[b.buffer];
    if (!left || !right)
      return false;
    int64_t leftBegin = left->offsetBytes + a.slot * left->strideBytes;
    int64_t rightBegin = right->offsetBytes + b.slot * right->strideBytes;
    return leftBegin < rightBegin + right->sizeBytes && rightBegin < leftBegin + left->sizeBytes;
  }

  void compare(const Event &earlier, uint64_t bits, const Event &later) {
    bool bothRead =
        earlier.access->kind == AccessKind::Read && later.access->kind == AccessKind::Read;
    if (bothRead || (earlier.access->atomic && later.access->atomic) ||
        !touchSameBytes(earlier, later))
      return;
    if (hasArrived(earlier, later))
      return;
    bool isSameThread = earlier.buffer == later.buffer && earlier.access->sameThreadToken != 0 &&
                        earlier.access->sameThreadToken == later.access->sameThreadToken;
    if (bits & InFlight)
      report(HazardFault::Kind::NotArrived, earlier, later);
    else if (later.access->isOfAsyncProxy && bits & (Unfenced | FencedHere))
      report(HazardFault::Kind::NotFenced, earlier, later);
    else if (!isSameThread && bits & Open)
      report(earlier.access->async ? HazardFault::Kind::WaitNotShared
                                   : HazardFault::Kind::MissingBarrier,
             earlier, later);
  }

  // Of a copy that an mbarrier counts: before all that any thread does there.
  bool hasArrived(const Event &copy, const Event &later) const {
    std::optional<size_t> counted = copy.access->mbarrier ? order_.copyOf(copy.node) : std::nullopt;
    return counted && order_.hasArrived(*counted, later.node);
  }

  void report(HazardFault::Kind kind, const Event &earlier, const Event &later) {
    HazardFault fault;
    fault.kind = kind;
    fault.first = program_.buffers[earlier.buffer].id;
    fault.second = program_.buffers[later.buffer].id;
    fault.firstStmt = program_.nodes[earlier.node].stmt;
    fault.secondStmt = program_.nodes[later.node].stmt;
    fault.overBackEdge = earlier.point >= later.point;
    fault.isOfRead = earlier.access->kind == AccessKind::Read;
    for (const HazardFault &known : faults_)
      if (known.kind == kind && known.first == fault.first && known.second == fault.second &&
          known.firstStmt == fault.firstStmt && known.secondStmt == fault.secondStmt)
        return;
    faults_.push_back(fault);
  }

  const AccessProgram &program_;
  const std::function<bool()> &stop_;
  HappensBefore order_;
  NodeThreads threads_;
  std::optional<PhaseWalk<HazardChecker>> walk_;  // the last one
  std::vector<std::optional<BufferBytes>> bytes_; // per buffer; nothing: storage of its own
  std::vector<Event> events_;                     // grouped by leaf
  llvm::DenseMap<uint32_t, size_t> firstEvent_;   // per leaf node
  std::vector<HazardFault> faults_;
};

} // namespace

std::vector<HazardFault> checkHazards(const AccessProgram &program,
                                      const std::vector<BufferBytes> &bytes) {
  return checkHazards(program, bytes, {});
}

std::vector<HazardFault> checkHazards(const AccessProgram &program,
                                      const std::vector<BufferBytes> &bytes,
                                      const std::function<bool()> &stop) {
  return HazardChecker(program, bytes, stop).check();
}

} // namespace tilescope
