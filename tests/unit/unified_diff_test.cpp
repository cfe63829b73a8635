// Run alone: unit_tests --gtest_filter='UnifiedDiff*'
#include "core/support/unified_diff.h"

#include <gtest/gtest.h>

#include <random>

using namespace tilescope;

namespace {

const std::string Text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n";

// The text after the only file of the diff, or the error as "line: text".
std::string applied(llvm::StringRef diff, llvm::StringRef text = Text) {
  llvm::Expected<std::vector<FileDiff>> files = parseUnifiedDiff(diff);
  llvm::Expected<std::string> after = files ? applyDiff(files->front(), text) : files.takeError();
  if (after)
    return *after;
  std::string message;
  llvm::handleAllErrors(after.takeError(), [&](const DiffError &error) {
    message = std::to_string(error.line) + ": " + error.text;
  });
  return message;
}

std::string diffOf(llvm::StringRef hunks) { return ("--- a\n+++ a\n" + hunks).str(); }

TEST(UnifiedDiff, CarriesOutHunks) {
  EXPECT_EQ(applied(diffOf("@@ -2,3 +2,4 @@ behind\n two\n-three\n+3\n+3.5\n four\n"
                           "@@ -8 +9 @@\n-eight\n+8\n")),
            "one\ntwo\n3\n3.5\nfour\nfive\nsix\nseven\n8\n");
  EXPECT_EQ(applied(diffOf("@@ -0,0 +1 @@\n+zero\n@@ -8,0 +10 @@\n+nine\n")),
            "zero\n" + Text + "nine\n");
  EXPECT_EQ(applied(diffOf("@@ -1,8 +0,0 @@\n-one\n-two\n-three\n-four\n-five\n-six\n-seven\n"
                           "-eight\n")),
            "");
}

TEST(UnifiedDiff, FindsWhatHasShifted) {
  std::string longer = "new\nnew\n" + Text;
  EXPECT_EQ(applied(diffOf("@@ -2,2 +2,2 @@\n-two\n+2\n three\n"), longer),
            "new\nnew\none\n2\nthree\nfour\nfive\nsix\nseven\neight\n");
  // The second hunk shifts as far as the first: of "x" at 4 and at 8 the latter is meant.
  EXPECT_EQ(
      applied(diffOf("@@ -1 +1 @@\n-a\n+A\n@@ -4 +4 @@\n-x\n+X\n"), "1\n2\n3\nx\na\nb\nc\nx\nd\n"),
      "1\n2\n3\nx\nA\nb\nc\nX\nd\n");
  EXPECT_EQ(applied(diffOf("@@ -3 +3 @@\n-x\n+X\n"), "a\nx\nb\nx\nc\n"),
            "3: hunk 1 fits as well at line 2 as at line 4");
}

TEST(UnifiedDiff, SaysWhatIsNotThere) {
  EXPECT_EQ(applied(diffOf("@@ -2,3 +2,3 @@\n two\n-tree\n+3\n four\n")),
            "5: hunk 1 fits nowhere: expected 'tree', found 'three'");
  EXPECT_EQ(applied(diffOf("@@ -1 +1 @@\n-one\n+1\n@@ -7,3 +7,3 @@\n seven\n eight\n-nine\n+9\n")),
            "9: hunk 2 fits nowhere: expected 'nine', found the end of the text");
  EXPECT_EQ(applied(diffOf("@@ -1 +1 @@\n-one\n+1\n"), ""),
            "4: hunk 1 fits nowhere: expected 'one', found the end of the text");
  EXPECT_EQ(applied(diffOf("@@ -90,0 +91 @@\n+ninety\n")),
            "3: hunk 1 inserts after line 90, but the text has 8 lines");
}

TEST(UnifiedDiff, TellsWhichLineOfTheTextDiffers) {
  FileDiff diff = llvm::cantFail(parseUnifiedDiff(diffOf("@@ -5,2 +5,2 @@\n five\n-6\n+7\n")))[0];
  llvm::handleAllErrors(applyDiff(diff, Text).takeError(),
                        [](const DiffError &error) { EXPECT_EQ(error.textLine, 6U); });
}

TEST(UnifiedDiff, HunksDoNotGoBack) {
  EXPECT_EQ(applied(diffOf("@@ -5 +5 @@\n-five\n+5\n@@ -1 +1 @@\n-one\n+1\n")),
            "7: hunk 2 fits nowhere: expected 'one', found 'six'");
}

TEST(UnifiedDiff, KnowsTextsWithoutALastNewline) {
  std::string marked = diffOf("@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n");
  EXPECT_EQ(applied(marked, "a\nb"), "a\nc\n");
  EXPECT_EQ(applied(marked, "a\nb\n"), "5: hunk 1 fits nowhere: expected 'b', found 'b'");
  EXPECT_EQ(applied(diffOf("@@ -1 +1 @@\n-a\n+b\n\\ No newline\n"), "a\nb\n"),
            "5: hunk 1 ends the text at a line that is not its last");
  EXPECT_EQ(applied(diffOf("@@ -1 +1,2 @@\n-a\n+b\n\\ No newline\n+c\n"), "a\n"),
            "7: a line behind the end of the file");
  // The last newline of the diff itself does not matter.
  EXPECT_EQ(applied(diffOf("@@ -1 +1 @@\n-a\n+b"), "a\n"), "b\n");
}

TEST(UnifiedDiff, TakesCarriageReturnsOffWhereTheHeaderHasThem) {
  EXPECT_EQ(applied("--- a\r\n+++ a\r\n@@ -1,2 +1,2 @@\r\n-one\r\n+1\r\n two\r\n", "one\ntwo\n"),
            "1\ntwo\n");
  EXPECT_EQ(applied(diffOf("@@ -1 +1 @@\n-one\r\n+1\r\n"), "one\r\n"), "1\r\n");
}

TEST(UnifiedDiff, ReadsSeveralFilesAndSkipsWhatIsBetween) {
  auto files = llvm::cantFail(parseUnifiedDiff(
      "diff --git a b\nindex 1..2\n--- after a\t2026-01-01\n+++ after a\n"
      "@@ -1 +1 @@\n-a\n+b\n\nnote\n--- after b\n+++ after c\n@@ -1 +1 @@\n-a\n+b\n"));
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].oldName, "after a");
  EXPECT_EQ(files[0].line, 3U);
  EXPECT_EQ(files[1].oldName, "after b");
  EXPECT_EQ(files[1].newName, "after c");
  // A blank line of context may have lost its blank.
  EXPECT_EQ(applied(diffOf("@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n"), "a\n\nb\n"), "a\n\nc\n");
}

TEST(UnifiedDiff, RefusesWhatIsNone) {
  constexpr const char *Counts = "expected '@@ -LINE,COUNT +LINE,COUNT @@', lines counted from 1";
  EXPECT_EQ(applied(""), "1: no line starts with '--- ': this is no unified diff");
  EXPECT_EQ(applied(llvm::StringRef("\0\xff\n\n", 4)),
            "1: no line starts with '--- ': this is no unified diff");
  EXPECT_EQ(applied("--- a\n"), "2: expected '+++ ' and the new name after '--- '");
  EXPECT_EQ(applied("--- a\n+++ a\n"), "3: expected '@@ -LINE,COUNT +LINE,COUNT @@'");
  for (const char *header :
       {"@@ -0 +1 @@", "@@ -1,2,3 +1 @@", "@@ 1 +1 @@", "@@ -99999999999999999999999 +1 @@",
        "@@ -1,-2 +1 @@", "@@ -1 +1", "@@ -1, +1 @@", "@@ - + @@"})
    EXPECT_EQ(applied(diffOf(header)), std::string("3: ") + Counts) << header;
  EXPECT_EQ(applied(diffOf("@@ -1,2 +1,2 @@\n one\n")),
            "3: the hunk at line 3 says 2 old and 2 new lines, but has 1 and 1");
  EXPECT_EQ(applied(diffOf("@@ -1 +1 @@\n-one\n+1\n two\n")),
            "6: the hunk at line 3 says 1 old and 1 new lines, but it goes on");
  EXPECT_EQ(applied(diffOf("@@ -1 +1 @@\n-one\n-two\n")),
            "3: the hunk at line 3 says 1 old and 1 new lines, but has 1 and 0");
  EXPECT_EQ(applied(diffOf("@@ -18446744073709551615,18446744073709551615 +1,1 @@\n one\n")),
            "3: the hunk at line 3 says 18446744073709551615 old and 1 new lines, but has 1 and 1");
}

TEST(UnifiedDiff, TakesHugeLineNumbersAsTheEnd) {
  EXPECT_EQ(applied(diffOf("@@ -18446744073709551615 +18446744073709551615 @@\n-one\n+1\n")),
            "1\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n");
  EXPECT_EQ(applied(diffOf("@@ -18446744073709551615,0 +1 @@\n+1\n")),
            "3: hunk 1 inserts after line 18446744073709551615, but the text has 8 lines");
}

TEST(UnifiedDiff, IsMadeAsDiffWritesIt) {
  EXPECT_EQ(makeUnifiedDiff(Text, Text, "a"), "");
  EXPECT_EQ(
      makeUnifiedDiff(Text, "one\ntwo\nthree\n4\nfive\nsix\nseven\neight\n", "after x"),
      "--- after x\n+++ after x\n@@ -1,7 +1,7 @@\n one\n two\n three\n-four\n+4\n five\n six\n"
      " seven\n");
  EXPECT_EQ(makeUnifiedDiff("", "a\n", "x"), "--- x\n+++ x\n@@ -0,0 +1 @@\n+a\n");
  EXPECT_EQ(makeUnifiedDiff("a", "a\n", "x"),
            "--- x\n+++ x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
}

// Few different lines, so that hunks have much to be mistaken for.
std::string randomText(std::mt19937 &random) {
  std::string text;
  for (size_t i = random() % 40; i > 0; --i)
    text += std::string(1, static_cast<char>('a' + random() % 4)) + (random() % 8 ? "\n" : "\r\n");
  if (random() % 4 == 0)
    text += "end";
  return text;
}

TEST(UnifiedDiff, WhatIsMadeIsCarriedOut) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string before = randomText(random);
    std::string after = randomText(random);
    std::string diff = makeUnifiedDiff(before, after, "x");
    if (before != after)
      ASSERT_EQ(applied(diff, before), after) << diff;
  }
}

int64_t growthOf(const FileDiff &diff) {
  int64_t growth = 0;
  for (const DiffHunk &hunk : diff.hunks)
    for (const DiffLine &line : hunk.lines)
      growth += line.mark == '+' ? 1 : line.mark == '-' ? -1 : 0;
  return growth;
}

int64_t linesOf(llvm::StringRef text) {
  return static_cast<int64_t>(text.count('\n')) + (!text.empty() && !text.ends_with("\n"));
}

// What is carried out is as long as the diff says; all else is an error.
TEST(UnifiedDiff, DamagedDiffsAreRefusedOrCarriedOut) {
  std::mt19937 random(2);
  int refused = 0;
  std::string whole = makeUnifiedDiff(Text, "one\n2\nthree\nfour\nfive\n6\nseven\neight", "x");
  for (int i = 0; i < 5000; ++i) {
    std::string diff = whole;
    for (size_t changes = 1 + random() % 4; changes > 0; --changes)
      diff[random() % diff.size()] = "\n-+ @\\,0198\r"[random() % 12];
    llvm::Expected<std::vector<FileDiff>> files = parseUnifiedDiff(diff);
    llvm::Expected<std::string> after = files ? applyDiff(files->front(), Text) : files.takeError();
    if (after)
      ASSERT_EQ(linesOf(*after), linesOf(Text) + growthOf(files->front())) << diff;
    else
      llvm::consumeError(after.takeError());
    refused += !after;
  }
  EXPECT_GT(refused, 1000);
  EXPECT_LT(refused, 5000);
}

} // namespace
