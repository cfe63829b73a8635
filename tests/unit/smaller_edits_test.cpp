// Edits of the elaborated IR that may take fewer bytes of shared memory.
// Run alone: unit_tests --gtest_filter='SmallerEditsTest.*'
#include "core/driver/smaller_edits.h"

#include "llvm/ADT/Twine.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

TEST(SmallerEditsTest, AStageLessOfEachLoop) {
  constexpr llvm::StringLiteral Text =
      "    S = T.alloc_shared((64, 64), \"float16\")  #@ b4 span=9:5-9:40\n"
      "    for k in T.Pipelined(0, 4, num_stages=3):  #@ s7 span=12:9-12:40\n"
      "        for i in T.Pipelined(0, 4, num_stages=1):  #@ s8 span=13:9-13:40\n"
      "    for n in T.Pipelined(0, 4, num_stages=12):\n"
      "        x[num_stages=2]\n";
  std::vector<SmallerEdit> edits = smallerEdits(Text);
  ASSERT_EQ(edits.size(), 2U);
  EXPECT_EQ(edits[0].what, "num_stages=2");
  EXPECT_EQ(edits[0].line, 12U);
  EXPECT_EQ(edits[0].numStages, 2);
  EXPECT_NE(edits[0].text.find("T.Pipelined(0, 4, num_stages=2):  #@ s7 span=12:9-12:40\n"),
            std::string::npos);
  EXPECT_NE(edits[0].text.find("num_stages=12"), std::string::npos);
  EXPECT_EQ(edits[1].what, "num_stages=11");
  EXPECT_EQ(edits[1].line, 0U);
  EXPECT_NE(edits[1].text.find("num_stages=11):\n"), std::string::npos);
  EXPECT_NE(edits[1].text.find("num_stages=3)"), std::string::npos);
}

// Of `S = T.alloc_shared(SHAPE, "TYPE", layout="LAYOUT")`.
std::string changeOf(llvm::StringRef shape, llvm::StringRef type, llvm::StringRef layout) {
  std::string text = ("    S = T.alloc_shared(" + shape + ", \"" + type + "\", layout=\"" + layout +
                      "\")  #@ b4 span=9:5-9:40\n")
                         .str();
  std::vector<SmallerEdit> edits = smallerEdits(text);
  return edits.empty() ? "" : edits.front().what;
}

TEST(SmallerEditsTest, ASwizzleInsteadOfPadding) {
  EXPECT_EQ(changeOf("(64, 64)", "float16", "padded(8)"), "swizzle(128) instead of padded(8) of S");
  EXPECT_EQ(changeOf("(2, 64, 48)", "float16", "padded(8)"),
            "swizzle(32) instead of padded(8) of S");
  EXPECT_EQ(changeOf("(64,)", "float32", "padded(1)"), "row_major instead of padded(1) of S");
  EXPECT_EQ(changeOf("(64, 5)", "float32", "padded(1)"), "row_major instead of padded(1) of S");
  EXPECT_EQ(changeOf("(64, n)", "float16", "padded(8)"), "row_major instead of padded(8) of S");
  EXPECT_EQ(changeOf("(64, 64)", "float16", "swizzle(128)"), "");
  EXPECT_TRUE(smallerEdits("").empty());
}

} // namespace
} // namespace tilescope
