// Programs that were recorded for sm_90a, with roles and mbarriers: what is said of them as they
// are, and with faults planted in them.
#include "core/recorded/foreign_trace.h"

#include "core/trace_file/trace_reader.h"
#include "tests/source_folder.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

namespace tilescope::test {
namespace {

using Fault = void (*)(AccessProgram &);

// A recorded trace in which a fault was planted, and of which the recorder could not say something.
Trace withFault(llvm::StringRef name, Fault fault,
                const std::vector<std::string> &notOrdered = {}) {
  std::string path = inSourceFolder("testdata/traces/" + name.str() + ".trace");
  Trace trace = llvm::cantFail(readTraceFile(path));
  TraceSnapshot &snapshot = trace.snapshots.back();
  std::vector<AccessRecord> accesses = *snapshot.accesses;
  for (AccessRecord &access : accesses) {
    access.notFollowed.clear();
    access.notOrdered = notOrdered;
    fault(access.program);
  }
  trace.diagnostics.clear();
  snapshot.accesses = std::make_shared<const std::vector<AccessRecord>>(std::move(accesses));
  completeForeign(trace);
  return trace;
}

using NodeKind = AccessNode::Kind;

void leaveAsItIs(AccessProgram & /*program*/) {}
void dropArrivals(AccessProgram &program) {
  for (AccessNode &node : program.nodes)
    if (node.kind == NodeKind::Arrive && node.oneThread)
      node = AccessNode();
}
void dropWaitsOfReaders(AccessProgram &program) {
  for (AccessNode &node : program.nodes)
    if (node.kind == NodeKind::WaitPhase && node.parity.counter.offset == 0)
      node = AccessNode();
}
void dropWaitsOfLoaders(AccessProgram &program) {
  for (AccessNode &node : program.nodes)
    if (node.kind == NodeKind::WaitPhase && node.parity.counter.offset != 0)
      node = AccessNode();
}
void turnParities(AccessProgram &program) {
  for (AccessNode &node : program.nodes)
    if (node.kind == NodeKind::WaitPhase)
      node.parity.counter.offset += node.parity.divisor;
}
void expectLess(AccessProgram &program) {
  for (AccessNode &node : program.nodes)
    if (node.kind == NodeKind::Expect)
      node.bytes -= 16;
}
void wantMoreArrivals(AccessProgram &program) {
  for (AccessMbarrier &mbarrier : program.mbarriers)
    mbarrier.arrivals += 1;
}
void forgetLengths(AccessProgram &program) {
  for (AccessNode &node : program.nodes)
    if (node.kind == NodeKind::Loop)
      node.maxTrips.reset();
}
// Data decide how often loops run, and where they are 0 no loop does.
void takeLengthsFromData(AccessProgram &program) {
  forgetLengths(program);
  program.zeroed = {"lengths"};
  for (AccessNode &node : program.nodes)
    if (node.kind == NodeKind::Loop)
      node.onZeros = 0;
}
// The writes of O and C before the last wait for a load.
void writeEarly(AccessProgram &program) {
  for (AccessNode &node : program.nodes)
    if (node.kind == NodeKind::Seq && node.children.size() > 2 &&
        program.nodes[node.children[0]].kind == NodeKind::Loop)
      std::rotate(node.children.begin(), node.children.begin() + 2, node.children.end());
}

void dropFences(AccessProgram &program) {
  for (AccessNode &node : program.nodes)
    if (node.kind == NodeKind::ProxyFence)
      node = AccessNode();
}
// TileLang's fence stands behind the barrier, in the one thread that stores; here ahead of it.
void swapFences(AccessProgram &program, bool isOfAll) {
  auto isFence = [&](uint32_t index) { return program.nodes[index].kind == NodeKind::ProxyFence; };
  for (AccessNode &node : program.nodes) {
    auto fence = llvm::find_if(node.children, isFence);
    if (fence == node.children.end() || fence == node.children.begin())
      continue;
    program.nodes[*fence].oneThread = !isOfAll;
    std::swap(fence[0], fence[-1]);
  }
}
void fenceOfAllAhead(AccessProgram &program) { swapFences(program, true); }
void fenceOfOneAhead(AccessProgram &program) { swapFences(program, false); }

TEST(ForeignRoles, FindsPlansOfRolesSoundByTheirMbarriers) {
  for (const char *name : {"roles_gemm_sm_90a", "roles_attention_sm_90a"})
    for (Fault change : {leaveAsItIs, fenceOfAllAhead}) {
      Trace trace = withFault(name, change);
      EXPECT_EQ(trace.passes.back().verdicts.arenaSound, Verdict::Yes) << name;
      EXPECT_EQ(trace.passes.back().verdicts.hazardFree, Verdict::Yes) << name;
      EXPECT_TRUE(trace.diagnostics.empty()) << name;
    }
}

void shareElements(AccessProgram &program) {
  for (AccessNode &node : program.nodes)
    for (Access &access : node.accesses)
      access.sharesElements = access.kind == AccessKind::Write && !access.async;
}

TEST(ForeignRoles, ClaimsNothingWhereThreadsOfOneStatementMayMeet) {
  Trace trace = withFault("roles_gemm_sm_90a", shareElements);
  EXPECT_EQ(trace.passes.back().verdicts.arenaSound, Verdict::Yes);
  EXPECT_EQ(trace.passes.back().verdicts.hazardFree, Verdict::NotEstablished);
  EXPECT_TRUE(trace.diagnostics.empty());
}

TEST(ForeignRoles, AccusesNobodyWhereARecorderLeftOutOrder) {
  Trace trace = withFault("roles_gemm_sm_90a", leaveAsItIs, {"what mbarriers order"});
  EXPECT_EQ(trace.passes.back().verdicts.hazardFree, Verdict::NotEstablished);
  EXPECT_TRUE(trace.diagnostics.empty());
}

TEST(ForeignRoles, FindsAFenceThatIsMissingOrOfTheWrongThread) {
  for (const char *name : {"roles_gemm_sm_90a", "roles_attention_sm_90a"})
    for (Fault fault : {dropFences, fenceOfOneAhead}) {
      Trace trace = withFault(name, fault);
      EXPECT_EQ(trace.passes.back().verdicts.arenaSound, Verdict::Yes) << name;
      EXPECT_EQ(trace.passes.back().verdicts.hazardFree, Verdict::No) << name;
      ASSERT_EQ(trace.diagnostics.size(), 1U) << name;
      EXPECT_NE(trace.diagnostics[0].text.find("no fence orders that"), std::string::npos);
    }
}

TEST(ForeignRoles, FindsWrongMbarriers) {
  const std::pair<const char *, Fault> faults[] = {
      {"arrivals", dropArrivals},           {"waits of readers", dropWaitsOfReaders},
      {"parities", turnParities},           {"bytes", expectLess},
      {"arrival counts", wantMoreArrivals}, {"lengths", forgetLengths},
      {"early writes", writeEarly},         {"waits of loaders", dropWaitsOfLoaders}};
  for (const char *name : {"roles_gemm_sm_90a", "roles_attention_sm_90a"})
    for (auto [what, fault] : faults) {
      // Q and O, which share bytes, are not what the loading role waits for.
      bool isHarmless =
          fault == dropWaitsOfLoaders && llvm::StringRef(name) == "roles_attention_sm_90a";
      Trace trace = withFault(name, fault);
      EXPECT_EQ(trace.passes.back().verdicts.arenaSound == Verdict::Yes, isHarmless)
          << name << " " << what;
      EXPECT_EQ(trace.passes.back().verdicts.hazardFree,
                fault == forgetLengths ? Verdict::NotEstablished : Verdict::No)
          << name << " " << what;
      EXPECT_EQ(trace.diagnostics.empty(), fault == forgetLengths);
    }
}

TEST(ForeignRoles, FindsFaultsOfRunsWhoseDataAreZero) {
  // O is written over Q, whose copy is waited for in the first iteration.
  Trace attention = withFault("roles_attention_sm_90a", takeLengthsFromData);
  EXPECT_EQ(attention.passes.back().verdicts.arenaSound, Verdict::No);
  EXPECT_EQ(attention.passes.back().verdicts.hazardFree, Verdict::No);
  ASSERT_FALSE(attention.diagnostics.empty());
  EXPECT_EQ(attention.diagnostics[0].notes.back().text,
            "this is so in the first block, where every element of 'lengths' is 0");
  // A run without fault shows nothing of the others.
  Trace gemm = withFault("roles_gemm_sm_90a", takeLengthsFromData);
  EXPECT_EQ(gemm.passes.back().verdicts.arenaSound, Verdict::NotEstablished);
  EXPECT_TRUE(gemm.diagnostics.empty());
}

TEST(ForeignRoles, SaysWhichStatementOrdersNothing) {
  Trace trace = withFault("roles_gemm_sm_90a", expectLess);
  std::string why = trace.snapshots.back().accesses->front().notOrdered.front();
  EXPECT_TRUE(llvm::StringRef(why).starts_with("what mbarrier 'mbarrier[0]' orders, since "))
      << why;
  EXPECT_NE(why.find(" of the IR)"), std::string::npos) << why;
}

} // namespace
} // namespace tilescope::test
