// Lines of code broken into rows.
// Run alone: unit_tests --gtest_filter='LineWrapTest.*'
#include "core/views/line_wrap.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

std::vector<std::string> wrapped(llvm::StringRef line, uint32_t width) {
  std::vector<std::string> rows;
  for (const WrappedPart &part : wrapLine(line, width))
    rows.push_back(std::string(part.indent, '.') +
                   line.slice(part.span.begin, part.span.end).str());
  return rows;
}

using Rows = std::vector<std::string>;

TEST(LineWrapTest, BreaksBehindBlanksAndCommas) {
  EXPECT_EQ(wrapped("for k in T.serial(0, 32)", 40), Rows{"for k in T.serial(0, 32)"});
  EXPECT_EQ(wrapped("  T.copy(A_shared, B_shared)", 20),
            (Rows{"  T.copy(A_shared, ", "......B_shared)"}));
  EXPECT_EQ(wrapped("", 40), Rows{""});
}

TEST(LineWrapTest, BreaksAWordThatIsLongerThanARow) {
  EXPECT_EQ(wrapped("abcdefghijklmnopqrstuvwxyz", 12),
            (Rows{"abcdefghijkl", "....mnopqrst", "....uvwxyz"}));
  EXPECT_EQ(wrapped("abcdefghijklm", 1).size(), 3u); // no row is narrower than it can be read
}

TEST(LineWrapTest, KeepsCharactersWhole) {
  // Eight bytes a row would end inside of a character.
  EXPECT_EQ(wrapped("\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4\xC3\xB6x", 8),
            (Rows{"\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4\xC3\xB6", "....x"}));
  EXPECT_EQ(wrapped("\t\tabcdefgh", 12), (Rows{"\t\tabcd", "......efgh"}));
}

TEST(LineWrapTest, DeepIndentationLeavesRoom) {
  for (const WrappedPart &part : wrapLine(std::string(60, ' ') + "abc, def, ghi, jkl", 20))
    EXPECT_LE(part.indent, 10u);
}

} // namespace
} // namespace tilescope
