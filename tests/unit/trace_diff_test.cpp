// Run alone: unit_tests --gtest_filter='TraceDiff*:BufferMatching*'
#include "core/diff/trace_diff.h"

#include "core/driver/compile.h"
#include "core/trace_file/trace_reader.h"
#include "core/views/compare_model.h"
#include "tests/source_folder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

using Arguments = std::vector<std::pair<std::string, std::string>>;

std::string kernelText(const std::string &file) {
  auto buffer = llvm::MemoryBuffer::getFile(inSourceFolder("testdata/kernels/" + file));
  EXPECT_TRUE(buffer) << file;
  return buffer ? (*buffer)->getBuffer().str() : "";
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

Trace compiled(const std::string &text, const std::string &function, const Arguments &arguments) {
  CompileRequest request;
  request.path = "kernel.py";
  request.text = text;
  request.function = function;
  request.arguments = arguments;
  TraceRecorder recorder;
  compile(request, {.recorder = &recorder});
  EXPECT_FALSE(recorder.trace().cuda.empty());
  return recorder.takeTrace();
}

Trace gemm(const std::string &text, Arguments arguments = {}) {
  arguments.insert(arguments.end(), {{"M", "512"}, {"N", "512"}, {"K", "512"}});
  return compiled(text, "matmul", arguments);
}

// "A_shared: moved", one a buffer that changed.
std::vector<std::string> changesOf(const TraceDiff &diff) {
  std::vector<std::string> texts;
  for (const BufferDiff &buffer : diff.buffers)
    if (!buffer.changes.empty())
      texts.push_back(buffer.state().name + ": " + toText(buffer.changes));
  return texts;
}

using Texts = std::vector<std::string>;

TEST(TraceDiffTest, FewerStagesChangeVersionsAndWhatLiesAbove) {
  std::string text = kernelText("gemm_relu.py");
  TraceDiff diff = diffTraces(gemm(text), gemm(text, {{"num_stages", "2"}}));
  EXPECT_EQ(changesOf(diff),
            (Texts{"A_shared: versions changed", "B_shared: versions changed, moved"}));
  EXPECT_EQ(diff.peakBefore, 49152);
  EXPECT_EQ(diff.peakAfter, 32768);
  ASSERT_EQ(diff.kernels.size(), 1U);
  EXPECT_EQ(diff.kernels[0].deltaBytes(), -16384);
  EXPECT_EQ(diff.kernels[0].before->blocksPerSm, 3);
  EXPECT_EQ(diff.kernels[0].after->blocksPerSm, 4);
}

TEST(TraceDiffTest, ASmallerBlockResizesWhatDependsOnIt) {
  std::string text = kernelText("gemm_relu.py");
  TraceDiff diff = diffTraces(gemm(text), gemm(text, {{"block_M", "64"}}));
  auto tile = llvm::find_if(
      diff.buffers, [](const BufferDiff &buffer) { return buffer.state().name == "A_shared"; });
  ASSERT_NE(tile, diff.buffers.end());
  EXPECT_EQ(toText(tile->changes), "resized, type changed");
  EXPECT_EQ(tile->before->sizeBytes, 3 * 128 * 32 * 2);
  EXPECT_EQ(tile->after->sizeBytes, 3 * 64 * 32 * 2);
  EXPECT_EQ(diff.peakAfter - diff.peakBefore, -3 * 64 * 32 * 2);
}

TEST(TraceDiffTest, ARenamedBufferIsTheSameOtherwise) {
  std::string text = kernelText("gemm_relu.py");
  TraceDiff diff = diffTraces(gemm(text), gemm(replaced(text, "A_shared", "left_tile")));
  Texts changes = changesOf(diff);
  ASSERT_FALSE(changes.empty());
  EXPECT_TRUE(llvm::is_contained(changes, "left_tile: renamed"));
  for (const std::string &change : changes) // registers are named after it
    EXPECT_TRUE(llvm::StringRef(change).starts_with("left_tile") &&
                llvm::StringRef(change).ends_with(": renamed"))
        << change;
}

// Both tiles have the same type: only what they are used for tells which is which.
TEST(TraceDiffTest, TwoRenamedBuffersOfOneTypeAreToldApartByTheirUse) {
  std::string text = kernelText("attention_fwd.py");
  std::string other = replaced(replaced(text, "K_shared", "first"), "V_shared", "second");
  Arguments arguments{{"heads", "4"}, {"length", "1024"}};
  TraceDiff diff =
      diffTraces(compiled(text, "attention", arguments), compiled(other, "attention", arguments));
  std::map<std::string, std::string> pairs;
  for (const BufferDiff &buffer : diff.buffers)
    if (buffer.before && buffer.after && buffer.after->scope == BufferScope::SharedDynamic)
      pairs[buffer.before->name] = buffer.after->name;
  EXPECT_EQ(pairs["K_shared"], "first");
  EXPECT_EQ(pairs["V_shared"], "second");
  EXPECT_EQ(pairs["Q_shared"], "Q_shared");
}

TEST(TraceDiffTest, SwappedAllocationsAndCommentsAreNoChange) {
  std::string text = kernelText("gemm_relu.py");
  std::string a = "        A_shared = T.alloc_shared((block_M, block_K), dtype)\n";
  std::string b = "        B_shared = T.alloc_shared((block_K, block_N), dtype)\n";
  Trace before = gemm(text);
  // The plan puts the first allocation at the bottom.
  EXPECT_EQ(changesOf(diffTraces(before, gemm(replaced(text, a + b, b + a)))),
            (Texts{"B_shared: moved", "A_shared: moved"}));
  Trace commented = gemm(replaced(text, a, "        # A tile of A.\n" + a));
  TraceDiff diff = diffTraces(before, commented);
  EXPECT_EQ(changesOf(diff), Texts{});
  EXPECT_EQ(firstTextDifference(before, commented, diff.passes).pass, std::nullopt);
}

TEST(TraceDiffTest, ABufferMoreIsNew) {
  std::string text = kernelText("gemm_relu.py");
  std::string gemmLine = "            T.gemm(A_shared, B_shared, C_local)\n";
  std::string withCopy =
      replaced(replaced(text, gemmLine,
                        "            T.copy(B_shared, B_copy)\n"
                        "            T.gemm(A_shared, B_copy, C_local)\n"),
               "        C_local = ",
               "        B_copy = T.alloc_shared((block_K, block_N), dtype)\n        C_local = ");
  Trace before = gemm(text);
  Trace after = gemm(withCopy);
  EXPECT_TRUE(llvm::is_contained(changesOf(diffTraces(before, after)), "B_copy: new"));
  EXPECT_TRUE(llvm::is_contained(changesOf(diffTraces(after, before)), "B_copy: gone"));
}

TEST(TraceDiffTest, TracesWithoutPassesHaveNothingToCompare) {
  TraceDiff diff = diffTraces(Trace(), Trace());
  EXPECT_TRUE(diff.passes.empty() && diff.kernels.empty() && diff.buffers.empty());
  std::string text = kernelText("gemm_relu.py");
  diff = diffTraces(Trace(), gemm(text));
  EXPECT_EQ(diff.peakBefore, 0);
  for (const BufferDiff &buffer : diff.buffers)
    EXPECT_EQ(toText(buffer.changes), "new");
}

// A trace that is opened piece by piece has empty snapshots.
TEST(TraceDiffTest, WhatIsNotLoadedIsNotCompared) {
  Trace before = gemm(kernelText("gemm_relu.py"));
  Trace after = gemm(kernelText("gemm_relu.py"), {{"block_M", "64"}});
  std::vector<PassDiff> passes = alignPasses(before, after);
  TextDifference difference = firstTextDifference(before, after, passes);
  EXPECT_EQ(difference.pass, 0U);
  EXPECT_TRUE(difference.isExact);
  after.snapshots[0] = TraceSnapshot();
  difference = firstTextDifference(before, after, passes);
  EXPECT_GT(difference.pass, 0U);
  EXPECT_FALSE(difference.isExact);
  EXPECT_EQ(buildCompare(after, before, {}).missing, "");
  after.snapshots.back() = TraceSnapshot();
  CompareView view = buildCompare(after, before, {});
  EXPECT_NE(view.missing, "");
  EXPECT_TRUE(view.buffers.empty());
  EXPECT_EQ(view.peakAfter, 36864); // figures are always there
}

// Hand-made traces.

Trace traceOfPasses(const std::vector<std::pair<std::string, int64_t>> &passes) {
  Trace trace;
  trace.snapshots.resize(1);
  for (const auto &[name, bytes] : passes) {
    TracePass &pass = trace.passes.emplace_back();
    pass.name = name;
    pass.figures = PassFigures{.sharedBytes = bytes};
  }
  return trace;
}

TEST(TraceDiffTest, PassesAreAlignedByNameAndOrder) {
  Trace before = traceOfPasses({{"elaborate", 10}, {"simplify", 20}, {"merge", 30}});
  Trace after = traceOfPasses({{"elaborate", 11}, {"vectorize", 25}, {"merge", 36}});
  std::vector<PassDiff> passes = alignPasses(before, after);
  ASSERT_EQ(passes.size(), 4U);
  EXPECT_EQ(passes[0].deltaBytes(), 1);
  EXPECT_EQ(passes[1].before, 1U);
  EXPECT_EQ(passes[1].after, std::nullopt);
  EXPECT_EQ(passes[1].deltaBytes(), 11 - 20); // the other side is as it was
  EXPECT_EQ(passes[2].before, std::nullopt);
  EXPECT_EQ(passes[2].after, 1U);
  EXPECT_EQ(passes[3].deltaBytes(), 6);
}

BufferRecord record(uint32_t id, const std::string &function, const std::string &name,
                    BufferScope scope = BufferScope::SharedDynamic) {
  BufferRecord record;
  record.id = BufferId(id);
  record.key = {function, name, 0, ""};
  record.name = name;
  record.dtype = "float16";
  record.shape = {"64"};
  record.scope = scope;
  record.sizeBytes = 128;
  return record;
}

TraceSnapshot snapshotOf(std::vector<BufferRecord> buffers, AccessProgram program = {}) {
  TraceSnapshot snapshot;
  snapshot.buffers = std::make_shared<const std::vector<BufferRecord>>(std::move(buffers));
  AccessRecord access{"f", std::move(program), {}};
  access.lifetimes = computeLifetimes(access.program);
  snapshot.accesses = std::make_shared<const std::vector<AccessRecord>>(1, std::move(access));
  return snapshot;
}

struct Touch {
  uint32_t buffer;
  AccessKind kind;
};

// A leaf an access.
AccessProgram programOf(const std::vector<Touch> &touches) {
  AccessProgram program;
  std::vector<uint32_t> leaves;
  std::map<uint32_t, bool> buffers;
  for (const Touch &touch : touches) {
    AccessNode leaf;
    leaf.kind = AccessNode::Kind::Leaf;
    leaf.accesses.push_back({.buffer = BufferId(touch.buffer), .kind = touch.kind, .full = true});
    leaves.push_back(program.add(leaf));
    buffers[touch.buffer] = true;
  }
  AccessNode seq;
  seq.children = leaves;
  program.root = program.add(seq);
  for (const auto &[id, isThere] : buffers)
    program.buffers.push_back({BufferId(id), "b" + std::to_string(id), 1});
  return program;
}

constexpr AccessKind R = AccessKind::Read, W = AccessKind::Write;

TEST(BufferMatchingTest, TheFunctionCountsOnlyWhereSeveralFit) {
  TraceSnapshot before = snapshotOf({record(1, "f", "a"), record(2, "g", "a")});
  TraceSnapshot after = snapshotOf({record(7, "g", "a"), record(8, "f_kernel", "a")});
  std::vector<BufferPair> expected{{1, 0, MatchedBy::Key}, {0, 1, MatchedBy::Key}};
  EXPECT_EQ(matchBuffers(before, after), expected);
}

TEST(BufferMatchingTest, LeftoversArePairedByUse) {
  TraceSnapshot before = snapshotOf({record(1, "f", "a"), record(2, "f", "b")},
                                    programOf({{1, W}, {1, R}, {2, W}, {2, R}, {2, R}}));
  TraceSnapshot after = snapshotOf({record(5, "f", "x"), record(6, "f", "y")},
                                   programOf({{5, W}, {5, R}, {5, R}, {6, W}, {6, R}}));
  std::vector<BufferPair> expected{{1, 0, MatchedBy::Traits}, {0, 1, MatchedBy::Traits}};
  EXPECT_EQ(matchBuffers(before, after), expected);
}

TEST(BufferMatchingTest, AnotherTypeScopeOrUseIsAnotherBuffer) {
  BufferRecord wide = record(5, "f", "x");
  wide.shape = {"128"};
  TraceSnapshot before =
      snapshotOf({record(1, "f", "a"), record(2, "f", "b")}, programOf({{1, W}, {1, R}, {2, W}}));
  TraceSnapshot after =
      snapshotOf({wide, record(6, "f", "y"), record(7, "f", "z", BufferScope::SharedStatic)},
                 programOf({{5, W}, {5, R}, {6, R}, {7, W}, {7, R}}));
  for (const BufferPair &pair : matchBuffers(before, after))
    EXPECT_EQ(pair.matchedBy, MatchedBy::Nothing);
}

TEST(BufferMatchingTest, ExchangedNamesAreFoundByUse) {
  std::vector<Touch> touches{{1, W}, {1, R}, {2, W}, {2, R}, {2, R}};
  TraceSnapshot before = snapshotOf({record(1, "f", "a"), record(2, "f", "b")}, programOf(touches));
  TraceSnapshot exchanged =
      snapshotOf({record(1, "f", "b"), record(2, "f", "a")}, programOf(touches));
  std::vector<BufferPair> crossed{{0, 0, MatchedBy::Traits}, {1, 1, MatchedBy::Traits}};
  EXPECT_EQ(matchBuffers(before, exchanged), crossed);
  // Only one of them is used as the other was: the names count.
  TraceSnapshot other = snapshotOf({record(1, "f", "b"), record(2, "f", "a")},
                                   programOf({{1, W}, {1, R}, {2, W}, {2, R}}));
  std::vector<BufferPair> named{{1, 0, MatchedBy::Key}, {0, 1, MatchedBy::Key}};
  EXPECT_EQ(matchBuffers(before, other), named);
}

// Which of the two was removed cannot be told.
TEST(BufferMatchingTest, BuffersOfUnknownUseAreNotGuessedAt) {
  TraceSnapshot before = snapshotOf(
      {record(1, "f", "a", BufferScope::Local), record(2, "f", "b", BufferScope::Local)});
  TraceSnapshot one = snapshotOf({record(5, "f", "x", BufferScope::Local)});
  TraceSnapshot two = snapshotOf(
      {record(5, "f", "x", BufferScope::Local), record(6, "f", "y", BufferScope::Local)});
  EXPECT_EQ(matchBuffers(before, one).size(), 3U);
  std::vector<BufferPair> expected{{0, 0, MatchedBy::Traits}, {1, 1, MatchedBy::Traits}};
  EXPECT_EQ(matchBuffers(before, two), expected);
}

TEST(TraceDiffTest, LivesAreComparedByStatementsNotByNumbers) {
  std::vector<BufferRecord> buffers{record(1, "f", "a"), record(2, "f", "b")};
  TraceSnapshot before = snapshotOf(buffers, programOf({{1, W}, {1, R}}));
  TraceSnapshot shifted = snapshotOf(buffers, programOf({{2, W}, {2, R}, {1, W}, {1, R}}));
  TraceSnapshot longer = snapshotOf(buffers, programOf({{1, W}, {1, R}, {1, R}}));
  EXPECT_EQ(toText(diffBuffers(before, shifted)[0].changes), "same");
  EXPECT_EQ(toText(diffBuffers(before, longer)[0].changes), "lifetime changed");
}

TEST(TraceDiffTest, SharingIsAChange) {
  std::vector<BufferRecord> buffers{record(1, "f", "a"), record(2, "f", "b")};
  TraceSnapshot apart = snapshotOf(buffers);
  ArenaRecord arena;
  arena.plan.placements = {{.id = BufferId(1), .sizeBytes = 128},
                           {.id = BufferId(2), .offsetBytes = 128, .sizeBytes = 128}};
  apart.arenas = std::make_shared<const std::vector<ArenaRecord>>(1, arena);
  TraceSnapshot shared = apart;
  arena.plan.placements[0].sharesWith = {BufferId(2)};
  arena.plan.placements[1].sharesWith = {BufferId(1)};
  arena.plan.placements[1].offsetBytes = 0;
  shared.arenas = std::make_shared<const std::vector<ArenaRecord>>(1, arena);
  std::vector<BufferDiff> diffs = diffBuffers(apart, shared);
  EXPECT_EQ(toText(diffs[0].changes), "now shares");
  EXPECT_EQ(toText(diffs[1].changes), "moved, now shares");
  EXPECT_EQ(toText(diffBuffers(shared, apart)[0].changes), "no longer shares");
  EXPECT_EQ(toText(diffs[1]), "moved, now shares with a");
  EXPECT_EQ(toText(diffBuffers(shared, apart)[0]), "no longer shares with b");
}

} // namespace
