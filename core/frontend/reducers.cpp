#include "core/frontend/reducers.h"

#include "core/ir/edit_map.h"
#include "core/ir/expr_equal.h"
#include "core/ir/folding.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

namespace {

// What one parallel loop collects.
struct Parts {
  const Parallel *nest = nullptr;
  BufferObject *buffer = nullptr;
  llvm::SmallVector<size_t> keptAxes; // of the nest, that choose the element of the result
};

bool writes(const Stmt &stmt, BufferId buffer) {
  const auto *store = llvm::dyn_cast<Store>(&stmt);
  return store && store->buffer == buffer;
}

class ReducerExpansion {
public:
  ReducerExpansion(Evaluation &evaluation, const KernelBuilder::FinalizedReducer &finalized)
      : evaluation_(evaluation), ir_(evaluation.ir), finalized_(finalized),
        reducer_(*finalized.reducer), draft_(finalized.reducer->draft),
        folding_(ir_, *finalized.reducer->reduction, draft_.dtype) {}

  // False after a report.
  bool collect(const Stmt *body, EditMap &edits) {
    walk(body, [&](const Stmt *stmt) {
      if (const auto *nest = llvm::dyn_cast<Parallel>(stmt))
        isFine_ &= collectFrom(*nest, edits);
      else if (writes(*stmt, draft_.id))
        isFine_ &= misused(*stmt, "contributions are made inside of a T.Parallel");
      return !llvm::isa<Parallel>(stmt);
    });
    if (!isFine_)
      return false;
    walk(body, [&](const Stmt *stmt) {
      const auto *op = llvm::dyn_cast<OpStmt>(stmt);
      if (op && op->op == Op::Fill && op->regions[0].buffer == draft_.id)
        for (const Parts &parts : parts_)
          edits[stmt->id()].after.push_back(clear(parts, *stmt));
      return true;
    });
    finish(edits[finalized_.stmt->id()]);
    return isFine_;
  }

private:
  bool misused(const Stmt &stmt, llvm::StringRef why) {
    return evaluation_.failed(DiagId::ReducerMisused, stmt.span(), reducer_.sourceName, why);
  }

  bool collectFrom(const Parallel &nest, EditMap &edits) {
    llvm::SmallVector<const Store *> updates;
    walk(nest.body, [&](const Stmt *stmt) {
      if (writes(*stmt, draft_.id))
        updates.push_back(llvm::cast<Store>(stmt));
      return true;
    });
    if (updates.empty())
      return true;
    if (updates.size() > 1)
      return misused(*updates[1], "a loop contributes to it once");
    const Store &update = *updates[0];
    const Expr *added = contributionOf(update);
    if (!added)
      return misused(update, "this combines it in another way than it was made for");
    std::optional<llvm::SmallVector<size_t>> axes = keptAxesOf(nest, update);
    if (!axes)
      return misused(update, "its indices are variables of the loop, in their order");
    Parts parts{&nest, nullptr, *axes};
    parts.buffer = makeFragment(nest.extents, update.span());
    llvm::SmallVector<const Expr *> places(nest.vars.begin(), nest.vars.end());
    ExprList indices = evaluation_.context.copy<const Expr *>(places);
    const Expr *sum = folding_.combine(ir_.load(parts.buffer->draft, nullptr, indices), added);
    edits[update.id()].replacement = evaluation_.context.make<Store>(
        update.info(), parts.buffer->draft.id, nullptr, indices, sum);
    parts_.push_back(parts);
    return true;
  }

  // What is combined with the old value; null: it is something else.
  const Expr *contributionOf(const Store &update) {
    const auto *sum = llvm::dyn_cast<Binary>(update.value);
    if (!sum || sum->op != folding_.op())
      return nullptr;
    auto isOld = [&](const Expr *side) {
      const auto *load = llvm::dyn_cast<Load>(side);
      return load && load->buffer == draft_.id &&
             llvm::all_of(llvm::zip_equal(load->indices, update.indices), [](auto pair) {
               return isSameExpr(std::get<0>(pair), std::get<1>(pair));
             });
    };
    const Expr *added = isOld(sum->lhs) ? sum->rhs : isOld(sum->rhs) ? sum->lhs : nullptr;
    bool readsOther = false;
    if (added)
      walk(added, [&](const Expr *part) {
        const auto *load = llvm::dyn_cast<Load>(part);
        readsOther |= load && load->buffer == draft_.id;
      });
    return readsOther ? nullptr : added;
  }

  std::optional<llvm::SmallVector<size_t>> keptAxesOf(const Parallel &nest, const Store &update) {
    llvm::SmallVector<size_t> axes;
    for (auto [index, extent] : llvm::zip_equal(update.indices, draft_.shape)) {
      if (constantValue(extent) == 1 && constantValue(index) == 0)
        continue;
      const auto *found = llvm::find(nest.vars, index);
      auto axis = static_cast<size_t>(found - nest.vars.begin());
      bool isNext = found != nest.vars.end() && (axes.empty() || axis > axes.back()) &&
                    isSameExpr(nest.extents[axis], extent);
      if (!isNext)
        return std::nullopt;
      axes.push_back(axis);
    }
    return axes;
  }

  BufferObject *makeFragment(ExprList extents, Span span) {
    BufferObject *made = evaluation_.kernel->addBuffer(evaluation_.heap, draft_.dtype, extents,
                                                       Scope::Fragment, span);
    evaluation_.kernel->nameBuffer(*made, reducer_.sourceName + "_parts");
    return made;
  }

  BufferRegion whole(const BufferObject &buffer) {
    llvm::SmallVector<Range> ranges;
    for (const Expr *extent : buffer.draft.shape)
      ranges.push_back({ir_.integer(0), extent});
    return ir_.region(buffer.draft.id, nullptr, ranges, finalized_.stmt->span());
  }

  const Stmt *clear(const Parts &parts, const Stmt &where) {
    return ir_.op(ir_.fresh(where.span()), Op::Fill, whole(*parts.buffer), folding_.neutral());
  }

  // Axis after axis, the last first, all but the last reduction into fragments of their own.
  void finish(Edit &edit) {
    edit.remove = true;
    for (const Parts &parts : parts_) {
      const BufferObject *from = parts.buffer;
      llvm::SmallVector<size_t> left;
      for (size_t axis = 0; axis < parts.nest->vars.size(); ++axis)
        left.push_back(axis);
      if (left.size() == parts.keptAxes.size())
        edit.before.push_back(combineEach(*from));
      for (size_t axis = left.size(); axis-- != 0;) {
        if (llvm::is_contained(parts.keptAxes, axis))
          continue;
        bool isLast = left.size() == parts.keptAxes.size() + 1;
        size_t dim = static_cast<size_t>(llvm::find(left, axis) - left.begin());
        const BufferObject *to = isLast ? &reducer_ : without(*from, dim);
        edit.before.push_back(reduce(*from, *to, dim, /*clear=*/!isLast));
        left.erase(left.begin() + static_cast<ptrdiff_t>(dim));
        from = to;
      }
    }
    if (finalized_.target)
      edit.before.push_back(ir_.op(info(), Op::Copy, {whole(reducer_), *finalized_.target}));
  }

  StmtInfo info() { return ir_.fresh(finalized_.stmt->span()); }

  const BufferObject *without(const BufferObject &from, size_t dim) {
    llvm::SmallVector<const Expr *> extents(from.draft.shape);
    extents.erase(extents.begin() + static_cast<ptrdiff_t>(dim));
    return makeFragment(extents, finalized_.stmt->span());
  }

  const Stmt *reduce(const BufferObject &from, const BufferObject &to, size_t dim, bool clear) {
    return ir_.op(info(), Op::Reduce, {whole(from), whole(to)}, {},
                  {{Attr::Kind, static_cast<int64_t>(*reducer_.reduction)},
                   {Attr::Dim, static_cast<int64_t>(dim)},
                   {Attr::Clear, clear}});
  }

  // Where every iteration has an element of its own.
  const Stmt *combineEach(const BufferObject &from) {
    Context &context = evaluation_.context;
    llvm::SmallVector<const Var *> vars;
    llvm::SmallVector<const Expr *> places;
    llvm::SmallVector<const Expr *> results;
    for (size_t axis = 0; axis < from.draft.shape.size(); ++axis) {
      vars.push_back(ir_.var("i"));
      places.push_back(vars.back());
    }
    size_t next = 0;
    for (const Expr *extent : draft_.shape)
      results.push_back(constantValue(extent) == 1 && draft_.shape.size() != places.size()
                            ? static_cast<const Expr *>(ir_.integer(0))
                            : places[next++]);
    ExprList of = context.copy<const Expr *>(results);
    const Expr *sum =
        folding_.combine(ir_.load(draft_, nullptr, of),
                         ir_.load(from.draft, nullptr, context.copy<const Expr *>(places)));
    const Stmt *store = context.make<Store>(info(), draft_.id, nullptr, of, sum);
    return context.make<Parallel>(info(), context.copy<const Var *>(vars), from.draft.shape, store);
  }

  Evaluation &evaluation_;
  Builder &ir_;
  const KernelBuilder::FinalizedReducer &finalized_;
  const BufferObject &reducer_;
  const Buffer &draft_;
  Folding folding_;
  std::vector<Parts> parts_;
  bool isFine_ = true;
};

} // namespace

const Stmt *expandReducers(Evaluation &evaluation, const Stmt *body) {
  EditMap edits;
  llvm::SmallVector<const BufferObject *> seen;
  for (const KernelBuilder::FinalizedReducer &finalized : evaluation.kernel->finalizedReducers()) {
    if (llvm::is_contained(seen, finalized.reducer)) {
      evaluation.fail(DiagId::ReducerMisused, finalized.stmt->span(), finalized.reducer->sourceName,
                      "it is finalized twice");
      return body;
    }
    seen.push_back(finalized.reducer);
    if (!ReducerExpansion(evaluation, finalized).collect(body, edits))
      return body;
  }
  return edits.empty() ? body : applyEdits(evaluation.context, body, edits);
}

} // namespace tilescope::frontend
