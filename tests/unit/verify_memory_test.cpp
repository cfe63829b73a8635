// Run alone: unit_tests --gtest_filter='VerifyMemory*:FunctionArena*'
#include "core/check/verify_memory.h"
#include "core/ir/build.h"
#include "core/plan/arena_problem.h"
#include "core/plan/planner.h"
#include "ir_text.h"

namespace tilescope {
namespace {

constexpr char Hazard[] = R"ir(
@T.prim_func(properties=["lowered"])
def hazard(
    A: T.Tensor((8, 128), "float32"),
):
    a = T.alloc_shared((128,), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        a[tx] = 0.0
        A[bx, tx] = a[127 - tx]
)ir";

TEST(VerifyMemoryTest, HazardsAreErrorsUnlessAllowed) {
  Context context;
  const Module *module = parseIr(context, Hazard);
  ASSERT_TRUE(module);
  Diagnostics strict, lenient;
  EXPECT_EQ(verifyHazards(context, *module->functions[0], strict), HazardVerdict::Found);
  EXPECT_EQ(strict.errorCount(), 1U);
  EXPECT_EQ(strict.all()[0].id, DiagId::MemoryHazard);
  EXPECT_EQ(verifyHazards(context, *module->functions[0], lenient, HazardSeverity::Warning),
            HazardVerdict::Found);
  EXPECT_EQ(lenient.errorCount(), 0U);
  EXPECT_EQ(lenient.all()[0].id, DiagId::AllowedHazard);
}

constexpr char Attention[] = R"ir(
@T.prim_func(properties=["tile", "pipelined"])
def attention(
    Q: T.Tensor((4096, 128), "float16"),
    K: T.Tensor((4096, 128), "float16"),
    V: T.Tensor((4096, 128), "float16"),
    O: T.Tensor((4096, 128), "float16"),
):
    Q_shared = T.alloc_shared((128, 128), "float16")
    K_shared = T.alloc_shared((128, 128), "float16", versions=2)
    V_shared = T.alloc_shared((128, 128), "float16", versions=2)
    O_shared = T.alloc_shared((128, 128), "float16")
    unused = T.alloc_shared((128, 128), "float16")
    fixed = T.alloc_shared_static((128,), "float32")
    S = T.alloc_fragment((128, 128), "float32")
    P = T.alloc_fragment((128, 128), "float16")
    acc = T.alloc_fragment((128, 128), "float32")
    with T.Kernel(32, threads=128) as (bx, tx):
        T.fill(fixed[0:128], 0.0)
        T.copy(Q[bx * 128:bx * 128 + 128, 0:128], Q_shared[0:128, 0:128])
        if 0 < bx + 1:
            T.copy(K[0:128, 0:128], K_shared[0, 0:128, 0:128], is_async=True)
        T.commit_group()
        if 0 < bx + 1:
            T.copy(V[0:128, 0:128], V_shared[0, 0:128, 0:128], is_async=True)
        T.commit_group()
        if 1 < bx + 1:
            T.copy(K[128:256, 0:128], K_shared[1, 0:128, 0:128], is_async=True)
        T.commit_group()
        for k in T.serial(0, bx + 1):
            T.wait_group(pending=2)
            if k + 1 < bx + 1:
                T.copy(V[(k + 1) * 128:(k + 1) * 128 + 128, 0:128], V_shared[(k + 1) % 2, 0:128, 0:128], is_async=True)
            T.commit_group()
            T.gemm(Q_shared[0:128, 0:128], K_shared[k % 2, 0:128, 0:128], S[0:128, 0:128], transpose_B=True)
            T.wait_group(pending=2)
            if k + 2 < bx + 1:
                T.copy(K[(k + 2) * 128:(k + 2) * 128 + 128, 0:128], K_shared[(k + 2) % 2, 0:128, 0:128], is_async=True)
            T.commit_group()
            T.gemm(P[0:128, 0:128], V_shared[k % 2, 0:128, 0:128], acc[0:128, 0:128])
        T.copy(acc[0:128, 0:128], O_shared[0:128, 0:128])
        T.copy(O_shared[0:128, 0:128], O[bx * 128:bx * 128 + 128, 0:128])
)ir";

TEST(FunctionArenaTest, AttentionForwardNeedsWhatIsLiveAtTheFirstGemm) {
  Context context;
  const Module *module = parseIr(context, Attention);
  ASSERT_TRUE(module);
  const Function &function = *module->functions[0];
  const Target *target = llvm::cantFail(findTarget("sm_80"));
  const FunctionArena &arena = computeFunctionArena(context, function, *target);
  EXPECT_TRUE(arena.isPreview);
  EXPECT_EQ(arena.problem.capacityBytes, target->sharedBytesPerBlock - 512);
  ArenaPlan plan = currentPlan(context, function, arena);
  EXPECT_EQ(plan.heightBytes, 163840);
  EXPECT_EQ(plan.certificate.kind, ProofKind::LiveAtPoint);
  auto idOf = [&](llvm::StringRef name) {
    for (const Buffer *buffer : function.buffers)
      if (buffer->name == name)
        return buffer->id;
    return BufferId();
  };
  EXPECT_EQ(plan.certificate.liveSet,
            (std::vector<BufferId>{idOf("Q_shared"), idOf("K_shared"), idOf("V_shared")}));
  EXPECT_EQ(plan.find(idOf("Q_shared"))->offsetBytes, plan.find(idOf("O_shared"))->offsetBytes);
  EXPECT_EQ(plan.find(idOf("unused"))->sizeBytes, 0);
  EXPECT_FALSE(plan.find(idOf("fixed")));
}

TEST(FunctionArenaTest, OffsetsOfTheTableAreThePlanOnceItIsMade) {
  Context context;
  const Module *module = parseIr(context, R"ir(
@T.prim_func(properties=["lowered", "barriers-placed", "arena-planned"])
def placed(
    A: T.Tensor((8, 128), "float32"),
):
    a = T.alloc_shared((128,), "float32", offset=0)
    b = T.alloc_shared((128,), "float32", offset=1024)
    with T.Kernel(8, threads=128) as (bx, tx):
        a[tx] = 0.0
        b[tx] = 1.0
        A[bx, tx] = a[tx] + b[tx]
)ir");
  ASSERT_TRUE(module);
  const Function &function = *module->functions[0];
  const FunctionArena &arena =
      computeFunctionArena(context, function, *llvm::cantFail(findTarget("sm_80")));
  EXPECT_FALSE(arena.isPreview);
  ArenaPlan plan = currentPlan(context, function, arena);
  EXPECT_EQ(plan.heightBytes, 1536);
  EXPECT_FALSE(plan.isLeast());
  EXPECT_STREQ(proofWord(plan), "gap");
  EXPECT_EQ(plan.certificate.kind, ProofKind::LiveAtPoint);
  EXPECT_EQ(plan.certificate.boundBytes, 1024);
}

// Here less was proven than a search would find out now.
TEST(FunctionArenaTest, CertificateIsTheOneThatWasProven) {
  Context context;
  const Module *module = parseIr(context, R"ir(
@T.prim_func(properties=["lowered", "barriers-placed", "arena-planned"])
def placed(
    A: T.Tensor((8, 128), "float32"),
):
    a = T.alloc_shared((128,), "float32", offset=0)
    b = T.alloc_shared((128,), "float32", offset=512)
    with T.Kernel(8, threads=128) as (bx, tx):
        a[tx] = 0.0
        b[tx] = 1.0
        A[bx, tx] = a[tx] + b[tx]
)ir");
  ASSERT_TRUE(module);
  const Function &function = *module->functions[0];
  const FunctionArena &arena =
      computeFunctionArena(context, function, *llvm::cantFail(findTarget("sm_80")));
  Certificate proven;
  proven.kind = ProofKind::Gap;
  proven.boundBytes = 512;
  proven.searchNodes = 7;
  const Function &planned = *withPlannerRun(context, function, {arena.problem, 7, proven});
  EXPECT_EQ(currentPlan(context, planned, arena).certificate, proven);
  // Of other conflicts it says nothing.
  FunctionArena changed = arena;
  changed.problem.buffers[0].live = {{0, 1}};
  EXPECT_EQ(currentPlan(context, planned, changed).certificate.kind, ProofKind::LiveAtPoint);
  // A table that was made anew holds the same plan.
  llvm::SmallVector<const Buffer *> buffers;
  for (const Buffer *buffer : function.buffers)
    buffers.push_back(context.make<Buffer>(*buffer));
  const Function &rebuilt = *withBuffers(context, planned, buffers);
  EXPECT_EQ(currentPlan(context, rebuilt, arena).certificate, proven);
  // A live set is live elsewhere once barriers stand before it.
  proven = planArena(arena.problem).certificate;
  proven.point += 5;
  const Function &again = *withPlannerRun(context, rebuilt, {arena.problem, 7, proven});
  ArenaPlan plan = currentPlan(context, again, arena);
  EXPECT_TRUE(plan.isLeast());
  EXPECT_EQ(plan.certificate.point, arena.problem.buffers[1].live[0].begin + 1);
}

TEST(FunctionArenaTest, SymbolicSizesAreLeftOutAndNamed) {
  Context context;
  const Module *module = parseIr(context, R"ir(
@T.prim_func(properties=["tile"])
def symbolic(
    A: T.Tensor((n,), "float32"),
    n: T.int32,
):
    a = T.alloc_shared((n,), "float32")
    b = T.alloc_shared((32,), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        T.fill(a[0:n], 0.0)
        T.fill(b[0:32], 0.0)
)ir");
  ASSERT_TRUE(module);
  const FunctionArena &arena =
      computeFunctionArena(context, *module->functions[0], *llvm::cantFail(findTarget("sm_80")));
  EXPECT_EQ(arena.launchSized.size(), 1U);
  EXPECT_EQ(arena.problem.buffers.size(), 1U);
  EXPECT_EQ(arena.unknown.back(), "the size of 'a'");
}

} // namespace
} // namespace tilescope
