#include "core/analysis/dependences.h"

#include "core/analysis/first_touch.h"
#include "core/ir/expr_equal.h"
#include "core/ir/visit.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <set>

namespace tilescope {

namespace {

StmtList childrenOf(const For &loop) {
  if (const auto *seq = llvm::dyn_cast<Seq>(loop.body))
    return seq->stmts;
  return loop.body;
}

struct Touch {
  bool reads = false;
  bool writes = false;
};

std::map<BufferId, Touch> touchesOf(Context &context, const Stmt *root) {
  std::map<BufferId, Touch> touches;
  walk(root, [&](const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(context, stmt)) {
      Touch &touch = touches[access.buffer];
      touch.reads |= access.effect != Effect::Write;
      touch.writes |= access.effect != Effect::Read;
    }
    return true;
  });
  return touches;
}

// Binds whose value depends on nothing that the loop writes, directly or through other binds.
llvm::DenseSet<const Stmt *> findReplayable(Context &context, StmtList children) {
  std::set<BufferId> written;
  for (const Stmt *child : children)
    for (auto [buffer, touch] : touchesOf(context, child))
      if (touch.writes)
        written.insert(buffer);
  llvm::DenseSet<const Stmt *> replayable;
  llvm::SmallVector<const Bind *> fixed;
  for (const Stmt *child : children) {
    const auto *bind = llvm::dyn_cast<Bind>(child);
    if (!bind)
      continue;
    bool moves =
        llvm::none_of(accessesOf(context, bind),
                      [&](const BufferAccess &access) { return written.count(access.buffer); }) &&
        llvm::none_of(fixed, [&](const Bind *other) { return usesVar(bind, other->var); });
    if (moves)
      replayable.insert(bind);
    else
      fixed.push_back(bind);
  }
  return replayable;
}

void addAccesses(Context &context, LoopBody &body) {
  for (auto [index, stmt] : llvm::enumerate(body.stmts))
    for (auto [buffer, touch] : touchesOf(context, stmt))
      body.accesses.push_back({index, buffer, touch.reads, touch.writes});
}

// `if c: T.copy(A, S)` redefines S where only statements under the same condition touch it: in
// other iterations nobody asks what S holds. The condition reads nothing that the loop writes.
bool redefinesUnderCondition(Context &context, const LoopBody &body, size_t first,
                             const Buffer &buffer) {
  auto conditionOf = [&](size_t stmt) -> const Expr * {
    const auto *branch = llvm::dyn_cast<If>(body.stmts[stmt]);
    return branch && !branch->elseBody ? branch->condition : nullptr;
  };
  const Expr *condition = conditionOf(first);
  if (!condition || firstTouch(context, *llvm::cast<If>(body.stmts[first])->thenBody, buffer) !=
                        FirstTouch::Redefines)
    return false;
  bool isFixed = true;
  walk(condition, [&](const Expr *node) {
    const auto *load = llvm::dyn_cast<Load>(node);
    isFixed &= !load || !body.writes(load->buffer);
  });
  return isFixed && llvm::all_of(body.accesses, [&](const BodyAccess &access) {
           const Expr *other = access.buffer == buffer.id ? conditionOf(access.stmt) : condition;
           return other && isSameExpr(condition, other);
         });
}

void addRedefined(Context &context, const Function &function, LoopBody &body) {
  std::map<BufferId, size_t> firsts;
  for (const BodyAccess &access : body.accesses)
    firsts.try_emplace(access.buffer, access.stmt);
  for (auto [id, first] : firsts) {
    const Buffer &buffer = function.buffer(id);
    if (!body.writes(id) ||
        (firstTouch(context, *body.stmts[first], buffer) != FirstTouch::Redefines &&
         !redefinesUnderCondition(context, body, first, buffer)))
      continue;
    body.redefined.push_back(id);
    body.redefiners.push_back(first);
  }
}

// The strongest reason first: a reader that waits for a value, then for a free place.
std::optional<DependenceKind> kindOf(const BodyAccess &first, const BodyAccess &second) {
  if (first.writes && second.reads)
    return DependenceKind::ReadAfterWrite;
  if (first.reads && second.writes)
    return DependenceKind::WriteAfterRead;
  if (first.writes && second.writes)
    return DependenceKind::WriteAfterWrite;
  return std::nullopt;
}

// The value of a redefined buffer does not cross the back edge: only its place is in the way.
std::optional<DependenceKind> carriedKindOf(const BodyAccess &first, const BodyAccess &second,
                                            bool redefined) {
  if (!redefined)
    return kindOf(first, second);
  if (!second.writes)
    return std::nullopt;
  return first.reads ? DependenceKind::WriteAfterRead : DependenceKind::WriteAfterWrite;
}

void addBufferDependences(LoopBody &body) {
  for (size_t i = 0; i < body.accesses.size(); ++i) {
    for (size_t j = i + 1; j < body.accesses.size(); ++j) {
      const BodyAccess &first = body.accesses[i];
      const BodyAccess &second = body.accesses[j];
      if (first.buffer != second.buffer)
        continue;
      if (std::optional<DependenceKind> kind = kindOf(first, second))
        body.dependences.push_back({first.stmt, second.stmt, *kind, false, first.buffer});
      bool redefined = body.redefinerOf(first.buffer).has_value();
      if (std::optional<DependenceKind> kind = carriedKindOf(second, first, redefined))
        body.dependences.push_back({second.stmt, first.stmt, *kind, true, first.buffer});
    }
  }
}

void addScalarDependences(LoopBody &body) {
  for (auto [from, stmt] : llvm::enumerate(body.stmts)) {
    const auto *bind = llvm::dyn_cast<Bind>(stmt);
    if (!bind)
      continue;
    for (size_t to = from + 1; to < body.stmts.size(); ++to)
      if (usesVar(body.stmts[to], bind->var))
        body.dependences.push_back(
            {from, to, DependenceKind::ReadAfterWrite, false, BufferId(), bind->var});
  }
}

} // namespace

bool usesVar(const Stmt *root, const Var *var) {
  bool found = false;
  walk(root, [&](const Stmt *stmt) {
    forEachExpr(stmt, [&](const Expr *expr) {
      walk(expr, [&](const Expr *node) { found |= node == var; });
    });
    return !found;
  });
  return found;
}

llvm::StringRef nameOf(DependenceKind kind) {
  switch (kind) {
  case DependenceKind::ReadAfterWrite:
    return "read-after-write";
  case DependenceKind::WriteAfterRead:
    return "write-after-read";
  case DependenceKind::WriteAfterWrite:
    return "write-after-write";
  }
  return "?";
}

bool LoopBody::writes(BufferId buffer) const {
  return llvm::any_of(
      accesses, [&](const BodyAccess &access) { return access.buffer == buffer && access.writes; });
}

std::optional<size_t> LoopBody::redefinerOf(BufferId buffer) const {
  const auto *found = llvm::lower_bound(redefined, buffer);
  if (found == redefined.end() || *found != buffer)
    return std::nullopt;
  return redefiners[found - redefined.begin()];
}

LoopBody computeLoopBody(Context &context, const Function &function, const For &loop) {
  LoopBody body;
  body.loop = &loop;
  StmtList children = childrenOf(loop);
  llvm::DenseSet<const Stmt *> replayable = findReplayable(context, children);
  for (const Stmt *child : children) {
    if (replayable.contains(child))
      body.replayable.push_back(llvm::cast<Bind>(child));
    else
      body.stmts.push_back(child);
  }
  addAccesses(context, body);
  addRedefined(context, function, body);
  addBufferDependences(body);
  addScalarDependences(body);
  return body;
}

} // namespace tilescope
