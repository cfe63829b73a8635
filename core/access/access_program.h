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
// interval [i, i + 1); Wait, Barrier and Commit nodes are leaves of that numbering too.
//
// A pipelined loop guards its copies by its own trip count. A guarded `If` says so, because paths
// on which a guard fails and the loop still goes on do not exist:
//
//   |- If 1 < trips(s2)                  prologue, before the loop: k counts as 0
//   |  `- Leaf s3: async write K[1] (full)
//   `- Loop s2
//      `- If k + 2 < trips(s2)           body: s4 runs only if iteration k + 2 does
//         `- Leaf s4: async write K[(k + 2) mod 2] (full)
#pragma once

#include "core/support/ids.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope {

// Position of a leaf in the preorder walk of one AccessProgram; intervals are [begin, end).
using ProgramPoint = int32_t;

// Which of a buffer's `versions` slots an access touches.
struct Slot {
  enum class Kind : uint8_t {
    Constant, // slot `offset`
    Loop,     // slot (k + offset) mod modulus, where k counts the iterations of `loop` from 0
    Dynamic,  // any slot
  };
  Kind kind = Kind::Constant;
  int64_t offset = 0;
  int64_t modulus = 1; // Loop only; the version count that this loop uses
  StmtId loop;         // Loop only

  friend bool operator==(const Slot &, const Slot &) = default;
};

enum class AccessKind : uint8_t { Read, Write };

// Asynchronous work goes through queues, each with commit groups of its own: that of cp.async, and,
// numbered from 1 as a program uses them, those of wgmma, of bulk stores, of an mbarrier.
inline constexpr uint32_t CopyQueue = 0;

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
  // Two atomic accesses of one element do not race with each other.
  bool atomic = false;
  // Whatever thread touches an element here also touches it in every other access of this buffer
  // with the same token (register-like use of shared memory). 0: no such promise.
  uint32_t sameThreadToken = 0;

  friend bool operator==(const Access &, const Access &) = default;
};

enum class BarrierScope : uint8_t { Warp, Block };

struct AccessNode {
  enum class Kind : uint8_t {
    Seq,     // children in order
    Loop,    // one child; runs between minTrips and maxTrips times (nullopt: unknown)
    If,      // one or two children: then, else; which one runs is unknown unless guardLoop says
    Roles,   // children run concurrently (warp specialisation)
    Leaf,    // accesses of one statement group
    Commit,  // closes the open commit group of `queue`
    Wait,    // waits until at most `pending` newest groups of `queue` are still in flight
    Barrier, // all threads of the scope meet
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
  // Seq, Loop: buffers of which nothing written before entry to this node is read later. It must
  // stand above the prologue of a pipelined loop, not below. The checkers do not trust it.
  std::vector<BufferId> redefinesAllSlots;
  // Leaf: the op declares that a destination may take the bytes of one of its sources. Without it
  // one thread may write while another still reads, so sources and destinations conflict.
  bool inPlace = false;

  friend bool operator==(const AccessNode &, const AccessNode &) = default;
};

// What a plan needs to know about a buffer.
struct AccessBuffer {
  BufferId id;
  std::string name;
  int64_t versions = 1;

  friend bool operator==(const AccessBuffer &, const AccessBuffer &) = default;
};

struct AccessProgram {
  std::vector<AccessNode> nodes; // nodes[root] is the root; children precede or follow, no order
  uint32_t root = 0;
  // Of shared memory; in a program for barriers of global memory too, which no plan places: each of
  // those is storage of its own.
  std::vector<AccessBuffer> buffers;

  uint32_t add(AccessNode node) {
    nodes.push_back(std::move(node));
    return static_cast<uint32_t>(nodes.size() - 1);
  }

  friend bool operator==(const AccessProgram &, const AccessProgram &) = default;
};

// The leaves (Leaf, Commit, Wait, Barrier) in program order; index is the ProgramPoint.
std::vector<uint32_t> leavesInOrder(const AccessProgram &program);

// Index of `id` in `program.buffers`, or nothing for a buffer the program does not know.
std::optional<size_t> indexOf(const AccessProgram &program, BufferId id);

// One line per node, indented: used by tests, `show` and bug reports.
std::string toString(const AccessProgram &program);

} // namespace tilescope
