// Blocks whose roles write to one tensor. Run alone: unit_tests --gtest_filter='BlockRoles*'
#include "core/analysis/block_writes.h"
#include "ir_text.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {
namespace {

size_t countWrites(const std::string &launch) {
  Context context;
  const Module *module = parseIr(context, "@T.prim_func(properties=[\"lowered\"])\n"
                                          "def f(W: T.Tensor((900, 900), \"int32\")):\n" +
                                              launch);
  return module ? computeBlockWrites(context, *module->functions.front()).size() : 99;
}

TEST(BlockRoles, ThreadsOfARoleDoNotCountFromZero) {
  auto countOfRole = [](const char *rows) {
    return countWrites(llvm::formatv(R"(
    with T.Kernel(4, threads=384) as (bx, tx):
        with T.ws(1):
            W[bx * {0} + (tx - 128) // 32 * 16 + tx // 4 % 8, tx % 4] = bx
)",
                                     rows)
                           .str());
  };
  EXPECT_EQ(countOfRole("56"), 0U);
  EXPECT_EQ(countOfRole("55"), 1U);
}

TEST(BlockRoles, RolesTakeTheTilesOfABlockInLoopsOfTheirOwn) {
  auto countOfRoles = [](const char *column) {
    return countWrites(llvm::formatv(R"(
    with T.Kernel(4, threads=256) as (bx, tx):
        with T.ws(0):
            for wave in T.serial(0, 3):
                t: T.int32 = wave * 4 + bx
                W[t // 2 % 3 * 2, ({0}) * 128 + tx] = bx
        with T.ws(1):
            for wave_1 in T.serial(0, 3):
                t: T.int32 = wave_1 * 4 + bx
                W[t // 2 % 3 * 2 + 1, ({0}) * 128 + tx - 128] = bx
)",
                                     column)
                           .str());
  };
  EXPECT_EQ(countOfRoles("t // 6 * 2 + t % 2"), 0U);
  EXPECT_NE(countOfRoles("t // 6"), 0U); // tiles 0 and 1 are one, and of two blocks
}

} // namespace
} // namespace tilescope
