// Makes indices count from the start of the buffer.
//
//     B[tx] = A[-1, tx]         =>    B[tx] = A[M - 1, tx]
//     B[tx] = A[idx[tx], 0]     =>    B[tx] = A[idx[tx] + M if idx[tx] < 0 else idx[tx], 0]
//
// Why: a negative index counts from the end, as in Python; nothing later knows of that. Where
// bounds prove the sign there is no select. What is wrong whatever its variables are is an error
// here, where the kernel line is still at hand: an access outside of its buffer, a division by 0
// that some iteration surely does. Of global memory a tile at the edge may lie outside in part, or
// in some iterations; that becomes guard-memory-access's.
//
// Not done: a box of several elements (a slice) whose start has an unknown sign is left alone: it
// is guarded as it stands and does not wrap.
//
// Requires: nothing. Ensures: indices are not negative where their sign is known.
#include "core/analysis/bounds_guard.h"
#include "core/analysis/simplify_expr.h"
#include "core/analysis/zero_divisors.h"
#include "core/ir/print_expr.h"
#include "core/ir/visit.h"
#include "core/pass/pass.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tilescope {

namespace {

class IndexLegalizer {
public:
  IndexLegalizer(PassContext &context, const Function &function)
      : context_(context.context), diagnostics_(context.diagnostics), function_(function),
        builder_(context.context), affine_(context.context, function) {}

  const Stmt *legalize(const Stmt *stmt) {
    llvm::SaveAndRestore whole(reached_, reached_);
    noteIteration(stmt);
    span_ = stmt->span();
    const Stmt *loads =
        mapExprs(context_, stmt, [&](const Expr *expr) { return legalizeLoads(expr); });
    if (const auto *store = llvm::dyn_cast<Store>(loads))
      return legalizeStore(*store);
    if (const auto *op = llvm::dyn_cast<OpStmt>(loads))
      return legalizeOp(*op);
    return mapChildren(context_, loads, [&](const Stmt *child) {
      // What never runs is not wrong.
      if (neverRuns(affine_, loads, child))
        return child;
      ScopedFacts facts(affine_, loads, child);
      return legalize(child);
    });
  }

private:
  // Whether statements are reached for every value of the variables around them.
  void noteIteration(const Stmt *stmt) {
    reached_ &= !llvm::isa<If>(stmt);
    if (const auto *loop = llvm::dyn_cast<For>(stmt))
      noteVariable(loop->var, loop->extent);
    if (const auto *parallel = llvm::dyn_cast<Parallel>(stmt))
      for (auto [var, extent] : llvm::zip(parallel->vars, parallel->extents))
        noteVariable(var, extent);
    if (const auto *launch = llvm::dyn_cast<Launch>(stmt))
      iterated_.insert(launch->threadVar->id.value);
  }

  void noteVariable(const Var *var, const Expr *extent) {
    iterated_.insert(var->id.value);
    reached_ &= constantValue(extent).value_or(0) > 0;
  }

  // Whether an index takes the ends of its bounds: it is a sum of variables that take theirs.
  bool takesItsBounds(const Expr *index) {
    Affine value = affine_.convert(index);
    return reached_ && llvm::all_of(value.sum->terms, [&](const AffineTerm &term) {
             return term.atom->kind == AffineKind::Symbol &&
                    iterated_.contains(term.atom->symbol.value);
           });
  }

  const Expr *legalizeLoads(const Expr *expr) {
    if (const Expr *only = onlySideEvaluated(expr))
      return only;
    bool isConditional = expr->dtype().isBool() || llvm::isa<Select>(expr);
    llvm::SaveAndRestore whole(reached_, reached_ && !isConditional);
    const Expr *inside = mapOperandsWithFacts(
        affine_, expr, [&](const Expr *operand) { return legalizeLoads(operand); });
    const auto *load = llvm::dyn_cast<Load>(inside);
    if (!load)
      return inside;
    ExprList indices = legalizeElement(load->buffer, load->indices);
    if (indices == load->indices)
      return load;
    return context_.make<Load>(load->dtype(), load->buffer, load->slot, indices);
  }

  // Where one side of an expression is proven to be left out: that side stays as it is. Else null.
  const Expr *onlySideEvaluated(const Expr *expr) {
    if (const auto *select = llvm::dyn_cast<Select>(expr)) {
      Proof proof = affine_.prove(select->condition);
      if (proof == Proof::Unknown)
        return nullptr;
      bool holds = proof == Proof::True;
      return mapChildren(context_, expr, [&](const Expr *operand) {
        bool isLeftOut = operand == (holds ? select->whenFalse : select->whenTrue);
        return isLeftOut ? operand : legalizeLoads(operand);
      });
    }
    const auto *binary = llvm::dyn_cast<Binary>(expr);
    bool isLogical = binary && (binary->op == BinaryOp::And || binary->op == BinaryOp::Or);
    Proof decides = isLogical && binary->op == BinaryOp::Or ? Proof::True : Proof::False;
    if (!isLogical || affine_.prove(binary->lhs) != decides)
      return nullptr;
    return mapChildren(context_, expr, [&](const Expr *operand) {
      return operand == binary->rhs ? operand : legalizeLoads(operand);
    });
  }

  std::string textOf(const Expr *expr) const {
    return printExpr(textNamesOf(context_, function_), *expr);
  }

  const Stmt *legalizeStore(const Store &store) {
    ExprList indices = legalizeElement(store.buffer, store.indices);
    if (indices == store.indices)
      return &store;
    return context_.make<Store>(store.info(), store.buffer, store.slot, indices, store.value);
  }

  ExprList legalizeElement(BufferId id, ExprList indices) {
    const Buffer &buffer = function_.buffer(id);
    llvm::SmallVector<const Expr *> legal;
    for (size_t dim = 0; dim < indices.size(); ++dim) {
      Range range{indices[dim], builder_.integer(1, indices[dim]->dtype())};
      legal.push_back(legalizeStart(buffer, dim, range));
      reportOutside(buffer, dim, {legal.back(), range.extent}, span_);
    }
    return llvm::ArrayRef<const Expr *>(legal) == indices ? indices
                                                          : context_.copy<const Expr *>(legal);
  }

  const Stmt *legalizeOp(const OpStmt &op) {
    llvm::SmallVector<BufferRegion> regions;
    bool isChanged = false;
    for (const BufferRegion &region : op.regions) {
      llvm::SmallVector<Range> ranges(region.ranges);
      const Buffer &buffer = function_.buffer(region.buffer);
      bool isMoved = false;
      for (size_t dim = 0; dim < ranges.size(); ++dim) {
        ranges[dim].min = legalizeStart(buffer, dim, ranges[dim]);
        isMoved |= ranges[dim].min != region.ranges[dim].min;
        reportOutside(buffer, dim, ranges[dim], region.span.isValid() ? region.span : op.span());
      }
      regions.push_back(region);
      if (isMoved)
        regions.back().ranges = context_.copy<Range>(ranges);
      isChanged |= isMoved;
    }
    if (!isChanged)
      return &op;
    return context_.make<OpStmt>(op.info(), op.op, context_.copy<BufferRegion>(regions), op.args,
                                 op.attrs);
  }

  const Expr *legalizeStart(const Buffer &buffer, size_t dim, const Range &range) {
    const Expr *start = range.min;
    if (!isAffineType(start->dtype()))
      return start;
    const Expr *isNegative = builder_.less(start, builder_.integer(0, start->dtype()));
    Proof proof = affine_.prove(isNegative);
    bool isElement = constantValue(range.extent) == 1;
    if (proof == Proof::False || (proof == Proof::Unknown && !isElement))
      return start;
    const Expr *shape = builder_.cast(start->dtype(), buffer.shape[dim]);
    std::optional<int64_t> constant = constantValue(start);
    const Expr *fromEnd = constant
                              ? builder_.sub(shape, builder_.integer(-*constant, start->dtype()))
                              : simplifyExpr(affine_, builder_.add(start, shape));
    return proof == Proof::True ? fromEnd : builder_.select(isNegative, fromEnd, start);
  }

  void reportOutside(const Buffer &buffer, size_t dim, const Range &range, const Span &span) {
    std::optional<int64_t> shape = constantValue(buffer.shape[dim]);
    std::optional<int64_t> extent = constantValue(range.extent);
    if (buffer.scope == Scope::Global) {
      if (isOutside(affine_, range, buffer.shape[dim]))
        diagnostics_.report(DiagId::IndexOutOfRange, span, textOf(simplifyExpr(affine_, range.min)),
                            dim, buffer.name, textOf(buffer.shape[dim]));
      return;
    }
    if (!shape || !extent)
      return;
    AffineBounds start = affine_.bounds(range.min);
    std::optional<int64_t> outside;
    if (start.lower && *start.lower > *shape - *extent)
      outside = *start.lower + *extent - 1;
    else if (start.upper && *start.upper < 0)
      outside = start.upper;
    else if (start.upper && *start.upper > *shape - *extent && takesItsBounds(range.min))
      outside = *start.upper + *extent - 1;
    if (outside)
      diagnostics_.report(DiagId::IndexOutOfRange, span, *outside, dim, buffer.name, *shape);
  }

  Context &context_;
  Diagnostics &diagnostics_;
  const Function &function_;
  Builder builder_;
  IrAffine affine_;
  Span span_;
  bool reached_ = true;
  llvm::DenseSet<uint32_t> iterated_;
};

void reportZeroDivisors(PassContext &context, const Function &function) {
  TextNames names = textNamesOf(context.context, function);
  for (const ZeroDivisor &found : findZeroDivisors(context.context, function)) {
    llvm::SmallVector<std::string> where;
    for (auto [var, value] : found.where)
      where.push_back(printExpr(names, *var) + " is " + std::to_string(value));
    context.diagnostics.report(
        DiagId::DivisorIsZero, found.stmt->span(), printExpr(names, *found.divisor),
        where.empty() ? "always 0" : "0 where " + llvm::join(where, " and "));
  }
}

class LegalizeIndices : public Pass {
public:
  const Module *run(const Module &module, PassContext &context) override {
    unsigned errors = context.diagnostics.errorCount();
    const Module *legal = forEachFunction(module, [&](const Function &function) {
      reportZeroDivisors(context, function);
      const Stmt *body = IndexLegalizer(context, function).legalize(function.body);
      return withBody(context.context, function, body);
    });
    return context.diagnostics.errorCount() == errors ? legal : nullptr;
  }
};

} // namespace

std::unique_ptr<Pass> createLegalizeIndices() { return std::make_unique<LegalizeIndices>(); }

} // namespace tilescope
