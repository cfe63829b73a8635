// Run alone: unit_tests --gtest_filter='InstancesScreen*'
#include "viewer/shell/instances_screen.h"

#include "panel_fixture.h"
#include "tests/source_folder.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

class InstancesScreenTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("instances", folder));
    for (const char *name : {"written_gemm.trace", "older_gemm_sm_80.trace"})
      ASSERT_FALSE(llvm::sys::fs::copy_file(inSourceFolder(llvm::Twine("testdata/traces/") + name),
                                            (folder + "/" + name).str()));
    screen.open(llvm::cantFail(InstanceList::open(folder.str().str())));
  }
  void TearDown() override { (void)llvm::sys::fs::remove_directories(folder); }

  // The name of the trace that one frame opens; "": none.
  std::string frame(std::initializer_list<Command> given = {}) {
    CommandSet commands;
    for (Command command : given)
      commands.give(command);
    std::optional<std::string> chosen;
    gui.frame([&] { chosen = screen.draw(commands, gui.theme, ImVec2(0, 0), ImVec2(1600, 1000)); });
    return chosen ? llvm::sys::path::filename(*chosen).str() : "";
  }

  llvm::SmallString<128> folder;
  HeadlessImGui gui;
  InstancesScreen screen;
};

TEST_F(InstancesScreenTest, OpensTheRowThatKeysHaveReached) {
  while (screen.readNext())
    frame();
  std::string first = screen.view().rows[0].trace, second = screen.view().rows[1].trace;
  EXPECT_EQ(frame(), "");
  EXPECT_EQ(frame({Command::NextHit}), first);
  EXPECT_EQ(frame({Command::NextPass}), "");
  EXPECT_EQ(frame({Command::NextPass}), ""); // there are no more
  EXPECT_EQ(frame({Command::NextHit}), second);
  EXPECT_EQ(frame({Command::PreviousPass, Command::NextHit}), first);
}

TEST_F(InstancesScreenTest, NotesWhereItsRowsAre) {
  frame();
  frame();
  EXPECT_TRUE(screen.places().all().contains("instance 0"));
  EXPECT_TRUE(screen.places().all().contains("instance 1"));
}

TEST_F(InstancesScreenTest, ComesBackWhenItIsAskedTo) {
  screen.hide();
  EXPECT_FALSE(screen.isShown());
  EXPECT_TRUE(screen.show());
  EXPECT_TRUE(screen.isShown());
  EXPECT_FALSE(InstancesScreen().show());
}

} // namespace
