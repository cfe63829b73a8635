// The viewer on a large trace: 200 passes x 5,000 lines, 20,000 buffers with 200,000 intervals.
// Limits: open under 2 s, a step under 50 ms, preparing a frame at most 5 ms while scrolling and
// zooming at 1920x1080, at least half the frame rate of an empty window, memory under three times
// the trace; a changed argument shows its plan within 50 ms.
#include "synthetic_trace.h"

#include "viewer/app/fonts.h"
#include "viewer/app/offscreen.h"

#include "tests/source_folder.h"
#include "viewer/shell/application.h"
#include "llvm/Support/FileSystem.h"

#include <benchmark/benchmark.h>

#include <ctime>
#include <fstream>

namespace tilescope {
namespace {

constexpr int Width = 1920;
constexpr int Height = 1080;

const std::string &largeTracePath() {
  static const std::string Path = [] {
    std::string path = "/tmp/tilescope_viewer_bench.trace";
    llvm::cantFail(test::writeSyntheticTrace(test::SyntheticTrace(), path));
    return path;
  }();
  return Path;
}

// A Dear ImGui context and an application in it.
class Stage {
public:
  explicit Stage(const std::string &path) {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    application = std::make_unique<Application>(Settings(), [] {});
    application->theme.apply();
    loadFonts(application->theme, 15);
    offscreen = llvm::cantFail(Offscreen::open(Width, Height));
    application->openFile(path);
    application->workspace.waitForCompile();
    draw();
  }
  ~Stage() {
    offscreen.reset();
    application.reset();
    ImGui::DestroyContext();
  }

  // What a frame costs before OpenGL.
  void prepare() {
    ImGui::NewFrame();
    application->frame();
    ImGui::Render();
  }
  void draw() {
    offscreen->frame([&] { application->frame(); });
  }

  std::unique_ptr<Application> application;
  std::unique_ptr<Offscreen> offscreen;
};

size_t residentBytes() {
  std::ifstream file("/proc/self/statm");
  size_t total = 0;
  size_t resident = 0;
  file >> total >> resident;
  return resident * 4096;
}

void viewerOpensLargeTrace(benchmark::State &state) {
  uint64_t size = 0;
  (void)llvm::sys::fs::file_size(largeTracePath(), size);
  size_t before = residentBytes();
  size_t most = 0;
  for ([[maybe_unused]] auto _ : state) {
    Stage stage(largeTracePath());
    most = std::max(most, residentBytes());
  }
  state.counters["traceMB"] = static_cast<double>(size) / 1e6;
  state.counters["memoryMB"] = static_cast<double>(most - before) / 1e6;
}
BENCHMARK(viewerOpensLargeTrace)->Unit(benchmark::kMillisecond)->UseRealTime();

// Of this thread.
double cpuMilliseconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

// Each step is the frame in which the key is taken. `idles`: the window draws two more frames after
// a key; without, the key is held down, faster than any keyboard repeats.
void stepThroughPasses(benchmark::State &state, bool idles) {
  Stage stage(largeTracePath());
  stage.application->press("Home");
  stage.prepare();
  double worst = 0, worstCpu = 0;
  for ([[maybe_unused]] auto _ : state) {
    auto start = std::chrono::steady_clock::now();
    double cpu = cpuMilliseconds();
    stage.application->press("j");
    stage.prepare();
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    worst = std::max(worst, elapsed.count());
    worstCpu = std::max(worstCpu, cpuMilliseconds() - cpu);
    state.SetIterationTime(elapsed.count());
    for (int frame = 0; idles && frame < 2; ++frame)
      stage.prepare();
    const Workspace &workspace = stage.application->workspace;
    if (workspace.selection.pass + 1 == workspace.document().trace->passes.size()) {
      stage.application->press("Home");
      stage.prepare();
    }
  }
  state.counters["worstMs"] = worst * 1e3;
  state.counters["worstCpuMs"] = worstCpu;
  state.counters["memoryMB"] = static_cast<double>(residentBytes()) / 1e6;
}
void viewerSteps(benchmark::State &state) { stepThroughPasses(state, true); }
void viewerStepsWithKeyHeldDown(benchmark::State &state) { stepThroughPasses(state, false); }
BENCHMARK(viewerSteps)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK(viewerStepsWithKeyHeldDown)->Unit(benchmark::kMillisecond)->UseManualTime();

// Scrolls and zooms with the mouse over the panel named by the argument.
void prepareFrames(benchmark::State &state, llvm::StringRef panel) {
  Stage stage(largeTracePath());
  for (const PanelInfo &info : allPanels())
    if (info.name == panel)
      stage.application->panels.layout.activate(info);
  for (int frame = 0; frame < 5; ++frame)
    stage.prepare();
  const auto &places = stage.application->panels.places().all();
  auto place = places.find(panel.str());
  if (place == places.end())
    return state.SkipWithError("no such panel");
  ImGuiIO &io = ImGui::GetIO();
  ImVec4 at = place->second;
  io.MousePos = ImVec2((at.x + at.z) / 2, (at.y + at.w) / 2);
  int frame = 0;
  for ([[maybe_unused]] auto _ : state) {
    io.KeyCtrl = frame / 20 % 2;
    io.MouseWheel = frame / 40 % 2 ? 1.0F : -1.0F;
    ++frame;
    stage.prepare();
  }
}
void viewerPreparesArena(benchmark::State &state) { prepareFrames(state, "arena"); }
void viewerPreparesLifetimes(benchmark::State &state) { prepareFrames(state, "lifetimes"); }
void viewerPreparesIr(benchmark::State &state) { prepareFrames(state, "ir"); }
BENCHMARK(viewerPreparesArena)->Unit(benchmark::kMillisecond);
BENCHMARK(viewerPreparesLifetimes)->Unit(benchmark::kMillisecond);
BENCHMARK(viewerPreparesIr)->Unit(benchmark::kMillisecond);

// With OpenGL on the processor.
void viewerDrawsLargeTrace(benchmark::State &state) {
  Stage stage(largeTracePath());
  for ([[maybe_unused]] auto _ : state) {
    ImGui::GetIO().MouseWheel = 1;
    stage.draw();
  }
  state.counters["framesPerSecond"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(viewerDrawsLargeTrace)->Unit(benchmark::kMillisecond)->UseRealTime();

void emptyWindow(benchmark::State &state) {
  Stage stage("/nowhere");
  for ([[maybe_unused]] auto _ : state)
    stage.offscreen->frame([] {
      ImGui::SetNextWindowSize(ImVec2(Width, Height));
      ImGui::SetNextWindowPos(ImVec2());
      ImGui::Begin("empty", nullptr, ImGuiWindowFlags_NoDecoration);
      ImGui::End();
    });
  state.counters["framesPerSecond"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(emptyWindow)->Unit(benchmark::kMillisecond)->UseRealTime();

// From a moved slider to the frame with the new plan.
void viewerRecompilesAttention(benchmark::State &state) {
  Stage stage(inSourceFolder("testdata/kernels/attention_fwd.py"));
  stage.prepare();
  int stages = 1;
  for ([[maybe_unused]] auto _ : state) {
    stages = 3 - stages;
    stage.application->workspace.setArgument("num_stages", std::to_string(stages));
    stage.application->workspace.waitForCompile();
    stage.prepare();
  }
}
BENCHMARK(viewerRecompilesAttention)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace
} // namespace tilescope
