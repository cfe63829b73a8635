// What `run --check` says of outputs, without a GPU: what it would have written is made up here.
#include "kernel_problem.h"

#include <limits>

namespace tilescope {
namespace {

constexpr double NaN = std::numeric_limits<double>::quiet_NaN();

constexpr char TwoOutputs[] = R"ir(
@T.prim_func(properties=["tile"])
def two(
    A: T.Tensor((32,), "float32"),
    B: T.Tensor((32,), "float32", output=True),
    C: T.Tensor((64,), "float32", output=True),
):
    with T.Kernel(1, threads=32) as (bx, tx):
        for i in T.Parallel(32):
            B[i] = A[i] + 1.0
            C[i] = A[i] * 2.0
)ir";

class OutputVerdictTest : public testing::Test {
protected:
  OutputVerdictTest() : kernel(TwoOutputs) {
    EXPECT_EQ(kernel.run(), "");
    got = kernel.expected().tensors;
  }
  void set(llvm::StringRef tensor, int64_t index, double value) {
    got.at(kernel.idOf(tensor)).set(index, Number{.f = value});
  }
  std::vector<OutputCheck> check() {
    return checkOutputs(kernel.problem(), got, kernel.expected());
  }

  KernelProblem kernel;
  std::map<BufferId, Tensor> got;
};

TEST_F(OutputVerdictTest, NanOnBothSidesIsCounted) {
  std::vector<OutputCheck> checks = check();
  ASSERT_EQ(checks.size(), 2U);
  EXPECT_EQ(checks[1].comparison.nanPairs, 32);
  EXPECT_EQ(checks[1].verdict(), OutputVerdict::Right);
  EXPECT_LT(checks[1].comparison.worst[0], 32);
  std::string line = describe(checks[1]);
  EXPECT_EQ(line.substr(0, line.find(", max")), "32 of 64 elements, 32 NaN on both sides");
  EXPECT_EQ(line.find("got nan"), std::string::npos);
  EXPECT_EQ(describe(checks[0]).find("NaN"), std::string::npos);
}

TEST_F(OutputVerdictTest, NanOnOneSideIsWrong) {
  set("B", 3, NaN);
  set("C", 40, 1);
  std::vector<OutputCheck> checks = check();
  EXPECT_EQ(checks[0].verdict(), OutputVerdict::Wrong);
  EXPECT_EQ(checks[0].comparison.worst[0], 3);
  EXPECT_EQ(checks[1].comparison.wrong, 1);
  EXPECT_EQ(checks[1].comparison.worst[0], 40);
}

TEST_F(OutputVerdictTest, OnlyNanEstablishesNothing) {
  ProblemOptions options;
  options.fills = {{"A", "nan"}};
  KernelProblem nan(TwoOutputs, options);
  ASSERT_EQ(nan.run(), "");
  std::vector<OutputCheck> checks =
      checkOutputs(nan.problem(), nan.expected().tensors, nan.expected());
  EXPECT_EQ(checks[0].verdict(), OutputVerdict::NotEstablished);
  EXPECT_EQ(verdictOf(checks), OutputVerdict::NotEstablished);
  EXPECT_EQ(describe(checks[0]), "32 elements, 32 NaN on both sides");
  EXPECT_EQ(describeOutputs(checks), "B, C of 2 outputs");
}

// B[0] gets two values, B[1] and B[2] one each, from two blocks.
TEST_F(OutputVerdictTest, OrderOfBlocksEstablishesNothing) {
  KernelProblem twice(R"ir(
@T.prim_func(properties=["tile"])
def twice(A: T.Tensor((4,), "float32"), B: T.Tensor((3,), "float32", output=True)):
    with T.Kernel(2, threads=32) as (bx, tx):
        B[0] = A[bx]
        B[1] = A[3]
        B[2] = A[2]
)ir");
  ASSERT_EQ(twice.run(), "");
  const Expectation &expected = twice.expected();
  std::map<BufferId, Tensor> got = expected.tensors;
  BufferId b = twice.idOf("B");
  got.at(b).set(0, Number{.f = 100});
  std::vector<OutputCheck> checks = checkOutputs(twice.problem(), got, expected);
  EXPECT_EQ(checks[0].comparison.overwritten, 1);
  EXPECT_EQ(checks[0].verdict(), OutputVerdict::NotEstablished);
  std::string line = describe(checks[0]);
  EXPECT_EQ(line.substr(0, line.find(", max")),
            "2 elements, 1 more that several blocks write, each another value");
  got.at(b).set(1, Number{.f = 100});
  EXPECT_EQ(checkOutputs(twice.problem(), got, expected)[0].verdict(), OutputVerdict::Wrong);
}

TEST_F(OutputVerdictTest, OneWrongOutputDecides) {
  EXPECT_EQ(verdictOf(check()), OutputVerdict::Right);
  EXPECT_EQ(describeOutputs(check()), "2 outputs");
  set("B", 5, 100);
  std::vector<OutputCheck> checks = check();
  EXPECT_EQ(checks.back().verdict(), OutputVerdict::Right);
  EXPECT_EQ(verdictOf(checks), OutputVerdict::Wrong);
  EXPECT_EQ(describeOutputs(checks), "B of 2 outputs");
}

TEST_F(OutputVerdictTest, NoOutputsEstablishNothing) {
  EXPECT_EQ(verdictOf(std::vector<OutputCheck>()), OutputVerdict::NotEstablished);
}

TEST(AdviceTest, SmallerSizesAreProposedForLongWork) {
  ReferenceEstimate estimate;
  estimate.blocks = 16384;
  estimate.work = 3e11;
  EXPECT_EQ(adviseSmaller(estimate, {{"M", "4096"}, {"N", "8192"}, {"bM", "64"}, {"t", "\"x\""}},
                          {{"k", 5000}}),
            "the reference runs 16,384 blocks on the CPU, about 3.0e+11 operations, which takes "
            "minutes; a smaller size is checked sooner: --set M=512 --set N=1024 --dim k=625");
  estimate.work = 1e9;
  EXPECT_EQ(adviseSmaller(estimate, {{"M", "4096"}}, {}), "");
}

// 4,096 x 4,096 elements without a gemm: a sample of the blocks is enough.
TEST(EstimateTest, ElementwiseWorkIsSampled) {
  KernelProblem k(R"ir(
@T.prim_func(properties=["tile"])
def add(A: T.Tensor((m, 4096), "float32"), B: T.Tensor((m, 4096), "float32", output=True), m: T.int32):
    with T.Kernel(32, (m + 127) // 128, threads=128) as (bx, by, tx):
        for i, j in T.Parallel(128, 128):
            B[by * 128 + i, bx * 128 + j] = A[by * 128 + i, bx * 128 + j] + 1.0
)ir",
                  {0, {{"m", "0"}}, {}});
  ASSERT_EQ(k.failure(), "");
  std::vector<std::pair<const Var *, Number>> scalars(k.problem().scalars);
  scalars[0].second.i = 4096;
  ReferenceEstimate estimate = estimateReference(k.function(), scalars);
  EXPECT_LE(estimate.blocks, 16);
  EXPECT_LT(estimate.work, 1e10);
  scalars[0].second.i = 128;
  EXPECT_EQ(estimateReference(k.function(), scalars).blocks, 32);
}

} // namespace
} // namespace tilescope
