// Who wrote what a point of an arena holds.
// Run alone: unit_tests --gtest_filter='ArenaWritersTest.*'
#include "core/views/arena_model.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

using Writers = std::vector<std::string>;

//     point 0   fill A
//           1   for: read A
//           2        copy to A
//           3   read A
ArenaFunction writtenTwice() {
  ArenaFunction function;
  ArenaRow row;
  row.name = "A";
  row.live = {{0, 4}};
  row.writes = {0, 2};
  function.buffers = {row};
  for (const char *text : {"fill", "read", "copy", "read"})
    function.points.push_back({StmtId(), text, 0});
  function.irLines = {10, 12, 14, 20};
  function.loops = {{1, 3, 0, StmtId(), "for"}};
  return function;
}

TEST(ArenaWritersTest, TheLastAbove) {
  EXPECT_EQ(writersAt(writtenTwice(), 0, 0), Writers{"10 fill"});
  EXPECT_EQ(writersAt(writtenTwice(), 0, 2), Writers{"14 copy"});
  EXPECT_EQ(writersAt(writtenTwice(), 0, 3), Writers{"14 copy"});
}

TEST(ArenaWritersTest, TheIterationBefore) {
  EXPECT_EQ(writersAt(writtenTwice(), 0, 1),
            (Writers{"10 fill", "14 copy, in the iteration before"}));
}

TEST(ArenaWritersTest, OfWhatIsNotKnownNothing) {
  ArenaFunction function = writtenTwice();
  function.buffers[0].writes.clear();
  EXPECT_TRUE(writersAt(function, 0, 1).empty());
  function = writtenTwice();
  function.points.clear();
  EXPECT_TRUE(writersAt(function, 0, 1).empty());
}

} // namespace
} // namespace tilescope
