// Run alone: unit_tests --gtest_filter='ChangeListTest.*'
#include "viewer/panels/widgets/change_list.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

// Rows of which those at even places changed.
std::optional<TextLine> everyOther(size_t row) {
  TextLine line;
  line.kind = row % 2 == 0 ? RowKind::Modified : RowKind::Same;
  return line;
}

TEST(ChangeListTest, TheChangeThatIsShownStaysInOtherRows) {
  ChangeList changes;
  changes.find(6, everyOther, /*areTheSame=*/false);
  changes.step(2);
  EXPECT_EQ(changes.text(), "change 3 of 3");
  changes.find(5, everyOther, /*areTheSame=*/true);
  EXPECT_EQ(changes.text(), "change 3 of 3");
  changes.find(4, everyOther, /*areTheSame=*/true); // another number of them
  EXPECT_EQ(changes.text(), "change 1 of 2");
  changes.step(1);
  changes.find(4, everyOther, /*areTheSame=*/false);
  EXPECT_EQ(changes.text(), "change 1 of 2");
}

} // namespace
} // namespace tilescope
