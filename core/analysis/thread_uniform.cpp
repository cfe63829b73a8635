#include "core/analysis/thread_uniform.h"

#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <numeric>

namespace tilescope {

// From "all agree" downwards to a fixpoint: a value stored late in a loop is loaded early in it.
ThreadUniform::ThreadUniform(const Function &function, OpScope scope)
    : function_(function), scope_(scope) {
  while (learn(*function.body, false)) {
  }
}

bool ThreadUniform::learn(const Stmt &stmt, bool isInDivergentFlow) {
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
  if (const auto *store = llvm::dyn_cast<Store>(&stmt); store && mayLearn(store->buffer)) {
    bool agrees = !isInDivergentFlow && isUniform(store->value) &&
                  llvm::all_of(store->indices, [&](const Expr *index) { return isUniform(index); });
    if (!agrees)
      learned |= mark(store->buffer);
  }
  // What any other operation leaves in registers is each thread's own part.
  if (const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
      op && (isInDivergentFlow || !(isUniformMove(*op) || isCommon(*op))))
    for (auto [index, region] : llvm::enumerate(op->regions))
      if (op->operand(index).effect != Effect::Read && mayLearn(region.buffer))
        learned |= mark(region.buffer);
  if (llvm::isa<Break>(stmt) && isInDivergentFlow && loop_)
    learned |= divergentLoops_.insert(loop_).second;
  llvm::SaveAndRestore inLoop(loop_, llvm::isa<For>(stmt) ? llvm::cast<For>(&stmt) : loop_);
  bool isInside = isInDivergentFlow || llvm::isa<Parallel>(stmt) || !isUniform(stmt);
  forEachChild(&stmt, [&](const Stmt *child) { learned |= learn(*child, isInside); });
  return learned;
}

// Whether the operation gives all threads of the scope the same.
bool ThreadUniform::isCommon(const OpStmt &op) const {
  bool isWide = scope_ == OpScope::Warp || scopeOf(op) == OpScope::Block;
  return isWide && op.opInfo().isCommon && op.opInfo().isCommon(op);
}

// Of warps the numbers of threads decide; of a variable, what it is bound to.
void ThreadUniform::bindThreads(const Stmt &stmt) {
  if (scope_ != OpScope::Warp)
    return;
  if (const auto *launch = llvm::dyn_cast<Launch>(&stmt)) {
    Lanes threads(static_cast<size_t>(launch->threads));
    std::iota(threads.begin(), threads.end(), 0);
    lanes_.bind(launch->threadVar, std::move(threads));
  }
  if (const auto *bind = llvm::dyn_cast<Bind>(&stmt))
    if (Lanes values = lanes_.evaluate(bind->value); !values.empty())
      lanes_.bind(bind->var, std::move(values));
}

// Whether it is so because of the numbers of the threads, or its parts are.
bool ThreadUniform::agreesInWarps(const Expr *expr) const {
  constexpr size_t WarpThreads = 32;
  Lanes values = lanes_.evaluate(expr);
  bool agree = !values.empty();
  for (size_t thread = 0; thread < values.size(); ++thread)
    agree &= values[thread] == values[thread - thread % WarpThreads];
  if (agree)
    return true;
  if (llvm::isa<Var>(expr))
    return !divergent_.contains(llvm::cast<Var>(expr));
  if (const auto *load = llvm::dyn_cast<Load>(expr); load && !isUniformBuffer(load->buffer))
    return false;
  agree = true;
  forEachChild(expr, [&](const Expr *child) { agree &= agreesInWarps(child); });
  return agree;
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

// Other memory is divergent by its scope, or shared by all threads.
bool ThreadUniform::mayLearn(BufferId buffer) const {
  Scope scope = function_.buffer(buffer).scope;
  return (scope == Scope::Local || scope == Scope::LocalVar) &&
         !divergentBuffers_.contains(buffer.value);
}

bool ThreadUniform::isUniform(const Expr *expr) const {
  if (scope_ == OpScope::Warp)
    return agreesInWarps(expr);
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
  return function_.buffer(buffer).scope != Scope::Fragment &&
         !divergentBuffers_.contains(buffer.value);
}

bool ThreadUniform::isUniform(const Stmt &stmt) const {
  if (const auto *branch = llvm::dyn_cast<If>(&stmt))
    return isUniform(branch->condition);
  if (const auto *loop = llvm::dyn_cast<For>(&stmt))
    return isUniform(loop->min) && isUniform(loop->extent) && !divergentLoops_.contains(loop);
  return true;
}

} // namespace tilescope
