// Panels of lists answer to the mouse and to commands.
// Run alone: unit_tests --gtest_filter='TablePanels*:TableWidget*'
#include "panel_fixture.h"

#include "viewer/panels/widgets/table.h"

#include <gtest/gtest.h>

#include <set>

namespace tilescope {
namespace {

const PanelInfo &panelNamed(llvm::StringRef name) {
  for (const PanelInfo &info : allPanels())
    if (info.name == name)
      return info;
  ADD_FAILURE() << "no panel " << name.str();
  return allPanels().front();
}

// A trace of passes of which every second changed something.
Trace traceOfPasses(size_t count) {
  Trace trace;
  trace.snapshots.resize(1);
  for (size_t i = 0; i < count; ++i) {
    TracePass &pass = trace.passes.emplace_back();
    pass.name = "pass" + std::to_string(i);
    pass.status = i % 2 == 0 ? PassStatus::Changed : PassStatus::Unchanged;
  }
  return trace;
}

// What a panel asked for.
class NotedKernel : public IgnoredKernel {
public:
  void breakBefore(std::optional<size_t> pass) override {
    asked.push_back(pass ? "break before " + std::to_string(*pass) : "run all");
  }
  void setArgument(llvm::StringRef name, llvm::StringRef value) override {
    asked.push_back((name + "=" + value).str());
  }
  void setPassOption(llvm::StringRef name, llvm::StringRef value) override {
    asked.push_back((name + "=" + value).str());
  }

  std::vector<std::string> asked;
};

// One panel in a window of 600 x 400.
class PanelWindow {
public:
  PanelWindow(llvm::StringRef name, const Trace &trace) : panel_(panelNamed(name).make()) {
    document.trace = &trace;
    document.revision = 1;
  }

  int frame(ImVec2 mouse = ImVec2(-1, -1), bool isDown = false, CommandSet commands = {},
            int button = 0) {
    ImGui::GetIO().MousePos = mouse;
    ImGui::GetIO().MouseDown[button] = isDown;
    return imgui_.frame([&] {
      selection.hovered = {};
      ImGui::SetNextWindowPos(ImVec2(0, 0));
      ImGui::SetNextWindowSize(ImVec2(600, 400));
      ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration);
      places.clear();
      PanelContext context{document, states,   selection, imgui_.theme,
                           kernel,   commands, given,     places};
      panel_->draw(context);
      ImGui::End();
    });
  }

  // As long as it takes to be laid out.
  void settle() {
    for (int i = 0; i < 4; ++i)
      frame();
  }

  void click(const std::string &place, int button = 0) {
    settle();
    clickAtOnce(place, button);
  }
  // Where it was drawn last.
  void clickAtOnce(const std::string &place, int button = 0) {
    auto found = places.all().find(place);
    ASSERT_NE(found, places.all().end()) << place;
    const ImVec4 &box = found->second;
    ImVec2 at(std::min(box.x + 40, (box.x + box.z) / 2), (box.y + box.w) / 2);
    for (bool isDown : {false, false, true, false})
      frame(at, isDown, {}, button);
    frame(at);
  }

  // The passes that have a row on screen.
  std::set<std::string> rows() {
    settle();
    std::set<std::string> names;
    for (const auto &[name, rectangle] : places.all())
      if (rectangle.y >= 0 && rectangle.w <= 400)
        names.insert(name);
    return names;
  }

  Document document;
  Selection selection;
  Places places;
  NotedKernel kernel;
  CommandSet given;
  PassStates states;

private:
  HeadlessImGui imgui_;
  std::unique_ptr<Panel> panel_;
};

TEST(TablePanelsTest, OnlyChangedPassesAndTheSelectedOneHaveRows) {
  Trace trace = traceOfPasses(6);
  PanelWindow window("passes", trace);
  EXPECT_EQ(window.rows(), (std::set<std::string>{"pass 0", "pass 2", "pass 4"}));
  window.click("pass 2");
  EXPECT_EQ(window.selection.pass, 2U);
  CommandSet toggle;
  toggle.give(Command::ToggleUnchanged);
  window.frame({}, false, toggle);
  EXPECT_EQ(window.rows().size(), 6U);
  window.frame({}, false, toggle);
  window.selection.pass = 3;
  EXPECT_EQ(window.rows(), (std::set<std::string>{"pass 0", "pass 2", "pass 3", "pass 4"}));
}

TEST(TablePanelsTest, TheSelectedPassIsScrolledTo) {
  Trace trace = traceOfPasses(400);
  PanelWindow window("passes", trace);
  EXPECT_TRUE(window.rows().contains("pass 0"));
  EXPECT_FALSE(window.rows().contains("pass 380"));
  window.selection.pass = 380;
  EXPECT_TRUE(window.rows().contains("pass 380"));
  EXPECT_FALSE(window.rows().contains("pass 0"));
  EXPECT_LT(window.rows().size(), 60U); // only what is on screen is drawn
}

TEST(TablePanelsTest, TheMenuOfAPassStopsBeforeItAndEditsAfterIt) {
  Trace trace = traceOfPasses(3);
  trace.header.pipeline = "pass1,pass2,pass3,pass4";
  PanelWindow window("passes", trace);
  window.document.isLive = true;
  window.document.stoppedBefore = "pass3";
  EXPECT_EQ(window.rows(), (std::set<std::string>{"pass 0", "pass 2", "pass 3", "pass 4"}));
  auto choose = [&](const char *row, const char *item) {
    window.click(row, 1);
    window.clickAtOnce(std::string("menu ") + item);
  };
  choose("pass 2", "Break before this pass");
  choose("pass 4", "Break before this pass"); // which did not run
  choose("pass 3", "Run all again");
  choose("pass 4", "Edit the IR after this pass"); // of what there is none
  EXPECT_TRUE(window.given.isEmpty());
  choose("pass 2", "Edit the IR after this pass");
  EXPECT_EQ(window.kernel.asked,
            (std::vector<std::string>{"break before 2", "break before 4", "run all"}));
  EXPECT_TRUE(window.given.has(Command::EditIr));
  EXPECT_EQ(window.selection.pass, 2U);
}

TEST(TablePanelsTest, ARecordedTraceIsNotStopped) {
  Trace trace = traceOfPasses(3);
  PanelWindow window("passes", trace);
  window.click("pass 2", 1);
  window.clickAtOnce("menu Break before this pass");
  EXPECT_TRUE(window.kernel.asked.empty());
}

TEST(TablePanelsTest, ABoolOfAPassIsABox) {
  Trace trace = traceOfPasses(2);
  trace.header.passOptions = {{"p.peel", "bool", "false", "false", {"false", "true"}}};
  PanelWindow window("arguments", trace);
  window.document.isLive = true;
  window.click("option p.peel");
  EXPECT_EQ(window.kernel.asked, std::vector<std::string>{"p.peel=true"});
}

// Whatever the order in which a trace offers the two values.
TEST(TablePanelsTest, AnArgumentThatIsFalseIsABoxWithoutAMark) {
  for (std::vector<std::string> stops :
       {std::vector<std::string>{"True", "False"}, std::vector<std::string>{"False", "True"}}) {
    Trace trace = traceOfPasses(2);
    trace.header.parameters = {{"causal", "bool", "False", "False", stops}};
    PanelWindow window("arguments", trace);
    window.document.isLive = true;
    window.document.requested.arguments = {{"causal", "False"}};
    window.click("argument causal");
    EXPECT_EQ(window.kernel.asked, std::vector<std::string>{"causal=True"});
  }
}

TEST(TablePanelsTest, ARemarkLeadsToItsPassAndLine) {
  Trace trace = traceOfPasses(4);
  trace.passes[2].remarks = {{"LayoutChosen", StmtId(5), {}, {FileId(0), 7, 1, 7, 9}, "text"}};
  PanelWindow window("remarks", trace);
  window.click("remark 0");
  EXPECT_EQ(window.selection.pass, 2U);
  EXPECT_EQ(window.selection.pinned.sourceLine, 7U);
  EXPECT_EQ(window.selection.pinned.stmt, StmtId(5));
}

// A buffer that the second of four passes makes.
Trace traceOfBuffer(int64_t sizeBytes) {
  Trace trace = traceOfPasses(4);
  TraceSnapshot &snapshot = trace.snapshots.emplace_back();
  BufferRecord record;
  record.id = BufferId(1);
  record.key = {"f", "tile", 0, ""};
  record.name = "tile";
  record.dtype = "float16";
  record.scope = BufferScope::SharedDynamic;
  record.sizeBytes = sizeBytes;
  snapshot.buffers = std::make_shared<const std::vector<BufferRecord>>(1, record);
  for (size_t pass = 1; pass < 4; ++pass)
    trace.passes[pass].snapshot = 1;
  return trace;
}

TEST(TablePanelsTest, ABuffersHistoryLeadsToItsPasses) {
  Trace trace = traceOfBuffer(64);
  PanelWindow window("buffer", trace);
  window.selection.pass = 3;
  window.selection.pinned = Pick::ofBuffer({"f", "tile", 0, ""});
  window.click("buffer event 0");
  EXPECT_EQ(window.selection.pass, 1U);
}

TEST(TablePanelsTest, AComparedBufferIsPinned) {
  Trace trace = traceOfBuffer(64);
  Trace other = traceOfBuffer(128);
  PanelWindow window("compare", trace);
  window.document.other = &other;
  window.click("compare buffers");
  window.click("compared buffer tile");
  EXPECT_EQ(window.selection.pinned.buffer, (BufferKey{"f", "tile", 0, ""}));
}

TEST(TablePanelsTest, AClickOnABufferBringsItsCardForward) {
  Trace trace = traceOfBuffer(64);
  Trace other = traceOfBuffer(128);
  HeadlessImGui imgui;
  IgnoredKernel kernel;
  PassStates states;
  Selection selection;
  Document document;
  document.trace = &trace;
  document.other = &other;
  Frame frame;
  auto panel = [&](llvm::StringRef name) -> const PanelInfo & { return panelNamed(name); };
  frame.layout.activate(panel("compare"));
  frame.layout.activate(panel("arguments"));
  auto draw = [&](ImVec2 mouse, bool isDown) {
    ImGui::GetIO().MousePos = mouse;
    ImGui::GetIO().MouseDown[0] = isDown;
    imgui.frame([&] {
      frame.draw(document, selection, imgui.theme, kernel, CommandSet(), ImVec2(0, 0),
                 ImVec2(1600, 1000));
    });
  };
  auto middleOf = [&](const std::string &place) {
    for (int i = 0; i < 4; ++i)
      draw(ImVec2(-1, -1), false);
    auto found = frame.places().all().find(place);
    EXPECT_NE(found, frame.places().all().end()) << place;
    if (found == frame.places().all().end())
      return ImVec2(-1, -1);
    return ImVec2(found->second.x + 20, (found->second.y + found->second.w) / 2);
  };
  ImVec2 buffers = middleOf("compare buffers");
  for (bool isDown : {false, true, false, false})
    draw(buffers, isDown);
  ImVec2 row = middleOf("compared buffer tile");
  draw(row, false);
  draw(row, false);
  EXPECT_FALSE(frame.layout.isActive(panel("buffer"))); // hovering does not
  for (bool isDown : {true, false, false})
    draw(row, isDown);
  EXPECT_TRUE(frame.layout.isActive(panel("buffer")));
}

TEST(TablePanelsTest, EmptyPanelsSayWhy) {
  Trace trace = traceOfPasses(2);
  for (const char *name : {"buffer", "remarks", "compare"}) {
    PanelWindow window(name, trace);
    window.settle();
    EXPECT_GT(window.frame(), 200) << name << " draws no text";
  }
}

TEST(TableWidgetTest, ColumnsThatFindNoRoomAreNamed) {
  HeadlessImGui imgui;
  auto leftOutAt = [&](float digits) {
    std::string missing;
    imgui.frame([&] {
      ImGui::SetNextWindowSize(ImVec2(digits * ImGui::CalcTextSize("0").x, 200));
      ImGui::Begin("table", nullptr, ImGuiWindowFlags_NoDecoration);
      constexpr TableColumn Columns[] = {{"name"}, {"KiB", 10, true, 1}, {"ms", 10, true, 2}};
      missing = Table("rows", Columns, imgui.theme).leftOut();
      ImGui::End();
    });
    return missing;
  };
  EXPECT_EQ(leftOutAt(60), "");
  EXPECT_EQ(leftOutAt(30), "ms");
  EXPECT_EQ(leftOutAt(15), "KiB, ms");
}

TEST(TableWidgetTest, SizesHaveUnits) {
  EXPECT_EQ(kibText(512), "512 B");
  EXPECT_EQ(kibText(1536), "1.5 KiB");
  EXPECT_EQ(kibText(-98304), "-96 KiB");
  EXPECT_EQ(kibNumber(512), "0.5");
  EXPECT_EQ(kibNumber(52), "0.1");
  EXPECT_EQ(kibNumber(-8), "-0.008"); // no "-0.0"
  EXPECT_EQ(kibNumber(int64_t(1024) * 1234567), "1,234,567");
}

} // namespace
} // namespace tilescope
