#include "core/frontend/persistent_loop.h"

#include "core/frontend/expr_operators.h"
#include "core/frontend/operators.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

namespace {

// Arithmetic of the evaluator, whose integers are folded. After an error all results are invalid.
class IndexArithmetic {
public:
  IndexArithmetic(Evaluation &evaluation, Span span) : evaluation_(evaluation), span_(span) {}

  Value add(Value a, Value b) { return apply(ast::BinaryOp::Add, a, b); }
  Value sub(Value a, Value b) { return apply(ast::BinaryOp::Sub, a, b); }
  Value mul(Value a, Value b) { return apply(ast::BinaryOp::Mul, a, b); }
  Value div(Value a, Value b) { return apply(ast::BinaryOp::FloorDiv, a, b); }
  Value mod(Value a, Value b) { return apply(ast::BinaryOp::Mod, a, b); }
  Value ceilDiv(Value a, Value b) { return div(sub(add(a, b), Value::integer(1)), b); }

  Value smaller(Value a, Value b) {
    if (!a || !b)
      return Value();
    if (a.isInt() && b.isInt())
      return Value::integer(std::min(a.asInt(), b.asInt()));
    return binaryOf(evaluation_, BinaryOp::Min, a, b, span_);
  }

  // A condition; null: invalid.
  const Expr *less(Value a, Value b) {
    Value result = a && b ? compare(evaluation_, ast::CompareOp::Lt, a, b, span_) : Value();
    return result ? toCondition(evaluation_, result, span_) : nullptr;
  }

  // Named, so that the IR says it once.
  Value bind(llvm::StringRef name, Value value) {
    const Expr *expr = value ? toIndex(evaluation_, value, name, span_) : nullptr;
    return expr ? Value::expr(evaluation_.kernel->bind(name, expr, span_)) : Value();
  }

private:
  Value apply(ast::BinaryOp op, Value a, Value b) {
    return a && b ? binary(evaluation_, op, a, b, span_) : Value();
  }

  Evaluation &evaluation_;
  Span span_;
};

struct Raster {
  Value group; // tiles of the last axis that are neighbours
  Value tiles; // with those beyond the last axis
};

Raster rasterOf(const LoopObject &loop, IndexArithmetic index) {
  Raster raster;
  raster.group = index.smaller(loop.groupSize, loop.domain.back());
  Value columns = index.mul(index.ceilDiv(loop.domain.back(), raster.group), raster.group);
  raster.tiles = columns;
  for (Value extent : llvm::ArrayRef(loop.domain).drop_back())
    raster.tiles = index.mul(raster.tiles, extent);
  return raster;
}

// Along each axis; an invalid one after an error.
llvm::SmallVector<Value, 4> coordinatesOf(const LoopObject &loop, const Raster &raster, Value tile,
                                          llvm::ArrayRef<std::string> names,
                                          IndexArithmetic index) {
  llvm::SmallVector<Value, 4> coordinates(loop.domain.size());
  Value rest = index.div(tile, raster.group);
  for (size_t axis = loop.domain.size() - 1; axis-- > 0;) {
    coordinates[axis] = index.bind(names[axis], index.mod(rest, loop.domain[axis]));
    rest = index.div(rest, loop.domain[axis]);
  }
  Value last = index.add(index.mul(rest, raster.group), index.mod(tile, raster.group));
  coordinates.back() = index.bind(names.back(), last);
  return coordinates;
}

} // namespace

Flow execPersistent(Evaluation &evaluation, const LoopObject &loop,
                    llvm::ArrayRef<std::string> names, Span span,
                    llvm::function_ref<Flow(llvm::ArrayRef<Value>)> body) {
  IndexArithmetic index(evaluation, span);
  Raster raster = rasterOf(loop, index);
  Value waves = index.ceilDiv(raster.tiles, loop.waveSize);
  const Expr *count = waves ? toIndex(evaluation, waves, "the number of waves", span) : nullptr;
  if (!count)
    return Flow::Failed;
  StmtInfo info = evaluation.ir.fresh(span);
  const Var *wave = evaluation.kernel->newVar("wave", count->dtype());
  evaluation.kernel->push();
  Value tile =
      index.bind("tile", index.add(index.mul(Value::expr(wave), loop.waveSize), loop.firstTile));
  llvm::SmallVector<Value, 4> coordinates = coordinatesOf(loop, raster, tile, names, index);
  const Expr *isTile = index.less(tile, raster.tiles);
  const Expr *isInside = index.less(coordinates.back(), loop.domain.back());
  evaluation.kernel->push();
  bool isFine = isTile && isInside && llvm::all_of(coordinates, [](Value v) { return bool(v); });
  Flow flow = isFine ? body(coordinates) : Flow::Failed;
  const Stmt *ofTile = evaluation.kernel->pop(span);
  if (flow != Flow::Normal) {
    evaluation.kernel->pop(span);
    return flow;
  }
  const Expr *condition = evaluation.ir.binary(BinaryOp::And, isTile, isInside);
  evaluation.kernel->emit(
      evaluation.context.make<If>(evaluation.ir.fresh(span), condition, ofTile, nullptr));
  const Stmt *ofWave = evaluation.kernel->pop(span);
  const Expr *zero = evaluation.ir.integer(0, count->dtype());
  evaluation.kernel->emit(
      evaluation.context.make<For>(info, wave, zero, count, ForKind::Serial, ofWave, nullptr));
  return Flow::Normal;
}

} // namespace tilescope::frontend
