// Run alone: unit_tests --gtest_filter='SelectGemm*'
#include "core/analysis/select_gemm.h"
#include "core/ir/visit.h"
#include "ir_text.h"

namespace tilescope {
namespace {

class SelectGemmTest : public testing::Test {
protected:
  // A and B as declared, of which the gemm takes `a` and `b`; the result is a fragment of 64 x 64.
  GemmChoice select(const std::string &declared, const std::string &gemm, int64_t threads = 128) {
    std::string text = "@T.prim_func(properties=[\"tile\"])\ndef f():\n" + declared +
                       "    C = T.alloc_fragment((64, 64), \"float32\")\n"
                       "    with T.Kernel(1, threads=128) as (bx, tx):\n        " +
                       gemm + "\n";
    const Module *module = parseIr(context, text);
    GemmChoice choice;
    if (!module)
      return choice;
    walk(module->functions[0]->body, [&](const Stmt *stmt) {
      if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
        choice = selectGemm(*op, *module->functions[0], threads);
      return true;
    });
    return choice;
  }

  Context context;
  const std::string halves = "    A = T.alloc_shared((64, 32), \"float16\")\n"
                             "    B = T.alloc_shared((32, 64), \"float16\")\n";
};

TEST_F(SelectGemmTest, SaysHowTheTileIsShared) {
  GemmChoice choice = select(halves, "T.gemm(A[0:64, 0:32], B[0:32, 0:64], C[0:64, 0:64])");
  EXPECT_EQ(choice.instruction, GemmInstruction::MmaSync);
  EXPECT_EQ(choice.depth, 16);
  EXPECT_EQ(choice.grid.rows * choice.grid.columns, 4);
  EXPECT_EQ(choice.steps(), 2);
  EXPECT_EQ(choice.a.source, OperandSource::Ldmatrix);
  EXPECT_FALSE(choice.a.kIsRow);
  EXPECT_EQ(choice.b.source, OperandSource::Ldmatrix);
  EXPECT_TRUE(choice.b.kIsRow);
  EXPECT_EQ(choice.b.tilesAtOnce, 2);
}

TEST_F(SelectGemmTest, SaysWhyThereIsNoInstruction) {
  GemmChoice choice = select(halves, "T.gemm(A[0:64, 0:32], B[0:32, 0:64], C[0:64, 0:64])", 80);
  EXPECT_EQ(choice.instruction, GemmInstruction::None);
  EXPECT_EQ(choice.reason, "80 threads cannot share 64 x 64 in warp tiles of 16 x 8");
  choice = select(halves, "T.gemm(A[0:64, 0:24], B[0:24, 0:64], C[0:64, 0:64])");
  EXPECT_EQ(choice.reason, "its depth 24 is not a multiple of 16");
}

TEST_F(SelectGemmTest, WhatLdmatrixCannotLoadComesByElements) {
  // 32-bit elements are not transposed on the way.
  GemmChoice words = select("    A = T.alloc_shared((64, 16), \"float32\")\n"
                            "    B = T.alloc_shared((16, 64), \"float32\")\n",
                            "T.gemm(A[0:64, 0:16], B[0:16, 0:64], C[0:64, 0:64])");
  EXPECT_EQ(words.a.source, OperandSource::Ldmatrix);
  EXPECT_EQ(words.b.source, OperandSource::Elements);
  EXPECT_EQ(words.b.reason, "ldmatrix transposes elements of 16 bits, and these have 32");
  EXPECT_EQ(words.b.tilesAtOnce, 1);
  // Rows begin between the 16 bytes that ldmatrix reads at once.
  GemmChoice shifted = select("    A = T.alloc_shared((64, 64), \"float16\")\n"
                              "    B = T.alloc_shared((32, 64), \"float16\")\n",
                              "T.gemm(A[0:64, 4:36], B[0:32, 0:64], C[0:64, 0:64])");
  EXPECT_EQ(shifted.a.source, OperandSource::Elements);
  EXPECT_EQ(shifted.a.reason,
            "ldmatrix reads rows of 16 bytes, and the first column in 'A' is a multiple of only 8 "
            "bytes");
  GemmChoice narrow = select("    A = T.alloc_shared((64, 36), \"float16\")\n"
                             "    B = T.alloc_shared((32, 64), \"float16\")\n",
                             "T.gemm(A[0:64, 0:32], B[0:32, 0:64], C[0:64, 0:64])");
  EXPECT_EQ(narrow.a.source, OperandSource::Elements);
  EXPECT_EQ(narrow.a.reason,
            "ldmatrix reads rows of 16 bytes, and the row pitch of 'A' is a multiple of only 8 "
            "bytes");
  EXPECT_EQ(narrow.b.source, OperandSource::Ldmatrix);
}

TEST_F(SelectGemmTest, AFragmentIsThere) {
  GemmChoice choice = select("    A = T.alloc_fragment((64, 32), \"float16\")\n"
                             "    B = T.alloc_shared((32, 64), \"float16\")\n",
                             "T.gemm(A[0:64, 0:32], B[0:32, 0:64], C[0:64, 0:64])");
  EXPECT_EQ(choice.a.source, OperandSource::Registers);
  EXPECT_EQ(choice.a.tileElements, 8);
}

} // namespace
} // namespace tilescope
