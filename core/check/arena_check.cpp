// checkArena: see arena_check.h. The arena is cut at every begin and end of a slot, and of a part
// of one that a write is known to define:
//
//   A  |#########|            cells 0 1 2: "A in cell 0", "A in cell 1", "B in cell 1", ...
//   B      |#########|        each with bits: written, clobbered, stale and more
//   0  |   |     |   |
#include "core/check/arena_check.h"

#include "core/access/node_threads.h"
#include "core/check/phase_walk.h"
#include "core/check/stoppable_checks.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr int64_t MaxArenaSteps = 1 << 21;

// One version of one buffer, somewhere in the arena.
struct ArenaSlot {
  size_t buffer = 0; // index into AccessProgram::buffers
  int64_t begin = 0;
  int64_t end = 0;
};

bool touchSameBytes(const ArenaSlot &a, const ArenaSlot &b) {
  return a.begin < b.end && b.begin < a.end;
}

// Whatever is written of `a` is a byte of `b`.
bool isInside(const ArenaSlot &a, const ArenaSlot &b) {
  return b.begin <= a.begin && a.end <= b.end;
}

class ArenaChecker {
public:
  struct State {
    std::vector<uint8_t> cells;     // per (cell, slot) pair: of the bits below
    std::vector<uint64_t> inFlight; // per copy: bit n: n commits ago; bit 0: not committed

    bool join(const State &other) {
      bool grew = false;
      for (size_t at = 0; at != cells.size(); ++at) {
        grew |= (other.cells[at] & ~cells[at]) != 0;
        cells[at] |= other.cells[at];
      }
      for (size_t at = 0; at != inFlight.size(); ++at) {
        grew |= (other.inFlight[at] & ~inFlight[at]) != 0;
        inFlight[at] |= other.inFlight[at];
      }
      return grew;
    }
  };

  ArenaChecker(const AccessProgram &program, const std::vector<BufferBytes> &bytes,
               const std::function<bool()> &stop)
      : program_(program), stop_(stop), order_(computeHappensBefore(program)), threads_(program) {
    layOutSlots(bytes);
    cutCells();
    listCopies();
  }

  std::vector<ArenaFault> check() {
    for (bool byPhase : {true, false}) {
      faults_.erase(std::remove_if(faults_.begin(), faults_.end(),
                                   [](const ArenaFault &fault) {
                                     return fault.kind != ArenaFault::Kind::OutOfArena;
                                   }),
                    faults_.end());
      walk_.emplace(program_, *this, byPhase, stop_);
      State state{std::vector<uint8_t>(pairCount_, 0), std::vector<uint64_t>(copies_.size(), 0)};
      if (walk_->run(state, MaxArenaSteps))
        break;
      if (walk_->isStopped())
        return {};
    }
    for (const AccessNode &node : program_.nodes)
      if (node.kind == AccessNode::Kind::Roles)
        checkRoles(node);
    return faults_;
  }

  // Buffers that two roles touch have no bytes in common (checkRoles), so what one role does to a
  // range of bytes the others neither see nor change.
  static constexpr bool RolesInterleave = false;

  const HappensBefore &order() const { return order_; }

  void step(uint32_t index, State &state) {
    const AccessNode &node = program_.nodes[index];
    if (node.kind == AccessNode::Kind::Commit || node.kind == AccessNode::Kind::Wait)
      return advanceCopies(index, state);
    for (const Access &access : node.accesses)
      checkInFlight(index, access, state);
    for (const Access &access : node.accesses)
      if (access.kind == AccessKind::Read)
        checkRead(node, access, state);
    if (!node.inPlace)
      checkSourcesAgainstDestinations(node, state);
    // Nothing orders the writes of one statement: where two buffers share bytes, either may lose.
    for (const Access &access : node.accesses)
      if (access.kind == AccessKind::Write)
        define(access, state);
    for (const Access &access : node.accesses)
      if (access.kind == AccessKind::Write)
        clobberOthers(node, access, state);
    for (size_t copy = 0; copy != copies_.size(); ++copy)
      if (copies_[copy].node == index && touchesSlotOf(copies_[copy]))
        state.inFlight[copy] |= 1;
  }

private:
  struct Copy {
    uint32_t node = 0;
    size_t access = 0;
    size_t slot = 0;
    bool isWrite = true;
    std::optional<size_t> counted; // by an mbarrier: index into HappensBefore::copies
  };

  // What others wrote, and the slot's own writes have not defined since: Stale: all of the cell.
  // Lost: all of the slot; SomeStale: some byte of it; both until anything of it is written.
  enum : uint8_t { Written = 1, Clobbered = 2, Stale = 4, Lost = 8, SomeStale = 16 };

  void layOutSlots(const std::vector<BufferBytes> &bytes) {
    slotsOfBuffer_.resize(program_.buffers.size());
    for (const BufferBytes &place : bytes) {
      std::optional<size_t> buffer = indexOf(program_, place.buffer);
      if (!buffer || place.sizeBytes <= 0)
        continue;
      if (place.offsetBytes < 0)
        faults_.push_back({ArenaFault::Kind::OutOfArena,
                           place.buffer,
                           place.buffer,
                           {},
                           {},
                           place.offsetBytes,
                           place.offsetBytes + place.sizeBytes});
      for (int64_t version = 0; version < std::max<int64_t>(program_.buffers[*buffer].versions, 1);
           ++version) {
        int64_t begin = place.offsetBytes + version * place.strideBytes;
        slotsOfBuffer_[*buffer].push_back(slots_.size());
        slots_.push_back({*buffer, begin, begin + place.sizeBytes});
      }
    }
  }

  void cutAtParts(const Access &access, std::vector<int64_t> &cuts) const {
    std::optional<size_t> buffer = indexOf(program_, access.buffer);
    if (!buffer)
      return;
    for (size_t slot : slotsOfBuffer_[*buffer])
      for (const SlotPart &part : access.parts)
        for (int64_t at : {part.begin, part.end})
          cuts.push_back(std::clamp(at, int64_t(0), slots_[slot].end - slots_[slot].begin) +
                         slots_[slot].begin);
  }

  void cutCells() {
    std::vector<int64_t> cuts;
    for (const ArenaSlot &slot : slots_) {
      cuts.push_back(slot.begin);
      cuts.push_back(slot.end);
    }
    for (const AccessNode &node : program_.nodes)
      for (const Access &access : node.accesses)
        cutAtParts(access, cuts);
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    pairsInCell_.resize(cuts.size());
    pairsOfSlot_.resize(slots_.size());
    for (size_t slot = 0; slot != slots_.size(); ++slot)
      for (size_t cell = 0; cell + 1 < cuts.size(); ++cell)
        if (slots_[slot].begin <= cuts[cell] && cuts[cell] < slots_[slot].end) {
          pairsInCell_[cell].push_back({slot, pairCount_});
          beginOfPair_.push_back(cuts[cell] - slots_[slot].begin);
          pairsOfSlot_[slot].push_back({cell, pairCount_});
          ++pairCount_;
        }
    clobberedBy_.resize(pairCount_);
  }

  void listCopies() {
    for (uint32_t node = 0; node != program_.nodes.size(); ++node)
      for (size_t at = 0; at != program_.nodes[node].accesses.size(); ++at) {
        const Access &access = program_.nodes[node].accesses[at];
        std::optional<size_t> buffer = indexOf(program_, access.buffer);
        if (access.async && buffer)
          for (size_t slot : slotsOfBuffer_[*buffer])
            copies_.push_back({node, at, slot, access.kind == AccessKind::Write,
                               access.mbarrier ? order_.copyOf(node) : std::nullopt});
      }
  }

  // The arena slots an access may touch; none for a buffer outside of the arena.
  std::vector<size_t> touched(const Access &access) const {
    std::optional<size_t> buffer = indexOf(program_, access.buffer);
    if (!buffer || slotsOfBuffer_[*buffer].empty())
      return {};
    const std::vector<size_t> &all = slotsOfBuffer_[*buffer];
    auto [first, last] = walk_->slotsOf(access, static_cast<int64_t>(all.size()));
    std::vector<size_t> found;
    for (int64_t slot = std::max<int64_t>(first, 0);
         slot < std::min<int64_t>(last, static_cast<int64_t>(all.size())); ++slot)
      found.push_back(all[slot]);
    return found;
  }

  bool touchesSlotOf(const Copy &copy) const {
    std::vector<size_t> slots = touched(program_.nodes[copy.node].accesses[copy.access]);
    return std::find(slots.begin(), slots.end(), copy.slot) != slots.end();
  }

  void advanceCopies(uint32_t index, State &state) const {
    const AccessNode &node = program_.nodes[index];
    for (auto [copy, ages] : llvm::zip(copies_, state.inFlight)) {
      if (!program_.nodes[copy.node].accesses[copy.access].goesThrough(node.queue) ||
          !threads_.cover(program_, index, copy.node))
        continue;
      if (node.kind == AccessNode::Kind::Commit)
        ages = (ages << 1) | (ages & (uint64_t(1) << 63));
      else if (node.pending < 63)
        ages &= (uint64_t(1) << (std::max<int64_t>(node.pending, 0) + 1)) - 1;
    }
  }

  // What the threads of a node know of a copy that an mbarrier counts, others need not know at the
  // next.
  bool isUnderWay(size_t copy, uint32_t index, const State &state) const {
    const std::optional<size_t> &counted = copies_[copy].counted;
    return state.inFlight[copy] != 0 && !(counted && order_.hasArrived(*counted, index));
  }

  // Reading what was never written gives garbage, whoever else writes there.
  void checkInFlight(uint32_t index, const Access &access, const State &state) {
    const AccessNode &node = program_.nodes[index];
    for (size_t copy = 0; copy != copies_.size(); ++copy) {
      if (!isUnderWay(copy, index, state))
        continue;
      const ArenaSlot &target = slots_[copies_[copy].slot];
      if (!copies_[copy].isWrite && access.kind == AccessKind::Read)
        continue;
      for (size_t slot : touched(access))
        if (slots_[slot].buffer != target.buffer && touchSameBytes(slots_[slot], target) &&
            (access.kind == AccessKind::Write || isWritten(slot, state)))
          report(ArenaFault::Kind::InFlightAccess, slots_[slot], target, node.stmt,
                 program_.nodes[copies_[copy].node].stmt, /*isStale=*/false,
                 /*isOfRead=*/!copies_[copy].isWrite);
    }
  }

  void checkRead(const AccessNode &node, const Access &access, const State &state) {
    std::vector<size_t> slots = touched(access);
    bool isSure = slots.size() == 1 && !access.mayNotHappen;
    int readsStale = !isSure ? 0 : access.full ? Stale | SomeStale | Lost : Lost;
    for (size_t slot : slots)
      for (auto [cell, pair] : pairsOfSlot_[slot])
        if (mayTouch(access, pair) && (state.cells[pair] & Clobbered)) {
          auto [culprit, stmt] = clobberedBy_[pair];
          report(ArenaFault::Kind::ClobberedRead, slots_[slot], slots_[culprit], node.stmt, stmt,
                 (state.cells[pair] & readsStale) != 0);
        }
  }

  // One thread may write a destination while another still reads a source.
  void checkSourcesAgainstDestinations(const AccessNode &node, const State &state) {
    for (const Access &read : node.accesses)
      for (const Access &write : node.accesses)
        if (read.kind == AccessKind::Read && write.kind == AccessKind::Write)
          checkSourceAgainstDestination(node.stmt, read, write, state);
  }

  void checkSourceAgainstDestination(StmtId stmt, const Access &read, const Access &write,
                                     const State &state) {
    for (size_t source : touched(read))
      for (size_t target : touched(write))
        if (slots_[source].buffer != slots_[target].buffer &&
            touchSameBytes(slots_[source], slots_[target]) && isWritten(source, state))
          report(ArenaFault::Kind::ClobberedRead, slots_[source], slots_[target], stmt, stmt);
  }

  bool isWritten(size_t slot, const State &state) const {
    return std::any_of(pairsOfSlot_[slot].begin(), pairsOfSlot_[slot].end(),
                       [&](auto pair) { return state.cells[pair.second] & Written; });
  }

  // What of its slot an access touches, which is not known of one that is neither full nor says it.
  bool mayTouch(const Access &access, size_t pair) const {
    return access.parts.empty() || llvm::any_of(access.parts, [&](const SlotPart &part) {
             return part.begin <= beginOfPair_[pair] && beginOfPair_[pair] < part.end;
           });
  }

  void define(const Access &access, State &state) const {
    std::vector<size_t> slots = touched(access);
    // One that may not happen gives nothing back for sure.
    bool isKnown = !access.mayNotHappen && (access.full || !access.parts.empty());
    for (size_t slot : slots)
      for (auto [cell, pair] : pairsOfSlot_[slot]) {
        state.cells[pair] = (state.cells[pair] | Written) & ~(Lost | SomeStale);
        if (!mayTouch(access, pair))
          continue;
        state.cells[pair] &= ~Stale;
        if (isKnown && slots.size() == 1)
          state.cells[pair] &= ~Clobbered;
      }
  }

  void clobberOthers(const AccessNode &node, const Access &access, State &state) {
    std::vector<size_t> slots = touched(access);
    bool isSure = slots.size() == 1 && !access.mayNotHappen;
    for (size_t slot : slots)
      for (auto [cell, pair] : pairsOfSlot_[slot])
        for (auto [other, otherPair] : pairsInCell_[cell]) {
          if (other == slot || !mayTouch(access, pair) || !(state.cells[otherPair] & Written))
            continue;
          // Which write of one statement comes last is not known.
          bool isLast = isSure && !writes(node, slots_[other].buffer);
          state.cells[otherPair] |=
              isLast ? Clobbered | loss(access, slots_[slot], slots_[other]) : Clobbered;
          clobberedBy_[otherPair] = {slot, node.stmt};
        }
  }

  bool writes(const AccessNode &node, size_t buffer) const {
    return llvm::any_of(node.accesses, [&](const Access &access) {
      return access.kind == AccessKind::Write && indexOf(program_, access.buffer) == buffer;
    });
  }

  // Of a slot, by a write that is sure to be made to another.
  static uint8_t loss(const Access &access, const ArenaSlot &written, const ArenaSlot &other) {
    if (access.full)
      return isInside(other, written) ? Stale | Lost : Stale;
    if (!access.parts.empty())
      return Stale;
    return isInside(written, other) ? SomeStale : 0;
  }

  // While roles run at the same time, different buffers that they touch must not share bytes. One
  // role alone runs beside threads that are of none.
  void checkRoles(const AccessNode &roles) {
    size_t lanes = std::max<size_t>(roles.children.size(), 2);
    for (size_t a = 0; a != lanes; ++a)
      for (size_t b = a + 1; b != lanes; ++b)
        checkRolePair(slotsOfRole(roles, a), slotsOfRole(roles, b));
  }

  // Of a role, but for what begins when the other is done.
  std::map<size_t, StmtId> slotsOfRole(const AccessNode &roles, size_t lane) const {
    std::map<size_t, StmtId> found;
    for (uint32_t index : order_.besideOthers(program_, roles, lane))
      found.merge(slotsUnder(index));
    return found;
  }

  void checkRolePair(const std::map<size_t, StmtId> &role,
                     const std::map<size_t, StmtId> &otherRole) {
    for (auto [slot, stmt] : role)
      for (auto [other, otherStmt] : otherRole)
        if (slots_[slot].buffer != slots_[other].buffer &&
            touchSameBytes(slots_[slot], slots_[other]))
          report(ArenaFault::Kind::ConcurrentRoles, slots_[slot], slots_[other], stmt, otherStmt);
  }

  std::map<size_t, StmtId> slotsUnder(uint32_t index) const {
    std::map<size_t, StmtId> found;
    for (const Access &access : program_.nodes[index].accesses)
      if (std::optional<size_t> buffer = indexOf(program_, access.buffer))
        for (size_t slot : slotsOfBuffer_[*buffer])
          found.emplace(slot, program_.nodes[index].stmt);
    for (uint32_t child : program_.nodes[index].children)
      found.merge(slotsUnder(child));
    return found;
  }

  void report(ArenaFault::Kind kind, const ArenaSlot &victim, const ArenaSlot &culprit, StmtId stmt,
              StmtId culpritStmt, bool isStale = false, bool isOfRead = false) {
    ArenaFault fault{kind,
                     program_.buffers[victim.buffer].id,
                     program_.buffers[culprit.buffer].id,
                     stmt,
                     culpritStmt,
                     std::max(victim.begin, culprit.begin),
                     std::min(victim.end, culprit.end),
                     isStale,
                     isOfRead};
    for (ArenaFault &known : faults_)
      if (known.kind == kind && known.victim == fault.victim && known.culprit == fault.culprit &&
          known.stmt == stmt && known.culpritStmt == culpritStmt) {
        known.isStale |= isStale;
        return;
      }
    faults_.push_back(fault);
  }

  const AccessProgram &program_;
  const std::function<bool()> &stop_;
  HappensBefore order_;
  NodeThreads threads_;
  std::optional<PhaseWalk<ArenaChecker>> walk_; // the last one
  std::vector<ArenaSlot> slots_;
  std::vector<std::vector<size_t>> slotsOfBuffer_;
  std::vector<std::vector<std::pair<size_t, size_t>>> pairsInCell_; // (slot, pair)
  std::vector<std::vector<std::pair<size_t, size_t>>> pairsOfSlot_; // (cell, pair)
  size_t pairCount_ = 0;
  std::vector<int64_t> beginOfPair_;                   // of its cell, in its slot
  std::vector<std::pair<size_t, StmtId>> clobberedBy_; // per pair: last culprit seen, for messages
  std::vector<Copy> copies_;
  std::vector<ArenaFault> faults_;
};

} // namespace

std::vector<ArenaFault> checkArena(const AccessProgram &program,
                                   const std::vector<BufferBytes> &bytes) {
  return checkArena(program, bytes, {});
}

std::vector<ArenaFault> checkArena(const AccessProgram &program,
                                   const std::vector<BufferBytes> &bytes,
                                   const std::function<bool()> &stop) {
  return ArenaChecker(program, bytes, stop).check();
}

} // namespace tilescope
