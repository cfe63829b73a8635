// Run alone: unit_tests --gtest_filter='PlaceLink*'
#include "core/session/place_link.h"
#include "core/session/workspace.h"
#include "tests/source_folder.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

LinkedName split(const std::string &line) {
  llvm::Expected<LinkedName> linked = splitLink(line);
  if (linked)
    return std::move(*linked);
  ADD_FAILURE() << llvm::toString(linked.takeError());
  return {};
}

std::string refusal(const std::string &line) {
  llvm::Expected<LinkedName> linked = splitLink(line);
  return linked ? "" : llvm::toString(linked.takeError());
}

TEST(PlaceLinkTest, StandsBehindTheNameAndBeforeOptions) {
  LinkedName trace = split("a.trace#pass=simplify#2&buffer=K_shared[1]&line=71&tab=arena");
  EXPECT_EQ(trace.name, "a.trace");
  EXPECT_EQ(trace.place, (PlaceLink{"simplify#2", "K_shared[1]", 71, "arena"}));
  LinkedName kernel = split("a.py:matmul#tab=ir --set M=512 --target sm_80");
  EXPECT_EQ(kernel.name, "a.py:matmul --set M=512 --target sm_80");
  EXPECT_EQ(kernel.place.tab, "ir");
  for (const char *plain : {"a.trace", "a#b.trace", "a.py:matmul --set M=512", ""}) {
    EXPECT_EQ(split(plain).name, plain);
    EXPECT_EQ(split(plain).place, PlaceLink()) << plain;
  }
}

TEST(PlaceLinkTest, IsReadAsItWasWritten) {
  for (const PlaceLink &place :
       {PlaceLink{}, PlaceLink{"simplify#2", "", 0, ""}, PlaceLink{"", "a b&c=%41", 3, "stages"}})
    for (const char *line : {"a.trace", "a.py:matmul --set M=512"}) {
      LinkedName linked = split(linkTo(line, place));
      EXPECT_EQ(linked.name, line);
      EXPECT_EQ(linked.place, place);
    }
}

TEST(PlaceLinkTest, OtherWordsAreRefused) {
  EXPECT_EQ(refusal("a.trace#pass=x&step=3"),
            "a link has pass=, buffer=, line= and tab=, but not 'step'");
  EXPECT_EQ(refusal("a.trace#line=0"), "a link has line=NUMBER, from 1, not 'line=0'");
}

TEST(PlaceLinkTest, LeadsToWhatIsShown) {
  Workspace workspace([] {});
  ASSERT_TRUE(workspace.open(
      inSourceFolder("testdata/kernels/attention_fwd.py:attention --set num_stages=2")));
  workspace.waitForCompile();
  const Trace &trace = *workspace.document().trace;
  PlaceLink place{"inject-pipeline", "K_shared[1]", 71, "arena"};
  ASSERT_EQ(llvm::toString(goTo(place, workspace)), "");
  EXPECT_EQ(trace.passes[workspace.selection.pass].name, "inject-pipeline");
  EXPECT_EQ(workspace.selection.pinned.version, 1);
  EXPECT_EQ(placeOf(trace, workspace.selection, "arena"), place);
  EXPECT_EQ(llvm::toString(goTo({.pass = "nose"}, workspace)), "no pass 'nose' in this trace");
  EXPECT_EQ(llvm::toString(goTo({.pass = "0", .buffer = "K_shared[1]"}, workspace)),
            "no buffer 'K_shared[1]' after pass elaborate");
  ASSERT_EQ(llvm::toString(goTo({}, workspace)), "");
  EXPECT_EQ(workspace.selection.pass, trace.passes.size() - 1);
}

} // namespace
} // namespace tilescope
