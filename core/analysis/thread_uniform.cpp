#include "core/analysis/thread_uniform.h"

#include "core/analysis/thread_sum.h"
#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <limits>
#include <numeric>

namespace tilescope {

// From "all agree" downwards to a fixpoint: a value stored late in a loop is loaded early in it.
ThreadUniform::ThreadUniform(const Function &function, OpScope scope)
    : function_(function), scope_(scope) {
  if (holdsRoles(function))
    markSharedByRoles();
  while (learn(*function.body, {})) {
  }
}

namespace {

// Half-open; those of a role, or all of the block.
struct ThreadRange {
  int64_t begin = 0;
  int64_t end = std::numeric_limits<int64_t>::max();

  bool holds(const ThreadRange &other) const { return begin <= other.begin && other.end <= end; }
  bool meets(const ThreadRange &other) const { return begin < other.end && other.begin < end; }
};

// Which threads read registers of one name, and which write them.
struct RegisterUsers {
  llvm::SmallVector<ThreadRange, 2> readers, writers;

  // Whether all that read together also got what they read together. What other threads write is
  // in registers of theirs.
  bool areTogether() const {
    return llvm::all_of(readers, [&](const ThreadRange &reader) {
      auto holdsReader = [&](const ThreadRange &writer) { return writer.holds(reader); };
      return llvm::any_of(writers, holdsReader) &&
             llvm::all_of(writers, [&](const ThreadRange &writer) {
               return writer.holds(reader) || !writer.meets(reader);
             });
    });
  }
};

} // namespace

void ThreadUniform::markSharedByRoles() {
  llvm::DenseMap<uint32_t, RegisterUsers> users;
  Context scratch;
  auto note = [&](const Stmt *stmt, ThreadRange threads) {
    for (const BufferAccess &access : accessesOf(scratch, stmt)) {
      if (!mayLearn(access.buffer))
        continue;
      RegisterUsers &of = users[access.buffer.value];
      if (access.effect != Effect::Write)
        of.readers.push_back(threads);
      if (access.effect != Effect::Read)
        of.writers.push_back(threads);
    }
  };
  walk(function_.body, [&](const Stmt *stmt) {
    const auto *role = llvm::dyn_cast<Role>(stmt);
    if (role)
      walk(role->thenBody, [&](const Stmt *inside) {
        note(inside, {role->firstThread, role->endThread()});
        return true;
      });
    else
      note(stmt, {});
    return !role;
  });
  for (const auto &[buffer, of] : users)
    if (!of.areTogether())
      mark(BufferId(buffer));
}

bool ThreadUniform::learn(const Stmt &stmt, const Flow &flow) {
  bool learned = false;
  bindThreads(stmt);
  if (const auto *launch = llvm::dyn_cast<Launch>(&stmt))
    learned |= mark(launch->threadVar);
  if (const auto *nest = llvm::dyn_cast<Parallel>(&stmt))
    for (const Var *var : nest->vars)
      learned |= mark(var);
  if (const auto *bind = llvm::dyn_cast<Bind>(&stmt); bind && !isUniform(bind->value))
    learned |= mark(bind->var);
  if (const auto *loop = llvm::dyn_cast<For>(&stmt); loop && !isUniform(*loop))
    learned |= mark(loop->var);
  if (const auto *store = llvm::dyn_cast<Store>(&stmt))
    learned |= learnStore(*store, flow);
  if (const auto *op = llvm::dyn_cast<OpStmt>(&stmt))
    learned |= learnOp(*op, flow);
  if (llvm::isa<Break>(stmt) && flow.ofThreads && loop_)
    learned |= divergentLoops_.insert(loop_).second;
  llvm::SaveAndRestore inLoop(loop_, llvm::isa<For>(stmt) ? llvm::cast<For>(&stmt) : loop_);
  Flow inside = flowInside(stmt, flow);
  forEachChild(&stmt, [&](const Stmt *child) { learned |= learn(*child, inside); });
  return learned;
}

ThreadUniform::Flow ThreadUniform::flowInside(const Stmt &stmt, const Flow &flow) const {
  Flow inside = flow;
  if (const auto *nest = llvm::dyn_cast<Parallel>(&stmt)) {
    inside.ofIterations = flow.ofThreads;
    inside.nest = nest;
  }
  bool isOfThreads = !llvm::isa<Role>(stmt) && !isUniform(stmt);
  inside.ofThreads |= inside.nest || isOfThreads;
  const auto *branch = llvm::dyn_cast<If>(&stmt);
  bool isSame =
      branch && flow.nest ? agreesInIterations(branch->condition, *flow.nest) : !isOfThreads;
  inside.ofIterations |= !isSame;
  return inside;
}

bool ThreadUniform::learnStore(const Store &store, const Flow &flow) {
  if (!mayLearn(store.buffer))
    return false;
  bool agrees = !flow.ofThreads && isUniform(store.value) &&
                llvm::all_of(store.indices, [&](const Expr *index) { return isUniform(index); });
  bool isElement = function_.buffer(store.buffer).scope == Scope::Fragment && flow.nest;
  if (isElement && !flow.ofIterations)
    agrees = isSameOfIterations(store, *flow.nest);
  return !agrees && mark(store.buffer);
}

// Each iteration has elements of its own: which other one comes to them is not asked.
bool ThreadUniform::isSameOfIterations(const Store &store, const Parallel &nest) const {
  return agreesInIterations(store.value, nest) &&
         llvm::all_of(store.indices,
                      [&](const Expr *index) { return agreesInIterations(index, nest); }) &&
         llvm::all_of(nest.vars, [&](const Var *var) {
           return llvm::is_contained(store.indices, static_cast<const Expr *>(var));
         });
}

// Whether all threads would have the same value in an iteration.
bool ThreadUniform::agreesInIterations(const Expr *expr, const Parallel &nest) const {
  bool agreed = true;
  walk(expr, [&](const Expr *part) {
    if (const auto *var = llvm::dyn_cast<Var>(part))
      agreed &= !divergent_.contains(var) || llvm::is_contained(nest.vars, var);
    if (const auto *load = llvm::dyn_cast<Load>(part))
      agreed &= isUniformBuffer(load->buffer);
  });
  return agreed;
}

// What any other operation leaves in registers is each thread's own part.
bool ThreadUniform::learnOp(const OpStmt &op, const Flow &flow) {
  if (!flow.ofThreads && (isUniformMove(op) || isCommon(op)))
    return false;
  bool isTile = !flow.ofThreads && isUniformTile(op);
  bool learned = false;
  for (auto [index, region] : llvm::enumerate(op.regions)) {
    bool isTileOfBlock = isTile && function_.buffer(region.buffer).scope == Scope::Fragment;
    if (op.operand(index).effect != Effect::Read && !isTileOfBlock && mayLearn(region.buffer))
      learned |= mark(region.buffer);
  }
  return learned;
}

// Whether the threads of the block together make one tile of what they agree on.
bool ThreadUniform::isUniformTile(const OpStmt &op) const {
  auto isSame = [&](const Expr *expr) { return !expr || isUniform(expr); };
  return levelOf(op.op) == OpLevel::Tile && !op.opInfo().isExchange &&
         llvm::all_of(op.args, isSame) && llvm::all_of(op.regions, [&](const BufferRegion &region) {
           return isUniformBuffer(region.buffer) && isSame(region.slot) &&
                  llvm::all_of(region.ranges, [&](const Range &range) {
                    return isSame(range.min) && isSame(range.extent);
                  });
         });
}

// Whether the operation gives all threads of the scope the same.
bool ThreadUniform::isCommon(const OpStmt &op) const {
  bool isWide = scope_ == OpScope::Warp || scopeOf(op) == OpScope::Block;
  return isWide && op.opInfo().isCommon && op.opInfo().isCommon(op);
}

// The numbers of threads are known; of warps also what variables are bound to by them.
void ThreadUniform::bindThreads(const Stmt &stmt) {
  if (const auto *launch = llvm::dyn_cast<Launch>(&stmt)) {
    Lanes threads(static_cast<size_t>(launch->threads));
    std::iota(threads.begin(), threads.end(), 0);
    lanes_.bind(launch->threadVar, std::move(threads));
  }
  const auto *bind = llvm::dyn_cast<Bind>(&stmt);
  if (!bind)
    return;
  bound_[bind->var] = bind->value;
  if (scope_ != OpScope::Warp)
    return;
  if (Lanes values = lanes_.evaluate(bind->value); !values.empty())
    lanes_.bind(bind->var, std::move(values));
}

// Whether it is so because of the numbers of the threads, or its parts are.
bool ThreadUniform::agreesByParts(const Expr *expr) const {
  if (isMadeOfAgreed(expr) || agreesByNumbers(expr))
    return true;
  if (const auto *load = llvm::dyn_cast<Load>(expr); load && !isUniformBuffer(load->buffer))
    return false;
  bool agree = !llvm::isa<Var>(expr);
  forEachChild(expr, [&](const Expr *child) { agree = agree && agreesByParts(child); });
  return agree;
}

bool ThreadUniform::agreesByNumbers(const Expr *expr) const {
  constexpr size_t WarpThreads = 32, MostThreads = 1024;
  auto isAgreed = [&](const Expr *part) { return isMadeOfAgreed(part); };
  auto valueOf = [&](const Var *var) { return bound_.lookup(var); };
  return agreesOn(expr, {lanes_, isAgreed, valueOf},
                  scope_ == OpScope::Warp ? WarpThreads : MostThreads);
}

// Whether every thread moves the same elements, to its own registers or from them.
bool ThreadUniform::isUniformMove(const OpStmt &op) const {
  const OpInfo &info = op.opInfo();
  auto isSame = [&](const Expr *expr) { return !expr || isUniform(expr); };
  return info.work == OpWork::Move && info.scope == OpScope::Thread &&
         llvm::all_of(op.args, isSame) && isUniformBuffer(op.regions[0].buffer) &&
         llvm::all_of(op.regions, [&](const BufferRegion &region) {
           return isSame(region.slot) && llvm::all_of(region.ranges, [&](const Range &range) {
                    return isSame(range.min) && isSame(range.extent);
                  });
         });
}

// Other memory is shared by all threads.
bool ThreadUniform::mayLearn(BufferId buffer) const {
  Scope scope = function_.buffer(buffer).scope;
  return !isMemory(scope) && !divergentBuffers_.contains(buffer.value);
}

// Of the block only conditions are worth the arithmetic.
bool ThreadUniform::isUniform(const Expr *expr) const {
  bool isAsked = scope_ == OpScope::Warp || expr->dtype().isBool();
  return isAsked ? agreesByParts(expr) : isMadeOfAgreed(expr);
}

bool ThreadUniform::isMadeOfAgreed(const Expr *expr) const {
  bool agreed = true;
  walk(expr, [&](const Expr *part) {
    if (const auto *var = llvm::dyn_cast<Var>(part))
      agreed &= !divergent_.contains(var);
    if (const auto *load = llvm::dyn_cast<Load>(part))
      agreed &= isUniformBuffer(load->buffer);
  });
  return agreed;
}

bool ThreadUniform::isUniformBuffer(BufferId buffer) const {
  return !divergentBuffers_.contains(buffer.value);
}

bool ThreadUniform::isUniform(const Stmt &stmt) const {
  if (const auto *branch = llvm::dyn_cast<If>(&stmt))
    return isUniform(branch->condition);
  if (const auto *loop = llvm::dyn_cast<For>(&stmt))
    return isUniform(loop->min) && isUniform(loop->extent) && !divergentLoops_.contains(loop);
  return true;
}

} // namespace tilescope
