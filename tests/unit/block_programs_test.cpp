// The programs of single blocks. Run alone: unit_tests --gtest_filter='BlockPrograms*'
#include "core/analysis/block_programs.h"
#include "core/check/step_hazards.h"
#include "ir_text.h"

#include "llvm/ADT/StringRef.h"

namespace tilescope {
namespace {

class BlockProgramsTest : public testing::Test {
protected:
  std::vector<AccessProgram> programsOf(const std::string &text) {
    const Module *module = parseIr(context, text);
    if (!module)
      return {};
    const Function &function = *module->functions[0];
    return programsOfBlocks(context, function,
                            computeAccessTree(context, function, AccessDetail::Statements));
  }

  static bool isFree(const AccessProgram &program) {
    return judgeSteps(program, {}, followSteps(program)).isFree();
  }

  // Two tiles a block, through two slots; `before` counts what earlier tiles took, `grid` blocks.
  static std::string tiles(llvm::StringRef before, llvm::StringRef grid = "2") {
    return R"ir(
@T.prim_func(kind="device", properties=["lowered"])
def tiles(
    A: T.Tensor((64,), "float32", output=True),
    n: T.int32,
):
    s = T.alloc_shared((64,), "float32", versions=2)
    full = T.alloc_shared((1,), "uint64", versions=2)
    with T.Kernel()ir" +
           grid.str() + R"ir(, threads=64) as (bx, tx):
        T.mbarrier_init(full[0, 0], arrivals=64)
        T.mbarrier_init(full[1, 0], arrivals=64)
        T.barrier()
        for wave in T.serial(0, 2):
            end: T.int32 = T.min(8, bx + wave + 1)
            before: T.int32 = )ir" +
           before.str() + R"ir(
            for k in T.serial(0, end):
                s[(before + k) % 2, tx] = 0.0
                T.mbarrier_arrive(full[(before + k) % 2, 0])
                T.mbarrier_wait(full[(before + k) % 2, 0], (before + k) // 2 % 2)
                A[tx] = s[(before + k) % 2, 63 - tx]
)ir";
  }

  Context context;
};

TEST_F(BlockProgramsTest, OfBlocksThatDoTheSameThereIsOne) {
  std::vector<AccessProgram> programs = programsOf(R"ir(
@T.prim_func(kind="device", properties=["lowered"])
def by_block(
    A: T.Tensor((64,), "float32"),
):
    s = T.alloc_shared((64,), "float32")
    full = T.alloc_shared((1,), "uint64")
    with T.Kernel(4, 2, threads=64) as (bx, by, tx):
        T.mbarrier_init(full[0], arrivals=64)
        end: T.int32 = T.min(2, bx + 1)
        for k in T.serial(0, end):
            s[tx] = 0.0
            T.mbarrier_arrive(full[0])
            T.mbarrier_wait(full[0], k % 2)
        if by == 1:
            A[tx] = s[63 - tx]
)ir");
  ASSERT_EQ(programs.size(), 4U);
  int lengths[3] = {}, reads = 0;
  for (const AccessProgram &program : programs)
    for (const AccessNode &node : program.nodes) {
      EXPECT_NE(node.kind, AccessNode::Kind::If) << toString(program);
      if (node.kind == AccessNode::Kind::Loop)
        ++lengths[node.minTrips];
      reads += node.kind == AccessNode::Kind::Leaf && node.accesses[0].kind == AccessKind::Read &&
               program.buffers[*indexOf(program, node.accesses[0].buffer)].name == "s";
    }
  EXPECT_EQ(lengths[1], 2);
  EXPECT_EQ(lengths[2], 2);
  EXPECT_EQ(reads, 2);
}

TEST_F(BlockProgramsTest, TilesAreWrittenOut) {
  std::vector<AccessProgram> programs = programsOf(tiles("wave * T.min(8, bx + 1)"));
  ASSERT_EQ(programs.size(), 2U);
  std::string text = toString(programs[1]);
  EXPECT_NE(text.find("trips [2, 2]"), std::string::npos) << text;
  EXPECT_NE(text.find("trips [3, 3]"), std::string::npos) << text;
  EXPECT_NE(text.find("mbarrier full[0] + (2 + 1 * s"), std::string::npos) << text;
  EXPECT_EQ(text.find("mbarrier ?"), std::string::npos) << text;
  EXPECT_EQ(text.find("parity ?"), std::string::npos) << text;
  for (const AccessProgram &program : programs)
    EXPECT_TRUE(isFree(program)) << toString(program);
}

// The first block has taken one slot when its second tile begins, the second block two.
TEST_F(BlockProgramsTest, TilesThatAreCountedWrongAreNotFree) {
  for (const char *before : {"wave * T.min(8, bx + 2)", "0", "wave"}) {
    std::vector<AccessProgram> programs = programsOf(tiles(before));
    EXPECT_FALSE(llvm::all_of(programs, isFree)) << before;
  }
}

TEST_F(BlockProgramsTest, OfManyBlocksOrAnUnknownNumberNothingIsTold) {
  for (const char *grid : {"n", "5000", "100"}) {
    std::vector<AccessProgram> programs = programsOf(tiles("wave * (bx + 1)", grid));
    ASSERT_EQ(programs.size(), 1U) << grid;
    EXPECT_FALSE(isFree(programs[0])) << grid;
  }
}

} // namespace
} // namespace tilescope
