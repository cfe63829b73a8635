// Blocks on several threads of the CPU: what comes out is what one thread gets.
// Run alone: unit_tests --gtest_filter='LaunchRun*'
#include "core/exec/lowered.h"
#include "kernel_problem.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {
namespace {

// `body` in a launch of 12 blocks of 64 threads.
std::string kernel(llvm::StringRef body, llvm::StringRef properties) {
  std::string text = R"ir(
@T.prim_func(kind="device", properties=[)ir" +
                     properties.str() + R"ir(])
def k(
    A: T.Tensor((768,), "float32"),
    B: T.Tensor((768,), "float32", output=True),
    C: T.Tensor((4,), "float32", output=True),
):
    S = T.alloc_shared((64,), "float32")
    with T.Kernel(12, threads=64) as (bx, tx):
)ir";
  llvm::SmallVector<llvm::StringRef> lines;
  body.split(lines, '\n');
  for (llvm::StringRef line : lines)
    text += "        " + line.str() + "\n";
  return text;
}

std::string lowered(llvm::StringRef body) {
  return kernel(body, R"("pipelined", "layouts-inferred", "lowered", "barriers-placed")");
}

// Everything that is known of a run, as text.
class Ran {
public:
  Ran(const KernelProblem &kernel, const BlockOptions &options) : kernel_(kernel) {
    memory_.tensors = kernel.problem().memory.tensors;
    counts_ = runLowered(kernel.function(), memory_, kernel.problem().scalars, /*isGuarded=*/true,
                         options, findings_, written_);
  }

  std::string text() const {
    std::string text;
    for (const ExecutionFinding &finding : findings_.all())
      text += llvm::formatv("{0} [{1}] by {2} of {3}, {4} times\n", finding.text,
                            keyOf(finding.kind), finding.thread, finding.block, finding.count);
    for (llvm::StringRef name : {"B", "C"}) {
      const Tensor &tensor = memory_.tensors.at(kernel_.idOf(name));
      auto shadow = written_.find(kernel_.idOf(name));
      for (int64_t at = 0; at != tensor.size(); ++at) {
        auto unit = static_cast<size_t>(at);
        const Stmt *writer = shadow == written_.end() ? nullptr : shadow->second.writerOf(unit);
        text +=
            llvm::formatv("{0}[{1}] = {2:x} by {3}\n", name, at,
                          encode(tensor.dtype(), tensor.get(at)), writer ? writer->id().value : 0);
      }
    }
    return text;
  }
  double at(llvm::StringRef name, int64_t index) const {
    return memory_.tensors.at(kernel_.idOf(name)).real(index);
  }
  const Findings &findings() const { return findings_; }
  const BlockCounts &counts() const { return counts_; }

private:
  const KernelProblem &kernel_;
  GlobalMemory memory_;
  Findings findings_;
  std::map<BufferId, Shadow> written_;
  BlockCounts counts_;
};

// Several times: what threads meet depends on when they run.
void expectSameOnThreads(const KernelProblem &kernel) {
  std::string alone = Ran(kernel, {.threads = 1}).text();
  for (unsigned threads : {2, 3, 4, 8, 64, 2, 3, 4, 8, 64})
    EXPECT_EQ(Ran(kernel, {.threads = threads}).text(), alone) << threads << " threads";
}

TEST(LaunchRunTest, BlocksThatHaveNothingInCommon) {
  KernelProblem k(lowered("S[tx] = A[bx * 64 + tx]\n"
                          "B[bx * 64 + tx] = S[tx] + T.float32(bx)"));
  ASSERT_EQ(k.failure(), "");
  Ran ran(k, {.threads = 4});
  EXPECT_TRUE(ran.findings().empty());
  EXPECT_EQ(ran.counts().executed, 12);
  EXPECT_EQ(ran.counts().all, 12);
  EXPECT_EQ(ran.at("B", 700), static_cast<float>(k.input("A").real(700) + 10));
  expectSameOnThreads(k);
}

TEST(LaunchRunTest, FindingsAreCountedInOrderOfBlocks) {
  KernelProblem k(lowered("if tx < 60 + bx:\n"
                          "    S[tx] = A[bx * 64 + tx]\n"
                          "B[bx * 64 + tx] = S[tx] + S[tx ^ 33]\n"
                          "if bx > 6:\n"
                          "    B[bx * 64 + tx] = S[tx + bx - 8]"));
  ASSERT_EQ(k.failure(), "");
  Ran ran(k, {.threads = 4});
  std::vector<int64_t> blocks;
  for (const ExecutionFinding &finding : ran.findings().all())
    blocks.push_back(finding.block);
  EXPECT_EQ(blocks, (std::vector<int64_t>{0, 0, 0, 7, 7, 9, 9}));
  EXPECT_EQ(ran.findings().all()[3].kind, FindingKind::OutOfBounds);
  EXPECT_EQ(ran.findings().all()[3].count, 7);
  expectSameOnThreads(k);
}

TEST(LaunchRunTest, WhatAnotherBlockWroteIsRead) {
  KernelProblem k(lowered("if bx == 0:\n"
                          "    B[tx] = A[tx]\n"
                          "else:\n"
                          "    B[bx * 64 + tx] = B[(bx - 1) * 64 + tx] + A[bx * 64 + tx]"));
  ASSERT_EQ(k.failure(), "");
  Ran ran(k, {.threads = 4});
  ASSERT_EQ(ran.findings().all().size(), 2U);
  EXPECT_EQ(ran.findings().all().front().kind, FindingKind::Race);
  EXPECT_EQ(ran.findings().all().front().block, 1);
  expectSameOnThreads(k);
}

TEST(LaunchRunTest, AllBlocksWriteOneElement) {
  KernelProblem k(lowered("if tx == 5:\n"
                          "    C[bx % 2] = T.float32(bx)\n"
                          "B[bx * 64 + tx] = A[bx * 64 + tx]"));
  ASSERT_EQ(k.failure(), "");
  Ran ran(k, {.threads = 4});
  ASSERT_EQ(ran.findings().all().size(), 1U);
  EXPECT_EQ(ran.findings().all().front().block, 2);
  EXPECT_EQ(ran.findings().all().front().count, 10);
  EXPECT_EQ(ran.at("C", 0), 10);
  EXPECT_EQ(ran.at("C", 1), 11);
  expectSameOnThreads(k);
}

TEST(LaunchRunTest, SumsAreTakenInOrderOfBlocks) {
  KernelProblem k(lowered("T.atomic_element(C[tx % 4], A[bx * 64 + tx])\n"
                          "B[bx * 64 + tx] = A[bx * 64 + tx]"));
  ASSERT_EQ(k.failure(), "");
  EXPECT_TRUE(Ran(k, {.threads = 4}).findings().empty());
  expectSameOnThreads(k);
}

TEST(LaunchRunTest, OnlyChosenBlocksRun) {
  KernelProblem k(lowered("B[bx * 64 + tx] = 1.0"));
  ASSERT_EQ(k.failure(), "");
  Ran ran(k, {.blocks = 3, .threads = 2});
  EXPECT_EQ(ran.counts().executed, 3);
  EXPECT_EQ(ran.counts().all, 12);
  for (int64_t block = 0; block != 12; ++block)
    EXPECT_EQ(ran.at("B", block * 64) == 1, block == 0 || block == 5 || block == 11) << block;
}

TEST(LaunchRunTest, BlocksAreChosenInEvenSteps) {
  EXPECT_EQ(chooseBlocks(10, 4), (std::vector<int64_t>{0, 3, 6, 9}));
  EXPECT_EQ(chooseBlocks(10, 1), (std::vector<int64_t>{0}));
  EXPECT_EQ(chooseBlocks(3, 2), (std::vector<int64_t>{0, 2}));
  EXPECT_EQ(chooseBlocks(3, 0), (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(chooseBlocks(3, 3), (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(chooseBlocks(3, 7), (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(chooseBlocks(0, 7), (std::vector<int64_t>{}));
  constexpr int64_t Most = INT64_MAX;
  EXPECT_EQ(chooseBlocks(Most, 3), (std::vector<int64_t>{0, Most / 2, Most - 1}));
}

// As written: kernels that depend on the order of their blocks are run in it.
TEST(LaunchRunTest, KernelsAsWrittenAreRepeatable) {
  for (llvm::StringRef body :
       {"C[bx % 2] = A[bx * 64]", "T.atomic_tile(C[0:4], A[bx * 64:bx * 64 + 4])",
        "B[bx * 64 + tx] = B[(bx + 767) % 768] + A[bx]",
        "for i in T.serial(0, 8):\n    B[bx * 10 + i * (7 - i)] = T.float32(bx)"}) {
    KernelProblem k(kernel(body, R"("tile")"));
    ASSERT_EQ(k.failure(), "");
    auto run = [&](unsigned threads) {
      GlobalMemory memory;
      memory.tensors = k.problem().memory.tensors;
      ReferenceOptions options;
      options.blocks.threads = threads;
      options.isRepeatable = true;
      llvm::Expected<ReferenceReport> report =
          runReference(k.function(), memory, k.problem().scalars, options);
      EXPECT_TRUE(static_cast<bool>(report)) << llvm::toString(report.takeError());
      std::vector<uint8_t> bytes = memory.tensors.at(k.idOf("B")).toBytes();
      llvm::append_range(bytes, memory.tensors.at(k.idOf("C")).toBytes());
      return bytes;
    };
    std::vector<uint8_t> alone = run(1);
    for (int time = 0; time != 20; ++time)
      EXPECT_EQ(run(8), alone) << body.str();
  }
}

} // namespace
} // namespace tilescope
