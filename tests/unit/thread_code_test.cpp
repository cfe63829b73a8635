// Kernels that ask for their thread index: what the reference makes of them.
#include "core/exec/thread_code.h"
#include "kernel_problem.h"

namespace tilescope {
namespace {

// `body` in a launch of 64 threads over A and B of 64 floats and C of 4, with a shared tile s and
// each thread's own array own and variable last.
std::string kernel(llvm::StringRef body) {
  std::string text = R"ir(
@T.prim_func(properties=["tile"])
def k(
    A: T.Tensor((64,), "float32"),
    B: T.Tensor((64,), "float32", output=True),
    C: T.Tensor((4,), "int32"),
):
    s = T.alloc_shared((64,), "float32")
    own = T.alloc_local((2,), "float32")
    tile = T.alloc_fragment((64,), "float32")
    with T.Kernel(1, threads=64) as (bx, tx):
)ir";
  llvm::SmallVector<llvm::StringRef> lines;
  body.split(lines, '\n');
  for (llvm::StringRef line : lines)
    text += "        " + line.str() + "\n";
  return text;
}

double at(const Tensor &tensor, int64_t index) { return tensor.real(index); }

TEST(ThreadCodeTest, EachThreadHasItsIndex) {
  KernelProblem k(kernel("B[tx] = A[63 - tx]"));
  ASSERT_EQ(k.run(), "");
  for (int64_t i = 0; i < 64; ++i)
    EXPECT_EQ(at(k.output("B"), i), at(k.input("A"), 63 - i)) << i;
}

TEST(ThreadCodeTest, BoundValuesAndLocalsAreOfEachThread) {
  KernelProblem k(kernel("half: T.int32 = tx // 2\n"
                         "own[0] = A[half]\n"
                         "own[1] = own[0] + 1.0\n"
                         "B[tx] = own[0] + own[1]"));
  ASSERT_EQ(k.run(), "");
  for (int64_t i = 0; i < 64; ++i) {
    auto a = static_cast<float>(at(k.input("A"), i / 2));
    EXPECT_EQ(at(k.output("B"), i), a + (a + 1)) << i;
  }
}

// A tree of sums: each step reads what other threads wrote in the step before.
TEST(ThreadCodeTest, StatementsAreDoneByAllThreadsBeforeTheNext) {
  KernelProblem k(kernel("s[tx] = T.float32(tx)\n"
                         "T.barrier()\n"
                         "for step in T.serial(0, 6):\n"
                         "    if tx < 32 >> step:\n"
                         "        s[tx] = s[tx] + s[tx + (32 >> step)]\n"
                         "    T.barrier()\n"
                         "B[tx] = s[0]"));
  ASSERT_EQ(k.run(), "");
  EXPECT_EQ(at(k.output("B"), 63), 64 * 63 / 2);
}

TEST(ThreadCodeTest, AllThreadsReadBeforeOneWrites) {
  KernelProblem k(kernel("s[tx] = T.float32(tx)\n"
                         "s[tx] = s[63 - tx]\n"
                         "B[tx] = s[tx]"));
  ASSERT_EQ(k.run(), "");
  EXPECT_EQ(at(k.output("B"), 40), 23);
}

TEST(ThreadCodeTest, LoopsEndForEachThread) {
  KernelProblem k(kernel("own[0] = 0.0\n"
                         "for i in T.serial(tx, tx + tx // 2):\n"
                         "    own[0] = own[0] + T.float32(i)\n"
                         "B[tx] = own[0]"));
  ASSERT_EQ(k.run(), "");
  EXPECT_EQ(at(k.output("B"), 1), 0);
  EXPECT_EQ(at(k.output("B"), 7), 7 + 8 + 9);
}

TEST(ThreadCodeTest, BranchesAreTakenByEachThread) {
  KernelProblem k(kernel("if tx % 3 == 0:\n"
                         "    B[tx] = 1.0\n"
                         "else:\n"
                         "    B[tx] = 2.0"));
  ASSERT_EQ(k.run(), "");
  EXPECT_EQ(at(k.output("B"), 63), 1);
  EXPECT_EQ(at(k.output("B"), 62), 2);
}

// One addition of each thread, and one of each iteration of a parallel loop.
TEST(ThreadCodeTest, AdditionsAreCountedByThread) {
  KernelProblem k(kernel("T.atomic_element(C[0], 1)\n"
                         "if tx < 10:\n"
                         "    T.atomic_element(C[1], 1)\n"
                         "for i in T.Parallel(7):\n"
                         "    T.atomic_element(C[2], 1)"));
  ASSERT_EQ(k.run(), "");
  EXPECT_EQ(at(k.output("C"), 0) - at(k.input("C"), 0), 64);
  EXPECT_EQ(at(k.output("C"), 1) - at(k.input("C"), 1), 10);
  EXPECT_EQ(at(k.output("C"), 2) - at(k.input("C"), 2), 7);
}

TEST(ThreadCodeTest, CopiesToOwnMemoryAreOfEachThread) {
  KernelProblem k(kernel("T.copy(A[tx // 2 * 2:tx // 2 * 2 + 2], own[0:2])\n"
                         "B[tx] = own[1]"));
  ASSERT_EQ(k.run(), "");
  EXPECT_EQ(at(k.output("B"), 8), at(k.input("A"), 9));
}

TEST(ThreadCodeTest, LoopsOverOwnArraysAreOfEachThread) {
  KernelProblem k(kernel("for i in T.Parallel(2):\n"
                         "    own[i] = A[tx // 2 * 2 + i]\n"
                         "B[tx] = own[0] + own[1]"));
  ASSERT_EQ(k.run(), "");
  EXPECT_EQ(at(k.output("B"), 5), static_cast<float>(at(k.input("A"), 4) + at(k.input("A"), 5)));
}

TEST(ThreadCodeTest, TilesAreWorkOfAllThreads) {
  KernelProblem k(kernel("T.copy(A[0:64], s[0:64])\n"
                         "s[tx] = s[tx] * 2.0\n"
                         "for i in T.Parallel(64):\n"
                         "    tile[i] = s[63 - i] + 1.0\n"
                         "T.copy(tile[0:64], B[0:64])"));
  ASSERT_EQ(k.run(), "");
  EXPECT_EQ(at(k.output("B"), 3), static_cast<float>(at(k.input("A"), 60) * 2) + 1);
}

TEST(ThreadCodeTest, ABarrierIsForAllThreads) {
  KernelProblem k(kernel("if tx < 32:\n"
                         "    T.barrier()"));
  EXPECT_NE(k.run().find("only 32 of 64 threads get here, where all are needed"),
            std::string::npos);
  EXPECT_FALSE(k.expected().refusal.empty());
}

TEST(ThreadCodeTest, NothingIsSaidOfWhatTheCompilerDecides) {
  KernelProblem k(kernel("for i in T.Parallel(64):\n"
                         "    B[i] = T.float32(tx)"));
  EXPECT_NE(k.run().find("'tx' differs between threads"), std::string::npos);
  EXPECT_TRUE(k.expected().refusal.empty());
}

TEST(ThreadCodeTest, DifferentValuesForOnePlaceAreNotJudged) {
  KernelProblem k(kernel("s[tx // 2] = T.float32(tx)\n"
                         "B[tx] = s[tx // 2]"));
  EXPECT_NE(k.run().find("threads 0 and 1 write different values to s[0]"), std::string::npos);
  KernelProblem equal(kernel("s[tx // 2] = T.float32(tx // 2)\n"
                             "B[tx] = s[tx // 2]"));
  EXPECT_EQ(equal.run(), "");
}

TEST(ThreadCodeTest, AStoreOutsideATileIsTheKernelsFault) {
  KernelProblem k(kernel("s[tx + 1] = 1.0\n"
                         "B[tx] = s[tx]"));
  EXPECT_NE(k.run().find("store to s[64], outside its shape [64]"), std::string::npos);
  EXPECT_NE(k.expected().refusal.find("line "), std::string::npos);
}

TEST(ThreadCodeTest, StoresOutsideTensorsAreDropped) {
  KernelProblem k(kernel("B[tx + 1] = A[tx]"));
  ASSERT_EQ(k.run(), "");
  EXPECT_EQ(at(k.output("B"), 63), at(k.input("A"), 62));
}

} // namespace
} // namespace tilescope
