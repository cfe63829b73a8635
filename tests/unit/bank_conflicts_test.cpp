// Passes that accesses take of the banks of shared memory, against figures worked out by hand.
#include "core/analysis/bank_conflicts.h"

#include "tests/unit/ir_text.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

// Passes and least passes of the accesses of a block of 32 threads.
std::vector<std::pair<int64_t, int64_t>> passesOf(const std::string &declaration,
                                                  const std::string &statement) {
  Context context;
  const Module *module = parseIr(
      context, "# tilescope-ir 1\n@T.prim_func(properties=[\"lowered\"])\n"
               "def f(A: T.Tensor((4096,), \"float32\"), n: T.int32):\n    s = T.alloc_shared(" +
                   declaration +
                   ")\n    r = T.alloc_local((8,), \"float16\")\n"
                   "    with T.Kernel(1, threads=32) as (bx, tx):\n        " +
                   statement + "\n");
  std::vector<std::pair<int64_t, int64_t>> passes;
  for (const BankAccess &access : computeBankAccesses(context, *module->functions[0]))
    passes.emplace_back(access.passes, access.least);
  return passes;
}

using Passes = std::vector<std::pair<int64_t, int64_t>>;

} // namespace

TEST(BankConflicts, StridesOfRows) {
  EXPECT_EQ(passesOf("(4096,), \"float32\"", "s[tx] = A[tx]"), (Passes{{1, 1}}));
  EXPECT_EQ(passesOf("(4096,), \"float32\"", "s[tx * 2] = A[tx]"), (Passes{{2, 1}}));
  EXPECT_EQ(passesOf("(4096,), \"float32\"", "s[tx * 32] = A[tx]"), (Passes{{32, 1}}));
  EXPECT_EQ(passesOf("(4096,), \"float32\"", "s[tx * 33] = A[tx]"), (Passes{{1, 1}}));
}

TEST(BankConflicts, LanesThatWantOneWordGetItTogether) {
  EXPECT_EQ(passesOf("(4096,), \"float32\"", "A[tx] = s[tx // 32]"), (Passes{{1, 1}}));
  EXPECT_EQ(passesOf("(64,), \"float16\"", "s[tx] = T.float16(0.0)"), (Passes{{1, 1}}));
}

TEST(BankConflicts, LayoutsOfColumns) {
  EXPECT_EQ(passesOf("(32, 32), \"float32\", layout=\"row_major\"", "A[tx] = s[tx, 0]"),
            (Passes{{32, 1}}));
  EXPECT_EQ(passesOf("(32, 32), \"float32\", layout=\"padded(1)\"", "A[tx] = s[tx, 0]"),
            (Passes{{1, 1}}));
  EXPECT_EQ(passesOf("(32, 32), \"float32\", layout=\"swizzle(128)\"", "A[tx] = s[tx, 0]"),
            (Passes{{4, 1}}));
}

TEST(BankConflicts, RowsOfMatrices) {
  const char *read = "T.ldmatrix(s[tx % 16, tx // 16 * 8:tx // 16 * 8 + 8], r[0:8])";
  EXPECT_EQ(passesOf("(16, 64), \"float16\", layout=\"row_major\"", read), (Passes{{32, 4}}));
  EXPECT_EQ(passesOf("(16, 64), \"float16\", layout=\"swizzle(128)\"", read), (Passes{{4, 4}}));
}

TEST(BankConflicts, PlacesThatAreNotKnown) {
  EXPECT_EQ(passesOf("(4096,), \"float32\"", "A[tx] = s[T.int32(A[tx])]"), (Passes{{0, 0}}));
}
