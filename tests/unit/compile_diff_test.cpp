// Run alone: unit_tests --gtest_filter='PeakPayers*:FailCondition*:CudaDiff*:CompileDiff*'
#include "core/diff/compile_diff.h"
#include "core/diff/fail_condition.h"
#include "core/plan/planner.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

#include <random>

using namespace tilescope;

namespace {

// Buffers with the same index are the same buffer.
struct Sides {
  ArenaRecord before;
  ArenaRecord after;
  std::vector<BufferDiff> buffers;
};

BufferId idOf(size_t index) { return BufferId(static_cast<uint32_t>(index)); }

ArenaRecord planned(ArenaProblem problem) {
  ArenaRecord arena;
  arena.plan = planArena(problem, 1000);
  arena.problem = std::move(problem);
  return arena;
}

// Up to ten buffers a side; some are on one side only, sizes and lives differ.
Sides randomSides(std::mt19937 &random) {
  auto upTo = [&](int64_t most) { return std::uniform_int_distribution<int64_t>(0, most)(random); };
  Sides sides;
  ArenaProblem before, after;
  for (size_t index = 0; index < 10; ++index) {
    BufferDiff diff;
    for (auto [problem, state] : {std::pair(&before, &diff.before), {&after, &diff.after}}) {
      if (upTo(4) == 0)
        continue;
      ArenaBuffer buffer;
      buffer.id = idOf(index);
      buffer.name = "b" + std::to_string(index);
      buffer.sizeBytes = 16 + upTo(200);
      buffer.alignmentBytes = int64_t(16) << upTo(3);
      auto begin = static_cast<ProgramPoint>(upTo(12));
      buffer.live = {{begin, begin + 1 + static_cast<ProgramPoint>(upTo(6))}};
      state->emplace().id = buffer.id;
      (*state)->name = buffer.name;
      problem->buffers.push_back(buffer);
    }
    if (diff.before || diff.after)
      sides.buffers.push_back(diff);
  }
  sides.before = planned(before);
  sides.after = planned(after);
  return sides;
}

TEST(PeakPayers, AddUpToTheGrowth) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    Sides sides = randomSides(random);
    for (bool hasBefore : {true, false}) {
      int64_t paid = 0;
      for (const PeakPayer &payer :
           peakPayers(hasBefore ? &sides.before : nullptr, &sides.after, sides.buffers)) {
        EXPECT_NE(payer.deltaBytes(), 0);
        paid += payer.deltaBytes();
      }
      EXPECT_EQ(paid,
                sides.after.plan.heightBytes - (hasBefore ? sides.before.plan.heightBytes : 0));
    }
  }
}

// a |####|       before: 64 at point 0 as well as at point 1
// b     |####|   after: b grew, so the peak is where b lives, and a has nothing to do with it
TEST(PeakPayers, NameTheBufferThatGrewWherePeaksWereEqual) {
  auto side = [](int64_t bytesOfB) {
    ArenaProblem problem;
    problem.buffers.push_back({.id = idOf(0), .name = "a", .sizeBytes = 64, .live = {{0, 1}}});
    problem.buffers.push_back(
        {.id = idOf(1), .name = "b", .sizeBytes = bytesOfB, .live = {{1, 2}}});
    return planned(problem);
  };
  std::vector<BufferDiff> buffers(2);
  for (size_t index : {0, 1})
    for (std::optional<BufferState> *state : {&buffers[index].before, &buffers[index].after}) {
      state->emplace().id = idOf(index);
      (*state)->name = index == 0 ? "a" : "b";
    }
  ArenaRecord before = side(64), after = side(96);
  std::vector<PeakPayer> payers = peakPayers(&before, &after, buffers);
  ASSERT_EQ(payers.size(), 1U);
  EXPECT_EQ(payers[0].buffer, "b");
  EXPECT_EQ(payers[0].deltaBytes(), 32);
}

TEST(CudaDiff, CountsCodeAndNotComments) {
  CudaDiff same = diffCuda("// line 7\nint a; // the first\n\n", "  int a; // line 8\n");
  EXPECT_TRUE(same.isSameCode());
  EXPECT_TRUE(same.hasOtherComments);
  CudaDiff other = diffCuda("int a;\nint b;\n", "int a;\nint c;\nint d;\n");
  EXPECT_EQ(other.added, 2);
  EXPECT_EQ(other.removed, 1);
}

TEST(CompileDiff, CountsCopiesOfTheKernelsAlone) {
  Trace trace;
  trace.cuda = "__device__ void cp_async(void *a) { copy_vector<4>(a); }\n"
               "extern \"C\" __global__ void k() {\n"
               "  cp_async<16>(&a[0], &b[0]); // cp_async<8>(x)\n"
               "  my_ldmatrix(a); ldmatrix_x4(r, &s[f(1)]);\n"
               "  cp_async_commit(); cp_async_wait<0>();\n}\n";
  std::map<std::string, int64_t> expected{{"cp_async<16>", 1}, {"ldmatrix_x4", 1}};
  EXPECT_EQ(codeFactsOf(trace).copies, expected);
}

// "simplify" changes its text the second time only, and bytes with it.
Trace secondSimplify(const char *text, int64_t bytes) {
  Trace trace;
  trace.lines.push_back({"same", StmtId(0), {}, {}});
  trace.lines.push_back({text, StmtId(0), {}, {}});
  for (LineId line = 0; line != 2; ++line) {
    trace.snapshots.emplace_back().lines =
        std::make_shared<const std::vector<LineId>>(std::vector<LineId>{line});
    TracePass pass{"simplify", "", 0, PassStatus::Changed, line};
    pass.figures = PassFigures{0, 0, line == 0 ? 0 : bytes, true};
    trace.passes.push_back(std::move(pass));
  }
  return trace;
}

TEST(CompileDiff, TellsPassesOfOneNameApart) {
  CompileDiff diff = diffCompiles(secondSimplify("a", 16), secondSimplify("b", 32));
  EXPECT_EQ(diff.firstIrDifference, "simplify#2");
  ASSERT_TRUE(diff.firstBytesDifference);
  EXPECT_EQ(diff.firstBytesDifference->pass, "simplify#2");
}

Trace ofPasses(const std::vector<std::pair<const char *, int64_t>> &bytesAfter) {
  Trace trace;
  trace.snapshots.emplace_back();
  for (auto [name, bytes] : bytesAfter) {
    TracePass pass{name, "", 0, PassStatus::Changed, 0};
    pass.figures = PassFigures{0, 0, bytes, true};
    trace.passes.push_back(std::move(pass));
  }
  return trace;
}

TEST(CompileDiff, BlamesThePassThatChangedTheBytes) {
  Trace before = ofPasses({{"plan", 48}, {"simplify", 48}, {"merge", 48}});
  auto parting = [&](const std::vector<std::pair<const char *, int64_t>> &passes) {
    std::optional<BytesDifference> difference =
        diffCompiles(before, ofPasses(passes)).firstBytesDifference;
    return difference ? difference->pass + " " + std::to_string(difference->bytesAfter) : "";
  };
  EXPECT_EQ(parting({{"plan", 48}, {"roles", 64}, {"simplify", 64}, {"merge", 64}}), "roles 64");
  EXPECT_EQ(parting({{"plan", 48}, {"roles", 64}, {"back", 48}, {"simplify", 48}, {"merge", 40}}),
            "merge 40");
  EXPECT_EQ(parting({{"plan", 48}, {"simplify", 48}, {"merge", 48}, {"pad", 52}}), "pad 52");
  EXPECT_EQ(parting({{"plan", 48}, {"simplify", 48}, {"merge", 48}}), "");
}

TEST(DiffVerdict, SaysWhatIsSurelyBetterOrWorse) {
  using enum DiffReason;
  const std::pair<std::vector<DiffReason>, const char *> cases[] = {
      {{}, "same"},
      {{Unsound, WasUnsound}, "same"},
      {{OverCapacity, WasOverCapacity, Ir}, "changed"},
      {{Unsound, PeakShrank, OccupancyRose}, "worse"},
      {{WasUnsound, PeakGrew, OccupancyFell}, "better"},
      {{WasUnsound, OverCapacity}, "worse"},
      {{PeakGrew, MoreBarriers, Pipeline}, "larger"},
      {{PeakShrank, MoreBarriers}, "worse"},
      {{PeakGrew, FewerBarriers}, "better"},
      {{OccupancyRose, MoreBarriers}, "better"},
      {{OccupancyFell, FewerBarriers}, "worse"},
      {{PeakShrank, Cuda}, "smaller"},
      {{NotCompared, OccupancyRose}, "not-compared"},
      {{Failed, New}, "failed"},
      {{New, Unsound}, "worse"},
      {{Fixed}, "better"},
  };
  for (const auto &[reasons, expected] : cases)
    EXPECT_STREQ(nameOf(verdictOf(reasons)), expected);
}

// A kernel that needed 1,000 bytes before.
bool holdsAt(const std::string &text, int64_t peakAfter) {
  CompileDiff diff;
  FunctionDiff &function = diff.functions.emplace_back();
  function.kernel.before.emplace().peakBytes = 1000;
  function.kernel.after.emplace().peakBytes = peakAfter;
  std::vector<FailCondition> conditions = llvm::cantFail(parseFailConditions(text));
  return llvm::any_of(conditions, [&](const FailCondition &condition) {
    return holds(condition, &diff, reasonsOf(diff));
  });
}

TEST(FailCondition, ComparesWithThresholds) {
  EXPECT_TRUE(holdsAt("peak>", 1001));
  EXPECT_FALSE(holdsAt("peak>", 1000));
  EXPECT_TRUE(holdsAt("peak<", 999));
  EXPECT_FALSE(holdsAt("peak>+24", 1024));
  EXPECT_TRUE(holdsAt("peak>+24B", 1025));
  EXPECT_FALSE(holdsAt("peak>+10%", 1100));
  EXPECT_TRUE(holdsAt("peak>+10%", 1101));
  EXPECT_TRUE(holdsAt("peak<-10%", 899));
  EXPECT_TRUE(holdsAt("peak>1KiB", 1025));
  EXPECT_FALSE(holdsAt("peak>1KiB", 1024));
  EXPECT_TRUE(holdsAt("peak > 0.5KiB", 513));
  EXPECT_FALSE(holdsAt("peak > 0.5KiB", 512));
  EXPECT_TRUE(holdsAt("peak >= 0.5 KiB", 512));
  EXPECT_TRUE(holdsAt("peak<=1GiB", 1001));
  EXPECT_TRUE(holdsAt("peak >= +10 %", 1100));
  EXPECT_FALSE(holdsAt("peak > +1KiB", 2024));
  EXPECT_TRUE(holdsAt("unsound, peak-grew", 1001));
  EXPECT_FALSE(holdsAt("peak-grew", 999));
  EXPECT_TRUE(holdsAt("any", 999));
}

TEST(FailCondition, OfNewKernelsOnlyWhatTheyAre) {
  CompileDiff diff;
  diff.isNew = true;
  diff.functions.emplace_back().kernel.after.emplace().peakBytes = 1000;
  diff.codeAfter.barriers = 4;
  auto holdsFor = [&](const std::string &text) {
    return holds(llvm::cantFail(parseFailConditions(text)).front(), &diff, {DiffReason::New});
  };
  EXPECT_TRUE(holdsFor("peak>999"));
  EXPECT_TRUE(holdsFor("barriers>3"));
  EXPECT_FALSE(holdsFor("peak>"));
  EXPECT_FALSE(holdsFor("barriers>"));
  EXPECT_TRUE(holdsFor("new"));
}

TEST(FailCondition, RefusesWhatItDoesNotKnow) {
  for (const char *text : {"", "peak>>", "peak>5%", "peak>+1KB", "peak>=", "peak>nan", "peak>1e5",
                           "occupancy<1KiB", "peak=3", "height>", "peak>,,cuda", "peak>+-1"})
    EXPECT_FALSE(llvm::errorToBool(parseFailConditions(text).takeError()) == false) << text;
}

} // namespace
