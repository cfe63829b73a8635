#include "core/analysis/first_touch.h"

#include "core/ir/expr_equal.h"
#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tilescope {

namespace {

class FirstTouchQuery {
public:
  FirstTouchQuery(Context &context, const Buffer &buffer) : context_(context), buffer_(buffer) {}

  FirstTouch ask(const Stmt *stmt) {
    if (readsDirectly(stmt))
      return FirstTouch::Uses;
    switch (stmt->kind()) {
    case StmtKind::Seq:
      return askSeq(llvm::cast<Seq>(stmt));
    case StmtKind::For:
      return askLoop(llvm::cast<For>(stmt));
    case StmtKind::If:
    case StmtKind::Role:
      return askIf(llvm::cast<If>(stmt));
    case StmtKind::Parallel:
      return askParallel(llvm::cast<Parallel>(stmt));
    case StmtKind::Launch:
      return ask(llvm::cast<Launch>(stmt)->body);
    case StmtKind::Bind:
    case StmtKind::Break:
      return FirstTouch::None;
    case StmtKind::Store:
    case StmtKind::Op:
      return askWrite(stmt);
    }
    return FirstTouch::Uses;
  }

private:
  // Reads of the statement itself. An accumulator that the op clears first is not read.
  bool readsDirectly(const Stmt *stmt) {
    return llvm::any_of(accessesOf(context_, stmt), [&](const BufferAccess &access) {
      return access.buffer == buffer_.id && access.effect != Effect::Write &&
             !clearsFirst(*stmt, access);
    });
  }

  FirstTouch askSeq(const Seq *seq) {
    for (const Stmt *child : seq->stmts)
      if (FirstTouch touch = ask(child); touch != FirstTouch::None)
        return touch;
    return FirstTouch::None;
  }

  FirstTouch askLoop(const For *loop) {
    FirstTouch touch = ask(loop->body);
    std::optional<int64_t> trips = constantValue(loop->extent);
    bool runs = trips && *trips > 0;
    return touch == FirstTouch::Redefines && !runs ? FirstTouch::Uses : touch;
  }

  FirstTouch askIf(const If *branch) {
    FirstTouch whenTrue = ask(branch->thenBody);
    FirstTouch whenFalse = branch->elseBody ? ask(branch->elseBody) : FirstTouch::None;
    return whenTrue == whenFalse ? whenTrue : FirstTouch::Uses;
  }

  // Whole if some store of every iteration writes the element that the variables name, and nothing
  // in the nest reads the buffer.
  FirstTouch askParallel(const Parallel *nest) {
    bool reads = false;
    bool writes = false;
    walk(nest->body, [&](const Stmt *stmt) {
      for (const BufferAccess &access : accessesOf(context_, stmt)) {
        if (access.buffer != buffer_.id)
          continue;
        reads |= access.effect != Effect::Write;
        writes = true;
      }
      return true;
    });
    if (!writes)
      return FirstTouch::None;
    StmtList stmts = nest->body;
    if (const auto *seq = llvm::dyn_cast<Seq>(nest->body))
      stmts = seq->stmts;
    bool whole = llvm::any_of(stmts, [&](const Stmt *stmt) {
      const auto *store = llvm::dyn_cast<Store>(stmt);
      return store && store->buffer == buffer_.id && namesEveryElement(store->indices, nest);
    });
    return whole && !reads ? FirstTouch::Redefines : FirstTouch::Uses;
  }

  // Indices are constants of axes of extent 1 and different variables that run over their axis.
  bool namesEveryElement(ExprList indices, const Parallel *nest) {
    llvm::SmallPtrSet<const Expr *, 4> used;
    for (auto [index, shape] : llvm::zip_equal(indices, buffer_.shape)) {
      if (constantValue(index) == 0 && constantValue(shape) == 1)
        continue;
      const auto *found = llvm::find(nest->vars, index);
      if (found == nest->vars.end() || !used.insert(index).second)
        return false;
      if (!isSameExpr(nest->extents[found - nest->vars.begin()], shape))
        return false;
    }
    return true;
  }

  FirstTouch askWrite(const Stmt *stmt) {
    FirstTouch touch = FirstTouch::None;
    for (const BufferAccess &access : accessesOf(context_, stmt)) {
      if (access.buffer != buffer_.id)
        continue;
      if (coversWhole(access.ranges, buffer_))
        return FirstTouch::Redefines;
      touch = FirstTouch::Uses;
    }
    return touch;
  }

  Context &context_;
  const Buffer &buffer_;
};

} // namespace

bool coversWhole(llvm::ArrayRef<Range> ranges, const Buffer &buffer) {
  return ranges.size() == buffer.shape.size() &&
         llvm::all_of(llvm::zip(ranges, buffer.shape), [](auto pair) {
           auto [range, shape] = pair;
           return constantValue(range.min) == 0 && isSameExpr(range.extent, shape);
         });
}

FirstTouch firstTouch(Context &context, const Stmt &stmt, const Buffer &buffer) {
  return FirstTouchQuery(context, buffer).ask(&stmt);
}

} // namespace tilescope
