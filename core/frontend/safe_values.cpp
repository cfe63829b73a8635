#include "core/frontend/safe_values.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

namespace {

class SafeReads {
public:
  explicit SafeReads(Evaluation &evaluation)
      : evaluation_(evaluation), context_(evaluation.context), ir_(evaluation.ir) {}

  const Stmt *rewrite(const Stmt *stmt) {
    const Stmt *read = mapExprs(context_, stmt, [&](const Expr *expr) {
      return rewriteExpr(context_, expr, [&](const Expr *part) { return guarded(part); });
    });
    const auto *op = llvm::dyn_cast<OpStmt>(read);
    return op ? rewriteOp(*op) : read;
  }

private:
  // Null: 0, as anywhere.
  const Expr *outsideOf(BufferId id) const {
    const BufferObject *buffer = evaluation_.kernel->findBuffer(id);
    if (buffer && buffer->draft.viewOf.isValid())
      buffer = evaluation_.kernel->findBuffer(buffer->draft.viewOf);
    return buffer ? buffer->outside : nullptr;
  }

  const Expr *guarded(const Expr *expr) {
    const auto *load = llvm::dyn_cast<Load>(expr);
    const Expr *outside = load ? outsideOf(load->buffer) : nullptr;
    if (!outside)
      return expr;
    const Expr *inside = nullptr;
    const Buffer &buffer = evaluation_.kernel->findBuffer(load->buffer)->draft;
    if (outside->dtype() != buffer.dtype) {
      evaluation_.fail(DiagId::NotSupportedYet, buffer.span,
                       "a view of another element type of a tensor that T.annotate_safe_value "
                       "gives a value");
      return expr;
    }
    for (auto [index, extent] : llvm::zip_equal(load->indices, buffer.shape)) {
      inside = ir_.logicalAnd(inside, compare(BinaryOp::GreaterEqual, index, ir_.integer(0)));
      inside = ir_.logicalAnd(inside, compare(BinaryOp::Less, index, extent));
    }
    return ir_.select(inside, load, outside);
  }

  const Expr *compare(BinaryOp op, const Expr *a, const Expr *b) {
    DType dtype = a->dtype().bits >= b->dtype().bits ? a->dtype() : b->dtype();
    return ir_.binary(op, ir_.cast(dtype, a), ir_.cast(dtype, b));
  }

  const Stmt *rewriteOp(const OpStmt &op) {
    for (auto [index, region] : llvm::enumerate(op.regions)) {
      if (op.operand(index).effect == Effect::Write || !outsideOf(region.buffer))
        continue;
      if (op.op == Op::Copy)
        return copyOf(op);
      const BufferObject &buffer = *evaluation_.kernel->findBuffer(region.buffer);
      evaluation_.fail(DiagId::NotSupportedYet, op.span(),
                       ("an operation other than T.copy that reads '" + buffer.sourceName +
                        "', which T.annotate_safe_value gives a value,"));
      return &op;
    }
    return &op;
  }

  // Both sides have as many axes that are longer than 1, and as long ones, in their order.
  const Stmt *copyOf(const OpStmt &op) {
    const BufferRegion &from = op.regions[0], &to = op.regions[1];
    llvm::SmallVector<const Var *> vars;
    llvm::SmallVector<const Expr *> extents;
    for (const Range &range : to.ranges) {
      if (constantValue(range.extent) == 1)
        continue;
      extents.push_back(range.extent);
      vars.push_back(ir_.var("i" + std::to_string(vars.size()), range.extent->dtype()));
    }
    const Buffer &source = evaluation_.kernel->findBuffer(from.buffer)->draft;
    const Buffer &target = evaluation_.kernel->findBuffer(to.buffer)->draft;
    const Expr *element = guarded(ir_.load(source, nullptr, placesIn(from, vars)));
    const Stmt *store = context_.make<Store>(ir_.fresh(op.span()), target.id, nullptr,
                                             placesIn(to, vars), ir_.cast(target.dtype, element));
    if (vars.empty())
      return store;
    return context_.make<Parallel>(op.info(), context_.copy<const Var *>(vars),
                                   context_.copy<const Expr *>(extents), store);
  }

  ExprList placesIn(const BufferRegion &region, llvm::ArrayRef<const Var *> vars) {
    llvm::SmallVector<const Expr *> places;
    for (const Range &range : region.ranges) {
      bool isWide = constantValue(range.extent) != 1;
      places.push_back(isWide ? ir_.add(range.min, ir_.cast(range.min->dtype(), vars.front()))
                              : range.min);
      vars = vars.drop_front(isWide);
    }
    return context_.copy<const Expr *>(places);
  }

  Evaluation &evaluation_;
  Context &context_;
  Builder &ir_;
};

} // namespace

const Stmt *readSafeValues(Evaluation &evaluation, const Stmt *body) {
  if (!evaluation.kernel->hasSafeValues())
    return body;
  SafeReads reads(evaluation);
  return rewriteStmt(evaluation.context, body,
                     [&](const Stmt *stmt) { return reads.rewrite(stmt); });
}

} // namespace tilescope::frontend
