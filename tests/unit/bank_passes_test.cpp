// Passes of warps over shared memory against figures worked out by hand, of lanes by their bytes
// and of lanes by their elements in the layouts of tiles.
#include "core/views/layouts_model.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

using Places = std::vector<std::optional<int64_t>>;

template <typename Place> Places warp(Place place, int64_t lanes = WarpLanes) {
  Places places;
  for (int64_t lane = 0; lane != lanes; ++lane)
    places.emplace_back(place(lane));
  return places;
}

// `step` bytes from lane to lane.
BankPasses steps(int64_t step, int64_t laneBytes) {
  return bankPassesOf(warp([&](int64_t lane) { return step * lane; }), laneBytes);
}

BufferRecord recordOf(std::vector<std::string> shape, const char *dtype, const char *layout) {
  BufferRecord record;
  record.id = BufferId(1);
  record.key = {"main", "tile", 0, ""};
  record.name = "tile";
  record.dtype = dtype;
  record.shape = std::move(shape);
  record.scope = BufferScope::SharedDynamic;
  record.layout = layout;
  return record;
}

// The lanes of a warp in a tile, as a trace has them, and what the view counts.
LayoutsView viewOf(BufferRecord record, const Places &elements, int64_t laneBytes) {
  BankRecord &bank = record.banks.emplace_back();
  bank.stmt = StmtId(7);
  bank.laneBytes = laneBytes;
  bank.warps = {packLanes(elements)};
  Trace trace;
  TraceSnapshot &snapshot = trace.snapshots.emplace_back();
  snapshot.buffers =
      std::make_shared<const std::vector<BufferRecord>>(std::vector<BufferRecord>{record});
  trace.passes.emplace_back().name = "merge-shared-memory";
  Selection selection;
  selection.pinned = Pick::ofBuffer(record.key);
  return buildLayouts(trace, selection);
}

struct Counted {
  int64_t passes, least, degree;
  friend bool operator==(const Counted &, const Counted &) = default;
};

Counted asLaid(const LayoutsView &view) {
  const LayoutSide &side = view.lanes->asLaid;
  return {side.passes, side.leastPasses, side.degree};
}

Counted inRows(const LayoutsView &view) {
  const LayoutSide &side = *view.lanes->inRows;
  return {side.passes, side.leastPasses, side.degree};
}

} // namespace

TEST(BankPasses, FourBytesALane) {
  EXPECT_EQ(steps(4, 4), (BankPasses{1, 1, 1}));
  EXPECT_EQ(steps(8, 4), (BankPasses{2, 1, 2}));
  EXPECT_EQ(steps(16, 4), (BankPasses{4, 1, 4}));
  EXPECT_EQ(steps(32, 4), (BankPasses{8, 1, 8}));
  EXPECT_EQ(steps(128, 4), (BankPasses{32, 1, 32}));
  EXPECT_EQ(steps(132, 4), (BankPasses{1, 1, 1}));
}

TEST(BankPasses, LanesThatWantOneWord) {
  EXPECT_EQ(steps(0, 4), (BankPasses{1, 1, 1}));
  EXPECT_EQ(steps(2, 2), (BankPasses{1, 1, 1}));
  // Two words of each of 16 banks, by any number of lanes.
  EXPECT_EQ(bankPassesOf(warp([](int64_t lane) { return lane % 2 * 128; }), 4),
            (BankPasses{2, 1, 2}));
}

TEST(BankPasses, EightBytesAreServedByHalves) {
  EXPECT_EQ(steps(8, 8), (BankPasses{2, 2, 1}));
  // Lanes 0 and 8 of each half want bank 0.
  EXPECT_EQ(steps(16, 8), (BankPasses{4, 2, 2}));
  EXPECT_EQ(steps(128, 8), (BankPasses{32, 2, 16}));
}

TEST(BankPasses, SixteenBytesAreServedByQuarters) {
  EXPECT_EQ(steps(16, 16), (BankPasses{4, 4, 1}));
  EXPECT_EQ(steps(32, 16), (BankPasses{8, 4, 2}));
  EXPECT_EQ(steps(128, 16), (BankPasses{32, 4, 8}));
  // ldmatrix of two matrices: 16 lanes give addresses.
  EXPECT_EQ(bankPassesOf(warp([](int64_t lane) { return lane * 128; }, 16), 16),
            (BankPasses{16, 2, 8}));
}

TEST(BankPasses, LanesThatTakeNoPartAreNotCounted) {
  Places half = warp([](int64_t lane) { return lane * 8; });
  for (size_t lane = 16; lane != half.size(); ++lane)
    half[lane].reset();
  EXPECT_EQ(bankPassesOf(half, 4), (BankPasses{1, 1, 1}));
  EXPECT_EQ(bankPassesOf(Places(32), 4), (BankPasses{0, 0, 0}));
}

TEST(BankPasses, BytesBeforeTheBeginning) {
  EXPECT_EQ(bankOf(-1), 31);
  EXPECT_EQ(bankOf(-4), 31);
  EXPECT_EQ(bankOf(-5), 30);
  EXPECT_EQ(bankPassesOf(warp([](int64_t lane) { return 8 * lane - 64; }), 4),
            (BankPasses{2, 1, 2}));
}

TEST(BankPasses, LanesInConflict) {
  // Lanes 0 and 1 want two words of bank 0; lane 2 has bank 1 alone; lane 3 the word of lane 2.
  Places bytes = {0, 128, 4, 4};
  EXPECT_EQ(lanesInConflict(bytes, 4), (std::vector<bool>{true, true, false, false}));
}

TEST(BankPasses, RunsOfLanes) {
  Places rows = warp([](int64_t lane) { return lane % 8 * 64 + lane / 8 * 8; });
  std::vector<int64_t> runs = packLanes(rows);
  EXPECT_EQ(runs.size(), 16U);
  EXPECT_EQ(unpackLanes(runs), rows);
  Places holes = {std::nullopt, 3, 5, std::nullopt, 9};
  EXPECT_EQ(packLanes(holes), (std::vector<int64_t>{1, 2, 3, 2, 4, 1, 9, 0}));
  holes.resize(32);
  EXPECT_EQ(unpackLanes(packLanes(holes)), holes);
}

TEST(BankPasses, RunsThatAreNone) {
  EXPECT_TRUE(areLaneRuns({}));
  EXPECT_TRUE(areLaneRuns({0, 32, 0, 8}));
  EXPECT_FALSE(areLaneRuns({0, 32, 0}));
  EXPECT_FALSE(areLaneRuns({1, 32, 0, 8}));
  EXPECT_FALSE(areLaneRuns({-1, 2, 0, 8}));
  EXPECT_FALSE(areLaneRuns({0, 0, 0, 8}));
  EXPECT_FALSE(areLaneRuns({0, 2, 0, int64_t{1} << 60}));
}

TEST(Layouts, SwizzledRowsOfMatrices) {
  Places lanes = warp([](int64_t lane) { return lane % 16 * 64 + lane / 16 * 8; });
  LayoutsView view = viewOf(recordOf({"16", "64"}, "float16", "swizzle(128)"), lanes, 16);
  EXPECT_EQ(asLaid(view), (Counted{4, 4, 1}));
  EXPECT_EQ(inRows(view), (Counted{32, 4, 8}));
  EXPECT_EQ(view.buffers[0].accesses[0].passesInRows, 32);
  const LayoutLane &lane = view.lanes->asLaid.lanes[1];
  EXPECT_EQ(lane.row, 1);
  EXPECT_EQ(lane.column, 0);
  EXPECT_EQ(lane.byte, 128 + 16); // chunk 0 ^ 1
  EXPECT_EQ(lane.bank, 4);
  EXPECT_FALSE(lane.isInConflict);
  EXPECT_TRUE(view.lanes->inRows->lanes[1].isInConflict);
}

TEST(Layouts, PaddedColumn) {
  Places column = warp([](int64_t lane) { return lane * 32; });
  EXPECT_EQ(asLaid(viewOf(recordOf({"32", "32"}, "float32", "row_major"), column, 4)),
            (Counted{32, 1, 32}));
  LayoutsView padded = viewOf(recordOf({"32", "32"}, "float32", "padded(1)"), column, 4);
  EXPECT_EQ(asLaid(padded), (Counted{1, 1, 1}));
  EXPECT_EQ(inRows(padded), (Counted{32, 1, 32}));
}

// A tile that is written by rows and read by columns.
TEST(Layouts, Transposed) {
  Places row = warp([](int64_t lane) { return lane; });
  Places column = warp([](int64_t lane) { return lane * 32; });
  BufferRecord record = recordOf({"32", "32"}, "float32", "swizzle(128)");
  EXPECT_EQ(asLaid(viewOf(record, row, 4)), (Counted{1, 1, 1}));
  EXPECT_EQ(asLaid(viewOf(record, column, 4)), (Counted{4, 1, 4}));
}

TEST(Layouts, WideLanes) {
  BufferRecord record = recordOf({"32", "64"}, "float16", "row_major");
  EXPECT_EQ(asLaid(viewOf(record, warp([](int64_t lane) { return lane * 4; }), 8)),
            (Counted{2, 2, 1}));
  EXPECT_EQ(asLaid(viewOf(record, warp([](int64_t lane) { return lane * 8; }), 16)),
            (Counted{4, 4, 1}));
  EXPECT_EQ(asLaid(viewOf(record, warp([](int64_t lane) { return lane * 64; }), 8)),
            (Counted{32, 2, 16}));
  EXPECT_EQ(asLaid(viewOf(record, warp([](int64_t) { return 5; }), 2)), (Counted{1, 1, 1}));
}

TEST(Layouts, FragmentsOfThreeDimensions) {
  BufferRecord record =
      recordOf({"2", "4", "8"}, "float32", "fragment(2@r4 | 4@t8 | 8@t1 ; 2@t32)");
  record.scope = BufferScope::Fragment;
  std::optional<TileLayout> tile = TileLayout::of(record);
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->rows(), 8);
  EXPECT_EQ(tile->copies(), 2);
  EXPECT_EQ(tile->threads(), 64);
  EXPECT_EQ(tile->registers(), 5);
  TileLayout::Holder holder = tile->holderOf(5, 3); // [1, 1, 3]
  EXPECT_EQ(holder.thread, 11);
  EXPECT_EQ(holder.reg, 4);
  EXPECT_EQ(tile->coordinatesText(5, 3), "[1, 1, 3]");
  record.layout += " from thread 128";
  EXPECT_EQ(TileLayout::of(record)->holderOf(5, 3).thread, 139);
  record.shape = {"5"}; // what a thread holds of it
  EXPECT_EQ(TileLayout::of(record)->rows(), 8);
  EXPECT_EQ(TileLayout::of(record)->columns(), 8);
}

TEST(Layouts, PlacesThatAreNotKnown) {
  EXPECT_FALSE(TileLayout::of(recordOf({"n", "32"}, "float16", "row_major")));
  EXPECT_FALSE(TileLayout::of(recordOf({"32"}, "float16", "other(...)")));
  EXPECT_FALSE(TileLayout::of(recordOf({"32"}, "float16", "swizzle(48)")));
  EXPECT_FALSE(TileLayout::of(recordOf({"32"}, "float16", "fragment(4@x8)")));
  EXPECT_FALSE(TileLayout::of(recordOf({"1073741824", "1073741824"}, "float16", "row_major")));
  EXPECT_FALSE(TileLayout::of(recordOf({}, "float16", "row_major")));
}

TEST(Layouts, ChoicesThatAreNotThere) {
  BufferRecord record = recordOf({"32", "32"}, "float32", "row_major");
  record.banks.emplace_back().laneBytes = 4;
  record.banks[0].warps = {{0, 32, 0, 1}};
  Trace trace;
  trace.snapshots.emplace_back().buffers =
      std::make_shared<const std::vector<BufferRecord>>(std::vector<BufferRecord>{record});
  trace.passes.emplace_back();
  Selection selection;
  selection.pinned = Pick::ofBuffer(record.key);
  EXPECT_TRUE(buildLayouts(trace, selection).lanes);
  selection.lanes.access = 1;
  EXPECT_EQ(buildLayouts(trace, selection).missing, "'tile' has no access 1: 1 are known");
  selection.lanes = {0, 1};
  EXPECT_EQ(buildLayouts(trace, selection).missing,
            "the lanes of warp 1 in 'tile' are not known: those of 1 are");
}
