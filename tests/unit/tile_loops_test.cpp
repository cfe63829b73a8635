// Kernels that take tile after tile: what is said of any number of tiles, whatever lengths their
// own loops have, is held against tiles one after the other, for programs as they should be and
// with faults planted in them.
#include "core/access/tile_loops.h"

#include "core/access/loop_lengths.h"
#include "core/check/step_hazards.h"
#include "tests/unit/access_programs.h"

#include <gtest/gtest.h>

namespace tilescope::test {
namespace {

constexpr int64_t Slots = 3, Ahead = 2, Bytes = 64;
constexpr uint32_t Wgmma = 1, Stores = 2;

// T lies where K does, which TMA copies and wgmma reads; O is stored by TMA while the next tile
// begins.
struct Tiles {
  std::optional<std::vector<int64_t>> lengths = std::nullopt; // of the loop of each tile
  int64_t pendingAtEnd = 0;                                   // of wgmma, behind the loop of a tile
  int64_t phase = 0;                                          // of the wait in iteration 0
  bool fencesFirst = true, fencesResult = true;
  bool meetsFirst = true, meetsBeforeResult = true, meetsAtEnd = true;
  bool waitsForStore = true, begins = true, isTileNamed = false;
};

class TileBuilder {
public:
  explicit TileBuilder(Tiles shape) : shape_(std::move(shape)) {}

  AccessProgram run() {
    for (BufferId *buffer : {&t_, &o_})
      *buffer = b_.buffer(buffer == &t_ ? "T" : "O");
    k_ = b_.buffer("K", Slots);
    m_ = b_.buffer("M", Slots);
    b_.program.threads = 64;
    std::vector<uint32_t> all = {b_.leaf({write(t_)}), b_.barrier()};
    if (!shape_.lengths)
      all.push_back(b_.loop(tiles_, 0, std::nullopt, tile(std::nullopt)));
    else
      for (int64_t length : *shape_.lengths)
        all.push_back(b_.seq(tile(length)));
    all.insert(all.end(), {b_.oneThread(b_.wait(0, Stores)), b_.barrier(), b_.leaf({write(o_)})});
    return b_.finish(all);
  }

private:
  uint32_t load(Slot slot, const MbarrierRef &full) {
    Access copy = counted(write(k_, slot), full, Bytes);
    copy.isOfAsyncProxy = true;
    Access touch = read(m_, slot);
    touch.atomic = true;
    return b_.seq({b_.oneThread(b_.leaf({touch})), b_.oneThread(b_.expect(full, Bytes)),
                   b_.oneThread(b_.arrive(full)), b_.oneThread(b_.leaf({copy}))});
  }

  void addIf(bool does, uint32_t node, std::vector<uint32_t> &nodes) const {
    if (does)
      nodes.push_back(node);
  }

  std::vector<uint32_t> tile(std::optional<int64_t> length) {
    StmtId steps = b_.stmt();
    auto first = static_cast<uint32_t>(b_.program.mbarriers.size());
    std::vector<uint32_t> nodes;
    for (int64_t slot = 0; slot != Slots; ++slot) {
      uint32_t begin = b_.oneThread(b_.leaf({write(m_, at(slot))}));
      if (shape_.begins)
        b_.program.nodes[begin].begins = b_.mbarrier(1);
      else
        b_.mbarrier(1);
      nodes.push_back(begin);
    }
    addIf(shape_.fencesFirst, b_.fence(), nodes);
    addIf(shape_.meetsFirst, b_.barrier(), nodes);
    for (int64_t slot = 0; slot != Ahead; ++slot) {
      uint32_t copy = load(at(slot), {first + static_cast<uint32_t>(slot)});
      if (!length)
        nodes.push_back(b_.guarded(steps, slot, copy));
      else
        addIf(slot < *length, copy, nodes);
    }
    nodes.push_back(b_.loop(steps, length.value_or(0), length, step(steps, first)));
    nodes.push_back(b_.wait(shape_.pendingAtEnd, Wgmma));
    addIf(shape_.waitsForStore, b_.oneThread(b_.wait(0, Stores)), nodes);
    addIf(shape_.meetsBeforeResult, b_.barrier(), nodes);
    Slot slot = shape_.isTileNamed ? inLoop(tiles_, 0, 1) : Slot();
    nodes.push_back(b_.leaf({write(o_, slot)}));
    addIf(shape_.fencesResult, b_.fence(), nodes);
    addIf(shape_.meetsAtEnd, b_.barrier(), nodes);
    Access store = async(read(o_), Stores);
    store.isOfAsyncProxy = true;
    nodes.insert(nodes.end(), {b_.oneThread(b_.leaf({store})), b_.oneThread(b_.commit(Stores))});
    return nodes;
  }

  std::vector<uint32_t> step(StmtId steps, uint32_t first) {
    Access touch = read(m_, inLoop(steps, 0, Slots));
    touch.atomic = true;
    Access operand = async(read(k_, inLoop(steps, 0, Slots)), Wgmma);
    operand.isOfAsyncProxy = true;
    operand.full = true;
    return {b_.leaf({touch}),
            b_.waitPhase(ringOf(first, Slots, steps), phaseOf(steps, Slots, shape_.phase)),
            b_.leaf({operand}),
            b_.commit(Wgmma),
            b_.wait(1, Wgmma),
            b_.barrier(),
            b_.guarded(steps, Ahead,
                       load(inLoop(steps, Ahead, Slots), ringOf(first, Slots, steps, Ahead)))};
  }

  Tiles shape_;
  ProgramBuilder b_;
  StmtId tiles_ = b_.stmt();
  BufferId t_, o_, k_, m_;
};

AccessProgram build(const Tiles &shape) { return TileBuilder(shape).run(); }

std::vector<BufferBytes> bytesOf(const AccessProgram &program) {
  auto id = [&](size_t at) { return program.buffers[at].id; };
  return {{id(0), 0, Bytes, Bytes},
          {id(1), Slots * Bytes, Bytes, Bytes},
          {id(2), 0, Bytes, Bytes},
          {id(3), (Slots + 1) * Bytes, 8, 8}};
}

bool isFreeForAll(const Tiles &shape) {
  AccessProgram program = build(shape);
  std::vector<OfLength> lengths = followLengths(program);
  return !lengths.empty() && judgeLengths(lengths, bytesOf(program)).isFree();
}

bool isFreeFor(Tiles shape, std::vector<int64_t> lengths) {
  shape.lengths = std::move(lengths);
  AccessProgram program = build(shape);
  return judgeSteps(program, bytesOf(program), followSteps(program)).isFree();
}

const std::vector<std::vector<int64_t>> SomeTiles = {
    {},     {0},    {1},       {2},       {5},          {0, 0},        {0, 7},         {1, 1},
    {2, 3}, {6, 2}, {9, 4, 1}, {3, 0, 5}, {4, 4, 4, 4}, {11, 3, 0, 8}, {0, 0, 0, 0, 2}};

TEST(TileLoops, ShowForAllWhatHoldsForEach) {
  EXPECT_TRUE(isFreeForAll({}));
  EXPECT_TRUE(computeHappensBefore(build({})).gaps.empty());
  EXPECT_TRUE(checkArena(build({}), bytesOf(build({}))).empty());
  for (const std::vector<int64_t> &lengths : SomeTiles)
    EXPECT_TRUE(isFreeFor({}, lengths)) << lengths.size();
}

TEST(TileLoops, FindWhatSomeTilesLack) {
  const Tiles faults[] = {{.pendingAtEnd = 1},     {.phase = Slots},      {.fencesFirst = false},
                          {.fencesResult = false}, {.meetsFirst = false}, {.meetsAtEnd = false},
                          {.waitsForStore = false}};
  for (const Tiles &fault : faults) {
    bool isFault = false;
    for (const std::vector<int64_t> &lengths : SomeTiles)
      isFault |= !isFreeFor(fault, lengths);
    EXPECT_TRUE(isFault) << &fault - faults;
    EXPECT_FALSE(isFreeForAll(fault)) << &fault - faults;
  }
}

TEST(TileLoops, AreOnlyWhatIsQuiet) {
  auto isFound = [](const Tiles &shape) { return findTileLoop(build(shape)).has_value(); };
  EXPECT_TRUE(isFound({}));
  EXPECT_FALSE(isFound({.begins = false}));
  EXPECT_FALSE(isFound({.isTileNamed = true}));
  // Without its last barrier a tile is quiet at none: the stored tile is written behind the one
  // before.
  EXPECT_FALSE(isFound({.meetsFirst = false, .meetsBeforeResult = false, .meetsAtEnd = false}));

  AccessProgram program = build({});
  auto change = [&](auto edit) {
    AccessProgram changed = program;
    for (AccessNode &node : changed.nodes)
      edit(node);
    return findTileLoop(changed).has_value();
  };
  using Kind = AccessNode::Kind;
  EXPECT_FALSE(change([](AccessNode &node) { node.isDivergent = node.kind == Kind::Loop; }));
  EXPECT_FALSE(change([](AccessNode &node) { node.oneThread &= !node.begins; }));
  EXPECT_FALSE(change([](AccessNode &node) {
    if (node.begins)
      node.begins = 7;
  }));
  EXPECT_FALSE(change([](AccessNode &node) {
    if (node.kind == Kind::Arrive)
      node.count = 2;
  }));
}

// An mbarrier that begins where threads still wait for its last phase.
TEST(TileLoops, AskWhetherAllKnowThatAnMbarrierHasBegun) {
  AccessProgram program = build({.meetsFirst = false});
  std::optional<TileLoop> tiles = findTileLoop(program);
  ASSERT_TRUE(tiles);
  EXPECT_TRUE(followLengths(program).empty());
}

} // namespace
} // namespace tilescope::test
