// Sectors and lines that accesses move of global memory, against figures worked out by hand and
// against bytes that are marked one by one.
// Run alone: unit_tests --gtest_filter='GlobalAccesses.*:SectorCounts.*'
#include "core/analysis/global_accesses.h"

#include "core/access/sector_counts.h"
#include "tests/unit/ir_text.h"

#include <gtest/gtest.h>

#include <random>

using namespace tilescope;

namespace {

struct Counts {
  int64_t sectors = 0, least = 0, lines = 0;

  friend bool operator==(const Counts &, const Counts &) = default;
  friend std::ostream &operator<<(std::ostream &out, const Counts &counts) {
    return out << counts.sectors << " of " << counts.least << " in " << counts.lines;
  }
};

// Of the accesses to A, by a block of 64 threads.
std::vector<GlobalAccess> accessesTo(Context &context, const std::string &tensor,
                                     const std::string &statement) {
  const Module *module =
      parseIr(context, "# tilescope-ir 1\n@T.prim_func(properties=[\"lowered\"])\n"
                       "def f(A: T.Tensor(" +
                           tensor +
                           "), n: T.int32):\n    r = T.alloc_local((8,), \"float16\")\n"
                           "    with T.Kernel(8, threads=64) as (bx, tx):\n        " +
                           statement + "\n");
  return computeGlobalAccesses(context, *module->functions[0]);
}

Counts countsOf(const std::string &tensor, const std::string &statement) {
  Context context;
  std::vector<GlobalAccess> found = accessesTo(context, tensor, statement);
  EXPECT_EQ(found.size(), 1U) << statement;
  return found.empty() ? Counts() : Counts{found[0].sectors, found[0].least, found[0].lines};
}

std::string copyFrom(const std::string &element) {
  return "T.vector_copy(A[" + element + "], r[0:8])";
}

} // namespace

TEST(GlobalAccesses, Neighbours) {
  EXPECT_EQ(countsOf("(4096,), \"float32\"", "A[tx] = 0.0"), (Counts{4, 4, 1}));
  EXPECT_EQ(countsOf("(4096,), \"float16\"", "A[tx] = T.float16(0.0)"), (Counts{2, 2, 1}));
  EXPECT_EQ(countsOf("(4096,), \"float32\"", "A[tx + 1] = 0.0"), (Counts{5, 4, 2}));
  EXPECT_EQ(countsOf("(4096,), \"float32\"", "A[tx * 2] = 0.0"), (Counts{8, 4, 2}));
  EXPECT_EQ(countsOf("(4096,), \"float32\"", "A[tx // 32] = 0.0"), (Counts{1, 1, 1}));
  EXPECT_EQ(countsOf("(4096, 64), \"float32\"", "A[tx, 0] = 0.0"), (Counts{32, 4, 32}));
}

TEST(GlobalAccesses, RowsOfTiles) {
  // 4 lanes of 16 bytes read half of a line: 8 rows.
  EXPECT_EQ(countsOf("(512, 1024), \"float16\"",
                     copyFrom("bx * 64 + tx // 4, tx % 4 * 8:tx % 4 * 8 + 8")),
            (Counts{16, 16, 8}));
  // 8 lanes read a whole line.
  EXPECT_EQ(countsOf("(512, 1024), \"float16\"",
                     copyFrom("bx * 64 + tx // 8, tx % 8 * 8:tx % 8 * 8 + 8")),
            (Counts{16, 16, 4}));
}

// What all lanes add is a multiple of a sector, of a line, or of neither.
TEST(GlobalAccesses, WhatIsKnownAtRunTimeOnly) {
  EXPECT_EQ(countsOf("(4096,), \"float32\"", "A[bx * 64 + tx] = 0.0"), (Counts{4, 4, 1}));
  EXPECT_EQ(countsOf("(4096,), \"float32\"", "A[bx * 8 + tx] = 0.0"), (Counts{4, 4, 0}));
  EXPECT_EQ(countsOf("(4096,), \"float32\"", "A[n + tx] = 0.0"), (Counts{0, 0, 0}));
  EXPECT_EQ(countsOf("(4096, 64), \"float32\"", "A[n, tx] = 0.0"), (Counts{4, 4, 1}));
  // Rows of 252 bytes begin anywhere in a sector.
  EXPECT_EQ(countsOf("(4096, 63), \"float32\"", "A[n, tx] = 0.0"), (Counts{0, 0, 0}));
  EXPECT_EQ(countsOf("(n, 64), \"float32\"", "A[n, tx] = 0.0"), (Counts{0, 0, 0}));
}

TEST(GlobalAccesses, LanesOfEachWarp) {
  Context context;
  std::vector<GlobalAccess> found =
      accessesTo(context, "(4096,), \"float32\"", "A[bx * 64 + tx] = 0.0");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].isWrite && found[0].isShifted);
  EXPECT_EQ(found[0].bytes, 4);
  ASSERT_EQ(found[0].warps.size(), 2U);
  EXPECT_EQ(found[0].warps[1].front(), 32);
  EXPECT_EQ(found[0].warps[1].back(), 63);
}

TEST(SectorCounts, AreThoseOfMarkedBytes) {
  std::mt19937 random(7);
  for (int round = 0; round != 500; ++round) {
    int64_t laneBytes = int64_t{1} << random() % 5,
            step = static_cast<int64_t>(random() % 9) * laneBytes;
    std::vector<std::optional<int64_t>> bytes;
    for (int64_t lane = 0; lane != WarpLanes; ++lane) {
      int64_t byte = static_cast<int64_t>(random() % 3) * laneBytes + lane * step;
      bytes.push_back(random() % 4 == 0 ? std::nullopt : std::optional(byte));
    }
    std::vector<bool> isMoved(16384);
    for (const std::optional<int64_t> &byte : bytes)
      for (int64_t i = 0; byte && i != laneBytes; ++i)
        isMoved[static_cast<size_t>(*byte + i)] = true;
    auto parts = [&](size_t size) {
      int64_t count = 0;
      for (size_t begin = 0; begin != isMoved.size(); begin += size)
        count += std::find(isMoved.begin() + static_cast<ptrdiff_t>(begin),
                           isMoved.begin() + static_cast<ptrdiff_t>(begin + size),
                           true) != isMoved.begin() + static_cast<ptrdiff_t>(begin + size);
      return count;
    };
    int64_t moved = std::count(isMoved.begin(), isMoved.end(), true);
    EXPECT_EQ(sectorCountsOf(bytes, laneBytes),
              (SectorCounts{parts(32), (moved + 31) / 32, parts(128)}));
  }
  EXPECT_EQ(sectorOf(-1), -1);
  EXPECT_EQ(globalLineOf(-128), -1);
  EXPECT_EQ(globalLineOf(-129), -2);
}
