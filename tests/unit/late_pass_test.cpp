// Steps to passes of a large trace whose facets are not read yet: no frame waits for them.
// Run alone: unit_tests --gtest_filter='LatePassTest.*'
#include "panel_fixture.h"
#include "trace_file_fixture.h"

#include "core/session/workspace.h"
#include "core/trace/trace_queries.h"

#include <gtest/gtest.h>

#include <semaphore>

namespace tilescope {
namespace {

// Facets change with passes 0, 4 and 8; too large to be loaded whole.
class LatePassTest : public test::TraceFileFixture {
protected:
  void SetUp() override {
    TraceFileFixture::SetUp();
    llvm::cantFail(test::writeSyntheticTrace({.passes = 12,
                                              .lines = 200,
                                              .buffers = 2'000,
                                              .intervals = 20'000,
                                              .facetsEvery = 4,
                                              .editsPerMille = 100},
                                             path()));
  }

  void open() {
    ASSERT_TRUE(workspace.open(path()));
    ASSERT_TRUE(trace().snapshots.back().arenas->empty()); // in parts
    workspace.selection.selectPass(0);                     // it opens at the last
    frame([] {});
    ASSERT_EQ(shown(), 0U);
  }

  // One of the window, in which a key does `act`.
  template <typename Act> void frame(Act act) {
    const Document &document = workspace.document();
    workspace.selection.resume();
    workspace.update();
    act();
    hasCome = panels.hold(document, workspace.selection, workspace.lookAhead());
    workspace.loadShown();
    imgui.frame([&] {
      panels.draw(document, workspace.selection, imgui.theme, kernel, {}, {0, 0}, {1600, 1000});
    });
  }

  // Frames, whenever the window is woken, until nothing is waited for.
  void wait() {
    while (workspace.selection.awaited()) {
      woken.acquire();
      frame([] {});
    }
  }

  const Trace &trace() const { return *workspace.document().trace; }
  size_t shown() const { return workspace.selection.pass; }

  std::counting_semaphore<> woken{0};
  Workspace workspace{[this] { woken.release(); }};
  HeadlessImGui imgui;
  Frame panels{[this] { woken.release(); }};
  IgnoredKernel kernel;
  bool hasCome = false;
};

TEST_F(LatePassTest, ThePassBeforeIsShownUntilItIsReady) {
  open();
  frame([&] { workspace.selection.selectPass(4); });
  EXPECT_EQ(shown(), 0U);
  EXPECT_EQ(workspace.selection.awaited(), 4U);
  wait();
  EXPECT_EQ(shown(), 4U);
  EXPECT_TRUE(hasCome);
  EXPECT_TRUE(isLoaded(trace().snapshots[4]));
}

TEST_F(LatePassTest, AStepWithTheSameFacetsIsShownAtOnce) {
  open();
  frame([&] { workspace.selection.selectPass(1); });
  EXPECT_EQ(shown(), 1U);
  EXPECT_FALSE(workspace.selection.awaited());
}

TEST_F(LatePassTest, StepsCountFromTheOneThatIsAwaited) {
  open();
  frame([&] { workspace.selection.selectPass(7); });
  frame([&] { workspace.selection.selectPass(shown() + 1); });
  wait();
  EXPECT_EQ(shown(), 8U);
}

TEST_F(LatePassTest, WhatIsChosenMeanwhileCounts) {
  open();
  frame([&] { workspace.selection.selectPass(8); });
  EXPECT_EQ(workspace.selection.awaited(), 8U);
  workspace.selection.selectPass(2); // as a click in the picture
  frame([] {});
  EXPECT_EQ(shown(), 2U);
  EXPECT_FALSE(workspace.selection.awaited());
}

TEST_F(LatePassTest, ChoosingThePassThatIsShownEndsTheWait) {
  open();
  frame([&] { workspace.selection.selectPass(8); });
  workspace.selection.selectPass(0);
  frame([] {});
  EXPECT_EQ(shown(), 0U);
  EXPECT_FALSE(workspace.selection.awaited());
  workspace.selection.back();
  frame([] {});
  wait();
  EXPECT_EQ(shown(), 8U);
}

TEST_F(LatePassTest, WhatIsPinnedMeanwhileIsPinnedAtTheAwaitedPass) {
  open();
  frame([&] { workspace.selection.selectPass(8); });
  workspace.selection.pin(Pick{std::nullopt, -1, StmtId(3), 7});
  EXPECT_EQ(shown(), 0U); // until the frame ends
  wait();
  EXPECT_EQ(shown(), 8U);
  workspace.selection.selectPass(0);
  workspace.selection.back();
  EXPECT_EQ(shown(), 8U);
  EXPECT_EQ(workspace.selection.pinned.stmt, StmtId(3));
}

TEST_F(LatePassTest, AMaximisedPanelWaitsForNoneThatIsHidden) {
  open();
  panels.layout.maximised = "lifetimes";
  frame([] {});
  frame([&] { workspace.selection.selectPass(4); });
  EXPECT_EQ(workspace.selection.awaited(), 4U);
  wait();
  EXPECT_EQ(shown(), 4U);
}

TEST_F(LatePassTest, WhatCannotBeReadIsNotWaitedForForever) {
  std::string damaged = text();
  std::string arenas = "{\"record\":\"arenas\"";
  size_t second = damaged.find(arenas, damaged.find(arenas) + 1);
  size_t field = damaged.find("\"heightBytes\":", second) + sizeof("\"heightBytes\":") - 1;
  ASSERT_LT(field, damaged.size());
  damaged[field] = 'x';
  write(damaged);
  open();
  frame([&] { workspace.selection.selectPass(4); });
  wait();
  EXPECT_EQ(shown(), 4U);
  EXPECT_TRUE(llvm::StringRef(workspace.document().message).ends_with("is torn or no JSON"));
  EXPECT_FALSE(isLoaded(trace().snapshots[4]));
}

} // namespace
} // namespace tilescope
