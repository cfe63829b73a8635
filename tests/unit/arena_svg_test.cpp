// Run alone: unit_tests --gtest_filter='ArenaSvg*'
#include "core/exports/arena_svg.h"
#include "core/exports/lifetimes_svg.h"
#include "core/plan/planner.h"

#include <gtest/gtest.h>

#include <random>
#include <regex>

using namespace tilescope;

namespace {

ArenaBuffer buffer(uint32_t id, std::string name, int64_t size, std::vector<LiveInterval> live) {
  ArenaBuffer result;
  result.id = BufferId(id);
  result.name = std::move(name);
  result.sizeBytes = result.strideBytes = size;
  result.live = std::move(live);
  return result;
}

ArenaPicture pictureOf(ArenaProblem problem) {
  ArenaPicture picture;
  picture.title = "kernel";
  picture.plan = planArena(problem);
  picture.problem = std::move(problem);
  return picture;
}

// A kernel with 54 buffers: five pipelines in a row, each with its own tiles, and a few long lives.
ArenaPicture manyBuffers() {
  ArenaProblem problem;
  problem.capacityBytes = 166912;
  for (uint32_t id = 0; id != 54; ++id) {
    ProgramPoint begin = static_cast<ProgramPoint>(id / 11 * 12 + id % 11);
    ProgramPoint end = id % 11 == 0 ? 60 : begin + 4;
    problem.buffers.push_back(
        buffer(id, "tile_" + std::to_string(id) + "_shared", 1024 << (id % 4), {{begin, end}}));
  }
  ArenaPicture picture = pictureOf(std::move(problem));
  picture.steps = occupancySteps(*llvm::cantFail(findTarget("sm_80")), 0, 128);
  for (uint32_t point = 0; point != 60; ++point)
    picture.labels.push_back({point + 1, "T.copy(A[k * block_M, 0], tile_" + std::to_string(point) +
                                             "_shared[0:128, 0:64]) with a long tail"});
  for (ProgramPoint loop = 0; loop != 5; ++loop)
    picture.loops.push_back({12 * loop, 12 * loop + 12, 0, "line 7: for k in T.Pipelined(16)"});
  return picture;
}

struct Label {
  double left, right, top, bottom;
  std::string text;
};

// The upright texts of a document with one drawing, as boxes.
std::vector<Label> labelsOf(const std::string &svg) {
  static const std::regex Text("<text x=\"([-0-9.]+)\" y=\"([-0-9.]+)\"([^>]*)>([^<]*)</text>");
  std::vector<Label> labels;
  for (std::sregex_iterator it(svg.begin(), svg.end(), Text), end; it != end; ++it) {
    double x = std::stod((*it)[1]), y = std::stod((*it)[2]);
    std::string attributes = (*it)[3], text = (*it)[4];
    double scale = attributes.find("title") != std::string::npos ? 14.0 / 11 : 1;
    double width = scale * widthOf(text);
    double left = attributes.find("middle") != std::string::npos ? x - width / 2
                  : attributes.find("end") != std::string::npos  ? x - width
                                                                 : x;
    labels.push_back({left, left + width, y - 8, y + 2, text});
  }
  return labels;
}

void expectReadable(const std::string &svg) {
  std::smatch size;
  ASSERT_TRUE(std::regex_search(svg, size, std::regex("viewBox=\"0 0 ([0-9.]+) ([0-9.]+)\"")));
  double width = std::stod(size[1]), height = std::stod(size[2]);
  std::vector<Label> labels = labelsOf(svg);
  for (size_t i = 0; i != labels.size(); ++i) {
    const Label &a = labels[i];
    EXPECT_TRUE(a.left >= 0 && a.right <= width && a.top >= 0 && a.bottom <= height) << a.text;
    for (size_t j = i + 1; j != labels.size(); ++j) {
      const Label &b = labels[j];
      bool overlap = a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      EXPECT_FALSE(overlap) << a.text << " and " << b.text;
    }
  }
}

TEST(ArenaSvg, TheSamePictureGivesTheSameBytes) {
  EXPECT_EQ(arenaSvg({manyBuffers()}), arenaSvg({manyBuffers()}));
}

TEST(ArenaSvg, LabelsOfManyBuffersNeitherOverlapNorAreCutOff) {
  std::string svg = arenaSvg({manyBuffers()});
  EXPECT_GT(labelsOf(svg).size(), 150U);
  expectReadable(svg);
}

TEST(ArenaSvg, LabelsOfRandomArenasNeitherOverlapNorAreCutOff) {
  std::mt19937 random(7);
  for (int round = 0; round != 50; ++round) {
    ArenaProblem problem;
    problem.capacityBytes = round % 3 == 0 ? 0 : 1000 + static_cast<int64_t>(random() % 300000);
    uint32_t count = 1 + random() % 30;
    for (uint32_t id = 0; id != count; ++id) {
      auto begin = static_cast<ProgramPoint>(random() % 300);
      auto end = static_cast<ProgramPoint>(begin + 1 + random() % 60);
      problem.buffers.push_back(buffer(id, "b" + std::to_string(id),
                                       16 + static_cast<int64_t>(random() % 40000),
                                       {{begin, end}}));
    }
    ArenaPicture picture = pictureOf(std::move(problem));
    picture.caption = std::string(random() % 400, 'x');
    picture.steps = occupancySteps(*llvm::cantFail(findTarget("sm_90a")), 0, 0);
    expectReadable(arenaSvg({picture}));
  }
}

TEST(ArenaSvg, TextIsEscaped) {
  EXPECT_EQ(escapeXml("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(escapeXml(llvm::StringRef("\0\x1b\n", 3)), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(escapeXml("\xff"), "\uFFFD");
  EXPECT_EQ(escapeXml("\uFFFE gr\u00fcn"), "\uFFFD gr\u00fcn");
  EXPECT_EQ(escapeXml("a\u202Eb"), "a\\xe2\\x80\\xaeb");
  ArenaPicture picture = pictureOf({{buffer(0, "</text><script>", 1 << 20, {{0, 40}})}, 0});
  picture.title = "<&>";
  picture.labels = {{1, "a < b"}};
  std::string svg = arenaSvg({picture});
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_NE(svg.find("&lt;/text&gt;&lt;script&gt;"), std::string::npos);
  EXPECT_NE(svg.find(">&lt;&amp;&gt;</text>"), std::string::npos);
}

TEST(ArenaSvg, ClipsByCharacters) {
  EXPECT_EQ(clipText("abcdef", 6), "abcdef");
  EXPECT_EQ(clipText("abcdefg", 6), "abcde\u2026");
  EXPECT_EQ(clipText("\u00e4\u00f6\u00fc\u00df", 3), "\u00e4\u00f6\u2026");
  EXPECT_EQ(clipText("abc", 0), "");
}

TEST(ArenaSvg, DrawsVersionsAndPadding) {
  ArenaProblem problem{{buffer(0, "A", 3072, {{0, 9}}), buffer(1, "B", 1000, {{0, 9}}),
                        buffer(2, "C", 4096, {{0, 9}})},
                       0};
  problem.buffers[0].versions = 3;
  problem.buffers[0].strideBytes = 1024;
  ArenaPicture picture;
  picture.plan = describePlan(problem, {0, 3072, 4096});
  picture.plan.placements[2].paddingBytes = 24;
  picture.problem = problem;
  std::string svg = arenaSvg({picture});
  std::regex divider("stroke-opacity=\"0.5\"");
  EXPECT_EQ(std::distance(std::sregex_iterator(svg.begin(), svg.end(), divider), {}), 2);
  EXPECT_NE(svg.find("url(#padding)"), std::string::npos);
  EXPECT_NE(svg.find("24 of padding below"), std::string::npos);
}

TEST(ArenaSvg, NothingToDraw) {
  EXPECT_NE(arenaSvg({}).find("no shared memory"), std::string::npos);
  expectReadable(arenaSvg({pictureOf({})}));
}

TEST(LifetimesSvg, DrawsMarks) {
  LifetimesPicture picture;
  picture.title = "kernel";
  picture.labels = {{1, "w"}, {2, "x"}, {3, "u"}};
  picture.lanes = {{"A_shared", 200, {{0, 3}}, {{0, 1}}, {0, 1}, {1, 2}}};
  std::string svg = lifetimesSvg({picture});
  EXPECT_NE(svg.find(">D</text>"), std::string::npos);
  EXPECT_NE(svg.find(">X</text>"), std::string::npos);
  EXPECT_NE(svg.find(">U</text>"), std::string::npos);
  expectReadable(svg);
}

} // namespace
