// Every panel draws every trace, and twice the same.
#include "panel_fixture.h"

#include "core/driver/kernel_instances.h"

#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

std::string textOf(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(buffer) << path;
  return buffer ? (*buffer)->getBuffer().str() : "";
}

// Of the first instance that the file lists.
Trace traceOfKernel(const std::string &file) {
  std::string path = std::string(TILESCOPE_SOURCE_DIR) + "/testdata/kernels/" + file;
  std::string text = textOf(path);
  std::vector<KernelInstance> instances = llvm::cantFail(instancesOfKernel(text, path));
  CompileRequest request;
  request.path = path;
  request.text = text;
  request.function = instances.front().function;
  request.arguments = instances.front().arguments;
  TraceRecorder recorder;
  compile(request, {.recorder = &recorder});
  return recorder.takeTrace();
}

std::vector<Trace> tracesToDraw() {
  std::vector<Trace> traces;
  for (const char *file :
       {"attention_fwd.py", "sibling_pipelines.py", "chunk_inverse.py", "sized_at_launch.py"})
    traces.push_back(traceOfKernel(file));
  for (const char *name : {"written_gemm", "written_torn_attention"}) {
    std::string path = std::string(TILESCOPE_SOURCE_DIR) + "/testdata/traces/" + name + ".trace";
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
  ASSERT_GE(traces.size(), 6u);
  HeadlessImGui imgui;
  IgnoredActions actions;
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
      std::vector<int> vertices;
      for (int frame = 0; frame < 4; ++frame)
        vertices.push_back(imgui.frame([&] {
          ImGui::SetNextWindowPos(ImVec2(0, 0));
          ImGui::SetNextWindowSize(ImVec2(900, 700));
          ImGui::Begin(info.name.data());
          CommandSet commands;
          Places places;
          PanelContext context{document, selection, imgui.theme, actions, commands, places};
          panel->draw(context);
          ImGui::End();
        }));
      EXPECT_GT(vertices[2], 0) << info.name.str() << ", pass " << pass;
      EXPECT_EQ(vertices[2], vertices[3]) << info.name.str() << ", pass " << pass;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PanelsTest, testing::Range<size_t>(0, allPanels().size()),
                         [](const testing::TestParamInfo<size_t> &info) {
                           return allPanels()[info.param].name.str();
                         });

} // namespace
} // namespace tilescope
