// IR of one pass after another is as if each were built alone, whichever way the passes are gone.
// Run alone: unit_tests --gtest_filter='IrViewsTest.*'
#include "core/json/json_value.h"
#include "core/views/ir_model.h"
#include "tests/bench/synthetic_trace.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

std::string textOf(const IrView &view) {
  std::string text = toJson(view).dump() + view.passBefore + toJson(view.before).dump();
  for (const AlignedRow &row : view.rows)
    text += std::to_string(row.before) + ":" + std::to_string(row.after) + " ";
  for (const NamedBuffer &buffer : *view.buffers)
    text += nameInFunction(buffer.key) + " ";
  return text;
}

TEST(IrViewsTest, AreAsBuiltAlone) {
  constexpr size_t Passes = 7;
  test::SyntheticTraceMaker maker({.passes = Passes,
                                   .lines = 40,
                                   .buffers = 20,
                                   .intervals = 40,
                                   .facetsEvery = 2,
                                   .editsPerMille = 100});
  std::vector<TraceSnapshot> snapshots; // the maker keeps the last two only
  for (size_t pass = 0; pass != Passes; ++pass) {
    maker.addPass();
    snapshots.push_back(maker.trace().snapshots.back());
  }
  Trace trace = maker.trace();
  trace.snapshots = std::move(snapshots);
  IrViews views;
  for (size_t pass : {0, 1, 2, 3, 3, 2, 1, 6, 5, 0, 6}) {
    PassState state(trace, pass);
    EXPECT_EQ(textOf(views.show(state, *irNamesOf(*state.facets()))), textOf(buildIr(state)))
        << pass;
  }
}

TEST(IrViewsTest, ANameThatIsDeclaredLaterMeansNothingInAnotherText) {
  BufferNames names;
  names.declare("A", BufferId(1));
  names.mark();
  names.declare("A", BufferId(2));
  names.declare("B", BufferId(3));
  names.declare("A", BufferId(4));
  EXPECT_EQ(names.bufferOf("A"), BufferId(4));
  names.rewind();
  EXPECT_EQ(names.bufferOf("A"), BufferId(1));
  EXPECT_EQ(names.bufferOf("B"), std::nullopt);
}

} // namespace
} // namespace tilescope
