// Run alone: unit_tests --gtest_filter='StatementAccesses*'
#include "core/analysis/statement_accesses.h"
#include "ir_text.h"

#include <regex>

namespace tilescope {
namespace {

std::string build(const std::string &text) {
  Context context;
  const Module *module = parseIr(context, text);
  if (!module)
    return "";
  std::string out = toString(computeStatementAccesses(*module->functions[0]).program);
  return std::regex_replace(out, std::regex(" s[0-9]+"), ""); // ids count from the context's start
}

TEST(StatementAccessesTest, AccumulatorIsReadUnlessItMayBeCleared) {
  EXPECT_EQ(build(R"ir(
@T.prim_func(properties=["tile"])
def gemms(
    n: T.int32,
):
    a = T.alloc_shared((64, 64), "float16")
    c = T.alloc_fragment((64, 64), "float32")
    x = T.alloc_fragment((64,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.gemm(a[0:64, 0:64], a[0:64, 0:64], c[0:64, 0:64])
        for k in T.serial(0, n):
            T.gemm(a[0:64, 0:64], a[0:64, 0:64], c[0:64, 0:64], clear_accum=k == 0)
        T.reduce(c[0:64, 0:64], x[0:64], kind="sum", dim=1)
        T.reduce(c[0:64, 0:64], x[0:64], kind="sum", dim=1, clear=False)
)ir"),
            R"(Seq
  Leaf: read a[0], read a[0], read c[0], write c[0] (partial)
  Loop, trips [0, unknown]
    Seq
      Leaf: read a[0], read a[0], write c[0] (partial)
  Leaf: read c[0], write x[0] (partial)
  Leaf: read c[0], read x[0], write x[0] (partial)
)");
}

TEST(StatementAccessesTest, WhatIsEvaluatedOnAConditionStandsUnderAnIf) {
  EXPECT_EQ(build(R"ir(
@T.prim_func(properties=["tile"])
def elements(
    A: T.Tensor((64, 4), "float32"),
    n: T.int32,
):
    s = T.alloc_shared((64,), "float32")
    x = T.alloc_fragment((64, 4), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        for i, j in T.Parallel(64, 4):
            x[i, j] = s[i] if i < n and s[0] > T.float32(0.0) else A[i, j]
)ir"),
            R"(Seq
  Loop, trips [256, 256]
    Seq
      If
        Leaf: read s[0]
      If
        Leaf: read s[0]
      Leaf: write x[0] (partial)
)");
}

TEST(StatementAccessesTest, SidesThatThreadsDisagreeOnAreRoles) {
  EXPECT_EQ(build(R"ir(
@T.prim_func(properties=["tile"])
def sides(
    n: T.int32,
):
    s = T.alloc_shared((64,), "float32")
    v = T.alloc_local((1,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        if tx < 32:
            s[tx] = T.float32(0.0)
        else:
            v[0] = s[tx - 32]
        if n < 32:
            s[tx] = T.float32(0.0)
        else:
            v[0] = s[tx - 32]
)ir"),
            R"(Seq
  Roles
    Seq
      Leaf: write s[0] (partial)
    Seq
      Leaf: read s[0], write v[0] (partial)
  If
    Seq
      Leaf: write s[0] (partial)
    Seq
      Leaf: read s[0], write v[0] (partial)
)");
}

} // namespace
} // namespace tilescope
