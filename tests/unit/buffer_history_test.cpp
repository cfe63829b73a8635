// Run alone: unit_tests --gtest_filter='BufferHistory*'
#include "core/views/buffer_history.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

BufferRecord record(int64_t versions) {
  BufferRecord record;
  record.id = BufferId(3);
  record.key = {"f", "tile", 0, ""};
  record.name = "tile";
  record.dtype = "float16";
  record.shape = {"64"};
  record.scope = BufferScope::SharedDynamic;
  record.versions = versions;
  return record;
}

TraceSnapshot snapshotOf(std::vector<BufferRecord> buffers) {
  TraceSnapshot snapshot;
  snapshot.lines = std::make_shared<const std::vector<LineId>>();
  snapshot.buffers = std::make_shared<const std::vector<BufferRecord>>(std::move(buffers));
  return snapshot;
}

// A pass a snapshot: p0, p1, ...
Trace traceOf(std::vector<TraceSnapshot> snapshots) {
  Trace trace;
  trace.snapshots = std::move(snapshots);
  for (size_t i = 0; i < trace.snapshots.size(); ++i) {
    TracePass &pass = trace.passes.emplace_back();
    pass.name = "p" + std::to_string(i);
    pass.snapshot = i;
  }
  return trace;
}

std::vector<std::string> textsOf(const std::vector<BufferEvent> &events) {
  std::vector<std::string> texts;
  texts.reserve(events.size());
  for (const BufferEvent &event : events)
    texts.push_back(passText(event) + " " + nameOf(event.kind) + ": " + event.text);
  return texts;
}

TEST(BufferHistoryTest, TellsWhoMadeChangedAndRemovedIt) {
  BufferRecord moved = record(2);
  moved.offsetBytes = 1024;
  moved.layout = "swizzle(128)";
  moved.name = "tile_1";
  moved.dtype = "bfloat16";
  Trace trace = traceOf({snapshotOf({}), snapshotOf({record(1)}), snapshotOf({record(2)}),
                         snapshotOf({moved}), snapshotOf({})});
  EXPECT_EQ(textsOf(historyOf(trace, BufferId(3))),
            (std::vector<std::string>{"p1 created: float16 (64) in shared.dyn",
                                      "p2 versioned: 1 -> 2 versions", "p3 renamed: tile -> tile_1",
                                      "p3 retyped: float16 (64) -> bfloat16 (64)",
                                      "p3 laid-out: layout swizzle(128)", "p3 placed: offset 1,024",
                                      "p4 removed: tile_1"}));
}

TEST(BufferHistoryTest, TellsWhatWasBefore) {
  BufferRecord low = record(1), high = record(1);
  low.offsetBytes = 0;
  high.offsetBytes = 64;
  Trace trace = traceOf({snapshotOf({low}), snapshotOf({high}), snapshotOf({record(1)})});
  EXPECT_EQ(
      textsOf(historyOf(trace, BufferId(3))),
      (std::vector<std::string>{"p0 created: float16 (64) in shared.dyn, offset 0",
                                "p1 placed: offset 0 -> 64", "p2 placed: no offset any more"}));
}

TEST(BufferHistoryTest, SaysWhereAPassBetweenIsNotLoaded) {
  Trace trace = traceOf({snapshotOf({record(1)}), TraceSnapshot(), snapshotOf({record(2)})});
  EXPECT_EQ(textsOf(historyOf(trace, BufferId(3))),
            (std::vector<std::string>{"p0 created: float16 (64) in shared.dyn",
                                      "p2 or before versioned: 1 -> 2 versions"}));
}

TEST(BufferHistoryTest, ABufferIsFoundInTheNearestPassThatKnowsIt) {
  Trace trace =
      traceOf({snapshotOf({}), snapshotOf({record(1)}), snapshotOf({record(2)}), snapshotOf({})});
  Selection selection;
  BufferKey key{"other_function", "tile", 0, ""};
  for (auto [selected, found] : {std::pair<size_t, size_t>{0, 1}, {1, 1}, {2, 2}, {3, 2}}) {
    selection.pass = selected;
    std::optional<BufferPlace> place = findBuffer(trace, selection, key);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->pass, found);
    EXPECT_EQ(place->id, BufferId(3));
  }
  EXPECT_FALSE(findBuffer(trace, selection, {"f", "tile", 1, ""}));
  EXPECT_FALSE(findBuffer(Trace(), selection, key));
}

} // namespace
