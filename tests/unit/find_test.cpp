// Run alone: unit_tests --gtest_filter='Find*'
#include "core/find/finder.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

std::string errorOf(llvm::StringRef text) {
  llvm::Expected<Predicate> predicate = parsePredicate(text);
  return predicate ? "" : llvm::toString(predicate.takeError());
}

// "(a and (not b))" of atoms as written.
std::string shape(const Predicate &predicate) {
  if (predicate.operands.empty())
    return predicate.text;
  if (predicate.kind == PredicateKind::Not)
    return "(not " + shape(predicate.operands.front()) + ")";
  std::string text = "(";
  for (const Predicate &operand : predicate.operands)
    text += (text.size() == 1                       ? ""
             : predicate.kind == PredicateKind::And ? " and "
                                                    : " or ") +
            shape(operand);
  return text + ")";
}

std::string shapeOf(llvm::StringRef text) { return shape(llvm::cantFail(parsePredicate(text))); }

TEST(FindPredicateTest, AndBindsCloserThanOr) {
  EXPECT_EQ(shapeOf("fails or planned and not fails and planned"),
            "(fails or (planned and (not fails) and planned))");
  EXPECT_EQ(shapeOf("(fails or planned) and fails"), "((fails or planned) and fails)");
  EXPECT_EQ(shapeOf("not not ((fails))"), "(not (not fails))");
}

TEST(FindPredicateTest, SizesHaveUnits) {
  auto bytesOf = [](llvm::StringRef text) { return llvm::cantFail(parsePredicate(text)).bytes; };
  EXPECT_EQ(bytesOf("peak > 160KiB"), 163840);
  EXPECT_EQ(bytesOf("peak>=160 KiB"), 163840);
  EXPECT_EQ(bytesOf("peak == 7"), 7);
  EXPECT_EQ(bytesOf("peak != 2MiB and fails"), 0); // of the list; its operand has them
  EXPECT_EQ(bytesOf("peak<1B"), 1);
}

TEST(FindPredicateTest, NamesAndQueriesMayBeQuoted) {
  Predicate text = llvm::cantFail(parsePredicate(R"(text "a \"b\" \n")"));
  EXPECT_EQ(text.query, R"(a "b" \n)");
  EXPECT_EQ(llvm::cantFail(parsePredicate(R"(text /a\/b\./)")).query, R"(/a/b\./)");
  EXPECT_EQ(llvm::cantFail(parsePredicate("text ldmatrix")).query, "ldmatrix");
  Predicate shares = llvm::cantFail(parsePredicate("\"and\" overlaps f/B#1@x"));
  EXPECT_EQ(shares.buffer, "and");
  EXPECT_EQ(shares.other, "f/B#1@x");
}

TEST(FindPredicateTest, FaultsPointAtTheirPlace) {
  EXPECT_EQ(errorOf("peak > and"), "expected a size, such as 160KiB\n  peak > and\n         ^");
  EXPECT_EQ(errorOf("peak > 1 KB"), "expected 'and', 'or' or the end\n  peak > 1 KB\n           ^");
  EXPECT_EQ(errorOf("text \"\xC3\xA4\" fails"),
            "expected 'and', 'or' or the end\n  text \"\xC3\xA4\" fails\n           ^");
  EXPECT_EQ(errorOf("shares(A)"), "expected ','\n  shares(A)\n          ^");
  EXPECT_TRUE(llvm::StringRef(errorOf("shares(A, A)")).starts_with("expected another buffer"));
  EXPECT_EQ(errorOf("buffer\nor"), "expected the name of a buffer\n  buffer or\n         ^");
  EXPECT_EQ(errorOf("text \"\""), "nothing is searched for\n  text \"\"\n       ^");
}

TEST(FindPredicateTest, HostileTextIsRefused) {
  EXPECT_TRUE(llvm::StringRef(errorOf(std::string(100000, '('))).starts_with("nested too deeply"));
  std::string negations;
  for (int i = 0; i != 100000; ++i)
    negations += "not ";
  EXPECT_TRUE(llvm::StringRef(errorOf(negations)).starts_with("nested too deeply"));
  for (llvm::StringRef text :
       {"", "\"", "/", "text /", "text \"a\\", "peak > 9223372036854775807GiB",
        "peak > 9223372036854775807 GiB", "peak > 99999999999999999999", "=", "a overlaps",
        "overlaps", "text \"a\" ,", "buffer \"\""})
    EXPECT_NE(errorOf(text), "") << text.str();
}

TraceSnapshot snapshotOf(std::vector<LineId> lines, std::vector<BufferRecord> buffers,
                         std::vector<ArenaRecord> arenas) {
  TraceSnapshot snapshot;
  snapshot.lines = std::make_shared<const std::vector<LineId>>(std::move(lines));
  snapshot.buffers = std::make_shared<const std::vector<BufferRecord>>(std::move(buffers));
  snapshot.arenas = std::make_shared<const std::vector<ArenaRecord>>(std::move(arenas));
  return snapshot;
}

BufferRecord buffer(uint32_t id, std::string name) {
  BufferRecord record;
  record.id = BufferId(id);
  record.key = {"f", name, 0, ""};
  record.name = std::move(name);
  return record;
}

ArenaRecord arenaOf(int64_t offset, bool preview) {
  ArenaRecord arena;
  arena.function = "f";
  arena.preview = preview;
  arena.plan.placements = {{BufferId(1), 0, 1024}, {BufferId(2), offset, 1024}};
  arena.plan.heightBytes = offset + 1024;
  return arena;
}

// elaborate; first; group(second, third), in which A becomes B; the last one fails.
Trace smallTrace() {
  Trace trace;
  trace.lines.push_back({"  T.copy(A, C)", StmtId(4), {}, {FileId(0), 9, 1, 9, 2}});
  trace.lines.push_back({"  T.barrier()", StmtId(5), {}, {}});
  trace.snapshots = {
      snapshotOf({0}, {buffer(1, "A")}, {}),
      snapshotOf({0}, {buffer(1, "A"), buffer(2, "C")}, {arenaOf(1024, true)}),
      snapshotOf({0, 1}, {buffer(1, "B"), buffer(2, "C")}, {arenaOf(512, false)}),
  };
  trace.passes = {
      {"elaborate", "", 0, PassStatus::Changed, 0}, {"first", "", 0, PassStatus::Changed, 1},
      {"second", "", 1, PassStatus::Unchanged, 1},  {"third", "", 1, PassStatus::Changed, 2},
      {"group", "", 0, PassStatus::Changed, 2},     {"last", "", 0, PassStatus::Failed, 2}};
  trace.passes.back().verdicts.hazardFree = Verdict::No;
  trace.diagnostics.push_back({"MemoryHazard", "error", {FileId(0), 3, 1, 3, 2}, "too early", {}});
  return trace;
}

FindResult findIn(const Trace &trace, llvm::StringRef text, bool every = false) {
  return llvm::cantFail(find(trace, text, llvm::cantFail(parsePredicate(text)), every));
}

std::string hitsOf(llvm::StringRef text) {
  FindResult result = findIn(smallTrace(), text, /*every=*/true);
  std::string names;
  for (const FindHit &hit : result.hits)
    names += (names.empty() ? "" : " ") + hit.name;
  return names;
}

TEST(FindTest, StatesHoldFromWhereTheyBegin) {
  EXPECT_EQ(hitsOf("text barrier"), "third last"); // a group has the state of its last pass
  EXPECT_EQ(hitsOf("peak > 1KiB"), "first second third last");
  EXPECT_EQ(hitsOf("peak == 2048"), "first second");
  EXPECT_EQ(hitsOf("planned"), "third last");
  EXPECT_EQ(hitsOf("shares(A, C)"), "");
  EXPECT_EQ(hitsOf("C overlaps B"), "third last");
  EXPECT_EQ(hitsOf("buffer f/C"), "first second third last");
}

TEST(FindTest, EventsHoldOnce) {
  EXPECT_EQ(hitsOf("buffer A appears"), "elaborate");
  EXPECT_EQ(hitsOf("buffer C appears"), "first");
  EXPECT_EQ(hitsOf("buffer A disappears"), "third");
  EXPECT_EQ(hitsOf("buffer A renamed"), "third");
  EXPECT_EQ(hitsOf("buffer B renamed"), "third");
  EXPECT_EQ(hitsOf("buffer C renamed"), "");
  EXPECT_EQ(hitsOf("fails"), "last");
  EXPECT_EQ(hitsOf("fails hazards"), "last");
  EXPECT_EQ(hitsOf("fails arena or fails verify"), "");
}

TEST(FindTest, FactsAreWhatTheAnswerRestsOn) {
  llvm::StringRef text = "(text barrier or peak > 4KiB) and not shares(A, C)";
  FindResult result = findIn(smallTrace(), text);
  ASSERT_EQ(result.hits.size(), 1U);
  ASSERT_EQ(result.hits[0].facts.size(), 2U);
  EXPECT_EQ(result.hits[0].facts[0].text, "line 2: T.barrier()");
  EXPECT_EQ(result.hits[0].facts[0].stmt, StmtId(5));
  EXPECT_FALSE(result.hits[0].facts[1].holds);
  EXPECT_TRUE(result.missing.empty());
}

TEST(FindTest, WhatIsMissingIsSaid) {
  llvm::StringRef text = "peak > 4KiB and buffer Z";
  FindResult result = findIn(smallTrace(), text);
  EXPECT_TRUE(result.hits.empty());
  EXPECT_EQ(result.passes, 5U);
  ASSERT_EQ(result.missing.size(), 2U);
  EXPECT_EQ(result.missing[0].text, "1,536 bytes");
  EXPECT_EQ(result.unknownBuffers, std::vector<std::string>{"Z"});
}

TEST(FindTest, CudaIsAskedByTheStatementsOfItsLines) {
  Trace trace = smallTrace();
  trace.cuda = "// head\ncopy(a, c);\n__syncthreads();\n";
  trace.cudaMap = {{2, StmtId(4), {}, {}}, {3, StmtId(5), {}, {}}, {9, StmtId(4), {}, {}}};
  auto firstOf = [&](llvm::StringRef text) {
    FindResult result = findIn(trace, text);
    return result.hits.empty() ? result.missing[0].text
                               : result.hits[0].name + ": " + result.hits[0].facts[0].text;
  };
  EXPECT_EQ(firstOf("cuda copy"),
            "elaborate: line 1 (kernel line 9): T.copy(A, C) becomes CUDA line 2: copy(a, c);");
  EXPECT_EQ(firstOf("cuda syncthreads"),
            "third: line 2: T.barrier() becomes CUDA line 3: __syncthreads();");
  EXPECT_EQ(firstOf("cuda head"), "emit-cuda: CUDA line 1: // head");
  EXPECT_EQ(firstOf("cuda tail"), "no line of the CUDA");
  // Emission changes no state.
  EXPECT_EQ(firstOf("cuda head and buffer B appears"), "it is there, as after last");
  EXPECT_EQ(findIn(trace, "cuda copy", /*every=*/true).hits.size(), 6U);
}

TEST(FindTest, CudaThatCannotBeAskedIsAnError) {
  auto errorOfTrace = [](const Trace &trace) {
    llvm::Expected<FindResult> result =
        find(trace, "", llvm::cantFail(parsePredicate("fails or not cuda x")), false);
    return result ? "" : llvm::toString(result.takeError());
  };
  Trace trace = smallTrace();
  EXPECT_EQ(errorOfTrace(trace), "no CUDA to look into: pass last failed: too early");
  trace.cuda = "x\n";
  EXPECT_EQ(errorOfTrace(trace), "the trace does not say which statements the lines of its CUDA "
                                 "come from, so 'cuda' cannot be answered");
}

TEST(FindTest, FailuresNameTheirError) {
  FindResult result = findIn(smallTrace(), "fails");
  ASSERT_EQ(result.hits.size(), 1U);
  EXPECT_EQ(result.hits[0].facts[0].text, "a barrier is missing: too early");
  EXPECT_EQ(result.hits[0].facts[0].sourceLine, 3U);
}

// No pass failed, so it was what comes after them.
TEST(FindTest, ACompileMayFailAfterItsPasses) {
  Trace trace = smallTrace();
  trace.passes.pop_back();
  FindResult result = findIn(trace, "fails", /*every=*/true);
  ASSERT_EQ(result.hits.size(), 1U);
  EXPECT_EQ(result.hits[0].name, "emit-cuda");
  EXPECT_EQ(result.hits[0].pass, trace.passes.size());
  EXPECT_EQ(result.hits[0].facts[0].text, "the compile fails: too early");
  EXPECT_TRUE(findIn(trace, "fails arena").hits.empty());
  // What another compiler emitted before it failed is a pass of its trace.
  trace.passes.push_back({"emit-cuda", "", 0, PassStatus::Unchanged, 2});
  result = findIn(trace, "fails");
  ASSERT_EQ(result.hits.size(), 1U);
  EXPECT_EQ(result.hits[0].pass, trace.passes.size() - 1);
  trace.diagnostics.clear();
  EXPECT_TRUE(findIn(trace, "fails").hits.empty());
}

} // namespace
