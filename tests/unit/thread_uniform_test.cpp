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

// A role is an `if` of threads itself.
TEST(ThreadUniformTest, RegistersThatARoleReadsAgreeIfAllOfItGotTheSame) {
  EXPECT_EQ(branchesOf(R"ir(
@T.prim_func(properties=["lowered"])
def roles(
    A: T.Tensor((128,), "int32"),
):
    set = T.alloc_local((1,), "int32")
    kept = T.alloc_local((1,), "int32")
    left = T.alloc_local((1,), "int32")
    other = T.alloc_local((1,), "int32")
    whole = T.alloc_local((1,), "int32")
    with T.Kernel(8, threads=384) as (bx, tx):
        set[0] = A[bx]
        kept[0] = A[bx]
        left[0] = A[bx]
        whole[0] = A[bx]
        with T.ws(0):
            kept[0] = kept[0] + 1
            left[0] = left[0] + 1
            other[0] = A[bx]
            whole[0] = 2
            if set[0] < 4:
                A[0] = 0
            if kept[0] < 4:
                A[0] = 1
        with T.ws(1):
            if set[0] < 4:
                A[1] = 0
            if other[0] < 4:
                A[1] = 1
        with T.ws(0, 1):
            if whole[0] < 4:
                A[2] = 0
        if left[0] < 4:
            A[3] = 0
)ir"),
            (std::vector<bool>{false, true, true, false, true, false, false, false, false}));
}

TEST(ThreadUniformTest, RegistersAgreeIfAllThreadsCopyTheSameThere) {
  EXPECT_EQ(branchesOf(R"ir(
@T.prim_func(properties=["lowered"])
def copies(
    A: T.Tensor((128,), "int8"),
    n: T.int32,
):
    same = T.alloc_local((4,), "int8")
    guarded = T.alloc_local((4,), "int8")
    own = T.alloc_local((4,), "int8")
    shifted = T.alloc_local((128,), "int8")
    copied = T.alloc_local((4,), "int8")
    some = T.alloc_local((4,), "int8")
    partly = T.alloc_local((4,), "int8")
    with T.Kernel(8, threads=128) as (bx, tx):
        T.vector_copy(A[bx * 4:bx * 4 + 4], same[0:4], bytes=4)
        T.vector_copy(A[0:4], guarded[0:4], predicate=n < 4, bytes=4)
        T.vector_copy(A[tx // 32 * 4:tx // 32 * 4 + 4], own[0:4], bytes=4)
        T.vector_copy(A[0:4], shifted[tx // 32 * 4:tx // 32 * 4 + 4], bytes=4)
        T.vector_copy(own[0:4], copied[0:4], bytes=4)
        T.vector_copy(A[0:4], partly[0:4], predicate=tx < 4, bytes=4)
        if tx < 4:
            T.vector_copy(A[0:4], some[0:4], bytes=4)
        if same[n] < T.int8(4):
            A[0] = T.int8(0)
        if guarded[0] < T.int8(4):
            A[0] = T.int8(0)
        if own[0] < T.int8(4):
            A[0] = T.int8(0)
        if shifted[0] < T.int8(4):
            A[0] = T.int8(0)
        if copied[0] < T.int8(4):
            A[0] = T.int8(0)
        if some[0] < T.int8(4):
            A[0] = T.int8(0)
        if partly[0] < T.int8(4):
            A[0] = T.int8(0)
)ir"),
            (std::vector<bool>{false, true, true, false, false, false, false, false}));
}

TEST(ThreadUniformTest, ElementsOfFragmentsAgreeIfEachThreadWouldWriteTheSame) {
  EXPECT_EQ(branchesOf(R"ir(
@T.prim_func(properties=["tile"])
def fragments(
    A: T.Tensor((8,), "int32"),
    n: T.int32,
):
    copied = T.alloc_fragment((8,), "int32")
    summed = T.alloc_fragment((1,), "int32")
    chosen = T.alloc_fragment((8,), "int32")
    own = T.alloc_local((8,), "int32")
    of_own = T.alloc_fragment((8,), "int32")
    with_own = T.alloc_fragment((8,), "int32")
    under_own = T.alloc_fragment((8,), "int32")
    whoever = T.alloc_fragment((8,), "int32")
    some = T.alloc_fragment((8,), "int32")
    stored = T.alloc_fragment((8,), "int32")
    with T.Kernel(8, threads=128) as (bx, tx):
        T.copy(A[0:8], copied[0:8])
        T.reduce(copied[0:8], summed[0], dim=0)
        own[0] = tx
        T.copy(own[0:8], of_own[0:8])
        for i in T.Parallel(8):
            if i < n:
                chosen[i] = copied[i] + i
            with_own[i] = own[0]
            if own[0] < i:
                under_own[i] = 1
            whoever[0] = i
        if own[0] < 4:
            some[0] = 0
        stored[0] = tx
        if copied[n] < 4:
            A[0] = 0
        if summed[0] < 4:
            A[0] = 0
        if chosen[n] < 4:
            A[0] = 0
        if chosen[tx] < 4:
            A[0] = 0
        if of_own[0] < 4:
            A[0] = 0
        if with_own[0] < 4:
            A[0] = 0
        if under_own[0] < 4:
            A[0] = 0
        if whoever[0] < 4:
            A[0] = 0
        if some[0] < 4:
            A[0] = 0
        if stored[0] < 4:
            A[0] = 0
)ir"),
            (std::vector<bool>{false, false, false, true, true, true, false, false, false, false,
                               false, false, false}));
}

} // namespace
} // namespace tilescope
