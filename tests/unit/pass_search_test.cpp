// A query is found after every pass of a trace of which the window has loaded a part.
// Run alone: unit_tests --gtest_filter='PassSearch*'
#include "tests/unit/trace_file_fixture.h"

#include "core/json/json_value.h"
#include "core/session/workspace.h"
#include "core/views/search_model.h"

using namespace tilescope;
using namespace tilescope::test;

namespace {

// Of more bytes than are loaded whole; every third pass changes the facets.
class PassSearchTest : public TraceFileFixture {
protected:
  void SetUp() override {
    TraceFileFixture::SetUp();
    llvm::cantFail(writeSyntheticTrace(
        {.passes = 10, .lines = 2000, .buffers = 2000, .intervals = 20'000, .facetsEvery = 3},
        path()));
    ASSERT_GT(text().size(), TraceFileOptions().wholeBytes);
    eager = llvm::cantFail(readTraceFile(path()));
    workspace.open(path());
  }

  HitsOfSnapshots expected(const std::string &query) const {
    HitCounts counts(query);
    return counts.ofSnapshots(eager);
  }

  void expectCounted(const std::string &query) {
    SCOPED_TRACE(query);
    workspace.selection.query = query;
    workspace.waitForSearch();
    const CountedHits *counted = workspace.document().counted.get();
    ASSERT_TRUE(counted);
    EXPECT_EQ(counted->query, query);
    EXPECT_EQ(counted->revision, workspace.document().revision);
    EXPECT_EQ(counted->problem, "");
    EXPECT_EQ(counted->ofSnapshot, expected(query));
  }

  Trace eager;
  Workspace workspace{[] {}};
};

TEST_F(PassSearchTest, CountsEveryPass) {
  EXPECT_GT(expected("b17")[9]->hits, 0U);
  EXPECT_NE(expected("b17")[0], expected("b17")[9]);
  expectCounted("b17");
  expectCounted("B17");
  expectCounted("/b1[0-9]5\\[/");
  EXPECT_TRUE(workspace.document().trace->snapshots[5].lines->empty()); // nothing is loaded for it
}

TEST_F(PassSearchTest, TheViewIsThatOfTheWholeTrace) {
  workspace.selection.pass = 0;
  workspace.loadShown();
  Selection &selection = workspace.selection;
  selection.query = "b17";
  SearchMemory memory(selection.query);
  const Trace &trace = *workspace.document().trace;
  SearchView before = buildSearch(trace, selection, memory, nullptr);
  EXPECT_EQ(before.uncountedPasses,
            7U); // the first is loaded, and the last two: they share a state
  workspace.waitForSearch();
  SearchView after = buildSearch(trace, selection, memory, workspace.document().counted.get());
  EXPECT_EQ(toJson(after), toJson(buildSearch(eager, selection)));
  EXPECT_EQ(after.uncountedPasses, 0U);
  selection.pass = 4;
  workspace.loadShown();
  after = buildSearch(trace, selection, memory, workspace.document().counted.get());
  EXPECT_EQ(toJson(after), toJson(buildSearch(eager, selection)));
}

TEST_F(PassSearchTest, CountsWhatATraceHasGrownBy) {
  std::string whole = text();
  size_t half = 0;
  for (int pass = 0; pass != 6; ++pass)
    half = whole.find('\n', whole.find("{\"record\":\"time\"", half)) + 1;
  write(llvm::StringRef(whole).take_front(half));
  workspace.open(path());
  size_t known = workspace.document().trace->passes.size();
  workspace.selection.query = "b17";
  workspace.waitForSearch();
  ASSERT_EQ(known, 6U);
  ASSERT_TRUE(workspace.document().counted);
  EXPECT_EQ(workspace.document().counted->ofSnapshot.size(), known);
  std::error_code code;
  llvm::raw_fd_ostream(path(), code, llvm::sys::fs::OF_Append)
      << llvm::StringRef(whole).substr(half);
  while (workspace.document().trace->passes.size() == known)
    workspace.update(); // until the change was noticed
  expectCounted("b17");
}

TEST_F(PassSearchTest, SaysWhichPassCannotBeRead) {
  std::string damaged = text();
  size_t first = damaged.find("\"edits\":");
  size_t second = damaged.find("\"edits\":", first + 1) + sizeof("\"edits\":") - 1;
  damaged[second] = 'x';
  write(damaged);
  workspace.open(path());
  workspace.selection.query = "b17";
  workspace.waitForSearch();
  const CountedHits *counted = workspace.document().counted.get();
  ASSERT_TRUE(counted);
  EXPECT_TRUE(llvm::StringRef(counted->problem).contains("cannot be") ||
              llvm::StringRef(counted->problem).contains("no JSON"))
      << counted->problem;
  EXPECT_EQ(counted->ofSnapshot[1], expected("b17")[1]);
  EXPECT_FALSE(counted->ofSnapshot[2]);
}

TEST_F(PassSearchTest, WhatIsNoExpressionIsNotLookedFor) {
  workspace.selection.query = "/(/";
  workspace.waitForSearch();
  EXPECT_FALSE(workspace.document().counted);
}

} // namespace
