// What operations declare against what they do: a fact that is wrong makes analyses wrong,
// silently.
#include "core/ir/op_facts.h"

#include "core/analysis/access_builder.h"
#include "core/analysis/stmt_places.h"
#include "core/analysis/warp_convergence.h"
#include "core/analysis/write_coverage.h"
#include "emitter_fixture.h"
#include "kernel_problem.h"

#include <map>
#include <set>

namespace tilescope {
namespace {

constexpr Op AllOps[] = {
#define OP(Name, printed, level) Op::Name,
#include "core/ops/ops.def"
};

TEST(OpFactsTest, NameWhatTheOperationHas) {
  for (Op op : AllOps) {
    const OpInfo &info = infoOf(op);
    SCOPED_TRACE(nameOf(op).str());
    for (const OperandInfo &operand : info.operands) {
      bool isCleared = operand.clearedByAttr || operand.clearedByArg;
      EXPECT_TRUE(operand.effect == Effect::ReadWrite || !isCleared);
      EXPECT_TRUE(!operand.clearedByAttr || info.has(*operand.clearedByAttr));
      EXPECT_LT(operand.clearedByArg.value_or(0), info.args.size() + !operand.clearedByArg);
    }
    EXPECT_TRUE(info.async != AsyncWhen::ByAttribute || info.has(Attr::Async));
    EXPECT_TRUE(info.sync != OpSync::Wait || info.has(Attr::Pending));
    bool hasOnlyMbarriers =
        llvm::all_of(info.operands, [](const OperandInfo &operand) { return operand.isMbarrier; });
    EXPECT_TRUE(info.sync == OpSync::None || hasOnlyMbarriers || info.isExchange);
    if (info.isExchange) {
      ASSERT_EQ(info.operands.size(), 1U);
      EXPECT_EQ(info.operands[0].effect, Effect::Write);
    }
    EXPECT_TRUE(info.isExchange || !(info.takesWhoComes || info.isCommon));
    EXPECT_TRUE(info.isExchange || info.sync == OpSync::Barrier || !info.lanes);
    EXPECT_TRUE(info.sync == OpSync::Barrier || !info.isOfGrid);
    EXPECT_TRUE(info.sync != OpSync::None || !info.isOfCluster);
    EXPECT_LT(info.rank.value_or(0), info.args.size() + !info.rank);
    EXPECT_TRUE(!info.has(Attr::ClusterMask) || info.operands.back().isMbarrier);
    if (info.lanes) {
      ASSERT_LT(*info.lanes, info.args.size());
      EXPECT_TRUE(info.args[*info.lanes].optional);
    }
    if (info.work == OpWork::Move) {
      ASSERT_GE(info.operands.size(), 2U);
      EXPECT_EQ(info.operands[0].effect, Effect::Read);
      EXPECT_EQ(info.operands[1].effect, Effect::Write);
      for (const OperandInfo &operand : info.operands.drop_front(2))
        EXPECT_TRUE(operand.isMbarrier);
    }
    EXPECT_TRUE(info.work == OpWork::Move || info.async == AsyncWhen::Always || !info.staysInside);
    if (info.work == OpWork::MatrixMultiply) {
      ASSERT_TRUE(info.operands.size() == 3 || info.operands.size() == 4);
      EXPECT_EQ(info.operands[2].effect, Effect::ReadWrite);
      EXPECT_EQ(info.operands.back().effect == Effect::Read, info.operands.size() == 4);
    }
    if (info.work == OpWork::Fill) {
      ASSERT_EQ(info.operands.size(), 1U);
      EXPECT_EQ(info.operands[0].effect, Effect::Write);
      EXPECT_EQ(info.args.size(), 1U);
    }
    if (info.work == OpWork::Fold) {
      ASSERT_EQ(info.operands.size(), 2U);
      EXPECT_EQ(info.operands[0].effect, Effect::Read);
      EXPECT_TRUE(info.has(Attr::Dim));
    }
    if (info.predicate) {
      EXPECT_EQ(info.work, OpWork::Move);
      ASSERT_LT(*info.predicate, info.args.size());
      EXPECT_TRUE(info.args[*info.predicate].optional);
    }
  }
}

// --- order ---

const std::map<OpSync, AccessNode::Kind> Nodes = {
    {OpSync::Barrier, AccessNode::Kind::Barrier},
    {OpSync::NamedBarrier, AccessNode::Kind::Barrier}, // of all threads
    {OpSync::Commit, AccessNode::Kind::Commit},
    {OpSync::Wait, AccessNode::Kind::Wait},
    {OpSync::ProxyFence, AccessNode::Kind::ProxyFence},
    {OpSync::Arrive, AccessNode::Kind::Arrive},
    {OpSync::Expect, AccessNode::Kind::Expect},
    {OpSync::ExpectBytes, AccessNode::Kind::Expect},
    {OpSync::WaitPhase, AccessNode::Kind::WaitPhase},
};

// Nothing that threads of one block touch.
const std::set<OpSync> OrderLaunches = {OpSync::EarlierLaunches, OpSync::NextLaunch};

AccessProgram programOf(Context &context, const std::string &properties, const std::string &stmt) {
  std::string text = "@T.prim_func(properties=[\"" + properties + R"ir("])
def k(A: T.Tensor((256,), "float32")):
    s = T.alloc_shared((256,), "float32")
    m = T.alloc_shared((1,), "uint64")
    r = T.alloc_local((1,), "int32")
    with T.Kernel(1, threads=64) as (bx, tx):
        s[tx] = 0.0
        )ir" + stmt + "\n        s[tx] = s[tx + 64]\n";
  const Module *module = parseIr(context, text);
  if (!module)
    return {};
  return computeAccessTree(context, *module->functions[0], AccessDetail::Groups).program;
}

TEST(OpFactsTest, WhatSynchronisesIsANodeOfTheAccessProgram) {
  for (Op op : AllOps) {
    OpSync sync = infoOf(op).sync;
    bool isHalf = sync == OpSync::ClusterArrive || sync == OpSync::ClusterWait;
    if (sync == OpSync::None || isHalf || OrderLaunches.contains(sync))
      continue;
    SCOPED_TRACE(nameOf(op).str());
    ASSERT_TRUE(Nodes.contains(infoOf(op).sync)) << "which node is it?";
    Context context;
    bool areOptional =
        llvm::all_of(infoOf(op).args, [](const ArgInfo &arg) { return arg.optional; });
    std::string parts = infoOf(op).isExchange           ? "(r[0], tx < 4)"
                        : infoOf(op).has(Attr::Threads) ? "(threads=64)"
                        : infoOf(op).has(Attr::Bytes)   ? "(m[0:1], bytes=64)"
                        : infoOf(op).operands.empty()   ? "()"
                        : areOptional                   ? "(m[0:1])"
                                                        : "(m[0:1], 0)";
    std::string stage = levelOf(op) == OpLevel::Device ? "lowered" : "tile";
    AccessProgram program = programOf(context, stage, "T." + nameOf(op).str() + parts);
    EXPECT_EQ(llvm::count_if(program.nodes,
                             [&](const AccessNode &node) {
                               return node.kind == Nodes.at(infoOf(op).sync) &&
                                      node.queue == static_cast<uint32_t>(infoOf(op).queue);
                             }),
              1);
  }
}

// The accesses of shared memory by the statement in the middle.
std::vector<Access> accessesBy(const std::string &properties, const std::string &stmt) {
  Context context;
  AccessProgram program = programOf(context, properties, stmt);
  std::vector<uint32_t> leaves = leavesInOrder(program);
  EXPECT_EQ(leaves.size(), 3U) << toString(program);
  return leaves.size() == 3 ? program.nodes[leaves[1]].accesses : std::vector<Access>();
}

TEST(OpFactsTest, AsynchronousAndAtomicReachTheAccessProgram) {
  std::vector<Access> always =
      accessesBy("lowered", "T.cp_async(A[tx * 4:tx * 4 + 4], s[tx * 4:tx * 4 + 4])");
  ASSERT_EQ(always.size(), 1U);
  EXPECT_TRUE(always[0].async);
  EXPECT_EQ(always[0].queue, CopyQueue);
  std::vector<Access> asked = accessesBy("tile", "T.copy(A[0:64], s[0:64], is_async=True)");
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_TRUE(asked[0].async);
  EXPECT_FALSE(accessesBy("tile", "T.copy(A[0:64], s[0:64])").at(0).async);
  for (const Access &access : accessesBy("tile", "T.atomic_element(s[tx // 2], 1.0)"))
    EXPECT_TRUE(access.atomic);
}

// It reads when it is waited for, and not what threads have written without a fence.
TEST(OpFactsTest, WgmmaReadsLater) {
  Context context;
  const Module *module = parseIr(context, R"ir(
@T.prim_func(properties=["lowered"])
def k(A: T.Tensor((256,), "float32")):
    a = T.alloc_shared((64, 64), "float16", layout="aligned_swizzle(128)")
    c = T.alloc_local((32,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.wgmma(a[0:64, 0:16], a[0:16, 0:64], c[0:32])
)ir");
  ASSERT_TRUE(module);
  AccessProgram program =
      computeAccessTree(context, *module->functions[0], AccessDetail::Groups).program;
  std::vector<uint32_t> leaves = leavesInOrder(program);
  ASSERT_EQ(leaves.size(), 1U) << toString(program);
  for (const Access &access : program.nodes[leaves[0]].accesses) {
    EXPECT_EQ(access.kind, AccessKind::Read);
    EXPECT_TRUE(access.goesThrough(static_cast<uint32_t>(AsyncQueue::Wgmma)));
    EXPECT_TRUE(access.isOfAsyncProxy);
  }
}

// One thread reads when it waits, and not what threads have written without a fence.
TEST(OpFactsTest, ABoxThatIsStoredIsReadLater) {
  Context context;
  const Module *module = parseIr(context, R"ir(
@T.prim_func(properties=["lowered"])
def k(C: T.Tensor((64, 64), "float16", output=True)):
    c = T.alloc_shared((64, 64), "float16", layout="aligned_swizzle(128)")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.tma_store(c[0:64, 0:64], C[0:64, 0:64])
        T.tma_store_commit()
        T.tma_store_wait(pending=1)
)ir");
  ASSERT_TRUE(module);
  AccessProgram program =
      computeAccessTree(context, *module->functions[0], AccessDetail::Groups).program;
  std::vector<uint32_t> leaves = leavesInOrder(program);
  ASSERT_EQ(leaves.size(), 3U) << toString(program);
  constexpr auto Queue = static_cast<uint32_t>(AsyncQueue::BulkStore);
  const AccessNode &store = program.nodes[leaves[0]], &commit = program.nodes[leaves[1]];
  ASSERT_EQ(store.accesses.size(), 1U);
  EXPECT_EQ(store.accesses[0].kind, AccessKind::Read);
  EXPECT_TRUE(store.accesses[0].goesThrough(Queue));
  EXPECT_TRUE(store.accesses[0].isOfAsyncProxy);
  EXPECT_EQ(commit.kind, AccessNode::Kind::Commit);
  EXPECT_EQ(commit.queue, Queue);
  EXPECT_EQ(program.nodes[leaves[2]].pending, 1);
  for (uint32_t leaf : leaves)
    EXPECT_TRUE(program.nodes[leaf].oneThread);
}

// One thread copies and arrives, for a ring of mbarriers that has its life to the end.
TEST(OpFactsTest, AnMbarrierCountsTheBytesOfBoxes) {
  Context context;
  const Module *module = parseIr(context, R"ir(
@T.prim_func(properties=["lowered"])
def k(A: T.Tensor((64, 512), "float16")):
    a = T.alloc_shared((64, 128), "float16", versions=2, layout="aligned_swizzle(128)")
    full = T.alloc_shared((1,), "uint64", versions=2)
    with T.Kernel(1, threads=128) as (bx, tx):
        T.mbarrier_init(full[0, 0:1])
        T.mbarrier_init(full[1, 0:1])
        for k in T.serial(0, 4):
            T.mbarrier_arrive_expect(full[(k + 1) % 2, 0:1], bytes=8192)
            T.tma_load(A[0:64, k * 64:k * 64 + 64], a[(k + 1) % 2, 0:64, 0:64], full[(k + 1) % 2, 0:1])
            T.mbarrier_wait(full[(k + 1) % 2, 0:1], (k + 1) // 2 % 2)
)ir");
  ASSERT_TRUE(module);
  AccessProgram program =
      computeAccessTree(context, *module->functions[0], AccessDetail::Groups).program;
  ASSERT_EQ(program.mbarriers.size(), 2U);
  EXPECT_EQ(program.mbarriers[1].name, "full[1]");
  const std::string text = toString(program);
  std::vector<uint32_t> leaves = leavesInOrder(program);
  auto find = [&](auto isIt) {
    auto found = llvm::find_if(leaves, [&](uint32_t leaf) { return isIt(program.nodes[leaf]); });
    EXPECT_NE(found, leaves.end()) << text;
    return found == leaves.end() ? AccessNode() : program.nodes[*found];
  };
  AccessNode copy = find([](const AccessNode &node) {
    return llvm::any_of(node.accesses, [](const Access &a) { return a.mbarrier.has_value(); });
  });
  EXPECT_TRUE(copy.oneThread);
  for (const Access &access : copy.accesses) {
    EXPECT_EQ(access.async, access.kind == AccessKind::Write);
    EXPECT_EQ(access.bytes, access.async ? 8192 : 0);
    EXPECT_EQ(access.isOfAsyncProxy, access.async);
  }
  AccessNode wait =
      find([](const AccessNode &node) { return node.kind == AccessNode::Kind::WaitPhase; });
  EXPECT_FALSE(wait.oneThread);
  EXPECT_EQ(wait.parity.divisor, 2);
  EXPECT_EQ(wait.parity.counter.offset, 1);
  EXPECT_EQ(wait.mbarrier->modulus, 2);
  EXPECT_EQ(wait.mbarrier->counter, wait.parity.counter);
  AccessNode arrival =
      find([](const AccessNode &node) { return node.kind == AccessNode::Kind::Arrive; });
  EXPECT_TRUE(arrival.oneThread);
  EXPECT_EQ(program.nodes[leaves.back()].accesses.size(), 2U) << text;
}

// Whole warps may get there, but not all four of a warp group.
TEST(OpFactsTest, AWarpGroupComesWhole) {
  Context context;
  const Module *module = parseIr(context, R"ir(
@T.prim_func(properties=["lowered"])
def k(A: T.Tensor((256,), "float32")):
    with T.Kernel(1, threads=256) as (bx, tx):
        if tx >= 128:
            T.wgmma_commit()
        if tx < 192:
            T.wgmma_wait()
)ir");
  ASSERT_TRUE(module);
  std::vector<DivergentExchange> found = findDivergentExchanges(*module->functions[0]);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(nameOf(found[0].op->op), "wgmma_wait");
  EXPECT_EQ(found[0].thread, 128);
}

TEST(OpFactsTest, AWarpBarrierNeedsNoOtherWarp) {
  KernelProblem problem(R"ir(
@T.prim_func(properties=["tile"])
def k(B: T.Tensor((64,), "float32", output=True)):
    with T.Kernel(1, threads=64) as (bx, tx):
        if tx < 32:
            T.barrier(scope="warp")
        B[tx] = 1.0
)ir");
  EXPECT_EQ(problem.run(), "");
}

// --- predicates ---

class PredicateTest : public EmitterTest {
protected:
  const OpStmt *move(Op op, const Buffer &from, const Buffer &to) {
    return llvm::cast<OpStmt>(b.op(info(), op,
                                   {run(from, nullptr, {b.mul(tx, number(2))}, 2),
                                    run(to, nullptr, {b.mul(tx, number(2))}, 2)},
                                   context.copy<const Expr *>({condition}), {{Attr::Bytes, 8}}));
  }

  const Expr *condition = b.less(tx, number(7));
  Buffer *input = declare("A", DType::float32(), number(256), Scope::Global);
  Buffer *output = declare("B", DType::float32(), number(256), Scope::Global);
  Buffer *shared = declare("s", DType::float32(), number(256), Scope::Shared);
};

// Nothing is read; global memory keeps its value, which is no access; other memory gets zeros.
TEST_F(PredicateTest, IsOneContractOfAnalysesAndEmitter) {
  shared->offsetBytes = 0;
  params = {{input->id}, {output->id}};
  const OpStmt *load = move(Op::VectorCopy, *input, *shared);
  const OpStmt *store = move(Op::VectorCopy, *shared, *output);
  const OpStmt *async = move(Op::CpAsync, *input, *shared);
  for (const OpStmt *stmt : {load, async}) {
    EXPECT_EQ(accessPredicate(*stmt, *input, Effect::Read), condition);
    EXPECT_EQ(accessPredicate(*stmt, *shared, Effect::Write), nullptr);
  }
  EXPECT_EQ(accessPredicate(*store, *shared, Effect::Read), condition);
  EXPECT_EQ(accessPredicate(*store, *output, Effect::Write), condition);
  const auto *launch = context.make<Launch>(info(), context.copy({bx}),
                                            context.copy<const Expr *>({number(1)}), tx, 128, load);
  EXPECT_TRUE(computeWriteCoverage(context, load, *shared, launch).isFull);
  EXPECT_FALSE(computeWriteCoverage(context, store, *output, launch).isFull);

  CudaSource source = emit({load, store, async});
  EXPECT_TRUE(contains(source, "copy_vector_or_zero<8>(&s[tx * 2], &A[tx * 2], tx < 7);"))
      << source.text;
  EXPECT_TRUE(contains(source, "if (tx < 7) {\n    copy_vector<8>(&B[tx * 2], &s[tx * 2]);\n  }"))
      << source.text;
  EXPECT_TRUE(contains(source, "cp_async<8>(&s[tx * 2], &A[tx * 2], tx < 7);")) << source.text;
  expectCompiles(source);
}

} // namespace
} // namespace tilescope
