#include "core/analysis/layouts/index_parts.h"

#include "core/ir/build.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

class IndexPartsTest : public testing::Test {
protected:
  IndexPartsTest()
      : builder(context), i(builder.var("i", DType::int32())), j(builder.var("j", DType::int32())),
        k(builder.var("k", DType::int32())) {}

  const Expr *number(int64_t value) { return builder.integer(value, DType::int32()); }
  const Expr *make(BinaryOp op, const Expr *a, const Expr *b) { return builder.binary(op, a, b); }

  // i < 4, j < 8, k < 16 and not of the loop.
  IndexParts partsOf(const Expr *index) {
    const Var *vars[] = {i, j};
    const Expr *extents[] = {number(4), number(8)};
    auto serial = [&](const Var *var) {
      return var == k ? std::optional<int64_t>(16) : std::nullopt;
    };
    return partsOfIndex(index, {vars, extents, serial});
  }

  Context context;
  Builder builder;
  const Var *i;
  const Var *j;
  const Var *k;
};

TEST_F(IndexPartsTest, FlattensAndDivides) {
  const Expr *flat = make(BinaryOp::Add, make(BinaryOp::Mul, i, number(8)), j);
  EXPECT_EQ(partsOf(flat), (IndexParts{{0, 8, 1, IndexPart::Open}, {1, 1, 1, 8}}));
  EXPECT_EQ(partsOf(make(BinaryOp::FloorDiv, j, number(2))),
            (IndexParts{{1, 1, 2, IndexPart::Open}}));
  EXPECT_EQ(partsOf(make(BinaryOp::FloorMod, j, number(2))), (IndexParts{{1, 1, 1, 2}}));
  EXPECT_EQ(partsOf(make(BinaryOp::FloorDiv, flat, number(4))),
            (IndexParts{{0, 2, 1, IndexPart::Open}, {1, 1, 4, 2}}));
  EXPECT_TRUE(isOfLoop(partsOf(flat)));
}

TEST_F(IndexPartsTest, PlacesWhatIsNoVariableOfTheLoop) {
  EXPECT_EQ(partsOf(make(BinaryOp::Add, make(BinaryOp::Mul, k, number(8)), j)),
            (IndexParts{{std::nullopt, 8, 1, 16}, {1, 1, 1, 8}}));
  EXPECT_EQ(partsOf(make(BinaryOp::Add, j, number(16))),
            (IndexParts{{std::nullopt, 8, 1, 3}, {1, 1, 1, 8}}));
  EXPECT_EQ(partsOf(number(3)), (IndexParts{{std::nullopt, 1, 1, 4}}));
}

// What overlaps, or has a sign, may be any index.
TEST_F(IndexPartsTest, IsAnyIndexWhereNothingIsKnown) {
  EXPECT_EQ(partsOf(make(BinaryOp::Add, make(BinaryOp::Mul, i, number(4)), j)), anyIndex());
  EXPECT_EQ(partsOf(make(BinaryOp::Sub, number(7), j)), anyIndex());
  EXPECT_EQ(partsOf(make(BinaryOp::Add, j, number(3))), anyIndex());
  EXPECT_FALSE(isOfLoop(anyIndex()));
}

} // namespace
} // namespace tilescope
