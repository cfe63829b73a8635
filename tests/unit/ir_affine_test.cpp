#include "core/analysis/bounds_guard.h"
#include "core/analysis/simplify_expr.h"
#include "core/ir/visit.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

// Text with all parentheses, names without ids: enough to compare what comes out.
std::string textOf(const Expr *expr) {
  if (!expr)
    return "null";
  if (const auto *imm = llvm::dyn_cast<IntImm>(expr))
    return imm->dtype().isBool() ? (imm->value ? "True" : "False") : std::to_string(imm->value);
  if (const auto *imm = llvm::dyn_cast<FloatImm>(expr))
    return std::to_string(imm->value);
  if (const auto *var = llvm::dyn_cast<Var>(expr))
    return var->name.str();
  if (const auto *unary = llvm::dyn_cast<Unary>(expr))
    return spellingOf(unary->op).str() + " " + textOf(unary->operand);
  if (const auto *binary = llvm::dyn_cast<Binary>(expr))
    return "(" + textOf(binary->lhs) + " " + spellingOf(binary->op).str() + " " +
           textOf(binary->rhs) + ")";
  if (const auto *cast = llvm::dyn_cast<Cast>(expr))
    return cast->dtype().name() + "(" + textOf(cast->operand) + ")";
  if (const auto *select = llvm::dyn_cast<Select>(expr))
    return "(" + textOf(select->whenTrue) + " if " + textOf(select->condition) + " else " +
           textOf(select->whenFalse) + ")";
  std::string text = "load[";
  forEachChild(expr, [&](const Expr *child) { text += textOf(child); });
  return text + "]";
}

// by in [0, ceildiv(M, 128)), tx in [0, 128), v in [0, 8), ko in [0, K // 32), i in [0, 32).
class IrAffineTest : public testing::Test {
protected:
  IrAffineTest() {
    buffer.id = context.nextBufferId();
    buffer.name = "A";
    buffer.dtype = DType::float16();
    shape = {m, k};
    buffer.shape = shape;
    buffers = {&buffer};
    function.buffers = buffers;
    params = {Param{buffer.id}, Param{BufferId(), m}, Param{BufferId(), k}};
    function.params = params;
    function.body = builder.seq(builder.fresh(Span()), {});
    affine.emplace(context, function);
    affine->declare(by, integer(0), div(add(m, 127), 128));
    affine->declare(tx, integer(0), integer(128));
    affine->declare(v, integer(0), integer(8));
    affine->declare(ko, integer(0), div(k, 32));
    affine->declare(i, integer(0), integer(32));
  }

  // Unlike the builder's, these fold nothing.
  const Expr *raw(BinaryOp op, const Expr *a, const Expr *b) {
    return context.make<Binary>(op, a, b);
  }
  const Expr *integer(int64_t value) { return builder.integer(value); }
  const Expr *add(const Expr *a, const Expr *b) { return raw(BinaryOp::Add, a, b); }
  const Expr *add(const Expr *a, int64_t b) { return add(a, integer(b)); }
  const Expr *sub(const Expr *a, const Expr *b) { return raw(BinaryOp::Sub, a, b); }
  const Expr *mul(const Expr *a, int64_t b) { return raw(BinaryOp::Mul, a, integer(b)); }
  const Expr *div(const Expr *a, int64_t b) { return raw(BinaryOp::FloorDiv, a, integer(b)); }
  const Expr *mod(const Expr *a, int64_t b) { return raw(BinaryOp::FloorMod, a, integer(b)); }
  const Expr *less(const Expr *a, const Expr *b) { return raw(BinaryOp::Less, a, b); }
  const Expr *both(const Expr *a, const Expr *b) { return raw(BinaryOp::And, a, b); }
  std::string simplified(const Expr *expr) { return textOf(simplifyExpr(*affine, expr)); }

  Context context;
  Builder builder{context};
  Buffer buffer;
  Function function;
  const Var *m = builder.var("M"), *k = builder.var("K");
  const Var *by = builder.var("by"), *tx = builder.var("tx"), *v = builder.var("v");
  const Var *ko = builder.var("ko"), *i = builder.var("i");
  llvm::SmallVector<const Expr *> shape;
  llvm::SmallVector<const Buffer *> buffers;
  llvm::SmallVector<Param> params;
  std::optional<IrAffine> affine;
};

TEST_F(IrAffineTest, UnchangedIsTheSamePointer) {
  const Expr *index = add(mul(by, 128), add(mul(div(tx, 8), 4), mod(tx, 8)));
  EXPECT_EQ(simplifyExpr(*affine, index), index);
  const Expr *reversed = add(i, mul(ko, 32));
  EXPECT_EQ(simplifyExpr(*affine, reversed), reversed);
}

TEST_F(IrAffineTest, BoundsShortenDivision) {
  EXPECT_EQ(simplified(div(add(mul(tx, 8), v), 64)), "(tx // 8)");
  EXPECT_EQ(simplified(mod(add(mul(ko, 32), i), 32)), "i");
  EXPECT_EQ(simplified(add(mul(div(tx, 4), 4), mod(tx, 4))), "tx");
}

TEST_F(IrAffineTest, KeepsTheSourceOrder) {
  EXPECT_EQ(simplified(add(add(mul(by, 128), 3), add(mod(i, 32), -1))), "(((by * 128) + i) + 2)");
  EXPECT_EQ(simplified(sub(add(tx, mul(ko, 32)), add(mul(ko, 32), v))), "(tx - v)");
  EXPECT_EQ(simplified(sub(sub(integer(7), add(tx, 3)), mul(ko, 0))), "(4 - tx)");
}

TEST_F(IrAffineTest, ProvesComparisons) {
  EXPECT_EQ(simplified(less(add(mul(ko, 32), i), k)), "True");
  EXPECT_EQ(simplified(less(add(mul(by, 128), tx), m)), "(((by * 128) + tx) < M)");
  EXPECT_EQ(simplified(both(less(tx, integer(128)), less(tx, m))), "(tx < M)");
  EXPECT_EQ(simplified(both(less(tx, integer(5)), less(tx, integer(9)))), "(tx < 5)");
  EXPECT_EQ(simplified(both(less(tx, integer(5)), less(integer(9), tx))), "False");
}

TEST_F(IrAffineTest, AssumesConditionsOfSelects) {
  const Expr *inside = less(tx, m);
  const Expr *nested = context.make<Select>(inside, tx, integer(0));
  const Expr *outer = context.make<Select>(inside, nested, integer(0));
  EXPECT_EQ(simplified(outer), "(tx if (tx < M) else 0)");
}

TEST_F(IrAffineTest, FloatsKeepTheirBits) {
  const Expr *x = builder.load(buffer, nullptr, {tx, i});
  const Expr *wide = context.make<Cast>(DType::float32(), x);
  EXPECT_EQ(simplified(raw(BinaryOp::Mul, wide, builder.floating(1))), "float32(load[txi])");
  const Expr *sum = raw(BinaryOp::Add, wide, builder.floating(0));
  EXPECT_EQ(simplifyExpr(*affine, sum), sum);
  EXPECT_EQ(simplified(raw(BinaryOp::Mul, builder.floating(3), builder.floating(2))), "6.000000");
}

TEST_F(IrAffineTest, ComparesByValue) {
  auto isEqual = [&](const Expr *a, const Expr *b) {
    return affine->prove(raw(BinaryOp::Equal, a, b));
  };
  EXPECT_EQ(isEqual(add(mul(tx, 8), v), add(v, mul(tx, 8))), Proof::True);
  EXPECT_EQ(isEqual(raw(BinaryOp::ShiftRight, tx, integer(3)), div(tx, 8)), Proof::True);
  EXPECT_EQ(isEqual(raw(BinaryOp::BitAnd, tx, integer(7)), mod(tx, 8)), Proof::True);
  EXPECT_EQ(isEqual(tx, v), Proof::Unknown);
}

TEST_F(IrAffineTest, NarrowIntegersWrap) {
  const Var *small = builder.var("s", DType{DTypeKind::UInt, 8});
  const Expr *wide = builder.cast(DType::int32(), small);
  EXPECT_EQ(simplified(less(wide, integer(256))), "True");
  EXPECT_EQ(simplified(less(wide, integer(255))), "(int32(s) < 255)");
}

TEST_F(IrAffineTest, GuardNamesOnlyWhatMayExceed) {
  const Expr *row = add(mul(by, 128), tx);
  const Expr *column = add(mul(ko, 32), i);
  EXPECT_EQ(textOf(insideCondition(*affine, buffer, {row, column})), "(((by * 128) + tx) < M)");
  EXPECT_EQ(textOf(insideCondition(*affine, buffer, {integer(0), sub(column, integer(1))})),
            "((0 < M) and ((((ko * 32) + i) - 1) >= 0))");
  size_t mark = affine->assume(less(row, m), true, FactScope::Statements);
  EXPECT_EQ(insideCondition(*affine, buffer, {row, column}), nullptr);
  affine->forget(mark);
}

TEST_F(IrAffineTest, GuardOfABoxAsksForItsEnd) {
  Range rows{mul(by, 128), integer(128)};
  Range columns{mul(ko, 32), integer(32)};
  EXPECT_EQ(textOf(insideCondition(*affine, buffer, {rows, columns})), "(((by * 128) + 128) <= M)");
}

TEST_F(IrAffineTest, WideAccessesAskAnAlignedConditionOnce) {
  const Var *column = builder.var("col");
  affine->declareBind(column, add(mul(tx, 8), v));
  const Expr *aligned = less(add(mul(by, 64), column), integer(1000));
  const Expr *odd = less(add(mul(by, 64), column), integer(1001));
  EXPECT_TRUE(isUniform(*affine, aligned, v));
  EXPECT_FALSE(isUniform(*affine, odd, v));
  EXPECT_FALSE(isUniform(*affine, aligned, tx));
  EXPECT_TRUE(isUniform(*affine, both(aligned, less(by, m)), v));
}

} // namespace
