// Random programs against plain execution. Run alone: unit_tests --gtest_filter='MemoryProperty*'
#include "core/access/arena_plan.h"
#include "core/access/lifetimes.h"
#include "core/check/arena_check.h"
#include "core/check/plan_check.h"
#include "core/plan/planner.h"
#include "tests/unit/access_programs.h"
#include "tests/unit/brute_force.h"
#include "tests/unit/memory_programs.h"
#include "tests/unit/random_programs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace tilescope;
using namespace tilescope::test;

namespace {

constexpr size_t PathLimit = 3000;
constexpr int64_t MaxTrips = 5;

using Points = std::vector<std::set<ProgramPoint>>; // per buffer

bool isNeeded(const Path &path, size_t from, size_t buffer, int64_t slot) {
  for (size_t step = from; step != path.size(); ++step) {
    bool redefined = false;
    for (const PathAccess &one : path[step].accesses)
      if (one.buffer == buffer && one.slot == slot) {
        if (one.access->kind == AccessKind::Read)
          return true;
        redefined |= one.access->full;
      }
    if (redefined)
      return false;
  }
  return false;
}

void addOccupied(const AccessProgram &program, const Path &path, Points &occupied) {
  std::set<std::pair<size_t, int64_t>> written;
  for (size_t step = 0; step != path.size(); ++step) {
    for (auto [buffer, slot] : written)
      if (isNeeded(path, step, buffer, slot))
        occupied[buffer].insert(path[step].point);
    for (const PathAccess &one : path[step].accesses) {
      if (one.access->kind == AccessKind::Write) {
        written.insert({one.buffer, one.slot});
        occupied[one.buffer].insert(path[step].point);
      }
      if (one.access->async)
        for (size_t flying = step;
             flying <= std::min(arrivalOf(program, path, step, one.access->queue), path.size() - 1);
             ++flying)
          occupied[one.buffer].insert(path[flying].point);
    }
  }
}

Points pointsOf(const Lifetimes &lifetimes) {
  Points points(lifetimes.buffers.size());
  for (size_t buffer = 0; buffer != points.size(); ++buffer)
    for (const LiveInterval &interval : lifetimes.buffers[buffer].intervals)
      for (ProgramPoint point = interval.begin; point != interval.end; ++point)
        points[buffer].insert(point);
  return points;
}

bool overlap(const std::vector<BufferBytes> &bytes, const PathAccess &a, const PathAccess &b) {
  int64_t left = bytes[a.buffer].offsetBytes + a.slot * bytes[a.buffer].strideBytes;
  int64_t right = bytes[b.buffer].offsetBytes + b.slot * bytes[b.buffer].strideBytes;
  return left < right + bytes[b.buffer].sizeBytes && right < left + bytes[a.buffer].sizeBytes;
}

// slot -> byte -> still its own
using Ownership = std::map<std::pair<size_t, int64_t>, std::map<int64_t, bool>>;

void writeBytes(const PathAccess &one, const std::vector<BufferBytes> &bytes, Ownership &mine) {
  int64_t begin = bytes[one.buffer].offsetBytes + one.slot * bytes[one.buffer].strideBytes;
  int64_t end = begin + bytes[one.buffer].sizeBytes;
  auto &own = mine[{one.buffer, one.slot}];
  for (int64_t byte = begin; byte < end; byte += 16)
    if (one.access->full || !own.count(byte))
      own[byte] = true;
  for (auto &[slot, owned] : mine)
    if (slot != std::pair(one.buffer, one.slot))
      for (auto &[byte, isMine] : owned)
        isMine &= byte < begin || byte >= end;
}

// Reads a byte of A that A wrote and another buffer wrote after it.
bool readsForeignBytes(const Path &path, const std::vector<BufferBytes> &bytes) {
  Ownership mine;
  for (const PathStep &step : path) {
    for (const PathAccess &one : step.accesses)
      if (one.access->kind == AccessKind::Read &&
          llvm::any_of(mine[{one.buffer, one.slot}],
                       [](const auto &entry) { return !entry.second; }))
        return true;
    for (const PathAccess &one : step.accesses)
      if (one.access->kind == AccessKind::Write)
        writeBytes(one, bytes, mine);
  }
  return false;
}

// No barrier closes the access `one` of step `first` before a conflicting access of the same bytes.
bool isHazard(const AccessProgram &program, const Path &path, size_t first, const PathAccess &one,
              const std::vector<BufferBytes> &bytes) {
  size_t from = one.access->async ? arrivalOf(program, path, first, one.access->queue) : first;
  for (size_t second = first + 1; second != path.size(); ++second) {
    if (second > from && program.nodes[path[second].node].kind == AccessNode::Kind::Barrier)
      return false;
    for (const PathAccess &other : path[second].accesses)
      if (overlap(bytes, one, other) &&
          (one.access->kind == AccessKind::Write || other.access->kind == AccessKind::Write))
        return true;
  }
  return false;
}

// Two accesses of shared bytes, one of them a write, with no barrier from the arrival of the first
// to the second.
bool hasHazard(const AccessProgram &program, const Path &path,
               const std::vector<BufferBytes> &bytes) {
  for (size_t first = 0; first != path.size(); ++first)
    for (const PathAccess &one : path[first].accesses)
      if (isHazard(program, path, first, one, bytes))
        return true;
  return false;
}

TEST(MemoryPropertyTest, LifetimesAgreeWithExecution) {
  int compared = 0;
  for (unsigned seed = 0; seed != 3000; ++seed) {
    AccessProgram program = RandomProgram(seed).make();
    Points occupied(program.buffers.size());
    bool isComplete =
        PathEnumerator(program, MaxTrips).forEachPath(PathLimit, [&](const Path &path) {
          addOccupied(program, path, occupied);
        });
    if (!isComplete)
      continue;
    ++compared;
    ASSERT_EQ(pointsOf(computeLifetimes(program)), occupied) << "seed " << seed << "\n"
                                                             << toString(program);
  }
  EXPECT_GT(compared, 2000);
}

TEST(MemoryPropertyTest, CheckerAcceptsEveryPlan) {
  for (unsigned seed = 0; seed != 3000; ++seed) {
    AccessProgram program = RandomProgram(seed).make();
    ArenaProblem problem = problemOf(program);
    ArenaPlan plan = planArena(problem);
    ASSERT_TRUE(checkPlan(problem, plan).empty()) << "seed " << seed;
    ASSERT_TRUE(checkArena(program, bytesOf(problem, plan)).empty()) << "seed " << seed << "\n"
                                                                     << toString(program);
  }
}

TEST(MemoryPropertyTest, MovedBuffersAreCaughtWhenTheyChangeBehaviour) {
  int harmful = 0;
  for (unsigned seed = 0; seed != 4000; ++seed) {
    AccessProgram program = RandomProgram(seed).make();
    ArenaProblem problem = problemOf(program);
    std::vector<BufferBytes> bytes = bytesOf(problem, planArena(problem));
    // By one alignment, or onto another buffer.
    int64_t &offset = bytes[seed % bytes.size()].offsetBytes;
    offset = seed % 2 == 0 ? offset + 16 : bytes[(seed + 1) % bytes.size()].offsetBytes;
    bool changes = false;
    PathEnumerator(program, MaxTrips).forEachPath(PathLimit, [&](const Path &path) {
      changes = changes || readsForeignBytes(path, bytes);
    });
    harmful += changes;
    ASSERT_FALSE(changes && checkArena(program, bytes).empty()) << "seed " << seed << "\n"
                                                                << toString(program);
  }
  EXPECT_GT(harmful, 100);
}

TEST(MemoryPropertyTest, HazardsAgreeWithExecution) {
  int hazardous = 0, clean = 0;
  for (unsigned seed = 0; seed != 3000; ++seed) {
    AccessProgram program = RandomProgram(seed).make();
    ArenaProblem problem = problemOf(program);
    std::vector<BufferBytes> bytes = bytesOf(problem, planArena(problem));
    bool expected = false;
    bool isComplete =
        PathEnumerator(program, MaxTrips).forEachPath(PathLimit, [&](const Path &path) {
          expected = expected || hasHazard(program, path, bytes);
        });
    if (!isComplete && !expected)
      continue;
    ++(expected ? hazardous : clean);
    ASSERT_EQ(!checkHazards(program, bytes).empty(), expected) << "seed " << seed << "\n"
                                                               << toString(program);
  }
  EXPECT_GT(hazardous, 500);
  EXPECT_GT(clean, 50);
}

// Two roles of three statements each, between some that all threads run.
struct TwoRoles {
  static constexpr size_t Before = 2, InRole = 3;

  AccessProgram program;
  Path path; // one role after the other

  explicit TwoRoles(unsigned seed) : random_(seed) {
    for (int buffer = 0; buffer != 4; ++buffer)
      b_.buffer(std::string(1, static_cast<char>('A' + buffer)));
    std::vector<uint32_t> before = leaves(Before), first = leaves(InRole), second = leaves(InRole);
    before.push_back(b_.roles({b_.seq(first), b_.seq(second)}));
    llvm::append_range(before, leaves(2));
    b_.program.meetsAtRoles = true;
    program = b_.finish(before);
    PathEnumerator(program, 1).forEachPath(1, [&](const Path &only) { path = only; });
  }

  // Every order of the statements of the two roles: bit n says that the second role does step n.
  void forEachInterleaving(const std::function<void(const Path &)> &visit) const {
    for (unsigned order = 0; order != 1U << (2 * InRole); ++order) {
      if (llvm::popcount(order) != InRole)
        continue;
      Path mixed = path;
      size_t first = Before, second = Before + InRole;
      for (size_t step = 0; step != 2 * InRole; ++step)
        mixed[Before + step] = path[order >> step & 1 ? second++ : first++];
      visit(mixed);
    }
  }

private:
  std::vector<uint32_t> leaves(size_t count) {
    std::vector<uint32_t> made;
    while (count-- != 0) {
      BufferId buffer(random_() % 4);
      made.push_back(b_.leaf({random_() % 2 == 0 ? read(buffer) : write(buffer)}));
    }
    return made;
  }

  std::mt19937 random_;
  ProgramBuilder b_;
};

TEST(MemoryPropertyTest, PlansHoldHoweverRolesInterleave) {
  int sharing = 0;
  for (unsigned seed = 0; seed != 3000; ++seed) {
    TwoRoles roles(seed);
    ArenaProblem problem = problemOf(roles.program);
    ArenaPlan plan = planArena(problem);
    sharing += plan.heightBytes < int64_t{16} * (1 + 2 + 3 + 4);
    std::vector<BufferBytes> bytes = bytesOf(problem, plan);
    ASSERT_TRUE(checkArena(roles.program, bytes).empty()) << "seed " << seed << "\n"
                                                          << toString(roles.program);
    roles.forEachInterleaving([&](const Path &path) {
      ASSERT_FALSE(readsForeignBytes(path, bytes)) << "seed " << seed << "\n"
                                                   << toString(roles.program);
    });
  }
  EXPECT_GT(sharing, 500);
}

TEST(MemoryPropertyTest, BytesLostInSomeInterleavingAreCaught) {
  int harmful = 0;
  for (unsigned seed = 0; seed != 3000; ++seed) {
    TwoRoles roles(seed);
    ArenaProblem problem = problemOf(roles.program);
    std::vector<BufferBytes> bytes = bytesOf(problem, planArena(problem));
    bytes[seed % 4].offsetBytes = bytes[(seed + 1) % 4].offsetBytes;
    bool isHarmful = false;
    roles.forEachInterleaving(
        [&](const Path &path) { isHarmful = isHarmful || readsForeignBytes(path, bytes); });
    harmful += isHarmful;
    ASSERT_FALSE(isHarmful && checkArena(roles.program, bytes).empty()) << "seed " << seed << "\n"
                                                                        << toString(roles.program);
  }
  EXPECT_GT(harmful, 500);
}

} // namespace
