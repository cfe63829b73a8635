// What is known of each byte of shared memory, or element of a global tensor, while a program runs:
// who accessed it last, when, and through which buffer. It says what is wrong with an access, and
// never what it computes.
//
// Time is counted in barriers. Two accesses by different threads are ordered only if a barrier that
// both have come through lies between them:
//
//   thread 0    write X    |barrier|    write Y |  warp   |
//   thread 1               |       |    read X  | barrier |  read Y     (of the same warp)
//   thread 40              |       |                         read Y     a race
//
// Barriers of some threads order by what each warp knows: of which others all that they did up to
// some tick of a clock of the block, which counts arrivals; and of which mbarriers how many phases
// have ended, with the copies that they count. Between blocks barriers of the grid order, and what
// atomic operations release and acquire (`releases.h`).
#pragma once

#include "core/exec/findings.h"

#include <array>
#include <optional>

namespace tilescope {

inline constexpr uint32_t LanesOfWarp = 32;
inline constexpr uint32_t MostWarps = 32; // of a block

// By warp: all that it did up to this tick is known, with it.
using WarpTicks = std::array<uint32_t, MostWarps>;

// Of mbarriers beyond so many several have a counter in common, and nothing is told of which one.
inline constexpr uint32_t PhaseCounters = 16;
// By counter: that so many phases have ended.
using PhaseCounts = std::array<uint32_t, PhaseCounters>;

// Of what others did.
struct WarpKnowledge {
  WarpTicks ticks = {};
  PhaseCounts phases = {};

  void add(const WarpKnowledge &other);
};

// Copies that the phase counts, from 1 on, arrive.
struct PhaseArrival {
  uint32_t counter = 0;
  uint32_t phase = 1;
};

// How many barriers of its block, of its warp, and of the grid, a thread has come through, how many
// proxy fences it has made; and the tick.
struct Moment {
  uint32_t block = 0;
  uint32_t warp = 0;
  uint32_t tick = 1;
  uint32_t grid = 0;
  uint32_t fences = 0;
};

class BlockKnowledge;
class ProxyFences;

struct Actor {
  int64_t block = 0;
  uint32_t thread = 0; // of the block
  Moment now;
  const Stmt *stmt = nullptr;
  BufferId buffer;
  const WarpTicks *known = nullptr;       // null: no barriers of some threads
  const BlockKnowledge *blocks = nullptr; // null: nothing is released to other blocks
  const BlockKnowledge *reads = nullptr;  // the same of what others have read, or seen arrive
  const PhaseCounts *phases = nullptr;    // null: none has ended
};

// What is done to memory in one step.
enum class AtomicAccess : uint8_t { Read, Write, Update };

// Half-open.
struct UnitRange {
  size_t begin = 0;
  size_t end = 0;
};

class Shadow {
public:
  // `isWritten`: the units hold something from the start.
  Shadow(size_t units, bool isWritten);

  struct Conflict {
    FindingKind kind;
    const Stmt *other = nullptr;
    uint32_t thread = 0; // of the other; a race
    int64_t block = 0;   // its
    bool isMany = false; // not it alone
    BufferId buffer;     // through which it was written; OtherBuffer

    // Of a race: "threads 3 and 40", "threads 3, 40 and others",
    // "thread 3 of block 0 and thread 40 of block 2".
    std::string text(const Actor &own) const;
  };
  std::optional<Conflict> read(UnitRange units, const Actor &actor);
  // Of an access through the asynchronous proxy that is in order: what threads wrote themselves and
  // no fence follows.
  std::optional<Conflict> findUnfenced(UnitRange units, const Actor &actor,
                                       const ProxyFences &fences) const;
  // `changes`: false where the units keep their values, which races with no other such write.
  std::optional<Conflict> write(UnitRange units, const Actor &actor, bool changes = true);
  // In one step, which others do as well.
  std::optional<Conflict> access(AtomicAccess access, UnitRange units, const Actor &actor);
  // An asynchronous write begins; it ends where the thread that started it waits.
  std::optional<Conflict> beginCopy(UnitRange units, const Actor &actor);
  void endCopy(UnitRange units, const Actor &actor);
  // The same of one that an mbarrier counts, at a moment of who waits first: whoever looks must
  // know of the phase, or come through a barrier of the block behind it. `block`: of the memory.
  void endCounted(UnitRange units, const PhaseArrival &arrival, const Moment &when, int64_t block);
  // Null: nobody has written it.
  const Stmt *writerOf(size_t unit) const { return writerOf(units_[unit]); }

private:
  static constexpr uint16_t NoThread = UINT16_MAX;
  static constexpr uint16_t ManyThreads = UINT16_MAX - 1; // of one warp
  static constexpr uint16_t ManyWarps = UINT16_MAX - 2;   // of one block
  static constexpr uint16_t ManyBlocks = UINT16_MAX - 3;  // the first of them is known
  static constexpr uint16_t CountedCopy = UINT16_MAX - 4; // by a phase: of `first`, the tick

  // The last of accesses, or all that no barrier puts in order.
  struct Last {
    const Stmt *stmt = nullptr;
    int64_t block = 0;
    Moment when;
    uint16_t thread = NoThread; // a block has at most 1024
    uint16_t first = 0;         // of several threads
    uint32_t ticks = 0;         // ManyWarps, where warps know of each other: of ticks_, from 1
    uint32_t blocks = 0;        // ManyBlocks, where blocks know of each other: of blocks_, from 1
  };
  struct Unit {
    Last write, read;
    Last update, look;          // atomic ones behind the write: that write, that only read
    const Stmt *copy = nullptr; // in flight
    BufferId buffer;            // through which it was written
    bool isWritten = false;
  };

  static const Stmt *writerOf(const Unit &unit) {
    return unit.update.stmt ? unit.update.stmt : unit.write.stmt;
  }
  static Last lastOf(const Actor &actor);
  static void replace(Last &last, Last by);
  // `isRead`: it only read.
  bool isOrdered(const Last &last, const Actor &actor, bool isRead = false) const;
  bool isFenced(const Last &write, const Actor &reader, const ProxyFences &fences) const;
  bool isKnown(const Last &last, const Actor &actor) const;
  bool isReleased(const Last &last, const Actor &actor, const BlockKnowledge &blocks) const;
  // `inFlight`: what it is where nobody has told the actor that a copy has arrived.
  std::optional<Conflict> meet(const Last &last, const Actor &actor,
                               FindingKind inFlight = FindingKind::ReadInFlight,
                               bool isRead = false) const;
  void remember(Last &last, const Actor &actor);
  void rememberBlocks(Last &last, const Actor &actor);
  void rememberWarps(Last &now, const Last &last, const Actor &actor);
  std::optional<Conflict> accessUnit(Unit &unit, AtomicAccess access, const Actor &actor);
  std::optional<Conflict> writeUnit(Unit &unit, const Actor &actor, bool changes);

  std::vector<Unit> units_;
  std::vector<WarpTicks> ticks_;          // of accesses of several warps
  std::vector<std::vector<Last>> blocks_; // of accesses of several blocks, one of each
};

} // namespace tilescope
