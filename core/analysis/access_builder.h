// From a function at any stage of lowering to the AccessProgram of its shared buffers and, for
// barriers, of the global buffers that its launch writes and that need an order: where each element
// has one thread throughout, its own order is enough.
//
//     for k in serial(trips):                     Loop s3, trips [0, unknown]
//       wait_group(pending=1)                       Wait
//       barrier()                                   Barrier
//       if k + 2 < trips:                           If: k + 2 < trips
//         for i in unroll(4):                         Leaf: async write A[(k + 2) mod 3] (full)
//           cp_async(A[...], A_shared[...])
//       commit_group()                              Commit
//       for ...: ldmatrix(...), mma(...)            Leaf: read A[k mod 3]
//
// Statements that share an anchor are one leaf. So is a nest without synchronisation that writes
// each element once, whatever its anchors: `write_coverage` proves that it does, and whether it
// writes everything. Nothing is taken from how the nest came about.
#pragma once

#include "core/access/access_program.h"
#include "core/analysis/block_numbers.h"
#include "core/ir/module.h"

namespace tilescope {

enum class AccessDetail : uint8_t {
  // For lifetimes and plans: a group is one leaf, and what it writes before it reads is its own.
  Groups,
  // For barriers: a group that reads what it writes is taken apart, and what the same thread does
  // is told (`Access::sameThreadToken`).
  Statements,
};

// The statements that a node stands for: siblings, from the first to the last. Null for a Seq.
struct AccessSource {
  const Stmt *first = nullptr;
  const Stmt *last = nullptr;
};

struct AccessTree {
  AccessProgram program;
  std::vector<AccessSource> sources; // per node of the program
  // Of the only launch, if it has mbarriers: what may depend on the block.
  std::vector<BlockNumber> numbers;
};

// How roles stand in the program.
enum class RoleView : uint8_t {
  // As lanes: what stands between the first role and the last each has for itself, less the roles
  // of others.
  Lanes,
  // One after the other, each done by some threads only: for barriers of the block.
  Flat,
};

// Launches of a host function follow each other. Buffers are those of dynamic and static shared
// memory, in the order of the function's table; with `Statements` those of global memory follow
// that a function of one launch writes. Cached in the context.
const AccessTree &computeAccessTree(Context &context, const Function &function, AccessDetail detail,
                                    RoleView view = RoleView::Lanes);

} // namespace tilescope
