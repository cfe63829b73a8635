// Which accesses of a short loop touch one element, so that their order must stay: what is asked
// before a read or a write of single elements moves.
//
//     for v in T.unroll(4):
//       s[4 * tx + v] = s[4 * tx + v] * 3.0     the load may come before the loop: what is stored
//                                               earlier are other elements
//       t[4 * tx + v] = s[4 * tx + v] + 1.0     this one may not: iteration v has just stored it.
//                                               So the store above may not come after the loop
//
// Indices, slots and conditions are readers, and registers have an order as memory has. Elements
// are taken to be the same unless they are shown to differ, in the slot or in one coordinate:
//
//     4 * tx + 1, 4 * i + 2     modulo 4, whatever tx and i are
//     tx, tx + 128              tx in [0, 128): the bounds do not meet
//     i, i + 1                  of one thread: only of registers, because in memory two threads
//                               may meet, which agree on the order of statements by barriers
//
// Taken for granted: coordinates are inside of their buffer, and tensors that are parameters do
// not overlap (the emitted pointers are __restrict__). Coordinates of a tensor with explicit
// strides say nothing, two of them may be one place.
#pragma once

#include "core/analysis/ir_affine.h"
#include "core/ir/visit.h"

#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace tilescope {

// Where a read or a write of all iterations goes: before or after all others of the loop.
enum class MovedTo : uint8_t { Front, Back };

class ElementDependences {
public:
  // `loop` has constant bounds and holds bindings, conditions and stores.
  ElementDependences(IrAffine &affine, const Function &function, const For &loop);

  // The statement that would be overtaken though it may touch the same element; null: may move.
  // `reader` is the statement that the load stands in.
  const Stmt *obstacle(const Stmt &reader, const Load &load, MovedTo to);
  const Stmt *obstacle(const Store &store, MovedTo to);
  // A load of what the loop stores, so that a value that is computed once is not enough; null:
  // none.
  const Load *findStoredLoad(const Expr *expr);
  // A load in a condition that need not give the same again before each store under the condition.
  const Load *findUnrepeatableLoad();

private:
  struct Access {
    const Stmt *stmt = nullptr;
    const Load *load = nullptr; // null: the store
    BufferId buffer;
    // The slot, if there is one, and the indices, bound values of the body inlined.
    llvm::SmallVector<const Expr *, 3> coordinates;
    size_t position = 0; // in one iteration

    bool writes() const { return !load; }
  };
  // A condition is read at `condition` and, if it is repeated, before what is at `position`.
  struct RepeatedRead {
    Access condition;
    size_t position;
  };
  using Element = llvm::SmallVector<Affine, 3>;

  void collect(const Stmt *stmt, llvm::ArrayRef<Access> conditions);
  void collectReads(const Stmt *stmt, std::vector<Access> &into);
  Access accessOf(const Stmt *stmt, const Load &load);

  const Stmt *obstacle(const Access &access, MovedTo to);
  // Whether the accesses may touch one element in two iterations that `isAsked` names.
  bool mayMeet(const Access &a, const Access &b,
               llvm::function_ref<bool(int64_t, int64_t)> isAsked);
  std::vector<Element> elementsOf(const Access &access);
  bool mayShareStorage(BufferId a, BufferId b) const;
  bool areDistinct(Affine a, Affine b, bool isOneThread);
  bool isStable(const Access &access) const;

  IrAffine &affine_;
  Context &context_;
  const Function &function_;
  const For &loop_;
  int64_t extent_;
  Substitution bound_; // values of the bindings of the body, in terms of the loop variable
  std::vector<Access> accesses_;
  std::vector<RepeatedRead> repeated_;
};

} // namespace tilescope
