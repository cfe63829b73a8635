// Labels of pictures: what they say, and that none stands on another.
// Run alone: unit_tests --gtest_filter='PictureLabels*'
#include "panel_fixture.h"

#include "core/views/arena_model.h"
#include "core/views/lifetimes_model.h"
#include "core/views/stages_contents.h"
#include "viewer/panels/widgets/byte_ruler.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

ArenaFunction functionOf(int64_t peakBytes, int64_t capacityBytes) {
  ArenaFunction function;
  function.function = "kernel";
  function.preview = false;
  function.peakBytes = function.boundBytes = peakBytes;
  function.capacityBytes = capacityBytes;
  function.proof = "optimal";
  return function;
}

TEST(PictureLabels, TheHeadlineBeginsWithNumbers) {
  ArenaFunction function = functionOf(163840, 166912);
  EXPECT_EQ(headlineOf(function), "160 KiB of 163 KiB, optimal, kernel");
  function.occupancy = OccupancyView{1, 2, 82944, 80896, 0};
  EXPECT_EQ(headlineOf(function),
            "160 KiB of 163 KiB, 1 block/SM, optimal, kernel, 2 blocks/SM need 79 KiB less");
  function.preview = true;
  function.boundBytes = 131072;
  function.proof = "gap";
  function.occupancy.reset();
  EXPECT_EQ(headlineOf(function), "160 KiB of 163 KiB, preview, 32 KiB above the bound, kernel");
  function.boundBytes = 0;
  EXPECT_EQ(headlineOf(function), "160 KiB of 163 KiB, preview, least height not known, kernel");
}

TEST(PictureLabels, TheHeadlineOfWhatDoesNotFitSaysSoFirst) {
  EXPECT_EQ(headlineOf(functionOf(327680, 166912)),
            "does not fit, 157 KiB over: 320 KiB of 163 KiB, no plan is lower, kernel");
}

TEST(PictureLabels, LoopsAreCalledByAsMuchAsFits) {
  TraceLoop loop;
  loop.text = "for kb in T.serial(0, 32):";
  EXPECT_EQ(loopLabels(loop), (std::vector<std::string>{loop.text, "for kb", "kb"}));
  loop.sourceLine = 65;
  EXPECT_EQ(loopLabels(loop), (std::vector<std::string>{"line 65  " + loop.text, loop.text,
                                                        "line 65  for kb", "for kb", "kb"}));
  loop.text = "while True:";
  loop.sourceLine = 0;
  EXPECT_EQ(loopLabels(loop), (std::vector<std::string>{"while True:"}));
}

TEST(PictureLabels, BytesOfAStageSayWhyItCostsNothing) {
  StagesLoop loop;
  loop.bodyBytes = 24576;
  loop.freeBytes = 2048;
  EXPECT_EQ(bytesText(loop, kibText), "live at most 24 KiB in the loop");
  loop.nextStageBytes = 16384;
  loop.prologueBytes = 8192;
  EXPECT_EQ(bytesText(loop, kibText), "one more stage: 16 KiB, 2 KiB are free; live at most 24 KiB "
                                      "in the loop, 8 KiB in the prologue");
  loop.freeBytes = -1024;
  EXPECT_EQ(bytesText(loop, kibText).find("one more stage: 16 KiB, 1 KiB over the capacity"), 0u);
  loop.nextStageBytes = 0;
  EXPECT_EQ(bytesText(loop, kibText).find("one more stage costs nothing: another loop"), 0u);
}

TEST(PictureLabels, SlotsOfATileSayWhichIterationIsInThem) {
  StagesLoop loop;
  auto addTile = [&](uint32_t id, const char *name, int64_t slots) {
    for (int64_t slot = 0; slot != slots; ++slot) {
      loop.stages.occupancies.push_back({loop.rows.size(), {slot, false}, 0, 0, 1});
      loop.stages.occupancies.push_back({loop.rows.size(), {slot + slots, false}, 1, 1, 2});
      loop.rows.push_back({BufferId(id), name, slot, 0, {}});
    }
  };
  addTile(0, "bias", 1);
  EXPECT_EQ(slotsText(loop), "");
  addTile(1, "A_shared", 2);
  addTile(2, "B_shared", 2);
  EXPECT_EQ(slotsText(loop), "iteration i is in slot i mod 2");
  addTile(3, "C_shared", 3);
  EXPECT_EQ(slotsText(loop),
            "iteration i is in slot i mod 2 of A_shared, B_shared; slot i mod 3 of C_shared");
  loop.stages.hasHidden = true;
  EXPECT_EQ(slotsText(loop), "");
  loop.stages.hasHidden = false;
  loop.stages.occupancies.back().tile.value = 7; // in slot 2 of 3
  EXPECT_EQ(slotsText(loop), "");
}

TEST(PictureLabels, CloseLabelsAreMerged) {
  auto widthOf = [](llvm::StringRef text) { return static_cast<double>(text.size()); };
  auto textsOf = [&](const std::vector<AxisLabel> &labels) {
    std::vector<std::string> texts;
    for (const AxisLabel &label : mergeLabels(labels, 1, widthOf))
      texts.push_back(label.text);
    return texts;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(textsOf({}), Texts());
  EXPECT_EQ(textsOf({{"g0", 0}, {"g1", 3}, {"g2", 6}}), (Texts{"g0", "g1", "g2"}));
  EXPECT_EQ(textsOf({{"g0", 0}, {"g1", 1}, {"g2", 2}, {"g3", 9}}), (Texts{"g0..g2", "g3"}));
  // What was merged is longer: it meets the next.
  EXPECT_EQ(textsOf({{"g0", 0}, {"g1", 1}, {"g2", 4}}), (Texts{"g0..g2"}));
  EXPECT_EQ(textsOf({{"g7", 0}, {"g7", 1}}), (Texts{"g7"}));
}

// Draws nothing, but needs a font.
std::vector<ByteRuler::Label> labelsOf(const std::vector<ByteRule> &rules) {
  HeadlessImGui imgui;
  std::vector<ByteRuler::Label> labels;
  imgui.frame([&] {
    ImGui::Begin("ruler");
    Picture picture(imgui.theme);
    ZoomAxis axis;
    axis.place(100, 500, {0, 1000}, 0);
    labels = ByteRuler(picture, axis, 0, 600, rules).labels();
    ImGui::End();
  });
  return labels;
}

TEST(PictureLabels, RulesAreSortedAndNoLineCrossesALabel) {
  std::vector<ByteRuler::Label> labels = labelsOf({{980, "capacity 980 B", "", {}, true},
                                                   {960, "peak 960 B", "", {}, true},
                                                   {700, "3 blocks/SM", "", {}, false},
                                                   {760, "2 blocks/SM", "", {}, false},
                                                   {20, "40 blocks/SM", "", {}, false}});
  ASSERT_EQ(labels.size(), 5u);
  for (size_t i = 1; i != labels.size(); ++i) {
    EXPECT_LT(labels[i - 1].rule.bytes, labels[i].rule.bytes);
    for (size_t j = 0; j != i; ++j) // a line reaches up to its own label
      if (labels[j].x >= labels[i].labelX)
        EXPECT_LT(labels[j].track, labels[i].track) << labels[i].rule.label;
  }
  for (const ByteRuler::Label &label : labels)
    EXPECT_GE(label.labelX, 0);
}

TEST(PictureLabels, RulesThatCrowdAreLeftOut) {
  std::vector<ByteRule> rules{{500, "peak 500 B", "", {}, true}};
  for (int64_t blocks = 1; blocks != 40; ++blocks)
    rules.push_back({500 + blocks * 4, std::to_string(blocks) + " blocks/SM", "", {}, false});
  std::vector<ByteRuler::Label> labels = labelsOf(rules);
  EXPECT_GE(labels.size(), 2u);
  for (const ByteRuler::Label &label : labels)
    EXPECT_LT(label.track, 3) << label.rule.label;
  EXPECT_EQ(labels.front().rule.label, "peak 500 B");
}

} // namespace
} // namespace tilescope
