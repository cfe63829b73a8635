// FlowGraph: the control flow of an AccessProgram with each pipelined loop unrolled by phases.
//
// What decides a slot is `k mod V`, and what decides a guard is how many iterations are left. So
// a loop body is copied once per reachable pair (k mod period, iterations left, capped), and in
// each copy every slot is a number and every guard is known:
//
//   period 2, copies guarded by k + 1 < trips (horizon 1: "0 left" and "1 or more left")
//
//   entry -> (0, 1+) <-> (1, 1+)      refill K[1]      refill K[0]
//               |           |
//            (1, 0)      (0, 0)       no refill
//               `-> exit <-'
//
// Vertices are leaves (one per program point and copy), sites (before each child of a Seq and at
// its end: where a barrier can be inserted), and junctions. Used by lifetimes and barrier
// placement; the checkers walk the tree by themselves.
#pragma once

#include "core/access/happens_before.h"

#include "llvm/ADT/SmallVector.h"

namespace tilescope {

struct FlowVertex {
  enum class Kind : uint8_t { Leaf, Site, Redefine, Junction };
  Kind kind = Kind::Junction;
  uint32_t node = 0;    // Leaf: the leaf; Site: the Seq; Redefine: the node with redefinesAllSlots
  int32_t index = 0;    // Leaf: its ProgramPoint; Site: the child before which it lies
  uint32_t context = 0; // index into FlowGraph::phases
  llvm::SmallVector<uint32_t, 2> successors;
};

// Slots [first, last) that one access may touch in one vertex.
struct SlotRange {
  int64_t first = 0;
  int64_t last = 0;

  bool isExact() const { return last - first == 1; }
};

// The iterations of one loop that a copy of its body stands for: k mod period == phase.
struct LoopPhase {
  StmtId loop;
  int64_t phase = 0;
  int64_t period = 1;
};

struct FlowGraph {
  std::vector<FlowVertex> vertices; // in an order close to execution; the entry is vertex 0
  uint32_t exit = 0;
  // Per context: the enclosing loops whose phases are told apart.
  std::vector<llvm::SmallVector<LoopPhase, 2>> phases;
  // False: the loops were too large to unroll; slots chosen by a loop and guards are unknown.
  bool isExact = true;
  HappensBefore order; // of the program

  SlotRange slotsOf(const Access &access, int64_t versions, const FlowVertex &vertex) const;
};

// At most about `vertexLimit` vertices, else the inexact graph of one copy per leaf. Lanes are
// branches, and the tail of one comes after all of them.
FlowGraph buildFlowGraph(const AccessProgram &program, size_t vertexLimit = 1 << 16);

} // namespace tilescope
