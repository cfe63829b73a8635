// Run alone: unit_tests --gtest_filter='ThreadUniform*'
#include "core/analysis/thread_uniform.h"
#include "core/ir/visit.h"
#include "ir_text.h"

namespace tilescope {
namespace {

// For each `if` of the text, in order: do all threads agree on it?
std::vector<bool> branchesOf(const std::string &text) {
  Context context;
  const Module *module = parseIr(context, text);
  if (!module)
    return {};
  ThreadUniform uniform(*module->functions[0]);
  std::vector<bool> agreed;
  walk(module->functions[0]->body, [&](const Stmt *stmt) {
    if (llvm::isa<If>(stmt))
      agreed.push_back(uniform.isUniform(*stmt));
    return true;
  });
  return agreed;
}

TEST(ThreadUniformTest, BlockAndLoopVariablesAgreeThreadVariablesDoNot) {
  EXPECT_EQ(branchesOf(R"ir(
@T.prim_func(properties=["lowered"])
def branches(
    A: T.Tensor((128,), "float32"),
    n: T.int32,
):
    with T.Kernel(8, threads=128) as (bx, tx):
        row: T.int32 = tx // 4
        for k in T.serial(0, n):
            if k + bx < n:
                A[k] = 0.0
            if row < 4:
                A[k] = 1.0
        for i in T.serial(0, tx):
            if i < 4:
                A[i] = 2.0
)ir"),
            (std::vector<bool>{true, false, false}));
}

TEST(ThreadUniformTest, RegistersAgreeIfAllTheirStoresDo) {
  EXPECT_EQ(branchesOf(R"ir(
@T.prim_func(properties=["lowered"])
def registers(
    A: T.Tensor((128,), "int32"),
    n: T.int32,
):
    same = T.alloc_local((1,), "int32")
    late = T.alloc_local((1,), "int32")
    own = T.alloc_local((1,), "int32")
    some = T.alloc_local((1,), "int32")
    with T.Kernel(8, threads=128) as (bx, tx):
        same[0] = A[bx]
        own[0] = tx
        some[0] = 0
        for k in T.serial(0, n):
            if same[0] < 4:
                A[k] = 0
            if late[0] < 4:
                A[k] = 1
            late[0] = own[0]
            if tx < 4:
                some[0] = 1
            if some[0] < 1:
                A[k] = 2
)ir"),
            (std::vector<bool>{true, false, false, false}));
}

} // namespace
} // namespace tilescope
