// Which pass is selected after another compile.
// Run alone: unit_tests --gtest_filter='PassFollower*'
#include "core/session/pass_name.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

Trace traceOf(const std::vector<std::string> &passes) {
  Trace trace;
  for (const std::string &name : passes)
    trace.passes.emplace_back().name = name;
  return trace;
}

const Trace Whole = traceOf({"elaborate", "simplify", "merge", "simplify"});
const Trace Ended = traceOf({"elaborate", "simplify"});
const Trace Edited = traceOf({"elaborate", "simplify", "merge", "patch", "simplify"});

TEST(PassFollowerTest, TheSamePassStaysSelected) {
  PassFollower follower;
  EXPECT_EQ(follower.follow(nullptr, 0, Whole), 3u); // the first that is shown: its end
  EXPECT_EQ(follower.follow(&Whole, 1, Whole), 1u);
  EXPECT_EQ(follower.follow(&Whole, 3, Edited), 4u);
}

TEST(PassFollowerTest, ACompileThatEndsEarlyMovesNothingForGood) {
  PassFollower follower;
  EXPECT_EQ(follower.follow(&Whole, 2, Ended), 1u);
  EXPECT_EQ(follower.follow(&Ended, 1, Ended), 1u);
  EXPECT_EQ(follower.follow(&Ended, 1, Whole), 2u);
}

TEST(PassFollowerTest, WhoGoesElsewhereMeanwhileStaysThere) {
  PassFollower follower;
  EXPECT_EQ(follower.follow(&Whole, 2, Ended), 1u);
  EXPECT_EQ(follower.follow(&Ended, 0, Whole), 0u);
}

TEST(PassFollowerTest, AnEditShowsWhatItMade) {
  PassFollower follower;
  follower.noteEdit(true);
  EXPECT_EQ(follower.follow(&Whole, 2, Edited), 3u);
  EXPECT_EQ(follower.follow(&Edited, 2, Edited), 2u); // once
  follower.noteEdit(false);
  EXPECT_EQ(follower.follow(&Whole, 2, Edited), 2u);
}

} // namespace
