// What is worked out of a trace of another compiler, and what is not.
#include "core/recorded/foreign_trace.h"

#include "core/trace_file/trace_reader.h"
#include "core/views/findings_model.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <gtest/gtest.h>

namespace tilescope::test {
namespace {

// Two buffers of 256 bytes, at 0 and `second`; `nodes` are the children of the root.
std::string traceOf(llvm::StringRef nodes, llvm::StringRef children, int second,
                    llvm::StringRef more = "") {
  return (R"({"record":"trace","major":1,"minor":2,"compiler":"other 1","target":"sm_80"})"
          "\n"
          R"({"record":"snapshot","full":[]})"
          "\n"
          R"({"record":"buffers","buffers":[)"
          R"({"id":0,"name":"A","scope":"shared.dyn","versions":1,"sizeBytes":256},)"
          R"({"id":1,"name":"B","scope":"shared.dyn","versions":1,"sizeBytes":256},)"
          R"({"id":2,"name":"S","scope":"shared","versions":1,"sizeBytes":1000}]})"
          "\n"
          R"({"record":"accesses","accesses":[{"function":"f","program":{"nodes":[)"
          R"({"kind":"seq","children":[)" +
          children + "]}," + nodes +
          R"(],"root":0,"buffers":[{"id":0,"name":"A"},{"id":1,"name":"B"}]})" + more + "}]}\n" +
          R"({"record":"arenas","arenas":[{"function":"f","preview":false,"problem":{"buffers":[)"
          R"({"id":0,"name":"A","sizeBytes":256,"versions":1,"strideBytes":256},)"
          R"({"id":1,"name":"B","sizeBytes":256,"versions":1,"strideBytes":256}]},)"
          R"("plan":{"placements":[{"id":0,"offsetBytes":0},{"id":1,"offsetBytes":)" +
          llvm::Twine(second) + "}]}}]}\n" + R"({"record":"passEnd","name":"plan"})" + "\n")
      .str();
}

Trace read(const std::string &text) {
  Trace trace = llvm::cantFail(readTrace(text, "t"));
  EXPECT_EQ(trace.passes.size(), 1U) << trace.recovery;
  return trace;
}

// write A; barrier; read A; barrier; write B; barrier; read B
constexpr const char *InTurn =
    R"({"kind":"leaf","stmt":1,"accesses":[{"buffer":0,"kind":"write","full":true}]},)"
    R"({"kind":"barrier","stmt":2},)"
    R"({"kind":"leaf","stmt":3,"accesses":[{"buffer":0}]},)"
    R"({"kind":"barrier","stmt":4},)"
    R"({"kind":"leaf","stmt":5,"accesses":[{"buffer":1,"kind":"write","full":true}]},)"
    R"({"kind":"barrier","stmt":6},)"
    R"({"kind":"leaf","stmt":7,"accesses":[{"buffer":1}]})";
// write A; write B; barrier; read A; read B
constexpr const char *Together =
    R"({"kind":"leaf","stmt":1,"accesses":[{"buffer":0,"kind":"write","full":true}]},)"
    R"({"kind":"leaf","stmt":2,"accesses":[{"buffer":1,"kind":"write","full":true}]},)"
    R"({"kind":"barrier","stmt":3},)"
    R"({"kind":"leaf","stmt":4,"accesses":[{"buffer":0}]},)"
    R"({"kind":"leaf","stmt":5,"accesses":[{"buffer":1}]})";

TEST(ForeignTrace, WorksOutLivesAndTheLeastHeight) {
  Trace trace = read(traceOf(InTurn, "1,2,3,4,5,6,7", 256));
  const TraceSnapshot &state = trace.snapshots[0];
  const Lifetimes &lifetimes = state.accesses->front().lifetimes;
  ASSERT_EQ(lifetimes.pointCount, 7);
  EXPECT_EQ(lifetimes.buffers[0].intervals, (std::vector<LiveInterval>{{0, 3}}));
  EXPECT_EQ(lifetimes.buffers[1].intervals, (std::vector<LiveInterval>{{4, 7}}));
  const ArenaRecord &arena = state.arenas->front();
  EXPECT_FALSE(arena.preview);
  EXPECT_EQ(arena.plan.heightBytes, 512);
  EXPECT_EQ(arena.plan.certificate.boundBytes, 256);
  EXPECT_EQ(arena.problem.capacityBytes, trace.header.capacityBytes - 1000);
  EXPECT_EQ(trace.passes[0].figures->sharedBytes, 512);
}

TEST(ForeignTrace, ChecksTheirPlan) {
  Trace sound = read(traceOf(InTurn, "1,2,3,4,5,6,7", 0));
  EXPECT_EQ(sound.passes[0].verdicts.arenaSound, Verdict::Yes);
  EXPECT_EQ(sound.passes[0].verdicts.hazardFree, Verdict::Yes);
  EXPECT_EQ(sound.passes[0].verdicts.verified, Verdict::NotEstablished);
  EXPECT_TRUE(sound.diagnostics.empty());

  Trace unsound = read(traceOf(Together, "1,2,3,4,5", 128));
  EXPECT_EQ(unsound.passes[0].verdicts.arenaSound, Verdict::No);
  ASSERT_FALSE(unsound.diagnostics.empty());
  EXPECT_EQ(unsound.diagnostics[0].id, "ArenaUnsound");
}

// What their allocation would do now is as it is, though a lower one would be sound.
TEST(ForeignTrace, TakesTheirPreviewAndJudgesNothing) {
  std::string text = traceOf(Together, "1,2,3,4,5", 1024);
  text.replace(text.find("\"preview\":false"), 15, "\"preview\":true");
  Trace trace = read(text);
  const ArenaRecord &arena = trace.snapshots[0].arenas->front();
  EXPECT_TRUE(arena.preview);
  EXPECT_EQ(arena.plan.heightBytes, 1280);
  EXPECT_EQ(arena.plan.certificate.kind, Certificate().kind);
  EXPECT_EQ(trace.passes[0].verdicts.arenaSound, Verdict::NotEstablished);
  EXPECT_TRUE(trace.diagnostics.empty());
}

TEST(ForeignTrace, NamesTwoAccessesThatNoBarrierParts) {
  std::string open =
      R"({"kind":"leaf","stmt":1,"accesses":[{"buffer":0,"kind":"write","full":true}]},)"
      R"({"kind":"leaf","stmt":2,"accesses":[{"buffer":0}]})";
  Trace trace = read(traceOf(open, "1,2", 256));
  EXPECT_EQ(trace.snapshots[0].accesses->front().notFollowed,
            std::vector<std::string>{"which elements each thread touches, for 1 pairs of accesses "
                                     "without a barrier, such as 'A' and 'A'"});
}

TEST(ForeignTrace, AccusesNobodyOfWhatTheRecordDoesNotSay) {
  Trace inexact = read(traceOf(Together, "1,2,3,4,5", 128, R"(,"inexact":[0,1])"));
  EXPECT_EQ(inexact.passes[0].verdicts.arenaSound, Verdict::NotEstablished);
  EXPECT_TRUE(inexact.diagnostics.empty());
  Trace open = read(traceOf(Together, "1,2,3,4,5", 128, R"(,"notFollowed":["who knows"])"));
  EXPECT_EQ(open.passes[0].verdicts.arenaSound, Verdict::NotEstablished);
  EXPECT_EQ(open.passes[0].verdicts.hazardFree, Verdict::NotEstablished);
  EXPECT_EQ(open.snapshots[0].arenas->front().plan.certificate.kind, ProofKind::Gap);
}

// A is read whole, and only others have written its bytes since: whatever its own writes define.
TEST(ForeignTrace, FindsWhatIsReadAfterOthersAloneWrote) {
  std::string stale = R"({"kind":"leaf","stmt":1,"accesses":[{"buffer":0,"kind":"write"}]},)"
                      R"({"kind":"leaf","stmt":2,"accesses":[{"buffer":1,"kind":"write"}]},)"
                      R"({"kind":"barrier","stmt":3},)"
                      R"({"kind":"leaf","stmt":4,"accesses":[{"buffer":0,"full":true}]})";
  std::string more = R"(,"inexact":[0,1])";
  EXPECT_EQ(read(traceOf(stale, "1,2,3,4", 0, more)).passes[0].verdicts.arenaSound, Verdict::No);
  // B may have written where A is not.
  EXPECT_EQ(read(traceOf(stale, "1,2,3,4", 128, more)).passes[0].verdicts.arenaSound,
            Verdict::NotEstablished);
  std::string written = stale;
  llvm::StringRef barrier = R"({"kind":"barrier","stmt":3},)";
  written.insert(written.find(barrier),
                 R"({"kind":"leaf","stmt":5,"accesses":[{"buffer":0,"kind":"write"}]},)");
  EXPECT_EQ(read(traceOf(written, "1,2,3,4,5", 0, more)).passes[0].verdicts.arenaSound,
            Verdict::NotEstablished);
}

// What is read of A is not known, but B was written over all of it.
TEST(ForeignTrace, FindsWhatIsReadOfABufferOfWhichNothingIsLeft) {
  auto verdictOf = [](llvm::StringRef write, llvm::StringRef between) {
    std::string nodes = (R"({"kind":"leaf","stmt":1,"accesses":[{"buffer":0,"kind":"write"}]},)"
                         R"({"kind":"leaf","stmt":2,"accesses":[{"buffer":1,"kind":"write")" +
                         write + R"(}]},{"kind":"leaf","stmt":3,"accesses":[)" + between +
                         R"(]},{"kind":"barrier","stmt":4},)"
                         R"({"kind":"leaf","stmt":5,"accesses":[{"buffer":0}]})")
                            .str();
    return read(traceOf(nodes, "1,2,3,4,5", 0, R"(,"inexact":[0,1])"))
        .passes[0]
        .verdicts.arenaSound;
  };
  EXPECT_EQ(verdictOf(R"(,"full":true)", ""), Verdict::No);
  EXPECT_EQ(verdictOf("", ""), Verdict::NotEstablished);
  EXPECT_EQ(verdictOf(R"(,"full":true)", R"({"buffer":0,"kind":"write"})"),
            Verdict::NotEstablished);
  EXPECT_EQ(verdictOf(R"(,"full":true,"mayNotHappen":true)", ""), Verdict::NotEstablished);
}

// B takes bytes of A, which several writes define anew, each a part.
TEST(ForeignTrace, TakesPartsOfABufferTogether) {
  auto verdictOf = [](llvm::StringRef first, llvm::StringRef second) {
    auto part = [](llvm::StringRef bytes) {
      return (R"({"buffer":0,"kind":"write","parts":[)" + bytes + "]}").str();
    };
    std::string nodes =
        R"({"kind":"leaf","stmt":1,"accesses":[{"buffer":0,"kind":"write","full":true}]},)"
        R"({"kind":"leaf","stmt":2,"accesses":[{"buffer":1,"kind":"write","full":true}]},)"
        R"({"kind":"barrier","stmt":3},{"kind":"leaf","stmt":4,"accesses":[)" +
        part(first) + R"(]},{"kind":"leaf","stmt":5,"accesses":[)" + part(second) +
        R"(]},{"kind":"barrier","stmt":6},)"
        R"({"kind":"leaf","stmt":7,"accesses":[{"buffer":0,"full":true}]})";
    return read(traceOf(nodes, "1,2,3,4,5,6,7", 0)).passes[0].verdicts.arenaSound;
  };
  const char *firstHalf = R"({"begin":0,"end":128})", *secondHalf = R"({"begin":128,"end":256})";
  EXPECT_EQ(verdictOf(firstHalf, secondHalf), Verdict::Yes);
  EXPECT_EQ(verdictOf(firstHalf, firstHalf), Verdict::No);
  EXPECT_EQ(verdictOf(firstHalf, R"({"begin":128,"end":255})"), Verdict::No);
  EXPECT_EQ(verdictOf(firstHalf, R"({"begin":-5,"end":9000000000000000000})"), Verdict::Yes);
}

// What a leaf does depends on data; where they are 0, B is written between a write and a read of A.
TEST(ForeignTrace, FindsWhatOneRunDoes) {
  auto verdictOf = [](llvm::StringRef onZeros, llvm::StringRef more) {
    std::string nodes =
        (R"({"kind":"leaf","stmt":1,"accesses":[{"buffer":0,"kind":"write","full":true}]},)"
         R"({"kind":"leaf","stmt":2,"accesses":[{"buffer":1,"kind":"write","mayNotHappen":true}])" +
         onZeros +
         R"(},{"kind":"barrier","stmt":3},{"kind":"leaf","stmt":4,"accesses":[{"buffer":0}]})")
            .str();
    std::string text = traceOf(nodes, "1,2,3,4", 0, more), root = R"("root":0,)";
    text.replace(text.find(root), root.size(), R"("root":0,"threads":64,"zeroed":["mask"],)");
    return read(text);
  };
  constexpr const char *Written =
      R"(,"accessesOnZeros":[{"buffer":1,"kind":"write","parts":[{"begin":0,"end":4}]}])";
  EXPECT_EQ(verdictOf("", R"(,"inexact":[0])").passes[0].verdicts.arenaSound,
            Verdict::NotEstablished);
  EXPECT_EQ(verdictOf(Written, R"(,"inexact":[0])").passes[0].verdicts.arenaSound,
            Verdict::NotEstablished);
  Trace trace = verdictOf(Written, R"(,"inexact":[0],"exactOnZeros":[0])");
  EXPECT_EQ(trace.passes[0].verdicts.arenaSound, Verdict::No);
  ASSERT_FALSE(trace.diagnostics.empty());
  EXPECT_EQ(trace.diagnostics[0].notes.back().text,
            "this is so in the first block, where every element of 'mask' is 0");
}

TEST(ForeignTrace, FindsBuffersApartSoundWhateverTheOrder) {
  const char *unknown = R"(,"notFollowed":["who knows"])";
  Trace apart = read(traceOf(Together, "1,2,3,4,5", 256, unknown));
  EXPECT_EQ(apart.passes[0].verdicts.arenaSound, Verdict::Yes);
  EXPECT_EQ(apart.passes[0].verdicts.hazardFree, Verdict::NotEstablished);

  // One byte in common, and it depends on what is not known, though barriers stand between.
  Trace touching = read(traceOf(InTurn, "1,2,3,4,5,6,7", 255, unknown));
  EXPECT_EQ(touching.passes[0].verdicts.arenaSound, Verdict::NotEstablished);
  EXPECT_EQ(touching.snapshots[0].accesses->front().notFollowed,
            (std::vector<std::string>{"who knows",
                                      "whether 'A' and 'B' hold the same bytes at the same time"}));
  EXPECT_TRUE(touching.diagnostics.empty());

  // A buffer that the plan does not know may be anywhere.
  std::string lost = traceOf(Together, "1,2,3,4,5", 256, unknown);
  size_t at = lost.find(R"(,{"id":1,"name":"B","sizeBytes")");
  lost.erase(at, lost.find(']', at) - at);
  Trace trace = read(lost);
  EXPECT_EQ(trace.passes[0].verdicts.arenaSound, Verdict::NotEstablished);
  EXPECT_EQ(trace.snapshots[0].accesses->front().notFollowed.back(), "where 'B' is");
}

TEST(ForeignTrace, ClaimsNothingOfABufferWithoutAPlace) {
  std::string lost = traceOf(InTurn, "1,2,3,4,5,6,7", 256);
  size_t at = lost.find(R"(,{"id":1,"name":"B","sizeBytes")");
  lost.erase(at, lost.find(']', at) - at);
  Trace trace = read(lost);
  EXPECT_EQ(trace.passes[0].verdicts.arenaSound, Verdict::NotEstablished);
  EXPECT_EQ(trace.passes[0].verdicts.hazardFree, Verdict::NotEstablished);
  EXPECT_EQ(trace.snapshots[0].accesses->front().notFollowed,
            (std::vector<std::string>{"where 'B' is"}));
}

TEST(ForeignTrace, HasNoArenaOfStaticBuffersAlone) {
  std::string text = traceOf(InTurn, "1,2,3,4,5,6,7", 0);
  for (size_t at; (at = text.find("\"shared.dyn\"")) != std::string::npos;)
    text.replace(at, 12, "\"shared\"");
  text.replace(text.find(R"("problem":{"buffers":[)"), std::string::npos,
               R"("problem":{"buffers":[]},"plan":{}}]})"
               "\n"
               R"({"record":"passEnd","name":"plan"})"
               "\n");
  Trace trace = read(text);
  EXPECT_TRUE(trace.snapshots[0].arenas->empty());
  EXPECT_EQ(trace.passes[0].verdicts.arenaSound, Verdict::Yes);
}

TEST(ForeignTrace, ProvesAPlanWithLessOrderThanThereIs) {
  const char *unknown = R"(,"notOrdered":["what mbarriers order"])";
  Trace sound = read(traceOf(InTurn, "1,2,3,4,5,6,7", 0, unknown));
  EXPECT_EQ(sound.passes[0].verdicts.arenaSound, Verdict::Yes);
  EXPECT_EQ(sound.passes[0].verdicts.hazardFree, Verdict::NotEstablished);
  EXPECT_EQ(sound.snapshots[0].arenas->front().plan.certificate.kind, ProofKind::Gap);

  Trace faulty = read(traceOf(Together, "1,2,3,4,5", 128, unknown));
  EXPECT_EQ(faulty.passes[0].verdicts.arenaSound, Verdict::NotEstablished);
  EXPECT_TRUE(faulty.diagnostics.empty());
  EXPECT_EQ(faulty.snapshots[0].accesses->front().notFollowed,
            (std::vector<std::string>{"whether 'A' and 'B' hold the same bytes at the same time"}));
}

TEST(ForeignTrace, AsksForAFenceOnOneSideOfTheBarrier) {
  std::string write = R"({"kind":"leaf","stmt":1,"accesses":[{"buffer":0,"kind":"write"}]},)";
  std::string fence = R"({"kind":"proxyFence","stmt":2},)";
  std::string barrier = R"({"kind":"barrier","stmt":3},)";
  std::string store = R"({"kind":"leaf","stmt":4,)"
                      R"("accesses":[{"buffer":0,"async":true,"queue":1,"asyncProxy":true}]})";
  Trace before = read(traceOf(write + fence + barrier + store, "1,2,3,4", 256));
  EXPECT_EQ(before.passes[0].verdicts.hazardFree, Verdict::Yes);
  Trace behind = read(traceOf(write + barrier + fence + store, "1,2,3,4", 256));
  EXPECT_EQ(behind.passes[0].verdicts.hazardFree, Verdict::Yes);
  Trace without = read(traceOf(write + barrier + store, "1,2,3", 256));
  EXPECT_EQ(without.passes[0].verdicts.hazardFree, Verdict::NotEstablished);
  EXPECT_EQ(without.snapshots[0].accesses->front().notFollowed,
            (std::vector<std::string>{"whether TMA and wgmma see what threads did, for 1 pairs of "
                                      "accesses without a fence, such as 'A' and 'A'"}));
}

// A role uses A, and behind the roles, without a barrier, B has the same bytes.
TEST(ForeignTrace, TakesWhatFollowsRolesAsTheFormatMeansIt) {
  const char *nodes =
      R"({"kind":"roles","stmt":1,"children":[2,3]},)"
      R"({"kind":"leaf","stmt":2,"accesses":[{"buffer":0,"kind":"write","full":true}]},)"
      R"({"kind":"seq","children":[4]},)"
      R"({"kind":"barrier","scope":"warp","stmt":3},)"
      R"({"kind":"leaf","stmt":4,"accesses":[{"buffer":1,"kind":"write","full":true}]})";
  for (int minor : {2, 4, 5}) {
    std::string text = traceOf(nodes, "1,5", 0), version = R"("minor":2)";
    text.replace(text.find(version), version.size(), R"("minor":)" + std::to_string(minor));
    EXPECT_EQ(read(text).passes[0].verdicts.arenaSound,
              minor < 5 ? Verdict::Yes : Verdict::NotEstablished)
        << minor;
  }
}

TEST(ForeignTrace, LeavesAloneWhatMakesNoSense) {
  for (const char *node :
       {R"({"kind":"if","stmt":1})", R"({"kind":"loop","stmt":1})",
        R"({"kind":"leaf","stmt":1,"accesses":[{"buffer":9}]})",
        R"({"kind":"leaf","stmt":1,"accesses":[{"buffer":0,"slot":{"offset":1}}]})",
        R"({"kind":"leaf","stmt":1,"accesses":[],"accessesOnZeros":[{"buffer":9}]})",
        R"({"kind":"barrier","stmt":1,"accessesOnZeros":[{"buffer":0}]})",
        R"({"kind":"leaf","stmt":1,"accesses":[{"buffer":0,"slot":{"kind":"loop","modulus":0}}]})",
        R"({"kind":"namedBarrier","stmt":1,"barrierId":-1,"threads":1})",
        R"({"kind":"wait","stmt":1,"pending":-1})"}) {
    Trace trace = read(traceOf(node, "1", 0));
    const AccessRecord &access = trace.snapshots[0].accesses->front();
    EXPECT_EQ(access.lifetimes.pointCount, 0) << node;
    EXPECT_EQ(access.notFollowed, (std::vector<std::string>{"what its accesses mean"})) << node;
    EXPECT_EQ(trace.passes[0].verdicts.arenaSound, Verdict::NotEstablished) << node;
  }
}

TEST(ForeignTrace, DoesNotWorkOutHugePrograms) {
  std::string nodes, children;
  for (int i = 1; i <= 5000; ++i) {
    nodes += (i == 1 ? "" : ",") + std::string(R"({"kind":"barrier","stmt":1})");
    children += (i == 1 ? "" : ",") + std::to_string(i);
  }
  Trace trace = read(traceOf(nodes, children, 0));
  EXPECT_EQ(trace.snapshots[0].accesses->front().notFollowed,
            (std::vector<std::string>{"what so many accesses lead to"}));
}

TEST(ForeignTrace, DoesNotWorkOutALeafOfManyAccesses) {
  std::string accesses = R"({"buffer":0})";
  for (int count = 1; count != 20000; ++count)
    accesses += R"(,{"buffer":0})";
  Trace trace = read(traceOf(R"({"kind":"leaf","stmt":1,"accesses":[)" + accesses + "]}", "1", 0));
  EXPECT_EQ(trace.snapshots[0].accesses->front().notFollowed,
            (std::vector<std::string>{"what so many accesses lead to"}));
}

TEST(ForeignTrace, DoesNotWalkLongWhereNothingIsReadOrWritten) {
  std::vector<std::string> nodes{R"({"kind":"seq"})", R"({"kind":"barrier"})"};
  auto add = [&](const std::string &node) {
    nodes.push_back(node);
    return std::to_string(nodes.size());
  };
  std::string nest = "1", guards;
  for (int loop = 100; loop != 108; ++loop) {
    std::string stmt = std::to_string(loop);
    nest = add(
        (llvm::Twine(R"({"kind":"loop","stmt":)") + stmt + R"(,"children":[)" + nest + "]}").str());
    std::string body = add(R"({"kind":"seq"})");
    guards += ",";
    guards += add((llvm::Twine(R"({"kind":"if","stmt":9,"guardDistance":64,"guardLoop":)") + stmt +
                   R"(,"children":[)" + body + "]}")
                      .str());
  }
  Trace trace = read(traceOf(llvm::join(nodes, ","), nest + guards + ",2", 0));
  EXPECT_EQ(trace.snapshots[0].accesses->front().notFollowed,
            (std::vector<std::string>{"what so many accesses lead to"}));
  EXPECT_EQ(trace.passes[0].verdicts.arenaSound, Verdict::NotEstablished);
}

TEST(ForeignTrace, CountsCopiesIntoABufferWithoutVersions) {
  std::string copy = R"({"kind":"leaf","accesses":[{"buffer":0,"kind":"write","async":true,)"
                     R"("slot":{"kind":"dynamic"}}]})";
  std::string nodes = copy, children = "1";
  for (int number = 2; number != 200; ++number) {
    nodes += "," + copy;
    children += "," + std::to_string(number);
  }
  std::string text = traceOf(nodes, children, 0), buffer = R"("buffers":[{"id":0,"name":"A"})";
  text.insert(text.find(buffer) + buffer.size() - 1, R"(,"versions":0)");
  EXPECT_EQ(read(text).snapshots[0].accesses->front().notFollowed,
            (std::vector<std::string>{"what so many accesses lead to"}));
}

TEST(ForeignTrace, LeavesOurTracesAlone) {
  std::string text = traceOf(InTurn, "1,2,3,4,5,6,7", 256);
  text.replace(text.find("other 1"), 7, "");
  Trace trace = read(text);
  EXPECT_EQ(trace.snapshots[0].accesses->front().lifetimes.pointCount, 0);
}

} // namespace
TEST(ForeignTraceTest, AKernelWithoutAnArenaIsNotSaidToLackAPlan) {
  Trace trace;
  trace.header.compiler = "other 1.0";
  trace.complete = true;
  trace.snapshots.resize(1);
  trace.passes.push_back({.name = "last"});
  std::vector<FindingAnswer> answers = answersOf(buildFindings(trace, Selection()));
  EXPECT_EQ(answers[1].verdict, Verdict::NotEstablished);
  EXPECT_EQ(answers[1].why, "the kernel uses no dynamic shared memory");
}

} // namespace tilescope::test
