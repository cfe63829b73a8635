// Run alone: unit_tests --gtest_filter='TextHistory*'
#include "viewer/shell/text_history.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

class TextHistoryTest : public testing::Test {
protected:
  void type(const std::string &words) {
    for (char character : words) {
      text.insert(cursor++, 1, character);
      history.note(text, cursor);
    }
  }
  void erase(size_t count) {
    for (; count != 0; --count) {
      text.erase(--cursor, 1);
      history.note(text, cursor);
    }
  }
  std::string undone() {
    const TextHistory::State *state = history.undo();
    return state ? state->text : "nothing";
  }

  TextHistory history;
  std::string text;
  size_t cursor = 0;
};

TEST_F(TextHistoryTest, WhatIsTypedOverASelectionIsAStep) {
  text = "one mma three";
  history.start(text);
  cursor = 5;
  text.replace(4, 3, "h"); // over "mma"
  history.note(text, cursor);
  type("ello you");
  EXPECT_EQ(text, "one hello you three");
  EXPECT_EQ(undone(), "one hello  three");
  EXPECT_EQ(undone(), "one mma three");
  EXPECT_EQ(undone(), "nothing");
}

TEST_F(TextHistoryTest, AWordIsAStep) {
  history.start("");
  type("one two  three");
  EXPECT_EQ(undone(), "one two  ");
  EXPECT_EQ(undone(), "one ");
  EXPECT_EQ(undone(), "");
  EXPECT_EQ(undone(), "nothing");
  EXPECT_EQ(history.redo()->text, "one ");
}

TEST_F(TextHistoryTest, DeletingIsAStepAndSoIsWhatIsPasted) {
  history.start("");
  type("word");
  erase(2);
  type("k");
  text += "and all of this";
  history.note(text, text.size());
  EXPECT_EQ(undone(), "wok");
  EXPECT_EQ(undone(), "wo");
  EXPECT_EQ(undone(), "word");
}

TEST_F(TextHistoryTest, WhatIsTypedAfterAnUndoEndsWhatCouldBeDoneAgain) {
  history.start("a");
  cursor = 1;
  text = "a";
  type("b");
  EXPECT_EQ(undone(), "a");
  text = "a";
  cursor = 1;
  type("c");
  EXPECT_EQ(history.redo(), nullptr);
  EXPECT_EQ(undone(), "a");
}

} // namespace
