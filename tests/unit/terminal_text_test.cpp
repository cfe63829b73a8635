// Run alone: unit_tests --gtest_filter='TerminalText*'
#include "core/support/terminal_text.h"

#include "gtest/gtest.h"

using namespace tilescope;

namespace {

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
