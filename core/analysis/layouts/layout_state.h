// What layout inference knows so far, and the rules that add to it.
//
// Rules run in three strengths: Strict (what an instruction dictates), Common (what follows from
// layouts that are known), Free (a plan of our own). A fragment gets its layout once; a rule that
// needs another one is a conflict. A shared buffer that somebody wishes swizzled gets the widest
// swizzle that its rows allow.
#pragma once

#include "core/analysis/divisor.h"
#include "core/analysis/fragment_digits.h"
#include "core/analysis/layouts/parallel_access.h"
#include "core/ir/module.h"
#include "core/target/target.h"

#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace tilescope {

enum class LayoutStrength : uint8_t { Strict, Common, Free };

struct KnownLayout {
  const Layout *layout = nullptr;
  const Stmt *setBy = nullptr; // null: pinned by the kernel
};

// A statement that cannot have the layout it needs. `other` may be null.
struct LayoutConflict {
  enum class Kind : uint8_t { Layouts, Unsupported };
  Kind kind = Kind::Layouts;
  const Stmt *stmt = nullptr;
  BufferId buffer;
  std::string reason; // "needs fragment(...), has fragment(...)"
  const Stmt *other = nullptr;
  const Layout *wanted = nullptr; // what it needs, where that is one layout
  const Layout *has = nullptr;    // what it got from `other`
  const Layout *served = nullptr; // one that would do, of a buffer of its own

  std::string origin() const; // of what it has, said at `other`
  std::string advice() const; // what would serve
};

class LayoutState {
public:
  LayoutState(Context &context, const Function &function, const Target &target, int64_t threads);

  Context &context() { return context_; }
  const Function &function() const { return function_; }
  const Target &target() const { return target_; }
  // Of the role around the statement that is inferred, else of the block.
  int64_t threads() const { return threads_; }
  // What follows is inferred of this statement.
  void startStmt(const Stmt &stmt);
  const BoundValues &boundValues() const { return bound_; }
  const Buffer &buffer(BufferId id) const { return function_.buffer(id); }

  bool isFragment(BufferId id) const { return buffer(id).scope == Scope::Fragment; }
  // Null: not known yet.
  const Layout *find(BufferId id) const;
  const Layout *find(const Parallel &parallel) const;
  const KnownLayout *known(BufferId id) const;

  // Fragments: the first layout stays; another one is a conflict.
  void setFragment(BufferId id, const Layout *layout, const Stmt *by);
  // A plan for a fragment that nothing says more of, with `vector` elements of its last dimension
  // side by side at most. Null if its shape is not constant.
  const Layout *planFragment(BufferId id, int64_t vector);
  // Shared buffers without a layout, of at least two dimensions; else nothing happens.
  void wishSwizzle(BufferId id, const Stmt *by);
  // A swizzled layout that a statement needs, over what others wished. One that is none of those is
  // a conflict.
  void wantSwizzle(BufferId id, const Layout *layout, const Stmt *by);
  // Shared buffers without a layout, of any shape: pointers into them are followed by what knows of
  // no layout.
  void keepRowMajor(BufferId id, const Stmt *by);
  void setParallel(const Parallel &parallel, const Layout *layout);
  void addConflict(LayoutConflict conflict);

  // Grows whenever something was learned.
  unsigned revision() const { return revision_; }
  const std::vector<LayoutConflict> &conflicts() const { return conflicts_; }

private:
  void findSerialAxes();
  void addSerialAxes(const FragmentAccess &access);

  Context &context_;
  const Function &function_;
  const Target &target_;
  int64_t threads_, threadsOfBlock_;
  llvm::DenseMap<const Stmt *, int64_t> threadsOfRole_; // of statements in one
  BoundValues bound_;
  llvm::DenseMap<uint32_t, KnownLayout> buffers_;
  llvm::DenseMap<uint32_t, const Layout *> parallels_;
  // Axes of fragments that some statement touches at single places. A plan does not spread them.
  llvm::DenseMap<uint32_t, llvm::SmallVector<bool>> serialAxes_;
  std::vector<LayoutConflict> conflicts_;
  unsigned revision_ = 0;
};

// One rule per tile operation that has wishes; core/ops/<op>/layout.cpp. Called again and again
// until nothing is learned any more.
#define LAYOUT(Name)                                                                               \
  void infer##Name##Layout(LayoutState &state, const OpStmt &op, LayoutStrength strength);
#include "core/ops/layouts.def"
// What those of operations that move a tile share.
void inferMoveLayout(LayoutState &state, const OpStmt &op, const BufferRegion &source,
                     const BufferRegion &destination, LayoutStrength strength);
void inferParallelLayout(LayoutState &state, const Parallel &parallel, LayoutStrength strength);
// The layout that a fragment gets from a loop; null if the loop does not touch all of it.
const Layout *layoutOfFragment(LayoutState &state, const FragmentAccess &access,
                               const Layout &loop);
// Whether the loop writes fragment elements at indices that keep it from being spread over threads
// along one of its variables.
bool hasSerialDims(LayoutState &state, const Parallel &parallel);
void inferLayout(LayoutState &state, const Stmt &stmt, LayoutStrength strength);
// Whether it does anything for an operation (core/ops/layouts.def).
bool wishesForLayouts(const OpStmt &op);

// The layout of what is left of a fragment when dimension `dim` is reduced away or not used: its
// threads hold copies.
const Layout *dropDimension(Context &context, const Layout &layout, size_t dim);

// Whether the region is all of its buffer.
bool isWhole(const BufferRegion &region, const Buffer &buffer);

} // namespace tilescope
