#include "core/ir/printer.h"

#include "core/ir/build.h"
#include "core/ir/text_form.h"

#include <gtest/gtest.h>

#include <limits>

namespace tilescope {
namespace {

class PrinterTest : public testing::Test {
protected:
  // A function without body but with a buffer A, for single expressions.
  const Function *emptyFunction() {
    Buffer buffer;
    buffer.id = bufferId;
    buffer.name = buffer.sourceName = "A";
    buffer.dtype = DType::float32();
    buffer.shape = context.copy<const Expr *>({builder.integer(128), builder.integer(32)});
    Function function;
    function.name = "f";
    function.buffers = context.copy<const Buffer *>({context.make<Buffer>(buffer)});
    function.params = context.copy<Param>({Param{bufferId}, Param{BufferId(), i}, Param{{}, wide}});
    function.body = context.make<Seq>(builder.fresh(Span()), StmtList());
    return context.make<Function>(function);
  }
  std::string print(const Expr *expr) { return printExpr(*emptyFunction(), *expr); }
  std::string printRange(const Expr *min, const Expr *extent) {
    Range ranges[] = {{min, extent}};
    const Stmt *fill = builder.op(builder.fresh(Span()), Op::Fill,
                                  builder.region(bufferId, nullptr, context.copy<Range>(ranges)),
                                  builder.floating(0.0));
    return printStmt(*emptyFunction(), *fill);
  }
  const Expr *binary(BinaryOp op, const Expr *lhs, const Expr *rhs) {
    return context.make<Binary>(op, lhs, rhs);
  }
  const Expr *integer(int64_t value) { return builder.integer(value); }

  Context context;
  Builder builder{context};
  BufferId bufferId = context.nextBufferId();
  const Var *i = builder.var("i");
  const Var *wide = builder.var("w", DType::int64());
};

TEST_F(PrinterTest, TypedIntegers) {
  EXPECT_EQ(print(integer(-5)), "-5");
  EXPECT_EQ(print(builder.integer(5, DType::int64())), "T.int64(5)");
  EXPECT_EQ(print(builder.boolean(true)), "True");
}

TEST_F(PrinterTest, TypedFloats) {
  double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(print(builder.floating(1)), "1.0");
  EXPECT_EQ(print(builder.floating(-0.0)), "-0.0");
  EXPECT_EQ(print(builder.floating(1e30)), "1e+30");
  EXPECT_EQ(print(builder.floating(0.5, DType::float16())), "T.float16(0.5)");
  EXPECT_EQ(print(builder.floating(-infinity, DType::float16())), "-T.infinity(\"float16\")");
  EXPECT_EQ(print(builder.floating(std::numeric_limits<double>::quiet_NaN())),
            "T.nan(\"float32\")");
}

TEST_F(PrinterTest, CastsAreNotLiterals) {
  EXPECT_EQ(print(context.make<Cast>(DType::int64(), i)), "T.int64(i)");
  EXPECT_EQ(print(context.make<Cast>(DType::int64(), integer(5))), "T.cast(5, \"int64\")");
  EXPECT_EQ(print(context.make<Unary>(UnaryOp::Negate, integer(5))), "T.negate(5)");
}

TEST_F(PrinterTest, ParenthesesWhereNeeded) {
  const Expr *sum = binary(BinaryOp::Add, i, integer(1));
  const Expr *less = binary(BinaryOp::Less, i, integer(4));
  EXPECT_EQ(print(binary(BinaryOp::Mul, sum, integer(2))), "(i + 1) * 2");
  EXPECT_EQ(print(binary(BinaryOp::Sub, sum, sum)), "i + 1 - (i + 1)");
  EXPECT_EQ(print(binary(BinaryOp::Equal, less, less)), "(i < 4) == (i < 4)");
  EXPECT_EQ(print(binary(BinaryOp::And, less, binary(BinaryOp::And, less, less))),
            "i < 4 and (i < 4 and i < 4)");
  EXPECT_EQ(print(binary(BinaryOp::Max, sum, i)), "T.max(i + 1, i)");
  EXPECT_EQ(print(binary(BinaryOp::Add, context.make<Select>(less, i, sum), i)),
            "(i if i < 4 else i + 1) + i");
}

TEST_F(PrinterTest, RangesShowTheirStop) {
  const Expr *start = binary(BinaryOp::Mul, i, integer(8));
  EXPECT_EQ(printRange(integer(0), integer(32)), "T.fill(A[0:32], 0.0)\n");
  EXPECT_EQ(printRange(integer(4), integer(8)), "T.fill(A[4:12], 0.0)\n");
  EXPECT_EQ(printRange(start, integer(8)), "T.fill(A[i * 8:i * 8 + 8], 0.0)\n");
  EXPECT_EQ(printRange(binary(BinaryOp::Add, start, integer(4)), integer(8)),
            "T.fill(A[i * 8 + 4:i * 8 + 12], 0.0)\n");
  EXPECT_EQ(printRange(binary(BinaryOp::Sub, i, integer(1)), integer(2)),
            "T.fill(A[i - 1:i + 1], 0.0)\n");
  EXPECT_EQ(printRange(start, i), "T.fill(A[i * 8:i * 8 + i], 0.0)\n");
  EXPECT_EQ(printRange(i, integer(1)), "T.fill(A[i], 0.0)\n");
}

TEST_F(PrinterTest, RangesWhoseExtentIsLostAreSpans) {
  EXPECT_EQ(printRange(i, builder.integer(8, DType::int64())),
            "T.fill(A[T.span(i, T.int64(8))], 0.0)\n");
  EXPECT_EQ(printRange(integer(4), binary(BinaryOp::Sub, i, integer(4))),
            "T.fill(A[4:4 + (i - 4)], 0.0)\n");
}

TEST_F(PrinterTest, NestedLoopsGetDistinctNames) {
  const Var *outer = builder.var("k");
  const Var *inner = builder.var("k");
  const Expr *indices[] = {outer, inner};
  const Stmt *store = context.make<Store>(builder.fresh(Span()), bufferId, nullptr,
                                          context.copy<const Expr *>(indices), builder.floating(0));
  const Stmt *loop = context.make<For>(builder.fresh(Span()), inner, integer(0), integer(4),
                                       ForKind::Serial, store);
  loop = context.make<For>(builder.fresh(Span()), outer, integer(2), integer(4), ForKind::Unrolled,
                           loop);
  Function function = *emptyFunction();
  function.body = loop;
  EXPECT_EQ(printStmt(function, *loop), "for k in T.unroll(2, 6):\n"
                                        "    for k_1 in T.serial(0, 4):\n"
                                        "        A[k, k_1] = 0.0\n");
}

TEST_F(PrinterTest, TagsCarryIdentity) {
  Module module;
  module.context = &context;
  module.functions = context.copy<const Function *>({emptyFunction()});
  EXPECT_EQ(printModule(module, true), "# tilescope-ir 1\n"
                                       "@T.prim_func\n"
                                       "def f(  #@ span=- body s0\n"
                                       "    A: T.Tensor((128, 32), \"float32\"),  #@ b0\n"
                                       "    i: T.int32,  #@ v0\n"
                                       "    w: T.int64,  #@ v1\n"
                                       "):\n"
                                       "    pass\n");
}

} // namespace
} // namespace tilescope
