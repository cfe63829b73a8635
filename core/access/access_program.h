// AccessProgram: who touches which buffer, when. The one abstraction of liveness, hazards, plans,
// checkers and their brute-force tests (they never look at the IR).
//
// It is a tree of nodes over typed ids. `core/analysis/access_builder.h` makes one from a function
// at any stage of lowering; a recorder of another compiler, or a test, can write one directly.
//
//   Seq
//   |- Leaf s1: write Q (full)
//   |- Loop s2, trips [1, unknown]
//   |  `- Seq
//   |     |- Wait 2                      all but the 2 newest commit groups have arrived
//   |     |- Barrier
//   |     |- Leaf s4: async write K[(k + 1) mod 2] (full), group g
//   |     |- Commit g
//   |     `- Leaf s5: read Q, read K[k mod 2]
//   `- Leaf s6: read Q
//
// Program points are numbered per program: leaf i of the preorder walk occupies the half-open
// interval [i, i + 1); all nodes without children that are no Seq are leaves of that numbering.
//
// A pipelined loop guards its copies by its own trip count. A guarded `If` says so, because paths
// on which a guard fails and the loop still goes on do not exist:
//
//   |- If 1 < trips(s2)                  prologue, before the loop: k counts as 0
//   |  `- Leaf s3: async write K[1] (full)
//   `- Loop s2
//      `- If k + 2 < trips(s2)           body: s4 runs only if iteration k + 2 does
//         `- Leaf s4: async write K[(k + 2) mod 2] (full)
//
// Roles are groups of threads, lanes, that run different code at the same time and wait for each
// other at mbarriers. A ring of two slots; full[] are mbarriers 0 and 1 with one arrival a phase,
// empty[] are 2 and 3 with one arrival of each of 128 threads:
//
//   Roles, lanes of 128 and 128 threads
//   |- Loop s1, trips 8                                  the lane that loads
//   |  |- WaitPhase empty[k mod 2], parity ((k + 2) / 2) mod 2
//   |  |- Expect full[k mod 2], 8192 bytes (one thread)
//   |  |- Arrive full[k mod 2] (one thread)
//   |  `- Leaf s2: async write K[k mod 2], 8192 bytes on full[k mod 2] (one thread)
//   `- Loop s3, trips 8                                  the lane that computes
//      |- WaitPhase full[k mod 2], parity (k / 2) mod 2
//      |- Leaf s4: read K[k mod 2]
//      `- Arrive empty[k mod 2]
//
//   phase of full[0]     0      |      1      |      2         ends when its arrivals have come
//   load                 k = 0  |      k = 2  |      k = 4     and its bytes have been copied
//   parity waited for    0             1             0
//
// What they order is decided in one place: `happens_before.h`.
#pragma once

#include "core/access/element_threads.h"
#include "core/support/ids.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope {

// Position of a leaf in the preorder walk of one AccessProgram; intervals are [begin, end).
using ProgramPoint = int32_t;

// offset + the sum of step * k over `terms`, where k counts the iterations of a loop from 0.
struct LoopCounter {
  struct Term {
    StmtId loop;
    int64_t step = 1;

    friend bool operator==(const Term &, const Term &) = default;
  };
  int64_t offset = 0;
  std::vector<Term> terms;

  friend bool operator==(const LoopCounter &, const LoopCounter &) = default;
};

// Which of a buffer's `versions` slots an access touches.
struct Slot {
  enum class Kind : uint8_t {
    Constant, // slot `offset`
    Loop,     // slot (k + offset) mod modulus, where k counts the iterations of `loop` from 0
    Dynamic,  // any slot; where `counter` has terms, counter mod modulus
  };
  Kind kind = Kind::Constant;
  int64_t offset = 0;
  int64_t modulus = 1; // the version count that the loop uses
  StmtId loop;         // Loop only
  LoopCounter counter; // Dynamic only: of several loops, where lanes are followed step by step

  friend bool operator==(const Slot &, const Slot &) = default;
};

// One of AccessProgram::mbarriers: number `first` + counter mod `modulus`.
struct MbarrierRef {
  uint32_t first = 0;
  int64_t modulus = 1; // 0: it may be any
  LoopCounter counter;

  friend bool operator==(const MbarrierRef &, const MbarrierRef &) = default;
};

// (counter / divisor) mod 2, where the division rounds down.
struct PhaseParity {
  LoopCounter counter;
  int64_t divisor = 1; // 0: the parity is not known

  friend bool operator==(const PhaseParity &, const PhaseParity &) = default;
};

enum class AccessKind : uint8_t { Read, Write };

// Asynchronous work goes through queues, each with commit groups of its own: that of cp.async, and,
// numbered from 1 as a program uses them, those of wgmma and of bulk stores. What an mbarrier
// counts goes through none.
inline constexpr uint32_t CopyQueue = 0;

// Bytes of a slot, or coordinates of an axis, half-open.
struct SlotPart {
  int64_t begin = 0;
  int64_t end = 0;

  friend bool operator==(const SlotPart &, const SlotPart &) = default;
};

struct Access {
  BufferId buffer;
  Slot slot;
  AccessKind kind = AccessKind::Read;
  // A write that is known to define every byte of the slot. A partial write keeps the old value.
  bool full = false;
  // The access is made asynchronously: it starts here and has finished only after a Wait of its
  // queue that covers its commit group (the next Commit node of the queue in program order).
  bool async = false;
  uint32_t queue = CopyQueue; // async: the one that it goes through
  // async: it goes through no queue, and this mbarrier counts the bytes that have arrived.
  std::optional<MbarrierRef> mbarrier;
  int64_t bytes = 0; // with an mbarrier: of one run of the access; 0: not known
  // async: by wgmma or TMA, which see what threads do themselves only behind a ProxyFence.
  bool isOfAsyncProxy = false;
  // Two atomic accesses of one element do not race with each other.
  bool atomic = false;
  // Whatever thread touches an element here also touches it in every other access of this buffer
  // with the same token (register-like use of shared memory). 0: no such promise.
  uint32_t sameThreadToken = 0;

  // A write that is not full: it writes these bytes of the slot and no others. Empty: not known.
  std::vector<SlotPart> parts;
  // Coordinates [begin, end) of each axis of the buffer outside of which it touches nothing. Empty:
  // not known. Two that are apart in some axis have no element in common. Not recorded.
  std::vector<SlotPart> box;
  // A condition decides that is not known: it may be that nothing is touched.
  bool mayNotHappen = false;
  // Threads that make it may touch one element, and one of them may write it.
  bool sharesElements = false;
  // Number n: AccessProgram::elementThreads[n - 1] says which threads touch each element of the
  // slot. 0: it is not known.
  uint32_t touchedBy = 0;

  bool goesThrough(uint32_t wanted) const { return async && !mbarrier && queue == wanted; }

  friend bool operator==(const Access &, const Access &) = default;
};

enum class BarrierScope : uint8_t { Warp, Block };

struct AccessNode {
  enum class Kind : uint8_t {
    Seq,     // children in order
    Loop,    // one child; runs between minTrips and maxTrips times (nullopt: unknown)
    If,      // one or two children: then, else; which one runs is unknown unless guardLoop says
    Roles,   // children, the lanes, run concurrently (warp specialisation)
    Leaf,    // accesses of one statement group
    Commit,  // closes the open commit group of `queue`, of each thread that comes here
    Wait,    // until of its own groups of `queue` at most `pending` newest are still in flight
    Barrier, // all threads of the scope meet
    // Of mbarriers and roles:
    Arrive,       // each thread that comes here arrives `count` times
    Expect,       // the phase ends only when `bytes` more have arrived
    WaitPhase,    // until a phase of this parity has ended; one that ended before counts
    NamedBarrier, // `threads` threads meet at barrier `barrierId`
    ProxyFence,   // what these threads did, or know of, is seen by what copies and wgmma do later
  };
  Kind kind = Kind::Seq;
  StmtId stmt;                     // the statement; of a group the first that accesses a buffer
  StmtId anchor;                   // the same across passes; see Stmt::anchor. May be invalid
  std::vector<uint32_t> children;  // indices into AccessProgram::nodes
  std::vector<Access> accesses;    // Leaf: a thread's reads come before its writes
  int64_t minTrips = 0;            // Loop
  std::optional<int64_t> maxTrips; // Loop
  int64_t pending = 0;             // Wait
  uint32_t queue = CopyQueue;      // Commit, Wait
  BarrierScope scope = BarrierScope::Block;
  // If, Loop: threads of the block may disagree on it, so no block barrier may stand inside.
  bool isDivergent = false;
  // If: the first child runs exactly when k + guardDistance < trips, where k and trips are those of
  // the loop `guardLoop` (k = 0 outside of it). The distance is not negative.
  StmtId guardLoop;
  int64_t guardDistance = 0;
  // If: the first child runs exactly in the iterations [rangeBegin, rangeEnd) of the loop
  // `rangeLoop`, which is around it.
  StmtId rangeLoop;
  int64_t rangeBegin = 0;
  int64_t rangeEnd = 0;
  // Of the threads of the lane, or of the block outside of roles, one does it, always the same.
  bool oneThread = false;
  // NamedBarrier, or Barrier of a warp: those that come here are always the same, as many as it
  // takes, and no others come to a barrier of this number. So they meet, whatever is around it.
  bool isFixed = false;
  // In a lane: each lane has this statement, and does its part of it. At a barrier of the block so
  // all threads meet.
  bool isOfAllLanes = false;
  std::vector<int64_t> laneThreads;    // Roles: of each child; 0: not known
  std::optional<MbarrierRef> mbarrier; // Arrive, Expect, WaitPhase
  int64_t count = 0;                   // Arrive; 0: not known
  int64_t bytes = 0;                   // Expect; 0: not known
  PhaseParity parity;                  // WaitPhase
  int64_t barrierId = 0;               // NamedBarrier
  int64_t threads = 0;                 // NamedBarrier
  // Loop, If: in each of the program's cases, the trips of the loop, or 1 where the first child
  // runs and 0 where it does not. Empty: all that is known stands above.
  std::vector<int64_t> byCase;
  // Loop, If: the same in the run that `AccessProgram::zeroed` tells of.
  std::optional<int64_t> onZeros;
  // Leaf: its accesses in that run, of which more is known. Nothing: as in any.
  std::optional<std::vector<Access>> accessesOnZeros;
  // Seq, Loop: buffers of which nothing written before entry to this node is read later. It must
  // stand above the prologue of a pipelined loop, not below. The checkers do not trust it.
  std::vector<BufferId> redefinesAllSlots;
  // Leaf: the op declares that a destination may take the bytes of one of its sources. Without it
  // one thread may write while another still reads, so sources and destinations conflict.
  bool inPlace = false;
  // Leaf: number of the mbarrier that it initialises, whose phases count from 0 from here on.
  std::optional<int64_t> begins;

  friend bool operator==(const AccessNode &, const AccessNode &) = default;
};

// What a plan needs to know about a buffer.
struct AccessBuffer {
  BufferId id;
  std::string name;
  int64_t versions = 1;

  friend bool operator==(const AccessBuffer &, const AccessBuffer &) = default;
};

struct AccessMbarrier {
  std::string name;
  int64_t arrivals = 0; // that a phase takes; 0: not known

  friend bool operator==(const AccessMbarrier &, const AccessMbarrier &) = default;
};

struct AccessProgram {
  std::vector<AccessNode> nodes; // nodes[root] is the root; children precede or follow, no order
  uint32_t root = 0;
  // Of shared memory; in a program for barriers of global memory too, which no plan places: each of
  // those is storage of its own.
  std::vector<AccessBuffer> buffers;
  std::vector<AccessMbarrier> mbarriers; // initialised where a leaf says so, else before all nodes
  int64_t threads = 0;                   // of the block; 0: not known
  std::vector<ElementThreads> elementThreads;
  // Each block does what one of so many cases says; 0: blocks are not told apart.
  int64_t cases = 0;
  // Data that decide lengths of loops, conditions or what is accessed, by the names of their
  // buffers: what the first block does where all their elements are 0, nodes say. Empty: none do,
  // and of the first block something is told only where a leaf has `accessesOnZeros`.
  std::vector<std::string> zeroed;
  // Threads meet where roles begin and where they end, though no barrier says so.
  bool meetsAtRoles = false;

  uint32_t add(AccessNode node) {
    nodes.push_back(std::move(node));
    return static_cast<uint32_t>(nodes.size() - 1);
  }

  friend bool operator==(const AccessProgram &, const AccessProgram &) = default;
};

// Not Seq, Loop, If or Roles.
bool isLeaf(const AccessNode &node);

// The leaves in program order; index is the ProgramPoint.
std::vector<uint32_t> leavesInOrder(const AccessProgram &program);

// Index of `id` in `program.buffers`, or nothing for a buffer the program does not know.
std::optional<size_t> indexOf(const AccessProgram &program, BufferId id);

// One line per node, indented: used by tests, `show` and bug reports.
std::string toString(const AccessProgram &program);

} // namespace tilescope
