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

} // namespace
} // namespace tilescope
