// The coordinates that accesses keep to. Run alone: unit_tests --gtest_filter='TouchedBox*'
#include "core/analysis/touched_box.h"

#include "core/analysis/access_builder.h"
#include "core/check/step_hazards.h"
#include "ir_text.h"
#include "tests/unit/access_programs.h"

namespace tilescope::test {
namespace {

// A copy of the right half of K is under way while the left half, or some of both, is read.
TEST(TouchedBox, WhatIsApartInAnAxisDoesNotMeet) {
  using Box = std::vector<SlotPart>;
  struct Case {
    Box read;
    bool isFree;
  };
  const Box right = {{0, 64}, {32, 64}};
  for (const Case &one : {Case{{{0, 64}, {0, 32}}, true}, Case{{{0, 64}, {0, 33}}, false},
                          Case{{{0, 64}}, false}, Case{{}, false}}) {
    ProgramBuilder b;
    BufferId k = b.buffer("K");
    b.program.threads = 64;
    Access copies = async(partial(k)), reads = read(k);
    copies.box = right;
    reads.box = one.read;
    AccessProgram program =
        b.finish({b.leaf({copies}), b.commit(), b.leaf({reads}), b.wait(0), b.barrier()});
    StepHazards hazards = judgeSteps(program, {}, followSteps(program));
    EXPECT_EQ(hazards.isFree(), one.isFree);
  }
}

// Of all iterations and threads together, where it stays inside.
TEST(TouchedBox, IsOfAllThatALeafTouches) {
  Context context;
  const Module *module = parseIr(context, R"ir(
@T.prim_func(kind="device", properties=["lowered"])
def boxes(
    A: T.Tensor((64,), "float32", output=True),
):
    s = T.alloc_shared((64, 64), "float32")
    with T.Kernel(4, threads=64) as (bx, tx):
        for k in T.unroll(0, 4):
            s[tx, k * 8 + 16] = 0.0
        T.barrier()
        A[tx] = s[tx, bx + 60]
        A[tx] = s[tx, bx + 61]
        A[tx] = s[63 - tx, bx]
)ir");
  ASSERT_TRUE(module);
  std::string text =
      toString(computeAccessTree(context, *module->functions[0], AccessDetail::Statements).program);
  EXPECT_NE(text.find("write s[0] (partial) in 0:64, 16:41"), std::string::npos) << text;
  EXPECT_NE(text.find("read s[0] in 0:64, 60:64"), std::string::npos) << text;
  EXPECT_NE(text.find("read s[0] in 0:64, 0:4"), std::string::npos) << text;
  EXPECT_EQ(text.find("61:"), std::string::npos) << text;
}

} // namespace
} // namespace tilescope::test
