#include "passes/pipeline_conditions.h"

#include "core/analysis/tile_loads.h"
#include "core/ir/visit.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

llvm::DenseSet<uint32_t> writtenBy(Context &context, const Stmt *root) {
  llvm::DenseSet<uint32_t> written;
  walk(root, [&](const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(context, stmt))
      if (access.effect != Effect::Read)
        written.insert(access.buffer.value);
    return true;
  });
  return written;
}

class ConditionSplitter {
public:
  ConditionSplitter(Context &context, const Function &function, const For &loop)
      : context_(context), builder_(context), function_(function), loop_(loop),
        written_(writtenBy(context, loop.body)) {}

  const For *run() {
    StmtList children = loop_.body;
    if (const auto *seq = llvm::dyn_cast<Seq>(loop_.body))
      children = seq->stmts;
    llvm::SmallVector<const Stmt *> stmts;
    for (const Stmt *child : children) {
      const auto *branch = llvm::dyn_cast<If>(child);
      if (branch && !llvm::isa<Role>(branch) && maySplit(*branch))
        split(*branch, stmts);
      else
        stmts.push_back(child);
    }
    if (stmts.size() == children.size())
      return &loop_;
    const Stmt *body = builder_.seq(builder_.fresh(loop_.span()), stmts);
    return context_.make<For>(loop_.info(), loop_.var, loop_.min, loop_.extent, loop_.forKind, body,
                              loop_.pipeline);
  }

private:
  bool maySplit(const If &branch) {
    const auto *seq = llvm::dyn_cast<Seq>(branch.thenBody);
    if (branch.elseBody || !seq || seq->stmts.size() < 2 || !isFixed(branch.condition))
      return false;
    return llvm::any_of(
               seq->stmts,
               [&](const Stmt *stmt) { return tileLoadOf(function_, stmt).has_value(); }) &&
           llvm::none_of(seq->stmts, [](const Stmt *stmt) {
             const auto *bind = llvm::dyn_cast<Bind>(stmt);
             return bind && readsMemory(bind->value);
           });
  }

  // Whether the condition has one value in an iteration.
  bool isFixed(const Expr *condition) {
    bool found = false;
    walk(condition, [&](const Expr *node) {
      const auto *load = llvm::dyn_cast<Load>(node);
      found |= load && written_.contains(load->buffer.value);
    });
    return !found;
  }

  // Loads by themselves, what stands between them together; bindings go before the condition.
  void split(const If &branch, llvm::SmallVectorImpl<const Stmt *> &stmts) {
    llvm::SmallVector<const Stmt *> part;
    bool isFirst = true;
    auto close = [&] {
      if (part.empty())
        return;
      StmtInfo info = isFirst ? branch.info() : builder_.cloned(branch);
      isFirst = false;
      const Stmt *body =
          part.size() == 1 ? part.front() : builder_.seq(builder_.fresh(branch.span()), part);
      stmts.push_back(context_.make<If>(info, branch.condition, body, nullptr));
      part.clear();
    };
    for (const Stmt *stmt : llvm::cast<Seq>(branch.thenBody)->stmts) {
      if (llvm::isa<Bind>(stmt)) {
        stmts.push_back(stmt);
        continue;
      }
      bool isLoad = tileLoadOf(function_, stmt).has_value();
      if (isLoad)
        close();
      part.push_back(stmt);
      if (isLoad)
        close();
    }
    close();
  }

  Context &context_;
  Builder builder_;
  const Function &function_;
  const For &loop_;
  llvm::DenseSet<uint32_t> written_;
};

} // namespace

const For *splitConditions(Context &context, const Function &function, const For &loop) {
  return ConditionSplitter(context, function, loop).run();
}

} // namespace tilescope
