// split-masks: leaves out masks of tiles of which no element is masked, where an option asks for
// it. For targets with wgmma.
//
//     for i, j in T.Parallel(128, 128):
//       S[i, j] = 0.0 if bx * 128 + i >= k * 128 + j else -inf
//     T.gemm(Q_s, K_s, S)
//   becomes
//     if bx * 128 < k * 128 + 127:
//       for i, j in T.Parallel(128, 128):
//         S[i, j] = 0.0 if bx * 128 + i >= k * 128 + j else -inf
//     else:
//       T.fill(S, 0.0)
//     T.gemm(Q_s, K_s, S)
//
// Of causal attention only the tiles on the diagonal are masked, and a comparison and a choice for
// each element is much beside two products of warp groups. infer-layouts then turns the fill into
// sums that start at zero.
//
// The condition is exact where the mask is one comparison, which core/analysis/nest_decision
// decides at one corner of the tile; all threads of the block agree on it. What other tiles get
// must be a constant or what was there.
//
// Left alone: nests that write anything but one element of a fragment, masks of sums and of loads
// that the kernel changes, and what a mask computes on both sides.
//
// Requires: tile, pipelined: the planner orders statements of a loop, not sides of a condition.
#include "core/analysis/nest_decision.h"
#include "core/analysis/simplify_expr.h"
#include "core/analysis/thread_uniform.h"
#include "core/ir/expr_equal.h"
#include "core/ir/printer.h"
#include "core/pass/pass.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// One value of a condition, and what an element is then.
struct MaskSide {
  bool condition = true;
  const Expr *value = nullptr; // null: as it was
};

struct ElementMask {
  const Store *store = nullptr;
  const Expr *condition = nullptr;
  llvm::SmallVector<MaskSide, 2> sides; // those that are plain
};

bool isPlainNumber(const Expr *value) { return llvm::isa<IntImm, FloatImm>(value); }

bool isPlainZero(const Expr *value) {
  const auto *number = llvm::dyn_cast_or_null<FloatImm>(value);
  return number && number->value == 0;
}

bool isOldValue(const Store &store, const Expr *value) {
  const auto *load = llvm::dyn_cast<Load>(value);
  return load && load->buffer == store.buffer && isSameExpr(load->slot, store.slot) &&
         llvm::equal(load->indices, store.indices, isSameExpr);
}

void addSide(ElementMask &mask, bool condition, const Expr *value) {
  if (isOldValue(*mask.store, value))
    mask.sides.push_back({condition, nullptr});
  else if (isPlainNumber(value))
    mask.sides.push_back({condition, value});
}

// What the nest does behind the names that it binds; null: more than one thing.
const Stmt *workOfNest(const Parallel &nest) {
  const auto *seq = llvm::dyn_cast<Seq>(nest.body);
  if (!seq)
    return nest.body;
  bool bindsAll = !seq->stmts.empty() && llvm::all_of(seq->stmts.drop_back(), [](const Stmt *s) {
    return llvm::isa<Bind>(s);
  });
  return bindsAll ? seq->stmts.back() : nullptr;
}

ElementMask maskOf(const Parallel &nest) {
  const Stmt *work = workOfNest(nest);
  ElementMask mask;
  if (const auto *branch = llvm::dyn_cast_or_null<If>(work); branch && !branch->elseBody) {
    mask.store = llvm::dyn_cast<Store>(branch->thenBody);
    mask.condition = branch->condition;
    mask.sides = {{false, nullptr}};
  }
  const auto *store = llvm::dyn_cast_or_null<Store>(work);
  if (const auto *select = store ? llvm::dyn_cast<Select>(store->value) : nullptr) {
    mask.store = store;
    mask.condition = select->condition;
    addSide(mask, true, select->whenTrue);
    addSide(mask, false, select->whenFalse);
    // No work is less than a product's start, and that is less than stores.
    auto cost = [](const MaskSide &side) {
      return !side.value ? 0 : isPlainZero(side.value) ? 1 : 2;
    };
    llvm::stable_sort(mask.sides, [&](auto &a, auto &b) { return cost(a) < cost(b); });
  }
  return mask;
}

class MaskSplitter {
public:
  MaskSplitter(PassContext &pass, const Function &function)
      : pass_(pass), function_(function), builder_(pass.context), affine_(pass.context, function) {}

  const Function *run() { return withBody(pass_.context, function_, visit(function_.body)); }

private:
  const Stmt *visit(const Stmt *stmt) {
    if (const auto *nest = llvm::dyn_cast<Parallel>(stmt))
      return split(*nest);
    return mapChildren(pass_.context, stmt, [&](const Stmt *child) {
      ScopedFacts facts(affine_, stmt, child);
      return visit(child);
    });
  }

  const Stmt *split(const Parallel &nest) {
    ElementMask mask = maskOf(nest);
    if (!mask.store || function_.buffer(mask.store->buffer).scope != Scope::Fragment ||
        !hasConstantExtents(nest))
      return &nest;
    NestDecision inNest(affine_, nest);
    if (!inNest.variesInNest(mask.condition))
      return &nest;
    std::string reason = "neither side is a constant or what the element was";
    for (const MaskSide &side : mask.sides) {
      const Expr *holds = inNest.everywhere(mask.condition, side.condition);
      reason = whyNot(holds);
      if (reason.empty())
        return withPlain(nest, *mask.store, side, holds);
    }
    remark(RemarkId::MaskKept, *mask.store, reason);
    return &nest;
  }

  bool hasConstantExtents(const Parallel &nest) const {
    return nest.written.empty() && llvm::all_of(nest.extents, [](const Expr *extent) {
             return constantValue(extent).value_or(0) > 0;
           });
  }

  std::string whyNot(const Expr *holds) {
    if (!holds)
      return "no single element decides for all of them";
    if (constantValue(holds))
      return "tiles do not differ";
    if (!affine_.isStable(holds))
      return "it depends on what the kernel writes";
    if (!uniform_)
      uniform_.emplace(function_);
    return uniform_->isUniform(holds) ? "" : "threads do not agree on it";
  }

  const Stmt *withPlain(const Parallel &nest, const Store &store, const MaskSide &side,
                        const Expr *holds) {
    const Expr *masked = simplifyExpr(affine_, builder_.unary(UnaryOp::Not, holds));
    remark(RemarkId::MaskSplit, store, printExpr(function_, *masked));
    const Stmt *plain = side.value ? plainStores(nest, store, side.value) : nullptr;
    return pass_.context.make<If>(builder_.cloned(nest), masked, &nest, plain);
  }

  const Stmt *plainStores(const Parallel &nest, const Store &store, const Expr *value) {
    const Buffer &buffer = function_.buffer(store.buffer);
    bool coversWhole = !store.slot && llvm::equal(nest.vars, store.indices) &&
                       llvm::equal(nest.extents, buffer.shape, isSameExpr);
    if (coversWhole) {
      llvm::SmallVector<Range> ranges;
      for (const Expr *extent : buffer.shape)
        ranges.push_back({builder_.integer(0, extent->dtype()), extent});
      return builder_.op(builder_.cloned(nest), Op::Fill,
                         builder_.region(buffer.id, nullptr, ranges, nest.span()), value);
    }
    const Stmt *body = rewriteStmt(pass_.context, nest.body, [&](const Stmt *stmt) -> const Stmt * {
      return stmt == &store ? pass_.context.make<Store>(store.info(), store.buffer, store.slot,
                                                        store.indices, value)
                            : stmt;
    });
    return cloneStmt(pass_.context,
                     pass_.context.make<Parallel>(nest.info(), nest.vars, nest.extents, body,
                                                  nest.coalescedWidth, nest.layout, nest.isAsync));
  }

  void remark(RemarkId id, const Store &store, const std::string &text) {
    emitRemark(pass_.remarks, id, {store.id(), store.span(), {store.buffer}},
               function_.buffer(store.buffer).name, text);
  }

  PassContext &pass_;
  const Function &function_;
  Builder builder_;
  IrAffine affine_;
  std::optional<ThreadUniform> uniform_; // made when first asked
};

class SplitMasks : public Pass {
public:
  const Module *run(const Module &module, PassContext &context) override {
    if (!isOn_ || !context.target.hasWgmma())
      return &module;
    return forEachFunction(
        module, [&](const Function &function) { return MaskSplitter(context, function).run(); });
  }

  std::vector<PassOption> options() override {
    return {{"branch", &isOn_,
             "where the target has wgmma: mask under a condition of the tile; may cost registers"}};
  }

private:
  bool isOn_ = false;
};

} // namespace

std::unique_ptr<Pass> createSplitMasks() { return std::make_unique<SplitMasks>(); }

} // namespace tilescope
