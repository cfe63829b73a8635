#include "core/analysis/current_slots.h"

#include "core/analysis/first_touch.h"
#include "core/ir/expr_equal.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace tilescope {

namespace {

struct SlotState {
  enum Kind { Undefined, Known, Differs };
  Kind kind = Undefined;
  const Expr *slot = nullptr; // Known

  static SlotState known(const Expr *slot) { return {Known, slot}; }
  bool operator==(const SlotState &other) const {
    return kind == other.kind && isSameExpr(slot, other.slot);
  }
};

// What nobody wrote may be read anywhere.
SlotState merge(const SlotState &a, const SlotState &b) {
  if (a.kind == SlotState::Undefined || a == b)
    return b;
  if (b.kind == SlotState::Undefined)
    return a;
  return {SlotState::Differs};
}

// Variables bound in `scope` mean nothing outside it.
bool mentionsVarOf(const Expr *expr, const Stmt *scope) {
  std::set<const Expr *> bound;
  walk(scope, [&](const Stmt *stmt) {
    if (const auto *loop = llvm::dyn_cast<For>(stmt))
      bound.insert(loop->var);
    else if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
      bound.insert(bind->var);
    return true;
  });
  bool found = false;
  walk(expr, [&](const Expr *node) { found |= bound.count(node) != 0; });
  return found;
}

// Follows the slot of one buffer through a function.
class SlotWalk {
public:
  SlotWalk(Context &context, const Buffer &buffer, const LoopVersions &loops, CurrentSlots &result)
      : context_(context), builder_(context), buffer_(buffer), loops_(loops), result_(result) {}

  void run(const Stmt *body) { visit(body, {}); }

private:
  SlotState visit(const Stmt *stmt, SlotState state) {
    switch (stmt->kind()) {
    case StmtKind::Seq:
      for (const Stmt *child : llvm::cast<Seq>(stmt)->stmts)
        state = visit(child, state);
      return state;
    case StmtKind::Launch:
      return visit(llvm::cast<Launch>(stmt)->body, state);
    case StmtKind::If:
    case StmtKind::Role:
      return visitIf(llvm::cast<If>(stmt), state);
    case StmtKind::For:
      return visitLoop(llvm::cast<For>(stmt), state);
    case StmtKind::Break:
      return state;
    case StmtKind::Parallel:
    case StmtKind::Bind:
    case StmtKind::Store:
    case StmtKind::Op:
      return visitLeaf(stmt, state);
    }
    return state;
  }

  SlotState visitLeaf(const Stmt *stmt, SlotState state) {
    FirstTouch touch = firstTouch(context_, *stmt, buffer_);
    if (touch == FirstTouch::None)
      return state;
    if (touch == FirstTouch::Redefines)
      state = SlotState::known(builder_.integer(0));
    record(stmt, state);
    return state.kind == SlotState::Undefined ? SlotState::known(builder_.integer(0)) : state;
  }

  // Reads in conditions and bounds, which belong to the statement itself.
  void visitDirectReads(const Stmt *stmt, const SlotState &state) {
    if (llvm::any_of(accessesOf(context_, stmt),
                     [&](const BufferAccess &access) { return access.buffer == buffer_.id; }))
      record(stmt, state);
  }

  void record(const Stmt *stmt, const SlotState &state) {
    if (!recording_)
      return;
    if (state.kind != SlotState::Differs)
      result_.slots[{stmt->id(), buffer_.id}] =
          state.kind == SlotState::Known ? state.slot : builder_.integer(0);
    else if (result_.conflicts.empty() || result_.conflicts.back().buffer != buffer_.id)
      result_.conflicts.push_back({buffer_.id, stmt});
  }

  SlotState visitIf(const If *branch, const SlotState &state) {
    visitDirectReads(branch, state);
    SlotState whenTrue = visit(branch->thenBody, state);
    SlotState whenFalse = branch->elseBody ? visit(branch->elseBody, state) : state;
    return leave(branch, merge(whenTrue, whenFalse));
  }

  SlotState visitLoop(const For *loop, const SlotState &entry) {
    visitDirectReads(loop, entry);
    if (std::optional<int64_t> versions = versionsIn(loop)) {
      // Written under a condition: which iteration was the last to do it is not known.
      if (firstTouch(context_, *loop->body, buffer_) != FirstTouch::Redefines)
        return {SlotState::Differs};
      const Expr *last = builder_.sub(loop->extent, builder_.integer(1, loop->extent->dtype()));
      const Expr *modulus = builder_.integer(*versions, loop->extent->dtype());
      return afterLoop(loop, SlotState::known(builder_.floorMod(last, modulus)), entry);
    }
    bool outer = recording_;
    recording_ = false;
    SlotState head = entry;
    // Undefined, Known, Differs: the state at the head changes at most twice.
    for (int round = 0; round < 3; ++round)
      head = merge(entry, leave(loop, visit(loop->body, head)));
    recording_ = outer;
    return afterLoop(loop, leave(loop, visit(loop->body, head)), entry);
  }

  // The slot after at least one iteration, or that before the loop if there is none.
  SlotState afterLoop(const For *loop, const SlotState &iterated, const SlotState &entry) {
    std::optional<int64_t> trips = constantValue(loop->extent);
    if (trips)
      return *trips > 0 ? iterated : entry;
    if (iterated.kind != SlotState::Known || entry.kind != SlotState::Known)
      return merge(iterated, entry);
    if (iterated == entry)
      return iterated;
    const Expr *zero = builder_.integer(0, loop->extent->dtype());
    DType dtype = iterated.slot->dtype();
    return SlotState::known(builder_.select(builder_.less(zero, loop->extent), iterated.slot,
                                            builder_.cast(dtype, entry.slot)));
  }

  SlotState leave(const Stmt *scope, const SlotState &state) {
    bool escapes = state.kind == SlotState::Known && mentionsVarOf(state.slot, scope);
    return escapes ? SlotState{SlotState::Differs} : state;
  }

  std::optional<int64_t> versionsIn(const For *loop) const {
    auto found = loops_.find(loop->id());
    if (found == loops_.end())
      return std::nullopt;
    for (const VersionCount &count : found->second)
      if (count.buffer == buffer_.id)
        return count.versions;
    return std::nullopt;
  }

  Context &context_;
  Builder builder_;
  const Buffer &buffer_;
  const LoopVersions &loops_;
  CurrentSlots &result_;
  bool recording_ = true;
};

} // namespace

CurrentSlots computeCurrentSlots(Context &context, const Function &function,
                                 const LoopVersions &loops) {
  std::set<BufferId> versioned;
  for (const auto &[loop, counts] : loops)
    for (const VersionCount &count : counts)
      if (count.versions > 1)
        versioned.insert(count.buffer);
  CurrentSlots result;
  for (BufferId buffer : versioned)
    SlotWalk(context, function.buffer(buffer), loops, result).run(function.body);
  return result;
}

} // namespace tilescope
