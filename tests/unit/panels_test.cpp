// Every panel draws every trace, and twice the same.
#include "drawn_text.h"
#include "panel_fixture.h"

#include "core/driver/kernel_instances.h"
#include "tests/source_folder.h"
#include "viewer/panels/widgets/buffer_pick.h"
#include "viewer/shell/settings.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

#include <set>

namespace tilescope {
namespace {

std::string textOf(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(buffer) << path;
  return buffer ? (*buffer)->getBuffer().str() : "";
}

// Of the first instance that the file lists.
Trace traceOfKernel(const std::string &file,
                    const std::vector<std::pair<std::string, std::string>> &settings = {}) {
  std::string path = inSourceFolder("testdata/kernels/" + file);
  std::string text = textOf(path);
  std::vector<KernelInstance> instances = llvm::cantFail(instancesOfKernel(text, path));
  CompileRequest request;
  request.path = path;
  request.text = text;
  request.function = instances.front().function;
  request.arguments = instances.front().arguments;
  llvm::append_range(request.arguments, settings);
  TraceRecorder recorder;
  compile(request, {.recorder = &recorder});
  return recorder.takeTrace();
}

std::vector<Trace> tracesToDraw() {
  std::vector<Trace> traces;
  for (const char *file :
       {"attention_fwd.py", "sibling_pipelines.py", "chunk_inverse.py", "sized_at_launch.py"})
    traces.push_back(traceOfKernel(file));
  for (const char *name : {"written_gemm", "written_torn_attention", "roles_attention_sm_90a"}) {
    std::string path = inSourceFolder(llvm::Twine("testdata/traces/") + name + ".trace");
    llvm::Expected<Trace> trace = readTraceFile(path);
    EXPECT_TRUE(bool(trace)) << path;
    if (trace)
      traces.push_back(std::move(*trace));
    else
      llvm::consumeError(trace.takeError());
  }
  std::erase_if(traces, [](const Trace &trace) { return trace.passes.empty(); });
  return traces;
}

Pick firstBufferOf(const Trace &trace, size_t pass) {
  const TraceSnapshot &snapshot = trace.snapshots[trace.passes[pass].snapshot];
  return snapshot.buffers->empty() ? Pick() : Pick::ofBuffer(snapshot.buffers->front().key);
}

class PanelsTest : public testing::TestWithParam<size_t> {};

TEST_P(PanelsTest, DrawsEveryPassOfEveryTraceTwiceTheSame) {
  const PanelInfo &info = allPanels()[GetParam()];
  std::vector<Trace> traces = tracesToDraw();
  ASSERT_GE(traces.size(), 7u);
  HeadlessImGui imgui;
  LonePanel window(imgui, ImVec2(900, 700), info.name.str());
  uint64_t revision = 0;
  for (const Trace &trace : traces) {
    Document document;
    document.trace = &trace;
    document.other = &traces.front();
    document.revision = ++revision;
    std::unique_ptr<Panel> panel = info.make();
    for (size_t pass = 0; pass < trace.passes.size(); ++pass) {
      Selection selection;
      selection.pass = pass;
      selection.pinned = firstBufferOf(trace, pass);
      selection.query = "shared";
      constexpr int Frames = 5; // the first ones learn sizes
      std::vector<int> vertices;
      vertices.reserve(Frames);
      for (int frame = 0; frame < Frames; ++frame)
        vertices.push_back(window.draw(*panel, document, selection));
      EXPECT_GT(vertices[3], 0) << info.name.str() << ", pass " << pass;
      EXPECT_EQ(vertices[3], vertices[4]) << info.name.str() << ", pass " << pass;
    }
  }
}

// What is of another compile than the last is marked, in every panel but that of the arguments,
// which are asked for now.
TEST(PanelsMarks, WhatIsStaleIsMarked) {
  Trace trace = traceOfKernel("attention_fwd.py");
  HeadlessImGui imgui;
  for (const PanelInfo &info : allPanels()) {
    Document document;
    document.trace = &trace;
    Selection selection;
    selection.pass = trace.passes.size() - 1;
    IgnoredKernel kernel;
    CommandSet commands;
    Frame frame;
    frame.layout.maximised = info.name.str();
    auto draw = [&] {
      imgui.frame([&] {
        frame.draw(document, selection, imgui.theme, kernel, commands, ImVec2(), ImVec2(900, 700));
      });
      return frame.places().all().contains(("stale " + info.name).str());
    };
    EXPECT_FALSE(draw()) << info.name.str();
    document.isStale = true;
    EXPECT_EQ(draw(), info.name != "arguments") << info.name.str();
  }
}

const BufferRecord &bufferNamed(const Trace &trace, llvm::StringRef name) {
  const TraceSnapshot &snapshot = trace.snapshots[trace.passes.back().snapshot];
  auto found = llvm::find_if(*snapshot.buffers,
                             [&](const BufferRecord &buffer) { return buffer.name == name; });
  EXPECT_NE(found, snapshot.buffers->end()) << name.str();
  return *found;
}

TEST(PanelsMarks, WhatIsPinnedStaysMarkedWhileAnotherIsHovered) {
  Trace trace = traceOfKernel("attention_fwd.py");
  Document document;
  document.trace = &trace;
  Selection selection;
  selection.pass = trace.passes.size() - 1;
  const BufferRecord &pinned = bufferNamed(trace, "K_shared");
  const BufferRecord &hovered = bufferNamed(trace, "V_shared");
  selection.pinned = {pinned.key, 1};
  HeadlessImGui imgui;
  IgnoredKernel kernel;
  CommandSet given;
  PassStates states;
  CommandSet commands;
  Places places;
  PanelContext context{document, states, selection, imgui.theme, kernel, commands, given, places};
  ShownPick shown;
  shown.update(context);
  EXPECT_EQ(shown.emphasisOf(pinned.id), Emphasis::Pinned);
  EXPECT_EQ(shown.emphasisOf(hovered.id), Emphasis::Dimmed);
  selection.hovered = {hovered.key, 0};
  shown.update(context);
  EXPECT_EQ(shown.emphasisOf(pinned.id), Emphasis::Pinned);
  EXPECT_EQ(shown.emphasisOf(pinned.id, 1), Emphasis::Pinned);
  EXPECT_EQ(shown.emphasisOf(pinned.id, 0), Emphasis::None);
  EXPECT_EQ(shown.emphasisOf(hovered.id), Emphasis::Hovered);
  EXPECT_EQ(shown.emphasisOf(hovered.id, 0), Emphasis::Hovered);
  EXPECT_EQ(shown.emphasisOf(bufferNamed(trace, "Q_shared").id), Emphasis::Dimmed);
}

// What the pointer picks while it goes down over the panel `stages` at each x.
std::vector<Pick> picksInStages(const Trace &trace, const std::vector<int> &places) {
  Document document;
  document.trace = &trace;
  Selection selection;
  selection.pass = trace.passes.size() - 1;
  HeadlessImGui imgui;
  LonePanel window(imgui, ImVec2(900, 700));
  std::unique_ptr<Panel> panel;
  for (const PanelInfo &info : allPanels())
    if (info.name == "stages")
      panel = info.make();
  std::vector<Pick> picks;
  for (int x : places)
    for (int y = 0; y < 500; y += 4) {
      ImGui::GetIO().MousePos = ImVec2(static_cast<float>(x), static_cast<float>(y));
      selection.beginFrame();
      window.draw(*panel, document, selection);
      picks.push_back(selection.hovered);
    }
  return picks;
}

std::set<int64_t> versionsOf(const std::vector<Pick> &picks, const BufferKey &buffer) {
  std::set<int64_t> versions;
  for (const Pick &pick : picks)
    if (pick.buffer == buffer)
      versions.insert(pick.version);
  return versions;
}

// Over the names of the slots.
TEST(PanelsMarks, SlotsOfTheStagesPickTheirVersion) {
  Trace trace = traceOfKernel("attention_fwd.py", {{"num_stages", "2"}});
  EXPECT_EQ(versionsOf(picksInStages(trace, {30}), bufferNamed(trace, "K_shared").key),
            (std::set<int64_t>{0, 1}));
}

TEST(PanelsMarks, RowsOfRolesPickTheirStatementAndBuffer) {
  Trace trace =
      llvm::cantFail(readTraceFile(inSourceFolder("testdata/traces/roles_attention_sm_90a.trace")));
  BufferKey tile = bufferNamed(trace, "K_shared").key;
  std::vector<Pick> picks = picksInStages(trace, {30});
  EXPECT_EQ(versionsOf(picks, tile), (std::set<int64_t>{-1}));
  std::set<uint32_t> ofTile, ofNoBuffer;
  for (const Pick &pick : picks)
    if (!pick.buffer)
      ofNoBuffer.insert(pick.sourceLine.number);
    else if (pick.buffer == tile)
      ofTile.insert(pick.sourceLine.number);
  // Copied in one role, read in the other; a wait of line 87 is for V_shared.
  EXPECT_EQ(ofTile, (std::set<uint32_t>{66, 71}));
  EXPECT_TRUE(ofNoBuffer.count(65) && ofNoBuffer.count(87));
  // Its cells are slots.
  EXPECT_EQ(versionsOf(picksInStages(trace, {450, 550, 650, 750, 850}), tile),
            (std::set<int64_t>{0, 1}));
}

TEST(PanelsMarks, TogglesAreRemembered) {
  HeadlessImGui imgui;
  Frame first, second;
  std::map<std::string, bool> toggles = first.toggles();
  ASSERT_TRUE(toggles.count("remarks.this-pass"));
  for (auto &[name, isOn] : toggles)
    isOn = !isOn;
  toggles["remarks.gone"] = true; // of another version
  Settings settings, again;
  settings.toggles = toggles;
  llvm::json::Path::Root root;
  ASSERT_TRUE(fromJSON(toJSON(settings), again, root));
  second.setToggles(again.toggles);
  toggles.erase("remarks.gone");
  EXPECT_EQ(second.toggles(), toggles);
  EXPECT_NE(first.toggles(), toggles);
}

// In a small window and on a large screen; what is drawn is as large as it likes.
TEST_P(PanelsTest, DrawsInBothThemesAtBothSizes) {
  const PanelInfo &info = allPanels()[GetParam()];
  std::vector<Trace> traces = tracesToDraw();
  HeadlessImGui imgui;
  IgnoredKernel kernel;
  PassStates states;
  uint64_t revision = 0;
  for (const Theme &theme : {Theme::dark(), Theme::light()})
    for (ImVec2 size : {ImVec2(800, 600), ImVec2(3840, 2160)}) {
      imgui.show(theme, size);
      for (const Trace &trace : llvm::ArrayRef(traces).take_front(3)) {
        Document document;
        document.trace = document.other = &trace;
        document.revision = ++revision;
        Selection selection;
        selection.pass = trace.passes.size() - 1;
        selection.pinned = firstBufferOf(trace, selection.pass);
        selection.query = "shared";
        Frame panels;
        int vertices = 0;
        for (int frame = 0; frame < 3; ++frame)
          vertices = imgui.frame(
              [&] { panels.drawAlone(info.name, document, selection, imgui.theme, kernel, size); });
        ImVec4 place = panels.places().all().at(info.name.str());
        EXPECT_EQ(place.z - place.x, size.x) << info.name.str();
        EXPECT_EQ(place.w - place.y, size.y) << info.name.str();
        EXPECT_GT(vertices, 0) << info.name.str() << ", " << trace.header.file;
      }
    }
}

// Apart from what the widgets say of themselves: what reaches the screen. Panels of code scroll
// sideways.
void expectReadable(const ImDrawData &data, const PanelInfo &info, const ImVec4 &place,
                    const std::string &where) {
  static const std::set<llvm::StringRef> OfCode{"ir", "cuda", "source", "search"};
  std::vector<DrawnCharacter> characters = charactersOf(data);
  EXPECT_GT(characters.size(), 200u) << where;
  std::erase_if(characters, [&](const DrawnCharacter &character) {
    return !covers(place, character.box) || !isSeen(character);
  });
  llvm::sort(characters,
             [](const DrawnCharacter &a, const DrawnCharacter &b) { return a.box.y < b.box.y; });
  for (size_t i = 0; i != characters.size(); ++i) {
    const ImVec4 &box = characters[i].box;
    if (isCutAcross(characters[i]) && !OfCode.count(info.name))
      ADD_FAILURE() << where << ": a character is cut at " << box.x << ", " << box.y;
    for (size_t j = i + 1; j != characters.size() && characters[j].box.y < box.w; ++j)
      if (overlap(characters[i], characters[j]))
        ADD_FAILURE() << where << ": two characters lie over each other at " << box.x << ", "
                      << box.y;
  }
}

// Each on top of its cell in a window as it is at first, small and of usual size.
TEST_P(PanelsTest, CutsNoLabelInTheWindow) {
  const PanelInfo &info = allPanels()[GetParam()];
  std::vector<Trace> traces = tracesToDraw();
  HeadlessImGui imgui;
  IgnoredKernel kernel;
  PassStates states;
  uint64_t revision = 0;
  for (ImVec2 size : {ImVec2(800, 600), ImVec2(806, 600), ImVec2(1600, 1000)}) {
    imgui.show(Theme::dark(), size);
    ImGui::GetStyle().AntiAliasedLinesUseTex = false;
    for (const Trace &trace : traces) {
      Document document;
      document.trace = &trace;
      document.other = &traces.front();
      document.revision = ++revision;
      Selection selection;
      selection.pass = trace.passes.size() - 1;
      selection.pinned = firstBufferOf(trace, selection.pass);
      selection.query = "shared";
      Frame panels;
      panels.layout.activate(info);
      for (int frame = 0; frame < 5; ++frame)
        imgui.frame([&] {
          panels.draw(document, selection, imgui.theme, kernel, CommandSet(), ImVec2(), size);
        });
      std::string where = llvm::formatv("{0} of {1} in {2} pixels", info.name, trace.header.file,
                                        static_cast<int>(size.x));
      for (const CutText &cut : panels.cutTexts().all())
        if (cut.kind == TextKind::Label)
          ADD_FAILURE() << where << ": '" << cut.text << "' is cut to '" << cut.shown << "'";
      expectReadable(*ImGui::GetDrawData(), info, panels.places().all().at(info.name.str()), where);
    }
  }
}

// A panel of a window of 800 x 600, as it is at first, after one pass of a trace.
class SmallWindow {
public:
  SmallWindow(llvm::StringRef panel, const Trace &trace, size_t pass) {
    imgui_.show(Theme::dark(), size_);
    ImGui::GetStyle().AntiAliasedLinesUseTex = false;
    document_.trace = &trace;
    document_.revision = 1;
    document_.isLive = true;
    selection_.pass = pass;
    for (const PanelInfo &info : allPanels())
      if (info.name == panel)
        panels_.layout.activate(info);
    for (int frame = 0; frame < 5; ++frame)
      imgui_.frame([&] {
        panels_.draw(document_, selection_, imgui_.theme, kernel_, CommandSet(), ImVec2(), size_);
      });
  }

  ImVec4 placeOf(const std::string &name) const { return panels_.places().all().at(name); }

private:
  const ImVec2 size_{800, 600};
  HeadlessImGui imgui_;
  IgnoredKernel kernel_;
  PassStates states_;
  Document document_;
  Selection selection_;
  Frame panels_;
};

TEST(PanelsWindow, TheHeadingOfTheIrIsWholeWhereItIsNarrow) {
  for (const Trace &trace : tracesToDraw())
    for (size_t pass = 0; pass != trace.passes.size(); ++pass) {
      SmallWindow window("ir", trace, pass);
      ImVec4 heading = window.placeOf("ir");
      heading.w = window.placeOf("ir text").y;
      size_t count = 0;
      for (const DrawnCharacter &character : charactersOf(*ImGui::GetDrawData()))
        if (covers(heading, character.box)) {
          ++count;
          EXPECT_FALSE(isCutAcross(character)) << trace.passes[pass].name;
        }
      EXPECT_GE(count, trace.passes[pass].name.size());
    }
}

TEST(PanelsWindow, AValueIsWholeBesideItsSlider) {
  Trace trace = tracesToDraw().front();
  trace.header.parameters = {{"a_long_name", "int", "4096", "4096", {}}};
  trace.header.passOptions.clear(); // of too many a scroll bar takes the room of the slider
  SmallWindow window("arguments", trace, 0);
  ImVec4 value = window.placeOf("argument a_long_name typed");
  EXPECT_GE(value.z - value.x,
            ImGui::CalcTextSize("4096").x + 2 * ImGui::GetStyle().FramePadding.x);
  EXPECT_LE(value.z, window.placeOf("arguments").z);
  EXPECT_GT(value.x, window.placeOf("argument a_long_name").z);
}

INSTANTIATE_TEST_SUITE_P(All, PanelsTest, testing::Range<size_t>(0, allPanels().size()),
                         [](const testing::TestParamInfo<size_t> &info) {
                           return allPanels()[info.param].name.str();
                         });

} // namespace
} // namespace tilescope
