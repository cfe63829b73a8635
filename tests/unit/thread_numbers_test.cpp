// Which threads hold the same in `r[0]` when they come to the last statement of a launch.
// Run alone: unit_tests --gtest_filter='ThreadNumbers*'
#include "core/analysis/thread_numbers.h"
#include "core/ir/visit.h"
#include "ir_text.h"

#include "llvm/Support/FormatVariadic.h"

#include <set>

namespace tilescope {
namespace {

// Of 64 threads, how many have something else each.
size_t countValues(const std::string &body) {
  Context context;
  const Module *module = parseIr(context, R"(
@T.prim_func(properties=["lowered"])
def f(A: T.Tensor((64,), "float32"), C: T.Tensor((64,), "float32"), n: T.int32):
    r = T.alloc_local((2,), "float32")
    o = T.alloc_local((2,), "float32")
    s = T.alloc_shared((64,), "float32")
    with T.Kernel(1, threads=64) as (bx, tx):
)" + body + "        C[0] = r[0]\n");
  if (!module)
    return 0;
  const Function &function = *module->functions.front();
  const Launch *launch = nullptr;
  const Store *asking = nullptr;
  walk(function.body, [&](const Stmt *stmt) {
    launch = launch ? launch : llvm::dyn_cast<Launch>(stmt);
    asking = llvm::isa<Store>(stmt) ? llvm::cast<Store>(stmt) : asking;
    return true;
  });
  Lanes numbers =
      ThreadNumbers(computeStmtPlaces(context, function), *launch, asking, asking->value).take();
  return std::set<int64_t>(numbers.begin(), numbers.end()).size();
}

std::string butterfly(const std::string &indent, llvm::ArrayRef<int> distances,
                      const std::string &folded = "r[0] + o[0]") {
  std::string text;
  for (int distance : distances)
    text += llvm::formatv("{0}T.shuffle(o[0], r[0], {1}, kind=\"xor\")\n{0}r[0] = {2}\n", indent,
                          distance, folded);
  return text;
}

const std::string Start = "        r[0] = A[tx]\n";
const std::string Indent = "        ";

TEST(ThreadNumbers, ButterfliesMakeWarpsAgree) {
  EXPECT_EQ(countValues(Start), 64U);
  EXPECT_EQ(countValues(Start + butterfly(Indent, {1})), 32U);
  EXPECT_EQ(countValues(Start + butterfly(Indent, {1, 2, 4, 8, 16})), 2U);
  EXPECT_EQ(countValues(Start + butterfly(Indent, {16, 8, 4, 2, 1}, "T.max(o[0], r[0])")), 2U);
  // A round is left out, or done twice; the order of the operands counts.
  EXPECT_EQ(countValues(Start + butterfly(Indent, {1, 2, 8, 16})), 4U);
  EXPECT_EQ(countValues(Start + butterfly(Indent, {1, 2, 4, 8, 8})), 4U);
  EXPECT_EQ(countValues(Start + butterfly(Indent, {1, 2, 4, 8, 16}, "r[0] - o[0]")), 64U);
}

TEST(ThreadNumbers, NotAllThreadsExchange) {
  EXPECT_EQ(
      countValues(Start + "        if tx < 48:\n" + butterfly("            ", {1, 2, 4, 8, 16})),
      64U);
  EXPECT_EQ(
      countValues(Start + "        if n < 48:\n" + butterfly("            ", {1, 2, 4, 8, 16})),
      64U);
  EXPECT_EQ(countValues(Start + butterfly(Indent, {1, 2, 4, 8, 16}) +
                        "        if n < 48:\n            r[0] = r[0] * 2.0\n"),
            2U);
  EXPECT_EQ(countValues(Start + butterfly(Indent, {1, 2, 4, 8, 16}) +
                        "        if A[tx] < 1.0:\n            r[0] = r[0] * 2.0\n"),
            64U);
  EXPECT_EQ(countValues(Start + butterfly(Indent, {1, 2, 4, 8, 16}) +
                        "        if tx % 2 < 1:\n            r[0] = r[0] * 2.0\n"),
            4U);
}

TEST(ThreadNumbers, WhatIsReadFromOnePlaceIsOneValue) {
  EXPECT_EQ(countValues("        r[0] = s[tx % 4]\n"), 4U);
  EXPECT_EQ(countValues("        r[0] = A[n]\n"), 1U);
  EXPECT_EQ(countValues("        r[0] = s[0] + s[1]\n"), 1U);
  EXPECT_EQ(countValues("        T.vector_copy(A[tx // 2 * 2:tx // 2 * 2 + 2], o[0:2], bytes=8)\n"
                        "        r[0] = o[1]\n"),
            32U);
  EXPECT_EQ(countValues("        T.vector_copy(A[0:2], o[0:2], predicate=tx < 8, bytes=8)\n"
                        "        r[0] = o[1]\n"),
            2U);
  EXPECT_EQ(countValues("        o[0] = A[0]\n        o[tx % 2] = 1.0\n        r[0] = o[0]\n"),
            64U);
  // Of two times.
  EXPECT_EQ(countValues("        if tx < 32:\n            r[0] = s[0]\n"
                        "        else:\n            r[0] = s[0]\n"),
            2U);
}

TEST(ThreadNumbers, LoopsKeepWhatThreadsAgreeOn) {
  auto loop = [](const std::string &trips, const std::string &step) {
    return countValues("        r[0] = 0.0\n        for k in T.serial(0, " + trips +
                       "):\n            " + step + "\n");
  };
  EXPECT_EQ(loop("n", "r[0] = r[0] + A[k]"), 1U);
  EXPECT_EQ(loop("n", "r[0] = r[0] + A[tx // 16]"), 4U);
  EXPECT_EQ(loop("3", "r[0] = r[0] + A[tx // 16]"), 4U);
  EXPECT_EQ(loop("tx // 32", "r[0] = r[0] + A[k]"), 2U);
  EXPECT_EQ(loop("tx", "r[0] = r[0] + 1.0"), 64U);
  // What one of two registers is, the other is a turn later.
  EXPECT_EQ(countValues("        r[0] = 0.0\n        r[1] = A[tx // 8]\n"
                        "        for k in T.serial(0, n):\n"
                        "            r[0] = r[1]\n"),
            8U);
  EXPECT_EQ(countValues("        r[0] = 0.0\n        r[1] = 0.0\n"
                        "        for k in T.serial(0, n):\n"
                        "            r[0] = r[1]\n            r[1] = A[tx // 8]\n"),
            8U);
  EXPECT_EQ(countValues("        r[0] = 0.0\n"
                        "        for k in T.serial(0, n):\n"
                        "            if A[tx] < 1.0:\n                break\n"
                        "            r[0] = r[0] + 1.0\n"),
            64U);
}

} // namespace
} // namespace tilescope
