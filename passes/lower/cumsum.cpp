// T.cumsum, T.cummax: a warp sums one line at a time, each of its lanes a run of neighbours.
// Fragments are put into shared memory before and taken from there after.
//
//     tile_workspace[i, j] = tile[i, j]                      on the threads that hold them
//     for line in T.serial(...): line = warp + line * warps
//       sum[0] = workspace[line, lane * 4] + ...             this lane's run
//       T.shuffle(other, sum[0], 1, kind="up")               and 2, 4, 8, 16: of all lanes up to it
//       sum[0] = T.if_then_else(lane >= 1, sum[0] + other[0], sum[0])
//       T.shuffle(other, sum[0], 1, kind="up")               of all lanes before it
//       workspace[line, lane * 4] = sum[0] = sum[0] + workspace[line, lane * 4]; ...
//     tile[i, j] = tile_workspace[i, j]
//
// Barriers between the three come from insert-barriers. A tile in shared memory is read, or
// written, where it lies.
#include "core/analysis/layouts/layout_state.h"
#include "core/analysis/mma_layouts.h"
#include "core/ir/folding.h"
#include "passes/lower/parallel.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

using Indices = llvm::SmallVector<const Expr *>;

class PrefixSum {
public:
  PrefixSum(LowerContext &lower, const OpStmt &op, llvm::SmallVector<int64_t> extents)
      : lower_(lower), builder_(lower.builder()), op_(op), extents_(std::move(extents)),
        dim_(static_cast<size_t>(op.attr(Attr::Dim))), source_(lower.buffer(op.regions[0].buffer)),
        target_(lower.buffer(op.regions[1].buffer)),
        folding_(builder_, static_cast<ReduceKind>(op.attr(Attr::Kind)), source_.dtype) {}

  // Null: an error was reported.
  const Stmt *lower() {
    bool isFromFragment = source_.scope == Scope::Fragment;
    bool isToFragment = target_.scope == Scope::Fragment;
    if (isFromFragment || isToFragment)
      workspace_ = &lower_.makeTile(target_, "workspace", extents_, Scope::Shared,
                                    makeRowMajor(lower_.context()));
    llvm::SmallVector<const Stmt *> stmts;
    if (isFromFragment)
      stmts.push_back(exchange(source_, /*isStored=*/false));
    stmts.push_back(sumLines());
    if (isToFragment)
      stmts.push_back(exchange(target_, /*isStored=*/true));
    return llvm::is_contained(stmts, nullptr) ? nullptr : lower_.seq(stmts);
  }

private:
  // Between a fragment and the workspace, on the threads that hold its elements.
  const Stmt *exchange(const Buffer &fragment, bool isStored) {
    llvm::SmallVector<const Var *> vars;
    Indices all;
    Indices loopExtents;
    for (auto [axis, extent] : llvm::enumerate(extents_)) {
      vars.push_back(lower_.indexVar(axis + 1 == extents_.size() ? "col" : "row"));
      all.push_back(vars.back());
      loopExtents.push_back(lower_.index(extent));
    }
    const Buffer &from = isStored ? *workspace_ : fragment;
    const Buffer &to = isStored ? fragment : *workspace_;
    const Stmt *body = store(to, nullptr, all, builder_.load(from, nullptr, all));
    Parallel parallel(lower_.info(), lower_.context().copy<const Var *>(vars),
                      lower_.context().copy<const Expr *>(loopExtents), body, 0, fragment.layout);
    return lowerElementwise(lower_, parallel);
  }

  const Stmt *sumLines() {
    int64_t warps = lower_.threads() / WarpThreads;
    int64_t lines = 1;
    for (auto [axis, extent] : llvm::enumerate(extents_))
      lines *= axis == dim_ ? 1 : extent;
    sum_ = &lower_.makeRegisters(source_, "sum", 1);
    other_ = &lower_.makeRegisters(source_, "other", 1);
    const Expr *lane = lower_.threadNumber(Digit{WarpThreads, true, 1});
    const Expr *warp = lower_.threadNumber(Digit{warps, true, WarpThreads});
    int64_t steps = (lines + warps - 1) / warps;
    const Var *step = steps == 1 ? nullptr : lower_.indexVar("line_step");
    const Var *line = lower_.indexVar("line");
    const Expr *own = step ? lower_.add(warp, lower_.scale(step, warps)) : warp;
    const Stmt *bind = lower_.bind(line, own);
    const Stmt *body = sumLine(line, lane);
    if (lines % warps != 0)
      body = lower_.context().make<If>(lower_.info(), builder_.less(line, lower_.index(lines)),
                                       body, nullptr);
    body = lower_.seq({bind, body});
    // A loop of one step would hide which warps have a line.
    if (!step)
      return body;
    return lower_.context().make<For>(lower_.info(), step, lower_.index(0), lower_.index(steps),
                                      ForKind::Serial, body);
  }

  const Stmt *sumLine(const Expr *line, const Expr *lane) {
    int64_t run = (extents_[dim_] + WarpThreads - 1) / WarpThreads;
    const Expr *first = lower_.scale(lane, run);
    auto sum = [&] { return builder_.load(*sum_, nullptr, lower_.index(0)); };
    auto other = [&] { return builder_.load(*other_, nullptr, lower_.index(0)); };
    llvm::SmallVector<const Stmt *> stmts = {setSum(folding_.neutral())};
    stmts.push_back(lower_.unrolledOver("i", run, [&](const Expr *i) {
      return addElement(line, lower_.add(first, i), /*isStored=*/false);
    }));
    for (int64_t lanes = 1; lanes < WarpThreads; lanes *= 2) {
      stmts.push_back(shuffle(lanes));
      stmts.push_back(
          setSum(builder_.select(isAtLeast(lane, lanes), folding_.combine(sum(), other()), sum())));
    }
    stmts.push_back(shuffle(1));
    stmts.push_back(setSum(builder_.select(isAtLeast(lane, 1), other(), folding_.neutral())));
    stmts.push_back(lower_.unrolledOver("i", run, [&](const Expr *i) {
      return addElement(line, lower_.add(first, i), /*isStored=*/true);
    }));
    return lower_.seq(stmts);
  }

  // sum += element `index` of the line, if there is one; `isStored`: that is the result there.
  const Stmt *addElement(const Expr *line, const Expr *index, bool isStored) {
    const Expr *at = index;
    if (op_.attr(Attr::Reverse))
      at = builder_.sub(lower_.index(extents_[dim_] - 1), index);
    bool isFromFragment = source_.scope == Scope::Fragment;
    const Buffer &from = isFromFragment ? *workspace_ : source_;
    const Expr *element =
        builder_.load(from, isFromFragment ? nullptr : op_.regions[0].slot, indicesOf(line, at, 0));
    const Expr *sum = builder_.load(*sum_, nullptr, lower_.index(0));
    const Stmt *stmt = setSum(folding_.combine(sum, element));
    if (isStored) {
      bool isToFragment = target_.scope == Scope::Fragment;
      const Buffer &to = isToFragment ? *workspace_ : target_;
      stmt = lower_.seq({stmt, store(to, isToFragment ? nullptr : op_.regions[1].slot,
                                     indicesOf(line, at, 1), sum)});
    }
    if (extents_[dim_] % WarpThreads == 0)
      return stmt;
    return lower_.context().make<If>(
        lower_.info(), builder_.less(index, lower_.index(extents_[dim_])), stmt, nullptr);
  }

  // Of the workspace, where the operand is a fragment, or of the operand itself.
  Indices indicesOf(const Expr *line, const Expr *at, size_t operand) {
    bool isFragment = lower_.buffer(op_.regions[operand].buffer).scope == Scope::Fragment;
    Indices indices(extents_.size());
    int64_t weight = 1;
    for (size_t axis = extents_.size(); axis-- != 0;) {
      const Expr *index = at;
      if (axis != dim_) {
        index = lower_.binary(BinaryOp::FloorMod,
                              lower_.binary(BinaryOp::FloorDiv, line, lower_.index(weight)),
                              lower_.index(extents_[axis]));
        weight *= extents_[axis];
      }
      indices[axis] = isFragment ? index : lower_.add(op_.regions[operand].ranges[axis].min, index);
    }
    return indices;
  }

  const Expr *isAtLeast(const Expr *lane, int64_t number) {
    return builder_.less(lower_.index(number - 1), lane);
  }
  const Stmt *setSum(const Expr *value) { return store(*sum_, nullptr, lower_.index(0), value); }
  const Stmt *shuffle(int64_t lanes) {
    return lower_.shuffle(*other_, ShuffleKind::Up, builder_.load(*sum_, nullptr, lower_.index(0)),
                          lanes);
  }
  const Stmt *store(const Buffer &buffer, const Expr *slot, ExprList indices, const Expr *value) {
    return lower_.context().make<Store>(lower_.info(), buffer.id, slot,
                                        lower_.context().copy<const Expr *>(indices), value);
  }

  LowerContext &lower_;
  Builder &builder_;
  const OpStmt &op_;
  llvm::SmallVector<int64_t> extents_;
  size_t dim_;
  const Buffer &source_;
  const Buffer &target_;
  Folding folding_;
  const Buffer *workspace_ = nullptr; // null: both tiles lie in shared memory
  const Buffer *sum_ = nullptr;
  const Buffer *other_ = nullptr;
};

} // namespace

const Stmt *lowerCumsum(LowerContext &lower, const OpStmt &op) {
  BufferId source = op.regions[0].buffer;
  if (lower.threads() % WarpThreads != 0)
    return lower.fail(source, "prefix sums take whole warps");
  llvm::SmallVector<int64_t> extents;
  for (const Range &range : op.regions[0].ranges) {
    std::optional<int64_t> extent = constantValue(range.extent);
    if (!extent || *extent < 1)
      return lower.fail(source, "the extents of the region are not positive constants");
    extents.push_back(*extent);
  }
  for (const BufferRegion &region : op.regions)
    if (const Buffer &buffer = lower.buffer(region.buffer);
        buffer.scope == Scope::Fragment && !isWhole(region, buffer))
      return lower.fail(buffer.id, "only whole fragments are summed");
  return PrefixSum(lower, op, std::move(extents)).lower();
}

} // namespace tilescope
