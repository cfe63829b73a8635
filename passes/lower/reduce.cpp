// T.reduce: each thread folds the elements that it holds, or reads; the lanes that share a row
// exchange what they have; warps that share one do it through a workspace in shared memory.
//
//     top[r] = -inf                                    all registers of the result
//     top[i] = T.max(top[i], scores[i, j])             over all elements of this thread
//     T.shuffle(top_other, top[r], 1, kind="xor")      and 2: four lanes hold a row
//     top[r] = T.max(top[r], top_other)
//     top_workspace[warp, i] = top[i]                  one lane of each warp; only if several warps
//     top[i] = T.max(top_workspace[0, i], top_workspace[1, i])    ... hold a row
//
// The barrier between the last two comes from insert-barriers. A workspace that would have more
// elements than the block has threads is used in rounds, by some of the registers at a time:
//
//     for round in T.unroll(4):
//       top_workspace[warp, 0, place] = top[round]             one lane of each warp
//       top[round] = T.max(top_workspace[0, 0, place], top_workspace[1, 0, place])
//
// Without `clear` what the result held before joins at the end, once. A tile in shared memory is
// read like the elements of a fragment; a result in shared memory is made in registers and stored
// by one of the threads that have it.
#include "core/analysis/layouts/layout_state.h"
#include "core/analysis/reduce_layouts.h"
#include "core/ir/folding.h"
#include "passes/lower/parallel.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

using Indices = llvm::SmallVector<const Expr *>;

// The axes of a reduction: those of the source; the wide ones that are kept pair up with the wide
// ones of the result, in order.
struct ReductionAxes {
  llvm::SmallVector<int64_t> extents;                  // of the source
  size_t dim = 0;                                      // reduced
  llvm::SmallVector<std::optional<size_t>> resultAxis; // of each axis of the source

  llvm::SmallVector<int64_t> keptExtents() const {
    llvm::SmallVector<int64_t> kept(extents);
    kept.erase(kept.begin() + static_cast<ptrdiff_t>(dim));
    return kept;
  }
};

std::optional<ReductionAxes> axesOf(const OpStmt &op) {
  ReductionAxes axes;
  axes.dim = static_cast<size_t>(op.attr(Attr::Dim));
  llvm::ArrayRef<Range> result = op.regions[1].ranges;
  size_t next = 0;
  for (auto [axis, range] : llvm::enumerate(op.regions[0].ranges)) {
    std::optional<int64_t> extent = constantValue(range.extent);
    if (!extent || *extent < 1)
      return std::nullopt;
    axes.extents.push_back(*extent);
    axes.resultAxis.push_back(std::nullopt);
    if (axis == axes.dim || *extent == 1)
      continue;
    while (next < result.size() && constantValue(result[next].extent) == 1)
      ++next;
    if (next == result.size() || constantValue(result[next].extent) != *extent)
      return std::nullopt;
    axes.resultAxis.back() = next++;
  }
  return axes;
}

class Reduction {
public:
  Reduction(LowerContext &lower, const OpStmt &op, ReductionAxes axes)
      : lower_(lower), builder_(lower.builder()), op_(op), axes_(std::move(axes)),
        source_(lower.buffer(op.regions[0].buffer)), target_(lower.buffer(op.regions[1].buffer)),
        folding_(builder_, static_cast<ReduceKind>(op.attr(Attr::Kind)), target_.dtype,
                 op.attr(Attr::NanWins) != 0) {}

  // Null: an error was reported.
  const Stmt *lower() {
    chooseLayouts();
    std::optional<ReducedThreads> threads = reducedThreadsOf(tile_->dims[axes_.dim]);
    if (!threads)
      return lower_.fail(source_.id, "lanes that share a row are no power of two");
    bool isSum = targetInRegisters() && !op_.attr(Attr::Clear);
    const Buffer *before = isSum ? &lower_.makeRegisters(*result_, "before", registers()) : nullptr;
    auto copyBefore = [&](const Expr *r) { return store(*before, r, load(*result_, r)); };
    if (before)
      add(forEachRegister(copyBefore));
    add(forEachRegister([&](const Expr *r) { return store(*result_, r, folding_.neutral()); }));
    add(foldOwn());
    if (!threads->laneMasks.empty())
      add(exchange(threads->laneMasks));
    if (!threads->warps.empty())
      add(meetBetweenWarps(*threads));
    if (before)
      add(forEachRegister([&](const Expr *r) {
        return store(*result_, r, folding_.combine(load(*result_, r), load(*before, r)));
      }));
    if (!targetInRegisters())
      add(storeResult());
    return failed_ ? nullptr : lower_.seq(stmts_);
  }

private:
  void add(const Stmt *stmt) {
    failed_ |= stmt == nullptr;
    stmts_.push_back(stmt);
  }

  bool targetInRegisters() const { return target_.scope == Scope::Fragment; }
  int64_t registers() const { return result_->layout->registerCount(); }

  // The layouts of the tile that is reduced and of its result, and registers for the result.
  void chooseLayouts() {
    Context &context = lower_.context();
    if (source_.scope == Scope::Fragment)
      tile_ = source_.layout;
    else if (targetInRegisters())
      tile_ = reducedTileLayout(context, *keptLayout(), axes_.dim, axes_.extents[axes_.dim]);
    else
      tile_ =
          reducedTileLayout(context,
                            *planReduction(context, axes_.keptExtents(), axes_.extents[axes_.dim],
                                           axes_.dim + 1 == axes_.extents.size(), lower_.threads()),
                            axes_.dim, axes_.extents[axes_.dim]);
    result_ = targetInRegisters()
                  ? &target_
                  : &lower_.makeTile(target_, "result", axes_.keptExtents(), Scope::Fragment,
                                     dropDimension(context, *tile_, axes_.dim));
  }

  // The target's layout with the axes of the source that are kept.
  const Layout *keptLayout() {
    llvm::SmallVector<DigitList> dims;
    for (auto [axis, paired] : llvm::enumerate(axes_.resultAxis))
      if (axis != axes_.dim)
        dims.push_back(paired ? DigitList(target_.layout->dims[*paired]) : DigitList());
    return makeDenseFragment(lower_.context(), dims, target_.layout->replicas);
  }

  const Stmt *forEachRegister(llvm::function_ref<const Stmt *(const Expr *)> makeBody) {
    return lower_.unrolledOver("r", registers(), makeBody);
  }
  const Stmt *store(const Buffer &buffer, ExprList indices, const Expr *value,
                    const Expr *slot = nullptr) {
    return lower_.context().make<Store>(lower_.info(), buffer.id, slot,
                                        lower_.context().copy<const Expr *>(indices), value);
  }
  const Expr *load(const Buffer &buffer, ExprList indices) {
    return builder_.load(buffer, nullptr, indices);
  }

  // One variable for each axis of the source.
  Indices makeVars() {
    Indices vars;
    for (size_t axis = 0; axis < axes_.extents.size(); ++axis)
      vars.push_back(lower_.indexVar(axis + 1 == axes_.extents.size() ? "col" : "row"));
    return vars;
  }

  Indices keptOf(const Indices &vars) const {
    Indices kept(vars);
    kept.erase(kept.begin() + static_cast<ptrdiff_t>(axes_.dim));
    return kept;
  }

  // Where the result of these coordinates of the source lies: in the registers of the result...
  Indices resultIndices(const Indices &vars) {
    return targetInRegisters() ? targetIndices(vars) : keptOf(vars);
  }
  // ... and in the target.
  Indices targetIndices(const Indices &vars) {
    Indices indices;
    for (const Range &range : op_.regions[1].ranges)
      indices.push_back(range.min);
    for (auto [axis, paired] : llvm::enumerate(axes_.resultAxis))
      if (paired)
        indices[*paired] =
            targetInRegisters() ? vars[axis] : lower_.add(range(1, *paired), vars[axis]);
    return indices;
  }
  const Expr *range(size_t operand, size_t axis) { return op_.regions[operand].ranges[axis].min; }

  // `body` for all coordinates of `vars`, on the threads of `layout`.
  const Stmt *inParallel(ExprList vars, llvm::ArrayRef<int64_t> extents, const Stmt *body,
                         const Layout *layout, Copies copies = Copies::Equal) {
    llvm::SmallVector<const Var *> loopVars;
    Indices loopExtents;
    for (auto [var, extent] : llvm::zip_equal(vars, extents)) {
      loopVars.push_back(llvm::cast<Var>(var));
      loopExtents.push_back(lower_.index(extent));
    }
    Parallel parallel(lower_.info(), lower_.context().copy<const Var *>(loopVars),
                      lower_.context().copy<const Expr *>(loopExtents), body, 0, layout);
    return lowerElementwise(lower_, parallel, Writers::FirstCopy, copies);
  }

  // result[i] = combine(result[i], source[i, j]) over the elements of the thread.
  const Stmt *foldOwn() {
    Indices vars = makeVars();
    Indices element(vars);
    if (source_.scope != Scope::Fragment)
      for (auto [axis, index] : llvm::enumerate(element))
        index = lower_.add(range(0, axis), index);
    Indices result = resultIndices(vars);
    const Expr *value = folding_.operand(builder_.load(source_, op_.regions[0].slot, element));
    return inParallel(vars, axes_.extents,
                      store(*result_, result, folding_.combine(load(*result_, result), value)),
                      tile_, Copies::Partial);
  }

  // Butterfly: after each exchange twice as many lanes agree.
  const Stmt *exchange(llvm::ArrayRef<int64_t> masks) {
    const Buffer &other = lower_.makeRegisters(*result_, "other", 1);
    return forEachRegister([&](const Expr *r) {
      llvm::SmallVector<const Stmt *> stmts;
      for (int64_t mask : masks) {
        stmts.push_back(lower_.shuffle(other, ShuffleKind::Xor, load(*result_, r), mask));
        stmts.push_back(
            store(*result_, r, folding_.combine(load(*result_, r), load(other, lower_.index(0)))));
      }
      return lower_.seq(stmts);
    });
  }

  // One lane of each warp leaves what its warp has; everybody folds what all warps have.
  const Stmt *exchangeAtOnce(const ReducedThreads &threads) {
    Context &context = lower_.context();
    int64_t parts = extentOf(threads.warps);
    llvm::SmallVector<int64_t> shape = axes_.keptExtents();
    shape.insert(shape.begin(), parts);
    const Buffer &workspace =
        lower_.makeTile(target_, "workspace", shape, Scope::Shared, makeRowMajor(context));

    llvm::SmallVector<DigitList> dims = {threads.warps};
    for (auto [axis, digits] : llvm::enumerate(tile_->dims))
      if (axis != axes_.dim)
        dims.push_back(DigitList(digits));
    DigitList copies(tile_->replicas);
    llvm::append_range(copies, threads.lanes);
    Indices vars = makeVars();
    Indices places = keptOf(vars);
    places.insert(places.begin(), lower_.indexVar("part"));
    const Stmt *leave =
        inParallel(places, shape, store(workspace, places, load(*result_, resultIndices(vars))),
                   makeDenseFragment(context, dims, copies));

    vars = makeVars();
    places = keptOf(vars);
    places.insert(places.begin(), nullptr);
    const Expr *folded = nullptr;
    for (int64_t part = 0; part < parts; ++part) {
      places[0] = lower_.index(part);
      const Expr *value = load(workspace, places);
      folded = folded ? folding_.combine(folded, value) : value;
    }
    const Stmt *fold =
        inParallel(keptOf(vars), axes_.keptExtents(), store(*result_, resultIndices(vars), folded),
                   dropDimension(context, *tile_, axes_.dim));
    return leave && fold ? lower_.seq({leave, fold}) : nullptr;
  }

  // The same for some registers at a time. Which thread it is says where in the workspace.
  const Stmt *exchangeInRounds(const ReducedThreads &threads) {
    DigitList others(tile_->replicas);
    for (auto [axis, digits] : llvm::enumerate(tile_->dims))
      if (axis != axes_.dim)
        llvm::copy_if(digits, std::back_inserter(others),
                      [](const Digit &digit) { return digit.onThread; });
    int64_t parts = extentOf(threads.warps);
    int64_t places = extentOf(others);
    int64_t each = std::min(registers(), std::max<int64_t>(1, lower_.threads() / (parts * places)));
    while (registers() % each != 0)
      --each;
    const Buffer &workspace = lower_.makeTile(target_, "workspace", {parts, each, places},
                                              Scope::Shared, makeRowMajor(lower_.context()));
    const Expr *place = lower_.threadNumber(others);
    return lower_.unrolledOver("round", registers() / each, [&](const Expr *round) {
      auto forEach = [&](llvm::function_ref<const Stmt *(const Expr *, const Expr *)> makeBody) {
        return lower_.unrolledOver("r", each, [&](const Expr *r) {
          return makeBody(r, lower_.add(lower_.scale(round, each), r));
        });
      };
      const Stmt *leave = forEach([&](const Expr *r, const Expr *number) {
        return store(workspace, {lower_.threadNumber(threads.warps), r, place},
                     load(*result_, number));
      });
      const Stmt *fold = forEach([&](const Expr *r, const Expr *number) {
        const Expr *folded = nullptr;
        for (int64_t part = 0; part < parts; ++part) {
          const Expr *value = load(workspace, {lower_.index(part), r, place});
          folded = folded ? folding_.combine(folded, value) : value;
        }
        return store(*result_, number, folded);
      });
      return lower_.seq({onlyIf(isFirstLane(threads), leave), onlyIf(hasElements(), fold)});
    });
  }

  const Stmt *onlyIf(const Expr *condition, const Stmt *body) {
    return condition ? lower_.context().make<If>(lower_.info(), condition, body, nullptr) : body;
  }
  // Null: all threads of the block have.
  const Expr *hasElements() {
    if (tile_->threadCount() >= lower_.threads())
      return nullptr;
    return lower_.binary(BinaryOp::Less, lower_.threadVar(), lower_.index(tile_->threadCount()));
  }
  const Expr *isFirstLane(const ReducedThreads &threads) {
    const Expr *first = nullptr;
    if (!threads.lanes.empty())
      first = lower_.binary(BinaryOp::Equal, lower_.threadNumber(threads.lanes), lower_.index(0));
    const Expr *has = hasElements();
    return first && has ? builder_.logicalAnd(has, first) : first ? first : has;
  }

  const Stmt *meetBetweenWarps(const ReducedThreads &threads) {
    int64_t results = 1;
    for (int64_t extent : axes_.keptExtents())
      results *= extent;
    bool isSmall = extentOf(threads.warps) * results <= lower_.threads();
    return isSmall ? exchangeAtOnce(threads) : exchangeInRounds(threads);
  }

  const Stmt *storeResult() {
    Indices vars = makeVars();
    Indices target = targetIndices(vars);
    const Expr *slot = op_.regions[1].slot;
    const Expr *value = load(*result_, resultIndices(vars));
    if (!op_.attr(Attr::Clear))
      value = folding_.combine(builder_.load(target_, slot, target), value);
    return inParallel(keptOf(vars), axes_.keptExtents(), store(target_, target, value, slot),
                      result_->layout);
  }

  LowerContext &lower_;
  Builder &builder_;
  const OpStmt &op_;
  ReductionAxes axes_;
  const Buffer &source_;
  const Buffer &target_;
  Folding folding_;
  const Layout *tile_ = nullptr;   // of the source
  const Buffer *result_ = nullptr; // a fragment: the target, or what is stored to it
  llvm::SmallVector<const Stmt *> stmts_;
  bool failed_ = false;
};

} // namespace

const Stmt *lowerReduce(LowerContext &lower, const OpStmt &op) {
  std::optional<ReductionAxes> axes = axesOf(op);
  if (!axes)
    return lower.fail(op.regions[0].buffer, "its extents are not those of the result");
  for (const BufferRegion &region : op.regions)
    if (const Buffer &buffer = lower.buffer(region.buffer);
        buffer.scope == Scope::Fragment && !isWhole(region, buffer))
      return lower.fail(buffer.id, "only whole fragments are reduced");
  return Reduction(lower, op, std::move(*axes)).lower();
}

} // namespace tilescope
