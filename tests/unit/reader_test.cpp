#include "core/ir/printer.h"
#include "ir_text.h"

namespace tilescope {
namespace {

constexpr char Gemm[] = R"ir(# tilescope-ir 1
T.module(fast_math=True)

@T.prim_func(properties=["tile"])
def matmul(
    A: T.Tensor((m, 1024), "float16", strides=[1024, 1]),
    B: T.Tensor((1024, 1024), "float16"),
    C: T.Tensor((m, 1024), "float16", output=True),
    m: T.int32,
):
    A_shared = T.alloc_shared((128, 32), "float16", versions=3, layout="swizzle(64)", offset=0)
    B_shared = T.alloc_shared((32, 128), "float16", versions=3, layout_pinned=True)
    C_local = T.alloc_fragment((128, 128), "float32", source="acc", ordinal=1, role="sum")
    with T.Kernel(8, (m + 127) // 128, threads=128, raster_panel=10) as (bx, by, tx):
        T.fill(C_local[0:128, 0:128], 0.0)
        for k in T.Pipelined(0, 32, num_stages=3, order=[0, 1, 2], stage=[0, 0, 1], schedule=[(0, 1, 0, 0), (1, 2, 0, 0), (2, 0, 2, -1)], versions={A_shared: 3, B_shared: 3}):
            T.copy(A[by * 128:by * 128 + 128, k * 32:k * 32 + 32], A_shared[k % 3, 0:128, 0:32], is_async=True)
            T.copy(B[k * 32:k * 32 + 32, bx * 128:bx * 128 + 128], B_shared[k % 3, 0:32, 0:128])
            T.gemm(A_shared[k % 3, 0:128, 0:32], B_shared[k % 3, 0:32, 0:128], C_local[0:128, 0:128], policy="full_row")
        for i, j in T.Parallel(128, 128):
            row: T.int32 = by * 128 + i
            if row < m:
                C_local[i, j] = T.max(C_local[i, j], 0.0)
            else:
                C_local[i, j] = 1.0 if i == j and not i < 4 else T.exp2(-C_local[i, j])
        T.copy(C_local[0:128, 0:128], C[by * 128:by * 128 + 128, bx * 128:bx * 128 + 128])
)ir";

class ReaderTest : public testing::Test {
protected:
  // Null after an error; `report` then holds the diagnostics.
  const Module *read(std::string text) {
    FileId file = files.add("test.py", std::move(text));
    return readModule(context, file, files, diagnostics);
  }
  std::string report() const { return renderAll(diagnostics, files); }

  Context context;
  SourceFiles files;
  Diagnostics diagnostics;
};

TEST_F(ReaderTest, PlainTextPrintsAsItWasRead) {
  const Module *module = parseIr(context, Gemm);
  ASSERT_TRUE(module);
  EXPECT_EQ(printModule(*module, false), Gemm);
}

TEST_F(ReaderTest, TaggedTextKeepsIds) {
  const Module *module = read(Gemm);
  ASSERT_TRUE(module) << report();
  std::string tagged = printModule(*module, true);
  Context other;
  Diagnostics none;
  SourceFiles otherFiles;
  FileId file = otherFiles.add("tagged.py", tagged);
  const Module *again = readModule(other, file, otherFiles, none);
  ASSERT_TRUE(again) << renderAll(none, otherFiles);
  EXPECT_EQ(printModule(*again, true), tagged);
  EXPECT_EQ(other.nextStmtId(), context.nextStmtId());
  EXPECT_EQ(other.nextBufferId(), context.nextBufferId());
  EXPECT_EQ(other.nextVarId(), context.nextVarId());
}

TEST_F(ReaderTest, ShortFormsMeanTheLongOnes) {
  const Module *module = parseIr(context, R"ir(@T.prim_func
def f(A: T.Tensor((64, n), "float16"), n: T.int32):
    with T.Kernel(1, threads=32) as (bx, tx):
        A_shared = T.alloc_shared((64, 8), "float16")
        T.copy(A[:, bx:bx + 8], A_shared)
        for k in T.Pipelined(4):
            if k == 0:
                T.barrier()
            elif k == 1:
                pass
            else:
                T.commit_group()
)ir");
  ASSERT_TRUE(module);
  EXPECT_EQ(printModule(*module, false), R"ir(# tilescope-ir 1
@T.prim_func
def f(
    A: T.Tensor((64, n), "float16"),
    n: T.int32,
):
    A_shared = T.alloc_shared((64, 8), "float16")
    with T.Kernel(1, threads=32) as (bx, tx):
        T.copy(A[0:64, bx:bx + 8], A_shared[0:64, 0:8])
        for k in T.Pipelined(0, 4, num_stages=0):
            if k == 0:
                T.barrier()
            else:
                if k == 1:
                    pass
                else:
                    T.commit_group()
)ir");
}

TEST_F(ReaderTest, StatementsWithoutTagsGetFreshIds) {
  const Module *module = read("# tilescope-ir 1\n"
                              "@T.prim_func\n"
                              "def f():  #@ span=- body s1\n"
                              "    T.barrier()\n"
                              "    T.barrier()  #@ s7 anchor=s9 span=4:1-4:9\n");
  ASSERT_TRUE(module) << report();
  const auto *body = llvm::cast<Seq>(module->functions.front()->body);
  EXPECT_EQ(body->id(), StmtId(1));
  EXPECT_EQ(body->stmts[0]->id(), StmtId(10));
  EXPECT_EQ(body->stmts[0]->span().line, 4U);
  EXPECT_EQ(body->stmts[1]->id(), StmtId(7));
  EXPECT_EQ(body->stmts[1]->anchor(), StmtId(9));
}

TEST_F(ReaderTest, FunctionsOfOneKernelShareVariables) {
  const Module *module = read("# tilescope-ir 1\n"
                              "@T.prim_func\n"
                              "def f(\n"
                              "    n: T.int32,  #@ v3\n"
                              "):\n"
                              "    pass\n"
                              "@T.prim_func\n"
                              "def g(\n"
                              "    n: T.int32,  #@ v3\n"
                              "):\n"
                              "    pass\n");
  ASSERT_TRUE(module) << report();
  EXPECT_EQ(module->functions[0]->params[0].var, module->functions[1]->params[0].var);
}

TEST_F(ReaderTest, KernelFilesAreNoIrText) {
  EXPECT_FALSE(looksLikeIr("import tilelang\n"));
  EXPECT_FALSE(read("import tilelang\n"));
  ASSERT_EQ(diagnostics.all().size(), 1U);
  EXPECT_EQ(diagnostics.all().front().id, DiagId::NotIrText);
}

TEST_F(ReaderTest, EveryErrorIsFound) {
  EXPECT_FALSE(read("# tilescope-ir 1\n"
                    "@T.prim_func\n"
                    "def f(A: T.Tensor((8,), \"float33\")):\n"
                    "    x: T.int32 = y\n"
                    "    T.fill(B, 0)\n"
                    "def g():\n"
                    "    T.barrier(1)\n"));
  EXPECT_EQ(diagnostics.errorCount(), 4U) << report();
}

// One node of the syntax tree, which is not deep, would make a tree that is.
TEST_F(ReaderTest, LongChainsAreBounded) {
  std::string chain = "True";
  for (int i = 0; i < 5000; ++i)
    chain += " and True";
  EXPECT_FALSE(read("# tilescope-ir 1\n@T.prim_func\ndef f():\n    x: T.bool = " + chain + "\n"));
  EXPECT_EQ(diagnostics.all().front().id, DiagId::NestingTooDeep);
}

} // namespace
} // namespace tilescope
