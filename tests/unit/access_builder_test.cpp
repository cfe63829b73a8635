// Run alone: unit_tests --gtest_filter='AccessBuilder*'
#include "core/analysis/access_builder.h"
#include "ir_text.h"

namespace tilescope {
namespace {

class AccessBuilderTest : public testing::Test {
protected:
  std::string build(const std::string &text, AccessDetail detail = AccessDetail::Groups) {
    const Module *module = parseIr(context, text);
    if (!module)
      return "";
    const AccessTree &tree = computeAccessTree(context, *module->functions[0], detail);
    EXPECT_EQ(countFrom(tree.program, tree.program.root), tree.program.nodes.size());
    EXPECT_EQ(tree.sources.size(), tree.program.nodes.size());
    std::string out = toString(tree.program);
    std::string plain; // without statement ids, which count from the context's start
    for (size_t at = 0; at < out.size(); ++at) {
      bool isId = out[at] == 's' && at + 1 < out.size() && isdigit(out[at + 1]) && at > 0 &&
                  (out[at - 1] == ' ' || out[at - 1] == '(');
      if (!isId) {
        plain += out[at];
        continue;
      }
      plain += 's';
      while (at + 1 < out.size() && isdigit(out[at + 1]))
        ++at;
    }
    return plain;
  }

  // A trace with nodes that nothing leads to is refused.
  static size_t countFrom(const AccessProgram &program, uint32_t node) {
    size_t count = 1;
    for (uint32_t child : program.nodes[node].children)
      count += countFrom(program, child);
    return count;
  }

  Context context;
};

TEST_F(AccessBuilderTest, CodeThatTouchesNoSharedMemoryLeavesNothing) {
  EXPECT_EQ(build(R"ir(
@T.prim_func(properties=["tile"])
def outside(
    A: T.Tensor((n, 128), "float32"),
    n: T.int32,
):
    x = T.alloc_fragment((128,), "float32")
    s = T.alloc_shared((128,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        for k in T.serial(0, n):
            T.copy(A[k, 0:128], x[0:128])
            if n > 4:
                T.copy(A[4, 0:128], x[0:128])
            else:
                for l in T.serial(0, n):
                    T.copy(A[5, 0:128], x[0:128])
        T.copy(A[0, 0:128], s[0:128])
        T.copy(s[0:128], A[1, 0:128])
)ir"),
            R"(Seq
  Leaf s: write s[0]
  Leaf s: read s[0]
)");
}

TEST_F(AccessBuilderTest, PipelinedAttentionAtTileLevel) {
  EXPECT_EQ(build(R"ir(
@T.prim_func(properties=["tile", "pipelined"])
def attention(
    Q: T.Tensor((4096, 128), "float16"),
    K: T.Tensor((4096, 128), "float16"),
):
    Q_shared = T.alloc_shared((128, 128), "float16")
    K_shared = T.alloc_shared((128, 128), "float16", versions=2)
    S = T.alloc_fragment((128, 128), "float32")
    with T.Kernel(32, threads=128) as (bx, tx):
        T.copy(Q[bx * 128:bx * 128 + 128, 0:128], Q_shared[0:128, 0:128])
        if 0 < bx + 1:
            T.copy(K[0:128, 0:128], K_shared[0, 0:128, 0:128], is_async=True)
        T.commit_group()
        for k in T.serial(0, bx + 1):
            T.wait_group(pending=0)
            if k + 1 < bx + 1:
                T.copy(K[(k + 1) * 128:(k + 1) * 128 + 128, 0:128], K_shared[(k + 1) % 2, 0:128, 0:128], is_async=True)
            T.commit_group()
            T.gemm(Q_shared[0:128, 0:128], K_shared[k % 2, 0:128, 0:128], S[0:128, 0:128], transpose_B=True)
)ir"),
            R"(Seq
  Leaf s: write Q_shared[0]
  If s: s.k + 0 < trips
    Seq
      Leaf s: async write K_shared[0]
  Commit s
  Loop s, trips [1, 32]
    Seq
      Wait s: pending 0
      If s: s.k + 1 < trips
        Seq
          Leaf s: async write K_shared[(s.k + 1) mod 2]
      Commit s
      Leaf s: read Q_shared[0], read K_shared[(s.k + 0) mod 2]
)");
}

TEST_F(AccessBuilderTest, LoweredCopiesAreOneLeafThatWritesEverything) {
  EXPECT_EQ(build(R"ir(
@T.prim_func(properties=["lowered"])
def copies(
    A: T.Tensor((128, 32), "float16"),
):
    full = T.alloc_shared((128, 32), "float16", versions=2)
    half = T.alloc_shared((128, 32), "float16")
    few = T.alloc_shared((32,), "float32")
    regs = T.alloc_local((8,), "float16")
    with T.Kernel(8, threads=128) as (bx, tx):
        for step in T.unroll(0, 4):
            row: T.int32 = tx // 4 + step * 32
            T.cp_async(A[row, tx % 4 * 8:tx % 4 * 8 + 8], full[1, row, tx % 4 * 8:tx % 4 * 8 + 8])
        for step in T.unroll(0, 2):
            T.vector_copy(A[tx // 4 + step * 32, tx % 4 * 8:tx % 4 * 8 + 8], half[tx // 4 + step * 32, tx % 4 * 8:tx % 4 * 8 + 8])
        if tx < 32:
            few[tx] = 0.0
        for k in T.unroll(0, 2):
            T.ldmatrix(full[1, tx % 16 + k * 16, 0:8], regs[0:8])
)ir"),
            R"(Seq
  Leaf s: async write full[1]
  Leaf s: write half[0] (partial)
  Leaf s: write few[0]
  Leaf s: read full[1]
)");
}

TEST_F(AccessBuilderTest, UnknownConditionsKeepTheOldValue) {
  EXPECT_EQ(build(R"ir(
@T.prim_func(properties=["lowered"])
def conditions(
    n: T.int32,
):
    a = T.alloc_shared((128,), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        if n < 7:
            a[tx] = 0.0
        else:
            a[tx] = 1.0
        if tx < n:
            a[tx] = 2.0
        for i in T.serial(0, tx):
            a[i] = a[i + 1]
)ir"),
            R"(Seq
  If s
    Seq
      Leaf s: write a[0]
    Seq
      Leaf s: write a[0]
  Leaf s: write a[0] (partial)
  Loop s, trips [0, 127]
    Seq
      Leaf s: read a[0], write a[0] (partial)
)");
}

// Lowered from one operation: the statements have its anchor.
constexpr char Reduction[] = R"ir(# tilescope-ir 1
@T.prim_func(properties=["lowered"])
def reduction(
    A: T.Tensor((128,), "float32"),  #@ b0
):
    work = T.alloc_shared((4,), "float32", role="workspace")  #@ b1
    x = T.alloc_local((1,), "float32")  #@ b2
    with T.Kernel(8, threads=128) as (bx, tx):  #@ s5 v0 v1
        for r in T.serial(0, 8):  #@ s3 anchor=s9 v2 body s2 anchor=s9
            work[tx // 32] = x[0]  #@ s0 anchor=s9
            x[0] = work[0] + work[1]  #@ s1 anchor=s9
)ir";

TEST_F(AccessBuilderTest, ScratchOfOneOperationIsOneLeafForLifetimes) {
  EXPECT_EQ(build(Reduction), R"(Seq
  Leaf s: write work[0]
)");
}

TEST_F(AccessBuilderTest, ScratchOfOneOperationIsTakenApartForBarriers) {
  EXPECT_EQ(build(Reduction, AccessDetail::Statements), R"(Seq
  Loop s, trips [8, 8]
    Seq
      Leaf s: write work[0]
      Leaf s: read work[0] in 0:2
)");
}

TEST_F(AccessBuilderTest, AtomicsAndClearedAccumulatorsAreTold) {
  EXPECT_EQ(build(R"ir(
@T.prim_func(properties=["tile"])
def tile(
    A: T.Tensor((64, 64), "float16"),
):
    a = T.alloc_shared((64, 64), "float16")
    c = T.alloc_shared((64,), "float16")
    with T.Kernel(8, threads=128) as (bx, tx):
        T.copy(A[0:64, 0:64], a[0:64, 0:64])
        T.reduce(a[0:64, 0:64], c[0:64], kind="sum", dim=1)
        T.reduce(a[0:64, 0:64], c[0:64], kind="sum", dim=1, clear=False)
        for i, j in T.Parallel(64, 64):
            a[i, j] = a[i, j] + T.float16(1.0)
)ir"),
            R"(Seq
  Leaf s: write a[0]
  Leaf s: read a[0], write c[0]
  Leaf s: read a[0], read c[0], write c[0]
  Leaf s: read a[0], write a[0]
)");
}

TEST_F(AccessBuilderTest, OnlyTheDestinationOfAnAtomicUpdateIsAtomic) {
  EXPECT_EQ(build(R"ir(
@T.prim_func(properties=["lowered"])
def f(H: T.Tensor((64,), "int32")):
    h = T.alloc_shared((64,), "int32")
    t = T.alloc_shared((64,), "int32")
    with T.Kernel(8, threads=64) as (bx, tx):
        T.atomic_element(h[tx], 1)
        T.atomic_element(t[tx], h[63 - tx])
        T.atomic_element(H[tx], t[63 - tx])
)ir",
                  AccessDetail::Statements),
            R"(Seq
  Leaf s: atomic read h[0], atomic write h[0]
  Leaf s: read h[0] thread#1, atomic read t[0], atomic write t[0]
  Leaf s: read t[0] thread#2
)");
}

TEST_F(AccessBuilderTest, DivergentBranchesMayBothRun) {
  std::string program = build(R"ir(
@T.prim_func(properties=["lowered"])
def divergent(
    A: T.Tensor((128,), "float32"),
):
    a = T.alloc_shared((128,), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        if tx < 64:
            a[tx] = 0.0
            T.barrier(scope="warp")
            A[tx] = a[tx + 1]
        else:
            a[tx] = 1.0
)ir",
                              AccessDetail::Statements);
  EXPECT_EQ(program, R"(Seq
  If s
    Seq
      Leaf s: write a[0] (partial) thread#1
      WarpBarrier s
      Leaf s: read a[0] thread#2
  If s
    Seq
      Leaf s: write a[0] (partial) thread#1
)");
}

TEST_F(AccessBuilderTest, ConditionsAroundALoopBoundItsTrips) {
  std::string program = build(R"ir(
@T.prim_func(properties=["tile", "pipelined"])
def f(A: T.Tensor((4096, 128), "float16")):
    a = T.alloc_shared((128, 128), "float16")
    with T.Kernel(32, threads=128) as (bx, tx):
        if bx > 0:
            for k in T.serial(0, bx):
                T.copy(A[0:128, 0:128], a[0:128, 0:128])
        for k in T.serial(0, bx):
            T.copy(A[0:128, 0:128], a[0:128, 0:128])
)ir");
  EXPECT_NE(program.find("trips [1, 31]"), std::string::npos) << program;
  EXPECT_NE(program.find("trips [0, 31]"), std::string::npos) << program;
}

// A loop from `bx * 4` to `min(bx * 4 + 8, LAST)`, of which the bounds of LAST - bx * 4 alone say
// less than is known.
std::string loopTo(int last, const std::string &pipeline) {
  return R"ir(
@T.prim_func(properties=["tile", "pipelined"])
def f(A: T.Tensor((4096, 128), "float16")):
    a = T.alloc_shared((128, 128), "float16", versions=2)
    with T.Kernel(4, threads=128) as (bx, tx):
        last: T.int32 = T.min(bx * 4 + 8, )ir" +
         std::to_string(last) + R"ir()
        for k in T.serial(bx * 4, bx * 4 + (last - bx * 4))ir" +
         pipeline + R"ir():
            T.copy(A[0:128, 0:128], a[0, 0:128, 0:128])
)ir";
}

TEST_F(AccessBuilderTest, PipelinesMakeAsManyTripsAsTheirPrologueWasShownTo) {
  std::string pipeline = ", num_stages=2, versions={a: 2}, injected=True";
  for (auto [last, trips] : {std::pair(16, "trips [2, "), std::pair(13, "trips [1, ")}) {
    std::string program = build(loopTo(last, pipeline));
    EXPECT_NE(program.find(trips), std::string::npos) << program;
  }
  std::string plain = build(loopTo(16, ""));
  EXPECT_NE(plain.find("trips [1, "), std::string::npos) << plain;
}

} // namespace
} // namespace tilescope
