// Pointing at texts, and what they keep when the pass changes.
// Run alone: unit_tests --gtest_filter='TextPanels*'
#include "panel_fixture.h"

#include "viewer/panels/widgets/text_line.h"

#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

constexpr uint32_t StatementCount = 200;
constexpr uint32_t FirstStmt = 10;

// A kernel of many statements; each pass adds `pass` lines at the beginning. Statement n is on
// source line n and names the buffer, behind `indentation`.
Trace longTrace(size_t passCount, const std::string &indentation = "") {
  Trace trace;
  trace.complete = true;
  auto buffers = std::make_shared<std::vector<BufferRecord>>();
  BufferRecord &buffer = buffers->emplace_back();
  buffer.id = BufferId(1);
  buffer.key = {"f", "S", 0, ""};
  buffer.name = "S";
  buffer.scope = BufferScope::SharedDynamic;
  for (size_t pass = 0; pass != passCount; ++pass) {
    auto lines = std::make_shared<std::vector<LineId>>();
    auto add = [&](std::string text, StmtId stmt, uint32_t sourceLine) {
      lines->push_back(static_cast<LineId>(trace.lines.size()));
      trace.lines.push_back(
          {std::move(text), stmt, BufferId(), {FileId(0), sourceLine, 1, sourceLine, 9}});
    };
    for (size_t extra = 0; extra != pass; ++extra)
      add("", StmtId(), 0);
    for (uint32_t n = 0; n != StatementCount; ++n)
      add(indentation + llvm::formatv("S[{0}] = {1}", n, pass).str(), StmtId(FirstStmt + n), n + 1);
    TraceSnapshot &snapshot = trace.snapshots.emplace_back();
    snapshot.lines = lines;
    snapshot.buffers = buffers;
    TracePass &record = trace.passes.emplace_back();
    record.name = llvm::formatv("pass-{0}", pass);
    record.snapshot = pass;
  }
  for (uint32_t n = 0; n != StatementCount; ++n) {
    trace.header.fileText += llvm::formatv("line {0}\n", n % 7);
    trace.cuda += llvm::formatv("S_v1[{0}] = 0;\n", n);
    trace.cudaMap.push_back({n + 1, StmtId(FirstStmt + n), {FileId(0), n + 1, 1, n + 1, 9}, {}});
  }
  return trace;
}

class TextPanelsTest : public testing::Test {
protected:
  TextPanelsTest() : trace(longTrace(4)) {
    document.trace = &trace;
    document.revision = 1;
  }

  void open(llvm::StringRef name) {
    for (const PanelInfo &info : allPanels())
      if (info.name == name)
        panel = info.make();
    ASSERT_TRUE(panel);
    drawFrames(3);
  }

  void drawFrames(int count) {
    for (int i = 0; i != count; ++i) {
      selection.beginFrame();
      window.draw(*panel, document, selection);
    }
  }

  void moveMouse(float x, float y) {
    ImGui::GetIO().MousePos = ImVec2(x, y);
    drawFrames(2);
  }

  void click() {
    ImGui::GetIO().MouseDown[0] = true;
    drawFrames(1);
    ImGui::GetIO().MouseDown[0] = false;
    drawFrames(1);
  }

  // The first place from the left at `y` where the mouse hovers what `isWanted` says.
  template <typename Predicate> bool hoverWhere(float y, Predicate isWanted) {
    for (int x = 10; x < 560; x += 4) {
      moveMouse(static_cast<float>(x), y);
      if (isWanted(selection.hovered))
        return true;
    }
    return false;
  }

  HeadlessImGui imgui;
  LonePanel window{imgui, ImVec2(600, 500)};
  Trace trace;
  Document document;
  Selection selection;
  std::unique_ptr<Panel> panel;
};

TEST_F(TextPanelsTest, ClickingALinePinsItsStatementAndItsSource) {
  open("ir");
  ASSERT_TRUE(hoverWhere(200, [](const Pick &pick) { return pick.stmt.isValid(); }));
  Pick hovered = selection.hovered;
  EXPECT_EQ(hovered.sourceLine.number, hovered.stmt.value - FirstStmt + 1);
  EXPECT_TRUE(selection.pinned.isEmpty());
  click();
  EXPECT_EQ(selection.pinned, hovered);
}

TEST_F(TextPanelsTest, ClickingANamePinsItsBuffer) {
  open("ir");
  ASSERT_TRUE(hoverWhere(200, [](const Pick &pick) { return pick.buffer.has_value(); }));
  EXPECT_EQ(selection.hovered.buffer->sourceName, "S");
  EXPECT_FALSE(selection.hovered.stmt.isValid());
  click();
  ASSERT_TRUE(selection.pinned.buffer.has_value());
  // Moving on over a line does not let go of it.
  ASSERT_TRUE(hoverWhere(200, [](const Pick &pick) { return pick.stmt.isValid(); }));
  EXPECT_TRUE(selection.hovered.buffer.has_value());
}

TEST_F(TextPanelsTest, ATextScrollsToWhatIsPinnedElsewhere) {
  for (const char *name : {"ir", "source", "cuda"}) {
    open(name);
    Pick pick;
    pick.sourceLine = 150;
    selection.pin(pick);
    drawFrames(2);
    bool isVisible = false;
    for (float y = 60; y < 490 && !isVisible; y += 8) {
      moveMouse(200, y);
      isVisible = selection.hovered.sourceLine.number == 150;
    }
    EXPECT_TRUE(isVisible) << name;
    selection.clear();
  }
}

TEST_F(TextPanelsTest, ANameBeyondTheEdgeIsScrolledTo) {
  trace = longTrace(2, std::string(300, ' '));
  open("ir");
  auto namesBuffer = [](const Pick &pick) { return pick.buffer.has_value(); };
  EXPECT_FALSE(hoverWhere(200, namesBuffer));
  selection.pin(Pick::ofBuffer({"f", "S", 0, ""}));
  moveMouse(-1, -1);
  EXPECT_TRUE(hoverWhere(200, namesBuffer));
}

TEST_F(TextPanelsTest, WhatIsSearchedForBeyondTheEdgeIsScrolledTo) {
  trace = longTrace(2, std::string(300, ' '));
  open("ir");
  selection.query = "] =";
  moveMouse(-1, -1);
  EXPECT_TRUE(hoverWhere(200, [](const Pick &pick) { return pick.buffer.has_value(); }));
}

TEST_F(TextPanelsTest, LinesOfThePinnedVersionAreTold) {
  std::vector<NamedBuffer> buffers{{BufferId(1), {"f", "S", 0, ""}, 0, true}};
  Pick pick = Pick::ofBuffer({"f", "S", 0, ""});
  pick.version = 1;
  TextPick inText(pick, buffers);
  ASSERT_TRUE(inText.hasVersion());
  auto useOf = [&](llvm::StringRef text, const std::vector<BufferSpan> &names) {
    TextLine line;
    line.text = text;
    line.names = names;
    return inText.useIn(line);
  };
  BufferSpan whole{0, 1, BufferId(1), {}, false}, computed{0, 1, BufferId(1), {}, true};
  BufferSpan first{0, 1, BufferId(1), 0, false}, second{0, 1, BufferId(1), 1, false};
  EXPECT_EQ(useOf("S_v1[i] = 0;", {second}), TextPick::Use::Yes);
  EXPECT_EQ(useOf("S_v0[i] = 0;", {first}), TextPick::Use::No);
  EXPECT_EQ(useOf("S_k[i] = S_v1[i];", {computed, second}), TextPick::Use::Yes);
  EXPECT_EQ(useOf("S_k[i] = 0;", {computed}), TextPick::Use::Maybe);
  EXPECT_EQ(useOf("half *const S_v1 = S + 1 * S_slot;", {second, whole}), TextPick::Use::No);
  EXPECT_EQ(useOf("// S_v1", {second}), TextPick::Use::No);
}

TEST_F(TextPanelsTest, CudaBeginsAtTheKernel) {
  std::string helper = "S_v1[99] = 0;";
  size_t at = trace.cuda.find(helper);
  ASSERT_NE(at, std::string::npos);
  trace.cuda.replace(at, helper.size(), "__global__ void f() {");
  open("cuda");
  EXPECT_TRUE(hoverWhere(60, [](const Pick &pick) {
    return pick.sourceLine.number >= 100 && pick.sourceLine.number < 104;
  }));
}

TEST_F(TextPanelsTest, AStatementStaysInPlaceWhenThePassChanges) {
  open("ir");
  Pick pick;
  pick.stmt = StmtId(FirstStmt + 120);
  selection.pin(pick);
  drawFrames(2);
  selection.clear();
  ASSERT_TRUE(hoverWhere(250, [](const Pick &pick) { return pick.stmt.isValid(); }));
  StmtId there = selection.hovered.stmt;
  EXPECT_GT(there.value, FirstStmt + 100);
  for (size_t pass : {1, 3, 2, 0}) {
    selection.selectPass(pass);
    drawFrames(2);
    EXPECT_EQ(selection.hovered.stmt, there) << pass;
  }
}

// Its place would be before the beginning of the text.
TEST_F(TextPanelsTest, AStatementNearTheTopMovesUpWhereLinesAboveItGo) {
  selection.selectPass(3);
  open("ir");
  Pick pick;
  pick.stmt = StmtId(FirstStmt + 3);
  selection.pin(pick);
  drawFrames(2);
  for (size_t pass : {2, 1, 0}) {
    selection.selectPass(pass);
    drawFrames(2);
  }
  ASSERT_TRUE(hoverWhere(120, [](const Pick &there) { return there.stmt.isValid(); }));
  EXPECT_LT(selection.hovered.stmt.value, FirstStmt + 8);
}

// Lines that have the source line of the pinned statement, and are others.
TEST_F(TextPanelsTest, ThePinnedStatementIsRevealedWhereItsSourceLineIsSeen) {
  for (uint32_t n : {0U, 1U, 150U}) {
    LineId id = (*trace.snapshots[0].lines)[n];
    TraceLine line = trace.lines[id];
    line.span.line = 7;
    if (n != 150)
      line.stmt = StmtId();
    trace.lines.set(id, std::move(line));
  }
  open("ir");
  Pick pick;
  pick.stmt = StmtId(FirstStmt + 150);
  pick.sourceLine = 7;
  selection.pin(pick);
  drawFrames(2);
  bool isVisible = false;
  for (float y = 60; y < 490 && !isVisible; y += 8) {
    moveMouse(200, y);
    isVisible = selection.hovered.stmt == pick.stmt;
  }
  EXPECT_TRUE(isVisible);
}

TEST_F(TextPanelsTest, AStepShowsWhatThePassChanged) {
  // Pass 1 changes line 150 and, in metadata, line 0.
  auto lines = std::make_shared<std::vector<LineId>>(*trace.snapshots[0].lines);
  for (uint32_t n : {0U, 150U}) {
    (*lines)[n] = static_cast<LineId>(trace.lines.size());
    TraceLine line = trace.lines[(*trace.snapshots[0].lines)[n]];
    line.text = n == 0 ? "@changed" : "S[150] = changed" + std::string(400, ' ') + "beyond";
    trace.lines.push_back(line);
  }
  trace.snapshots[1].lines = lines;
  open("ir");
  selection.selectPass(1);
  drawFrames(3);
  bool isVisible = false;
  for (float y = 60; y < 490 && !isVisible; y += 8) {
    moveMouse(300, y);
    isVisible = selection.hovered.stmt == StmtId(FirstStmt + 150);
  }
  EXPECT_TRUE(isVisible);
  // The beginning of the line: its name.
  EXPECT_TRUE(hoverWhere(ImGui::GetIO().MousePos.y,
                         [](const Pick &there) { return there.buffer.has_value(); }));
}

TEST_F(TextPanelsTest, TheKernelFileStaysInPlaceWhenThePassChanges) {
  open("source");
  Pick pick;
  pick.sourceLine = 120;
  selection.pin(pick);
  drawFrames(2);
  selection.clear();
  ASSERT_TRUE(hoverWhere(250, [](const Pick &there) { return bool(there.sourceLine); }));
  KernelLine there = selection.hovered.sourceLine;
  EXPECT_GT(there.number, 100U);
  for (size_t pass : {1, 3, 2, 0}) {
    selection.selectPass(pass);
    drawFrames(2);
    EXPECT_EQ(selection.hovered.sourceLine, there) << pass;
  }
}

} // namespace
