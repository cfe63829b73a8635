#include "core/ir/run_time_extents.h"

#include "core/ir/verifier.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

class RunTimeLoops {
public:
  RunTimeLoops(Context &context, const Function &function, int64_t threads)
      : context_(context), ir_(context), function_(function), threads_(threads) {}

  const Stmt *rewrite(const Stmt *stmt) {
    const auto *nest = llvm::dyn_cast<Parallel>(stmt);
    if (!nest)
      return mapChildren(context_, stmt, [&](const Stmt *child) { return rewrite(child); });
    bool isConstant =
        llvm::all_of(nest->extents, [](const Expr *extent) { return constantValue(extent); });
    bool isCounted =
        llvm::all_of(nest->extents, [](const Expr *extent) { return extent->dtype().isInteger(); });
    if (isConstant || !isCounted || nest->layout)
      return stmt;
    llvm::SmallVector<const Stmt *> stmts;
    const Parallel *bound = withBoundExtents(*nest, stmts);
    const Stmt *shared = withTileExtents(*bound);
    if (!shared && spreadsFragment(*bound))
      return stmt;
    if (!shared)
      shared = inChunks(*bound);
    stmts.push_back(shared);
    return ir_.seq(ir_.fresh(nest->span()), stmts);
  }

private:
  // The body may write what an extent is read from.
  const Parallel *withBoundExtents(const Parallel &nest,
                                   llvm::SmallVectorImpl<const Stmt *> &binds) {
    llvm::SmallVector<const Expr *> extents;
    for (const Expr *extent : nest.extents) {
      extents.push_back(extent);
      if (!readsMemory(extent))
        continue;
      const Var *var = ir_.var("extent", extent->dtype());
      binds.push_back(context_.make<Bind>(ir_.fresh(nest.span()), var, extent));
      extents.back() = var;
    }
    return context_.make<Parallel>(nest.info(), nest.vars, context_.copy<const Expr *>(extents),
                                   nest.body, nest.coalescedWidth);
  }

  // Whether the body accesses a fragment, other than to read the same element in each iteration.
  bool spreadsFragment(const Parallel &nest) {
    bool found = false;
    walk(nest.body, [&](const Stmt *stmt) {
      found |= llvm::any_of(accessesOf(context_, stmt), [&](const BufferAccess &access) {
        bool isSame =
            access.effect == Effect::Read && llvm::all_of(access.ranges, [](const Range &range) {
              return constantValue(range.min) && constantValue(range.extent);
            });
        return function_.buffer(access.buffer).scope == Scope::Fragment && !isSame;
      });
      return !found;
    });
    return found;
  }

  // How many iterations stay inside of every tile that the variable, plus a constant, is an index
  // of in each iteration; nullopt: it is an index of none.
  std::optional<int64_t> tileExtent(const Parallel &nest, const Var *var) {
    std::optional<int64_t> least;
    const auto *seq = llvm::dyn_cast<Seq>(nest.body);
    for (const Stmt *stmt : seq ? seq->stmts : StmtList(nest.body)) {
      if (!isUnconditional(stmt))
        continue;
      for (const BufferAccess &access : accessesOf(context_, stmt)) {
        const Buffer &tile = function_.buffer(access.buffer);
        if (tile.scope == Scope::Global)
          continue;
        for (auto [range, shape] : llvm::zip(access.ranges, tile.shape))
          if (std::optional<int64_t> room = roomFor(var, range, shape))
            least = std::min(least.value_or(*room), *room);
      }
    }
    return least && *least > 0 ? least : std::nullopt;
  }

  static bool isUnconditional(const Stmt *stmt) {
    bool hasSelect = false;
    forEachExpr(stmt, [&](const Expr *expr) {
      walk(expr, [&](const Expr *part) { hasSelect |= llvm::isa<Select>(part); });
    });
    return llvm::isa<Store, OpStmt>(stmt) && !hasSelect;
  }

  static std::optional<int64_t> roomFor(const Var *var, const Range &range, const Expr *shape) {
    std::optional<int64_t> extent = constantValue(shape);
    const auto *sum = llvm::dyn_cast<Binary>(range.min);
    bool isSum = sum && sum->op == BinaryOp::Add;
    std::optional<int64_t> offset = 0;
    if (isSum && sum->lhs == var)
      offset = constantValue(sum->rhs);
    else if (isSum && sum->rhs == var)
      offset = constantValue(sum->lhs);
    else if (range.min != var)
      return std::nullopt;
    return extent && offset ? std::optional(*extent - *offset) : std::nullopt;
  }

  // Null: not all extents are bounded by tiles.
  const Stmt *withTileExtents(const Parallel &nest) {
    llvm::SmallVector<const Expr *> extents;
    llvm::SmallVector<const Var *> vars;
    llvm::SmallVector<const Stmt *> stmts;
    const Expr *inside = nullptr;
    for (auto [var, extent] : llvm::zip_equal(nest.vars, nest.extents)) {
      extents.push_back(extent);
      vars.push_back(var);
      if (constantValue(extent))
        continue;
      std::optional<int64_t> bound = tileExtent(nest, var);
      if (!bound)
        return nullptr;
      extents.back() = ir_.integer(*bound);
      inside = ir_.logicalAnd(inside, ir_.less(var, extent));
      if (var->dtype() == DType::int32())
        continue;
      vars.back() = ir_.var(var->name, DType::int32());
      stmts.push_back(
          context_.make<Bind>(ir_.fresh(nest.span()), var, ir_.cast(var->dtype(), vars.back())));
    }
    stmts.push_back(context_.make<If>(ir_.fresh(nest.span()), inside, nest.body, nullptr));
    return context_.make<Parallel>(
        nest.info(), context_.copy<const Var *>(vars), context_.copy<const Expr *>(extents),
        ir_.seq(ir_.fresh(nest.span()), stmts), nest.coalescedWidth, nullptr, false, nest.extents);
  }

  // One iteration for each thread at a time.
  const Stmt *inChunks(const Parallel &nest) {
    DType dtype = nest.vars.front()->dtype();
    bool isOfOneType =
        llvm::all_of(nest.vars, [&](const Var *var) { return var->dtype() == dtype; });
    dtype = isOfOneType ? dtype : DType::int64();
    Span span = nest.span();
    const Expr *width = ir_.integer(threads_, dtype);
    const Expr *total = totalOf(nest, dtype);
    const Expr *rounded = ir_.add(total, ir_.integer(threads_ - 1, dtype));
    const Var *chunk = ir_.var((nest.vars.front()->name + "_chunk").str(), dtype);
    const Var *lane = ir_.var((nest.vars.front()->name + "_lane").str(), DType::int32());
    const Expr *place = ir_.add(ir_.mul(chunk, width), ir_.cast(dtype, lane));
    llvm::SmallVector<const Stmt *> stmts = bindAll(nest, place, span);
    stmts.push_back(nest.body);
    const Stmt *guarded = context_.make<If>(ir_.fresh(span), ir_.less(place, total),
                                            ir_.seq(ir_.fresh(span), stmts), nullptr);
    const Stmt *inner =
        context_.make<Parallel>(ir_.fresh(span), context_.copy<const Var *>({lane}),
                                context_.copy<const Expr *>({ir_.integer(threads_)}), guarded);
    return context_.make<For>(nest.info(), chunk, ir_.integer(0, dtype),
                              ir_.floorDiv(rounded, width), ForKind::Serial, inner);
  }

  // Iterations. Two negative extents have no positive product of them.
  const Expr *totalOf(const Parallel &nest, DType dtype) {
    const Expr *total = nullptr;
    for (const Expr *extent : nest.extents) {
      bool mayBeNegative = nest.extents.size() > 1 && !constantValue(extent);
      const Expr *count = mayBeNegative
                              ? ir_.binary(BinaryOp::Max, extent, ir_.integer(0, extent->dtype()))
                              : extent;
      count = ir_.cast(dtype, count);
      total = total ? ir_.mul(total, count) : count;
    }
    return total;
  }

  // Coordinates of a place among all iterations, the last axis next to each other.
  llvm::SmallVector<const Stmt *> bindAll(const Parallel &nest, const Expr *place, Span span) {
    llvm::SmallVector<const Stmt *> binds;
    for (size_t axis = nest.vars.size(); axis-- != 0;) {
      const Expr *extent = ir_.cast(place->dtype(), nest.extents[axis]);
      const Expr *value = axis == 0 ? place : ir_.floorMod(place, extent);
      binds.push_back(context_.make<Bind>(ir_.fresh(span), nest.vars[axis],
                                          ir_.cast(nest.vars[axis]->dtype(), value)));
      if (axis != 0)
        place = ir_.floorDiv(place, extent);
    }
    return binds;
  }

  Context &context_;
  Builder ir_;
  const Function &function_;
  int64_t threads_;
};

} // namespace

const Function *shareRunTimeLoops(Context &context, const Function &function) {
  const Stmt *body = rewriteStmt(context, function.body, [&](const Stmt *stmt) {
    const auto *launch = llvm::dyn_cast<Launch>(stmt);
    bool isLaunchable = launch && launch->threads >= 1 && launch->threads <= MaxThreadsOfBlock;
    if (!isLaunchable) // the verifier says so
      return stmt;
    RunTimeLoops loops(context, function, launch->threads);
    return mapChildren(context, stmt, [&](const Stmt *child) { return loops.rewrite(child); });
  });
  return body == function.body ? &function : withBody(context, function, body);
}

} // namespace tilescope
