// Verdicts on plans and hazards of programs with roles, against all orders of their threads: a
// "yes" is one in every order. Run alone: unit_tests --gtest_filter='ArenaOrders*'
#include "core/access/happens_before.h"
#include "core/check/arena_check.h"
#include "core/check/run_overwrites.h"
#include "core/check/step_hazards.h"
#include "core/plan/planner.h"
#include "core/recorded/foreign_trace.h"
#include "core/recorded/program_limits.h"
#include "tests/unit/byte_orders.h"
#include "tests/unit/memory_programs.h"
#include "tests/unit/random_seeds.h"
#include "tests/unit/role_programs.h"

#include <gtest/gtest.h>

namespace tilescope::test {
namespace {

// A program, and where its buffers lie.
struct Placed {
  AccessProgram program;
  ArenaProblem problem;
  std::vector<BufferBytes> bytes;
  unsigned choices = 0; // what conditions and lengths turn out to be

  bool isClobbered() const { return canGoWrong<ClobberedByte>(program, bytes, choices); }
  bool isRaced() const { return canGoWrong<RacedByte>(program, bytes, choices); }
  bool isStuck() const { return canGoWrong<Stuck>(program, bytes, choices); }

  // Two buffers that are accessed have bytes in common.
  bool sharesBytes() const {
    std::set<size_t> touched;
    for (uint32_t leaf : leavesInOrder(program))
      for (const Access &access : program.nodes[leaf].accesses)
        touched.insert(*indexOf(program, access.buffer));
    return llvm::any_of(byteOwners(program, bytes), [&](const ByteOwners &owners) {
      std::set<size_t> buffers;
      for (auto [buffer, slot] : owners)
        if (touched.count(buffer))
          buffers.insert(buffer);
      return buffers.size() > 1;
    });
  }

  std::string text() const {
    std::string text = toString(program);
    for (const BufferBytes &place : bytes)
      text += "at " + std::to_string(place.offsetBytes) + ", " + std::to_string(place.sizeBytes) +
              " bytes\n";
    for (const AccessMbarrier &mbarrier : program.mbarriers)
      text += mbarrier.name + ": " + std::to_string(mbarrier.arrivals) + " arrivals\n";
    for (const AccessNode &node : program.nodes)
      for (int64_t threads : node.laneThreads)
        text += "lane of " + std::to_string(threads) + "\n";
    return text + "block of " + std::to_string(program.threads) + "\n";
  }
};

// Every third is a ring, most of those with faults.
AccessProgram programOf(unsigned seed) {
  std::mt19937 random(seed);
  if (seed % 3 != 0)
    return RandomRoles(seed).make();
  AccessProgram program = ring(randomShape(random));
  for (unsigned changes = random() % 3; changes != 0; --changes)
    mutate(program, random);
  return program;
}

Placed somewhere(unsigned seed) {
  Placed placed{programOf(seed), {}, {}, seed / 5};
  std::mt19937 random(seed + 1);
  placed.problem = problemOf(placed.program);
  for (const ArenaBuffer &buffer : placed.problem.buffers)
    placed.bytes.push_back({buffer.id, 16 * static_cast<int64_t>(random() % 4), buffer.strideBytes,
                            buffer.strideBytes});
  return placed;
}

Placed planned(unsigned seed) {
  Placed placed{programOf(seed), {}, {}, seed / 5};
  placed.problem = problemOf(placed.program);
  placed.bytes = bytesOf(placed.problem, planArena(placed.problem));
  return placed;
}

// What is said of a trace that has recorded the program and the plan.
Verdict arenaVerdictOf(const Placed &placed) {
  Trace trace;
  trace.header.compiler = "other 1";
  trace.snapshots.resize(1);
  trace.passes.push_back({.name = "plan"});
  std::vector<BufferRecord> buffers;
  ArenaRecord arena;
  arena.function = "f";
  arena.preview = false;
  arena.problem = placed.problem;
  for (auto [buffer, place] : llvm::zip(placed.problem.buffers, placed.bytes)) {
    buffers.push_back({.id = buffer.id,
                       .name = buffer.name,
                       .scope = BufferScope::SharedDynamic,
                       .versions = buffer.versions,
                       .sizeBytes = buffer.sizeBytes});
    arena.plan.placements.push_back({.id = buffer.id, .offsetBytes = place.offsetBytes});
  }
  AccessRecord access;
  access.function = "f";
  access.program = placed.program;
  TraceSnapshot &state = trace.snapshots[0];
  state.buffers = std::make_shared<const std::vector<BufferRecord>>(std::move(buffers));
  state.arenas = std::make_shared<const std::vector<ArenaRecord>>(1, std::move(arena));
  state.accesses = std::make_shared<const std::vector<AccessRecord>>(1, std::move(access));
  completeForeign(trace);
  return trace.passes[0].verdicts.arenaSound;
}

bool isSynchronisation(const AccessNode &node) {
  return isLeaf(node) && node.kind != AccessNode::Kind::Leaf;
}

// The same without some barrier, wait, arrival.
bool isClobberedWithoutSome(const Placed &placed) {
  for (uint32_t index = 0; index != placed.program.nodes.size(); ++index) {
    if (!isSynchronisation(placed.program.nodes[index]))
      continue;
    Placed without = placed;
    for (AccessNode &node : without.program.nodes)
      llvm::erase(node.children, index);
    if (without.isClobbered())
      return true;
  }
  return false;
}

// Of programs, by verdict and by whether some order is wrong.
struct Count {
  int all = 0;
  int wrong = 0;

  void add(bool isWrong) {
    ++all;
    wrong += isWrong;
  }
};

TEST(ArenaOrders, NoPlanIsFoundSoundThatSomeOrderBreaks) {
  Count yes, no, open, spoilt;
  int tails = 0;
  for (unsigned seed = 0; seed != seedsOf(1800); ++seed) {
    Placed placed = somewhere(seed);
    if (!placed.sharesBytes())
      continue;
    // All of "yes" and "no" are held against the orders, of the rest some.
    Verdict verdict = arenaVerdictOf(placed);
    if (verdict == Verdict::NotEstablished && seed % 4 != 0)
      continue;
    bool isWrong = placed.isClobbered();
    tails += verdict == Verdict::Yes && computeHappensBefore(placed.program).tail;
    (verdict == Verdict::Yes ? yes : verdict == Verdict::No ? no : open).add(isWrong);
    EXPECT_FALSE(verdict == Verdict::Yes && isWrong) << "seed " << seed << "\n" << placed.text();
    if (verdict == Verdict::Yes && seed % 2 == 0)
      spoilt.add(isClobberedWithoutSome(placed));
  }
  EXPECT_GT(tails, ofSeeds(100));
  EXPECT_GT(no.wrong, ofSeeds(10));
  EXPECT_GT(open.wrong, ofSeeds(20));
  // What was found sound is easily broken, and seen to be; among few programs none may be.
  EXPECT_GE(spoilt.wrong, ofSeeds(5));
}

TEST(ArenaOrders, WhatOneExecutionOverwritesSomeOrderDoes) {
  Count found;
  for (unsigned seed = 0; seed != seedsOf(1800); ++seed) {
    Placed placed = somewhere(seed);
    LaneSteps lanes = followSteps(placed.program).steps.lanes;
    if (!whyNotFollowed(placed.program) &&
        !findRunOverwrites(placed.program, placed.bytes, lanes, {}).empty())
      found.add(placed.isClobbered());
    ASSERT_EQ(found.wrong, found.all) << "seed " << seed << "\n" << placed.text();
  }
  EXPECT_GT(found.all, ofSeeds(50));
}

TEST(ArenaOrders, PlansByLivesHoldInEveryOrder) {
  int sharing = 0;
  for (unsigned seed = 0; seed != seedsOf(1500); ++seed) {
    Placed placed = planned(seed);
    if (!placed.sharesBytes())
      continue;
    ++sharing;
    EXPECT_FALSE(placed.isClobbered()) << "seed " << seed << "\n" << placed.text();
    EXPECT_TRUE(checkArena(placed.program, placed.bytes).empty()) << "seed " << seed << "\n"
                                                                  << placed.text();
  }
  EXPECT_GT(sharing, ofSeeds(300));
}

TEST(ArenaOrders, NoProgramIsFoundFreeOfHazardsThatSomeOrderRaces) {
  Count yes, no;
  for (unsigned seed = 0; seed != seedsOf(1500); ++seed) {
    Placed placed = seed % 2 ? somewhere(seed) : planned(seed);
    bool isWrong = placed.isRaced();
    bool isFree = checkHazards(placed.program, placed.bytes).empty();
    (isFree ? yes : no).add(isWrong);
    EXPECT_FALSE(isFree && isWrong) << "seed " << seed << "\n" << placed.text();
  }
  EXPECT_GT(yes.all, ofSeeds(70));
  EXPECT_GT(no.wrong, ofSeeds(500));
}

// As recorded: what an mbarrier counts goes through the asynchronous proxy.
AccessProgram withProxies(AccessProgram program) {
  for (AccessNode &node : program.nodes)
    for (Access &access : node.accesses)
      access.isOfAsyncProxy = access.mbarrier.has_value();
  return program;
}

StepHazards hazardsOf(const AccessProgram &program, const Placed &placed) {
  return judgeSteps(program, placed.bytes, computeHappensBefore(program));
}

bool isUnordered(const HazardFault &fault) { return fault.kind == HazardFault::Kind::Unordered; }

// Free in every order, or wrong in one, whichever it says.
TEST(ArenaOrders, WhatStepsShowOfHazardsIsSo) {
  Count free, found, stuck;
  for (unsigned seed = 0; seed != seedsOf(1800); ++seed) {
    Placed placed = seed % 2 ? somewhere(seed) : planned(seed);
    StepHazards hazards = hazardsOf(placed.program, placed);
    StepHazards proxied = hazardsOf(withProxies(placed.program), placed);
    bool isFound = llvm::any_of(proxied.found, isUnordered);
    if (hazards.isFree())
      free.add(placed.isRaced());
    if (isFound)
      found.add(placed.isRaced());
    if (hazards.stuckAt.isValid())
      stuck.add(placed.isStuck());
    bool isSo = free.wrong == 0 && found.wrong == found.all && stuck.wrong == stuck.all;
    ASSERT_TRUE(isSo) << "seed " << seed << "\n" << placed.text();
  }
  EXPECT_GT(free.all, ofSeeds(200));
  EXPECT_GT(found.all, ofSeeds(50));
  EXPECT_GT(stuck.all, ofSeeds(200));
}

} // namespace
} // namespace tilescope::test
