// What plan-pipeline says of its decisions, and what it takes to be a dependence.
#include "core/analysis/dependences.h"
#include "core/analysis/first_touch.h"
#include "core/ir/visit.h"
#include "ir_text.h"
#include "passes/registry.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {
namespace {

constexpr char Head[] = R"ir(
@T.prim_func(properties=["tile"])
def main(
    A: T.Tensor((512, 512), "float16"),
    F: T.Tensor((512, 512), "float32"),
    O: T.Tensor((512, 512), "float16"),
    n: T.int32,
):
    S = T.alloc_shared((64, 64), "float16")
    R = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
)ir";

class Collector : public RemarkSink {
public:
  bool wanted() const override { return true; }
  void take(Remark remark) override { texts.push_back(std::move(remark.text)); }
  std::vector<std::string> texts;
};

std::vector<std::string> remarksOf(Context &context, const std::string &body) {
  const Module *module = parseIr(context, Head + body);
  if (!module)
    return {};
  Diagnostics diagnostics;
  Collector remarks;
  PassContext pass{context, **findTarget("sm_80"), diagnostics, remarks};
  const PassInfo *info = llvm::find_if(
      allPasses(), [](const PassInfo &candidate) { return candidate.name == "plan-pipeline"; });
  EXPECT_TRUE(info->create()->run(*module, pass)) << renderAll(diagnostics, SourceFiles());
  return remarks.texts;
}

using Texts = std::vector<std::string>;

TEST(PlanPipelineTest, PipelinedLoopSaysHow) {
  Context context;
  EXPECT_EQ(remarksOf(context, R"ir(
        for k in T.Pipelined(0, n, num_stages=3):
            T.copy(A[0:64, k * 64:k * 64 + 64], S[0:64, 0:64])
            T.gemm(S[0:64, 0:64], S[0:64, 0:64], C[0:64, 0:64])
)ir"),
            Texts{"the loop over 'k' is pipelined: copies run up to 2 iterations ahead; versions: "
                  "'S' 3"});
}

TEST(PlanPipelineTest, NoStagesNeedNoReason) {
  Context context;
  EXPECT_EQ(remarksOf(context, R"ir(
        for k in T.Pipelined(0, n, num_stages=0):
            T.copy(A[0:64, k * 64:k * 64 + 64], S[0:64, 0:64])
            T.gemm(S[0:64, 0:64], S[0:64, 0:64], C[0:64, 0:64])
)ir"),
            Texts{});
}

TEST(PlanPipelineTest, CopyThatConvertsIsNotAsynchronous) {
  Context context;
  EXPECT_EQ(remarksOf(context, R"ir(
        for k in T.Pipelined(0, n, num_stages=3):
            T.copy(F[0:64, k * 64:k * 64 + 64], S[0:64, 0:64])
            T.gemm(S[0:64, 0:64], S[0:64, 0:64], C[0:64, 0:64])
)ir"),
            (Texts{"the copy into 'S' is not asynchronous: float32 is converted to float16",
                   "the loop over 'k' is not pipelined: no copy can run ahead of its use: float32 "
                   "is converted to float16"}));
}

TEST(PlanPipelineTest, ReadBeforeOverwriteIsNoPipeline) {
  Context context;
  EXPECT_EQ(remarksOf(context, R"ir(
        for k in T.Pipelined(0, n, num_stages=3):
            T.gemm(S[0:64, 0:64], S[0:64, 0:64], C[0:64, 0:64])
            T.copy(A[0:64, k * 64:k * 64 + 64], S[0:64, 0:64])
)ir")
                .front(),
            "the copy into 'S' is not asynchronous: it is not the first to write all of 'S' in an "
            "iteration");
}

TEST(PlanPipelineTest, OwnWaitsAndInnerLoopsAreReasons) {
  Context context;
  EXPECT_EQ(remarksOf(context, R"ir(
        for k in T.Pipelined(0, n, num_stages=3):
            for j in T.Pipelined(0, n, num_stages=3):
                T.copy(A[0:64, k * 64:k * 64 + 64], S[0:64, 0:64], is_async=True)
                T.commit_group()
                T.wait_group()
                T.gemm(S[0:64, 0:64], S[0:64, 0:64], C[0:64, 0:64])
)ir"),
            (Texts{"the loop over 'k' is not pipelined: it holds another pipelined loop, which is",
                   "the loop over 'j' is not pipelined: it waits for asynchronous copies of its "
                   "own"}));
}

TEST(PlanPipelineTest, ConditionalCopiesAreAReason) {
  Context context;
  EXPECT_EQ(remarksOf(context, R"ir(
        for k in T.Pipelined(0, n, num_stages=3):
            if k % 2 == 0:
                T.copy(A[0:64, k * 64:k * 64 + 64], S[0:64, 0:64])
                T.gemm(S[0:64, 0:64], S[0:64, 0:64], C[0:64, 0:64])
            else:
                T.fill(C[0:64, 0:64], 0.0)
)ir"),
            Texts{"the loop over 'k' is not pipelined: its copies stand under a condition or in an "
                  "inner loop"});
}

TEST(PlanPipelineTest, SlotsThatDependOnThePathCostTheVersions) {
  Context context;
  Texts remarks = remarksOf(context, R"ir(
        T.fill(S[0:64, 0:64], T.float16(0.0))
        if n < 4:
            for k in T.Pipelined(0, 8, num_stages=3):
                T.copy(A[0:64, k * 64:k * 64 + 64], S[0:64, 0:64])
                T.gemm(S[0:64, 0:64], S[0:64, 0:64], C[0:64, 0:64])
        T.copy(S[0:64, 0:64], O[0:64, 0:64])
)ir");
  ASSERT_EQ(remarks.size(), 2U);
  EXPECT_EQ(remarks[0], "'S' keeps one version: by different paths this statement finds its value "
                        "in different slots");
  EXPECT_EQ(remarks[1], "the loop over 'k' is pipelined: copies run up to 1 iteration ahead; "
                        "versions: 'S' 1");
}

class DependencesTest : public testing::Test {
protected:
  // "0>1 read-after-write S", with a star where it is carried.
  Texts dependencesOf(const std::string &statements) {
    const Module *module =
        parseIr(context, Head + ("        for k in T.serial(0, n):\n" + statements));
    if (!module)
      return {};
    const Function &function = *module->functions[0];
    const For *loop = nullptr;
    walk(function.body, [&](const Stmt *stmt) {
      loop = loop ? loop : llvm::dyn_cast<For>(stmt);
      return !loop;
    });
    Texts texts;
    for (const Dependence &dependence : computeLoopBody(context, function, *loop).dependences)
      texts.push_back(llvm::formatv(
          "{0}>{1} {2} {3}{4}", dependence.from, dependence.to, nameOf(dependence.kind),
          dependence.var ? dependence.var->name : function.buffer(dependence.buffer).name,
          dependence.carried ? "*" : ""));
    return texts;
  }

  Context context;
};

TEST_F(DependencesTest, RedefinedTileIsHeldByItsPlaceOnly) {
  EXPECT_EQ(dependencesOf("            T.copy(A[0:64, 0:64], S[0:64, 0:64])\n"
                          "            T.copy(S[0:64, 0:64], O[0:64, 0:64])\n"),
            (Texts{"0>1 read-after-write S", "1>0 write-after-read S*"}));
}

TEST_F(DependencesTest, PartialWriteCarriesTheValue) {
  EXPECT_EQ(dependencesOf("            T.copy(A[0:32, 0:64], S[0:32, 0:64])\n"
                          "            T.fill(S[32:64, 0:64], T.float16(0.0))\n"),
            (Texts{"0>1 write-after-write S", "1>0 write-after-write S*"}));
}

TEST_F(DependencesTest, AdditionsAreOrdered) {
  EXPECT_EQ(dependencesOf("            T.atomic_tile(O[0:64, 0:64], C[0:64, 0:64])\n"
                          "            O[0, 0] = T.float16(1.0)\n"),
            (Texts{"0>1 write-after-read O", "1>0 read-after-write O*"}));
}

TEST_F(DependencesTest, ScalarsBindStatements) {
  EXPECT_EQ(
      dependencesOf("            S[0, 0] = T.float16(1.0)\n"
                    "            first: T.float16 = S[0, 0]\n"
                    "            row: T.int32 = k * 2\n"
                    "            O[row, 0] = first\n"),
      (Texts{"0>1 read-after-write S", "1>0 write-after-read S*", "1>2 read-after-write first"}));
}

FirstTouch touchOf(Context &context, const std::string &statement) {
  const Module *module = parseIr(context, Head + statement);
  if (!module)
    return FirstTouch::None;
  const Function &function = *module->functions[0];
  const Buffer *tile =
      *llvm::find_if(function.buffers, [](const Buffer *buffer) { return buffer->name == "S"; });
  return firstTouch(context, *function.body, *tile);
}

TEST(FirstTouchTest, WholeWritesRedefine) {
  for (const char *statement :
       {"        T.copy(A[0:64, 0:64], S[0:64, 0:64])\n",
        "        T.gemm(R[0:64, 0:64], R[0:64, 0:64], S[0:64, 0:64], clear_accum=True)\n",
        "        for i, j in T.Parallel(64, 64):\n            S[j, i] = A[i, j]\n",
        "        if n < 4:\n            T.fill(S[0:64, 0:64], T.float16(0.0))\n"
        "        else:\n            T.copy(A[0:64, 0:64], S[0:64, 0:64])\n"}) {
    Context context;
    EXPECT_EQ(touchOf(context, statement), FirstTouch::Redefines) << statement;
  }
}

TEST(FirstTouchTest, EverythingElseUses) {
  for (const char *statement :
       {"        T.copy(A[0:64, 0:32], S[0:64, 0:32])\n",
        "        T.gemm(R[0:64, 0:64], R[0:64, 0:64], S[0:64, 0:64])\n",
        "        for i, j in T.Parallel(64, 64):\n            S[i, i] = A[i, j]\n",
        "        for i, j in T.Parallel(64, 64):\n            S[i, j] = S[j, i]\n",
        ("        for i, j in T.Parallel(64, 64):\n            if i < j:\n"
         "                S[i, j] = A[i, j]\n"),
        "        for i in T.serial(0, n):\n            T.fill(S[0:64, 0:64], T.float16(0.0))\n",
        "        if n < 4:\n            T.fill(S[0:64, 0:64], T.float16(0.0))\n"}) {
    Context context;
    EXPECT_EQ(touchOf(context, statement), FirstTouch::Uses) << statement;
  }
}

} // namespace
} // namespace tilescope
