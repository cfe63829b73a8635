// A view that was built on another thread, of facets alone, is the view of the trace.
// Run alone: unit_tests --gtest_filter='FacetViewTest.*'
#include "panel_fixture.h"

#include "core/json/json_value.h"
#include "core/views/arena_model.h"
#include "core/views/lifetimes_model.h"
#include "tests/bench/synthetic_trace.h"
#include "viewer/panels/facet_view.h"

#include <gtest/gtest.h>

#include <atomic>

namespace tilescope {
namespace {

Trace traceOfPasses(size_t count) {
  test::SyntheticTraceMaker maker({.passes = count,
                                   .lines = 40,
                                   .buffers = 20,
                                   .intervals = 40,
                                   .facetsEvery = 2,
                                   .editsPerMille = 100});
  Trace trace;
  std::vector<TraceSnapshot> snapshots; // the maker keeps the last two only
  for (size_t pass = 0; pass != count; ++pass) {
    maker.addPass();
    snapshots.push_back(maker.trace().snapshots.back());
  }
  trace = maker.trace();
  trace.snapshots = std::move(snapshots);
  trace.header.capacityBytes = 1 << 14;
  return trace;
}

template <typename View>
void expectSameAsBuilt(View (*build)(const PassState &), View (*buildOfFacets)(const FacetState &),
                       void (*complete)(View &, const PassState &)) {
  Trace trace = traceOfPasses(7);
  Document document;
  document.trace = &trace;
  Selection selection;
  Theme theme = Theme::dark();
  IgnoredKernel kernel;
  CommandSet given;
  PassStates states;
  CommandSet commands;
  Places places;
  PanelContext context{document, states, selection, theme, kernel, commands, given, places};
  FacetView<View> view;
  for (size_t pass : {0, 1, 2, 3, 4, 2, 6}) {
    selection.pass = pass;
    EXPECT_EQ(toJson(view.get(context, buildOfFacets, complete)),
              toJson(build(PassState(trace, pass))))
        << pass;
    document.ahead.clear();
    for (size_t other : {pass + 2, pass - 2})
      if (other < trace.passes.size()) {
        document.ahead.push_back(trace.snapshots[other]);
        document.ahead.back().lines = emptyPart<LineId>();
      }
    view.get(context, buildOfFacets, complete);
  }
}

std::atomic<int> builds = 0;
int countBuild(const FacetState & /*facets*/) { return ++builds; }
void leaveAsItIs(int & /*view*/, const PassState & /*state*/) {}

TEST(FacetViewTest, AViewThatIsAStepAwayIsBuiltOnce) {
  Trace trace = traceOfPasses(4);
  Document document;
  document.trace = &trace;
  Selection selection;
  Theme theme = Theme::dark();
  IgnoredKernel kernel;
  CommandSet given;
  PassStates states;
  CommandSet commands;
  Places places;
  PanelContext context{document, states, selection, theme, kernel, commands, given, places};
  builds = 0;
  {
    FacetView<int> view;
    for (size_t pass : {0, 2, 0, 2, 3}) {
      selection.pass = pass;
      document.ahead = {trace.snapshots[pass < 2 ? 2 : 0]};
      view.get(context, countBuild, leaveAsItIs);
    }
  } // waits
  EXPECT_EQ(builds, 2);
}

TEST(FacetViewTest, ArenaIsAsBuiltAtOnce) {
  expectSameAsBuilt(buildArena, buildArenaOfFacets, completeArena);
}

TEST(FacetViewTest, LifetimesAreAsBuiltAtOnce) {
  expectSameAsBuilt(buildLifetimes, buildLifetimesOfFacets, completeLifetimes);
}

} // namespace
} // namespace tilescope
