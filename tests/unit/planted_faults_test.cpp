// Faults planted in sound programs and plans: what changes behaviour, by enumeration of all paths
// and of all orders of two threads, must be found. Run alone: unit_tests --gtest_filter='Planted*'
#include "core/access/lifetimes.h"
#include "core/check/arena_check.h"
#include "core/plan/barrier_plan.h"
#include "core/plan/planner.h"
#include "tests/unit/interleavings.h"
#include "tests/unit/memory_programs.h"
#include "tests/unit/random_programs.h"

#include "llvm/ADT/STLExtras.h"

#include "gtest/gtest.h"

#include <cstdio>

using namespace tilescope;
using namespace tilescope::test;

namespace {

constexpr int64_t MaxTrips = 4;
constexpr size_t PathLimit = 100;
constexpr unsigned Programs = 3000; // a fault; half of them with many asynchronous copies

// A program with barriers, and where its buffers lie.
struct Placed {
  AccessProgram program;
  std::vector<BufferBytes> bytes;

  bool isAccepted() const {
    return checkArena(program, bytes).empty() && checkHazards(program, bytes).empty();
  }
  bool isWrong() const { return canMisread(program, bytes, MaxTrips, PathLimit); }
};

// A sequence and the place of a child of it.
struct Site {
  uint32_t seq;
  size_t child;
};

std::vector<Site> sitesOf(const AccessProgram &program, AccessNode::Kind kind) {
  std::vector<Site> sites;
  for (uint32_t seq = 0; seq != program.nodes.size(); ++seq)
    if (program.nodes[seq].kind == AccessNode::Kind::Seq)
      for (size_t child = 0; child != program.nodes[seq].children.size(); ++child)
        if (program.nodes[program.nodes[seq].children[child]].kind == kind)
          sites.push_back({seq, child});
  return sites;
}

AccessProgram withBarriers(AccessProgram program, const std::vector<BufferBytes> &bytes) {
  std::vector<BarrierSite> sites = planBarriers(program, bytes).sites;
  llvm::stable_sort(sites,
                    [](const BarrierSite &a, const BarrierSite &b) { return a.before > b.before; });
  for (const BarrierSite &site : sites) {
    AccessNode barrier;
    barrier.kind = AccessNode::Kind::Barrier;
    barrier.stmt = StmtId(static_cast<uint32_t>(program.nodes.size() + 1000));
    uint32_t node = program.add(std::move(barrier));
    std::vector<uint32_t> &children = program.nodes[site.seq].children;
    children.insert(children.begin() + site.before, node);
  }
  return program;
}

Placed place(const AccessProgram &program, const ArenaProblem &problem) {
  std::vector<BufferBytes> bytes = bytesOf(problem, planArena(problem));
  return {withBarriers(program, bytes), bytes};
}

// Each plants one fault, chosen by `seed`; false if there is nothing to break.
using Planter = bool (*)(Placed &, const AccessProgram &plain, unsigned seed);

bool shortenInterval(Placed &placed, const AccessProgram &plain, unsigned seed) {
  ArenaProblem problem = problemOf(plain);
  std::vector<LiveInterval> &live = problem.buffers[seed % problem.buffers.size()].live;
  if (live.empty())
    return false;
  size_t which = seed / 4 % live.size();
  if (seed / 2 % 2 == 0)
    ++live[which].begin;
  else
    --live[which].end;
  if (live[which].begin == live[which].end)
    live.erase(live.begin() + static_cast<ptrdiff_t>(which));
  placed = place(plain, problem);
  return true;
}

bool moveOffset(Placed &placed, const AccessProgram & /*plain*/, unsigned seed) {
  int64_t &offset = placed.bytes[seed % placed.bytes.size()].offsetBytes;
  offset += seed / 4 % 2 == 0 || offset == 0 ? 16 : -16;
  return true;
}

bool swapBuffers(Placed &placed, const AccessProgram & /*plain*/, unsigned seed) {
  size_t count = placed.bytes.size();
  size_t first = seed % count, second = (first + 1 + seed / count % (count - 1)) % count;
  std::swap(placed.bytes[first].offsetBytes, placed.bytes[second].offsetBytes);
  return true;
}

bool moveWaitLater(Placed &placed, const AccessProgram & /*plain*/, unsigned seed) {
  std::vector<Site> sites = sitesOf(placed.program, AccessNode::Kind::Wait);
  llvm::erase_if(sites, [&](const Site &site) {
    return site.child + 1 == placed.program.nodes[site.seq].children.size();
  });
  if (sites.empty())
    return false;
  Site site = sites[seed % sites.size()];
  std::vector<uint32_t> &children = placed.program.nodes[site.seq].children;
  auto wait = children.begin() + static_cast<ptrdiff_t>(site.child);
  auto target = seed % 2 ? wait + 2 : children.end();
  std::rotate(wait, wait + 1, target);
  return true;
}

bool removeBarrier(Placed &placed, const AccessProgram & /*plain*/, unsigned seed) {
  std::vector<Site> sites = sitesOf(placed.program, AccessNode::Kind::Barrier);
  if (sites.empty())
    return false;
  Site site = sites[seed % sites.size()];
  std::vector<uint32_t> &children = placed.program.nodes[site.seq].children;
  children.erase(children.begin() + static_cast<ptrdiff_t>(site.child));
  return true;
}

struct Count {
  int planted = 0;
  int harmful = 0;
  int caught = 0; // of the harmful ones
};

void judge(const char *what, unsigned seed, const Placed &placed, Count &count) {
  ++count.planted;
  if (!placed.isWrong())
    return;
  ++count.harmful;
  bool isCaught = !placed.isAccepted();
  count.caught += isCaught;
  EXPECT_TRUE(isCaught) << what << ", seed " << seed << "\n" << toString(placed.program);
}

// Each of `turns` plants one fault in the sound program of a seed.
void plant(const char *what, Planter planter, unsigned turns = 1) {
  Count count;
  for (unsigned seed = 0; seed != Programs; ++seed) {
    AccessProgram plain = RandomProgram(seed, seed % 2).make();
    Placed sound = place(plain, problemOf(plain));
    if (!sound.isAccepted())
      continue;
    for (unsigned turn = 0; turn != turns; ++turn) {
      Placed placed = sound;
      // Odd and prime, so that the places differ from turn to turn.
      if (planter(placed, plain, seed / 2 + 7919 * turn))
        judge(what, seed, placed, count);
    }
  }
  std::printf("planted: %-26s %5d, of them change behaviour: %5d, caught: %5d\n", what,
              count.planted, count.harmful, count.caught);
  EXPECT_EQ(count.caught, count.harmful);
  EXPECT_GT(count.harmful, 100);
}

bool has(const AccessProgram &program, AccessNode::Kind kind) {
  return llvm::any_of(program.nodes, [&](const AccessNode &node) { return node.kind == kind; });
}

// What the random programs are made of, so that the counts below mean something.
TEST(PlantedFaultsTest, ProgramsHaveWhatKernelsHave) {
  std::map<std::string, int> counts;
  for (unsigned seed = 0; seed != Programs; ++seed) {
    AccessProgram program = RandomProgram(seed, seed % 2).make();
    ArenaProblem problem = problemOf(program);
    counts["loops"] += has(program, AccessNode::Kind::Loop);
    counts["conditions"] += has(program, AccessNode::Kind::If);
    counts["asynchronous copies"] += has(program, AccessNode::Kind::Commit);
    counts["versions"] += llvm::any_of(
        problem.buffers, [](const ArenaBuffer &buffer) { return buffer.versions > 1; });
    counts["several intervals"] += llvm::any_of(
        problem.buffers, [](const ArenaBuffer &buffer) { return buffer.live.size() > 1; });
  }
  std::printf("programs: %u", Programs);
  for (const auto &[what, count] : counts) {
    std::printf(", with %s: %d", what.c_str(), count);
    EXPECT_GT(count, 500) << what;
  }
  std::printf("\n");
}

TEST(PlantedFaultsTest, NothingIsWrongWithWhatIsAccepted) {
  int accepted = 0;
  for (unsigned seed = 0; seed != Programs; ++seed) {
    AccessProgram plain = RandomProgram(seed, seed % 2).make();
    Placed placed = place(plain, problemOf(plain));
    if (!placed.isAccepted())
      continue;
    ++accepted;
    ASSERT_FALSE(placed.isWrong()) << "seed " << seed << "\n" << toString(placed.program);
  }
  std::printf("sound programs: %d\n", accepted);
  EXPECT_GT(accepted, 1000);
}

// Few of these do harm: another buffer must come to lie there.
TEST(PlantedFaultsTest, ShorterIntervals) { plant("interval shortened", shortenInterval, 2); }
TEST(PlantedFaultsTest, MovedOffsets) { plant("offset moved", moveOffset); }
TEST(PlantedFaultsTest, SwappedBuffers) { plant("two buffers swapped", swapBuffers); }
TEST(PlantedFaultsTest, LaterWaits) { plant("wait moved later", moveWaitLater); }
TEST(PlantedFaultsTest, MissingBarriers) { plant("barrier removed", removeBarrier); }

} // namespace
