#include "core/support/printable.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

TEST(Printable, SpellsOutWhatTerminalsObey) {
  EXPECT_EQ(withoutControls("a\tb\x1b[31m\x7f", "\t"), "a\tb\\x1b[31m\\x7f");
  EXPECT_EQ(withoutControls("\n\a", ""), "\\x0a\\x07");
  // U+009B starts a control sequence too, and U+202E turns the text behind it round.
  EXPECT_EQ(withoutControls("\xC2\x9B"
                            "2J",
                            ""),
            "\\xc2\\x9b2J");
  EXPECT_EQ(withoutControls("\xE2\x80\xAE", ""), "\\xe2\\x80\\xae");
  EXPECT_EQ(withoutControls("\xD8\x9C", ""), "\\xd8\\x9c");
}

TEST(Printable, KeepsTextOfAllLanguages) {
  EXPECT_EQ(withoutControls("na\xC3\xAFve \xE6\x97\xA5", ""), "na\xC3\xAFve \xE6\x97\xA5");
}

TEST(Printable, KeepsTheEndsOfLinesOnRequest) {
  EXPECT_EQ(withoutControls("a\r\nc\n", "\n"), "a\r\nc\n");
  EXPECT_EQ(withoutControls("over\rwritten\n", "\n"), "over\\x0dwritten\n");
  EXPECT_EQ(withoutControls("a\r\n", ""), "a\\x0d\\x0a");
}

} // namespace
} // namespace tilescope
