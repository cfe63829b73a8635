// Run alone: unit_tests --gtest_filter='TerminalText*'
#include "core/support/terminal_text.h"

#include "gtest/gtest.h"

using namespace tilescope;

namespace {

TEST(TerminalTextTest, ControlsAreEscapedAndTextStays) {
  EXPECT_EQ(escapeControls("A\x1b[2J\aB"), "A\\x1b[2J\\x07B");
  EXPECT_EQ(escapeControls("a\tb\r\nc\n"), "a\tb\r\nc\n");
  EXPECT_EQ(escapeControls("over\rwritten\x7f"), "over\\x0dwritten\\x7f");
  // U+009B is a control sequence introducer; U+00E9 is a letter.
  EXPECT_EQ(escapeControls("\xC2\x9B"
                           "2J \xC3\xA9"),
            "\\x9b2J \xC3\xA9");
}

TEST(TerminalTextTest, StreamsPassThrough) {
  std::string text;
  llvm::raw_string_ostream out(text);
  {
    TerminalText safe(out);
    safe << "name \x1b]0;title\a " << 42 << '\n';
    safe.writeSequence("\033[1m");
  }
  EXPECT_EQ(text, "name \\x1b]0;title\\x07 42\n\033[1m");
}

} // namespace
