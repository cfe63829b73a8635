// Run alone: unit_tests --gtest_filter='PaletteLines*'
#include "core/session/workspace.h"
#include "tests/source_folder.h"
#include "viewer/panels/panel.h"
#include "viewer/shell/palette_lines.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

class PaletteLinesTest : public testing::Test {
protected:
  PaletteLinesTest() {
    workspace.open(
        inSourceFolder("testdata/kernels/attention_fwd.py:attention --set num_stages=2"));
    workspace.waitForCompile();
    workspace.loadShown();
  }

  std::vector<PaletteEntry> entries(llvm::StringRef typed) {
    return lineEntries(*workspace.document().trace, workspace.selection, typed);
  }

  Workspace workspace{[] {}};
};

TEST_F(PaletteLinesTest, ANumberIsThatLineOfEachText) {
  for (const char *typed : {"88", "line 88"}) {
    std::vector<PaletteEntry> found = entries(typed);
    ASSERT_GE(found.size(), 2u) << typed;
    EXPECT_EQ(found[0].group, "Line of the kernel");
    EXPECT_EQ(found[0].title.find("88: T.gemm(weights, V_shared"), 0u) << found[0].title;
    EXPECT_EQ(found[0].pick.sourceLine.number, 88u);
    EXPECT_EQ(allPanels()[found[0].index].name, "source");
    EXPECT_EQ(found[1].group, "Line of the IR");
    EXPECT_TRUE(found[1].pick.stmt.isValid());
    EXPECT_EQ(allPanels()[found[1].index].name, "ir");
  }
  EXPECT_TRUE(entries("99999").empty());
  EXPECT_FALSE(isLineNumber("0"));
  EXPECT_FALSE(isLineNumber("88a"));
}

TEST_F(PaletteLinesTest, ATextIsFoundWhereItStands) {
  std::vector<PaletteEntry> found = entries("ldmatrix(v_shared");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].group, "Line of the IR");
  EXPECT_EQ(found[0].pick.sourceLine.number, 88u);
  EXPECT_TRUE(entries("ld").empty());
  EXPECT_TRUE(entries("").empty());
}

} // namespace
} // namespace tilescope
