// What blocks read of what others write, of which something is known that a random launch seldom
// has. Random ones are in block_writes_test.cpp. Run alone: unit_tests --gtest_filter='BlockReads*'
#include "core/analysis/block_writes.h"
#include "ir_text.h"

namespace tilescope {
namespace {

const char *const HeadOfReads = "@T.prim_func(properties=[\"lowered\"])\n"
                                "def f(A: T.Tensor((32,), \"int32\"), n: T.int32,\n"
                                "      W: T.Tensor((900, 900), \"int32\")):\n";

size_t countReads(const std::string &launch) {
  Context context;
  const Module *module = parseIr(context, HeadOfReads + launch);
  return module ? findBlockReads(context, *module->functions.front()).size() : 99;
}

TEST(BlockReads, ABlockMayReadWhatItWritesItself) {
  EXPECT_EQ(countReads(R"(
    with T.Kernel(8, threads=32) as (bx, tx):
        W[0, bx * 32 + tx] = W[0, bx * 32 + 31 - tx] + W[0, bx]
)"),
            1U);
  EXPECT_EQ(countReads(R"(
    with T.Kernel(8, threads=32) as (bx, tx):
        W[0, bx * 32 + tx] = W[0, bx * 32 + 31 - tx]
)"),
            0U);
}

TEST(BlockReads, ConditionsOfExpressionsCount) {
  std::string launch = R"(
    with T.Kernel(8, threads=32) as (bx, tx):
        W[0, bx * 32 + tx] = W[0, bx * 32 + tx + 16] if tx < 16 else 0
)";
  EXPECT_EQ(countReads(launch), 0U);
  EXPECT_EQ(countReads(launch.replace(launch.find("< 16"), 4, "< 17")), 1U);
}

TEST(BlockReads, ABarrierOfTheGridOrdersBlocks) {
  EXPECT_EQ(countReads(R"(
    with T.Kernel(8, threads=32) as (bx, tx):
        W[0, bx * 32 + tx] = tx
        T.grid_barrier()
        W[1, bx * 32 + tx] = W[0, (7 - bx) * 32 + tx]
)"),
            0U);
  // The next iteration writes what this one reads.
  std::string loop = R"(
    with T.Kernel(8, threads=32) as (bx, tx):
        for k in T.serial(4):
            W[0, bx * 32 + tx] = tx + k
            T.grid_barrier()
            W[1, bx * 32 + tx] = W[0, (7 - bx) * 32 + tx]
)";
  EXPECT_EQ(countReads(loop), 1U);
  EXPECT_EQ(countReads(loop + "            T.grid_barrier()\n"), 0U);
  // Some blocks do not come to the barrier before they read.
  EXPECT_EQ(countReads(R"(
    with T.Kernel(8, threads=32) as (bx, tx):
        W[0, bx * 32 + tx] = tx
        for k in T.serial(n):
            T.grid_barrier()
        W[1, bx * 32 + tx] = W[0, (7 - bx) * 32 + tx]
)"),
            1U);
}

TEST(BlockReads, AtomicsOfOneElementAreNoRaces) {
  EXPECT_EQ(countReads(R"(
    with T.Kernel(8, threads=32) as (bx, tx):
        T.atomic_element(W[0, tx], 1)
        x: T.int32 = W[0, tx]
)"),
            1U);
  EXPECT_EQ(countReads(R"(
    x = T.alloc_local((1,), "int32")
    with T.Kernel(8, threads=32) as (bx, tx):
        T.atomic_element(W[0, tx], 1)
        T.atomic_load(W[0, tx], x[0])
)"),
            0U);
}

} // namespace
} // namespace tilescope
