// The viewer on a large trace: 200 passes x 5,000 lines, 20,000 buffers with 200,000 intervals.
// Limits: open under 2 s, a step under 50 ms, preparing a frame at most 5 ms while scrolling and
// zooming at 1920x1080, at least half the frame rate of an empty window, memory under three times
// the trace; a changed argument shows its plan within 50 ms.
//
// A step begins with its key, a change of an argument with the call by which the slider makes it.
// Either ends when the first frame is prepared that shows the pass, or the plan: what OpenGL takes
// to draw it comes on top. In between the window is driven as it drives itself: it draws a frame
// when it is woken, and else sleeps.
//
//     *Ms       of all of them the least, the median, one in twenty is above, the worst; by the
//               clock, so that other work of the machine counts too
//     *CpuMs    what the processors did meanwhile, in all threads
//     frame*Ms  the longest frame of each, by the clock and by the processor: for so long the
//               window answers nothing
#include "synthetic_trace.h"

#include "viewer/app/fonts.h"
#include "viewer/app/offscreen.h"

#include "tests/source_folder.h"
#include "viewer/shell/application.h"
#include "llvm/Support/FileSystem.h"

#include "llvm/ADT/STLExtras.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <ctime>
#include <fstream>
#include <mutex>

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

// By the clock and by what threads have worked, in milliseconds since it was made.
class Stopwatch {
public:
  double wallMs() const { return since(start_, now(CLOCK_MONOTONIC)); }
  double threadMs() const { return since(thread_, now(CLOCK_THREAD_CPUTIME_ID)); }
  double processMs() const { return since(process_, now(CLOCK_PROCESS_CPUTIME_ID)); }

private:
  static timespec now(clockid_t clock) {
    timespec time = {};
    clock_gettime(clock, &time);
    return time;
  }
  static double since(const timespec &start, const timespec &end) {
    return static_cast<double>(end.tv_sec - start.tv_sec) * 1e3 +
           static_cast<double>(end.tv_nsec - start.tv_nsec) / 1e6;
  }
  timespec start_ = now(CLOCK_MONOTONIC);
  timespec thread_ = now(CLOCK_THREAD_CPUTIME_ID);
  timespec process_ = now(CLOCK_PROCESS_CPUTIME_ID);
};

// One figure of each iteration.
class Samples {
public:
  void add(double value) { values_.push_back(value); }
  // As least, median, p95 and worst.
  void report(benchmark::State &state, const std::string &name) {
    if (values_.empty())
      return;
    std::sort(values_.begin(), values_.end());
    auto at = [&](double share) {
      return values_[static_cast<size_t>(share * static_cast<double>(values_.size() - 1))];
    };
    state.counters[name + "Least"] = at(0);
    state.counters[name + "Median"] = at(0.5);
    state.counters[name + "P95"] = at(0.95);
    state.counters[name + "Worst"] = at(1);
  }

private:
  std::vector<double> values_;
};

// What a window sleeps on until something is new.
class Doorbell {
public:
  void ring() {
    std::lock_guard lock(mutex_);
    isRung_ = true;
    rung_.notify_one();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    rung_.wait(lock, [&] { return isRung_; });
    isRung_ = false;
  }

private:
  std::mutex mutex_;
  std::condition_variable rung_;
  bool isRung_ = false;
};

// A Dear ImGui context and an application in it.
class Stage {
public:
  explicit Stage(const std::string &path) {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    application = std::make_unique<Application>(Settings(), [this] { bell.ring(); });
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

  Doorbell bell;
  std::unique_ptr<Application> application;
  std::unique_ptr<Offscreen> offscreen;
};

// From something that the user does to the frame that shows what it does.
class Reactions {
public:
  // Of the same kind each time. Returns seconds.
  template <typename Act, typename IsShown> double time(Stage &stage, Act act, IsShown isShown) {
    Stopwatch whole;
    act();
    double longest = 0, longestCpu = 0;
    while (true) {
      Stopwatch frame;
      stage.prepare();
      longest = std::max(longest, frame.wallMs());
      longestCpu = std::max(longestCpu, frame.threadMs());
      if (isShown())
        break;
      stage.bell.wait();
    }
    double wall = whole.wallMs();
    wall_.add(wall);
    cpu_.add(whole.processMs());
    frame_.add(longest);
    frameCpu_.add(longestCpu);
    return wall / 1e3;
  }
  void report(benchmark::State &state, const std::string &name) {
    wall_.report(state, name + "Ms");
    cpu_.report(state, name + "CpuMs");
    frame_.report(state, name + "FrameMs");
    frameCpu_.report(state, name + "FrameCpuMs");
  }

private:
  Samples wall_, cpu_, frame_, frameCpu_;
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

// `idles`: the window draws two more frames after a key; without, the key is held down, faster than
// any keyboard repeats. A turn is a step to a pass that changes all facets, as one in ten does.
void stepThroughPasses(benchmark::State &state, bool idles) {
  Stage stage(largeTracePath());
  Workspace &workspace = stage.application->workspace;
  auto home = [&] {
    stage.application->press("Home");
    do
      stage.prepare();
    while (workspace.selection.pass != 0);
  };
  home();
  Reactions steps, turns;
  for ([[maybe_unused]] auto _ : state) {
    size_t wanted = workspace.selection.pass + 1;
    bool isTurn = wanted % test::SyntheticTrace().facetsEvery == 0;
    state.SetIterationTime((isTurn ? turns : steps)
                               .time(
                                   stage, [&] { stage.application->press("j"); },
                                   [&] { return workspace.selection.pass == wanted; }));
    for (int frame = 0; idles && frame < 2; ++frame)
      stage.prepare();
    if (wanted + 1 == workspace.document().trace->passes.size())
      home();
  }
  steps.report(state, "step");
  turns.report(state, "turn");
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

// A slider that moves to and fro, over a kernel with these arguments.
void moveSlider(benchmark::State &state, const std::string &line, const char *argument,
                const std::array<const char *, 2> &values) {
  Stage stage(inSourceFolder("testdata/kernels/attention_fwd.py") + line);
  Workspace &workspace = stage.application->workspace;
  stage.prepare();
  Reactions changes;
  size_t at = 0;
  for ([[maybe_unused]] auto _ : state) {
    const char *value = values[++at % values.size()];
    auto isShown = [&] {
      const Document &document = workspace.document();
      return !document.isCompiling &&
             llvm::any_of(document.trace->header.parameters, [&](const TraceParameter &parameter) {
               return parameter.name == argument && parameter.value == value;
             });
    };
    state.SetIterationTime(
        changes.time(stage, [&] { workspace.setArgument(argument, value); }, isShown));
  }
  changes.report(state, "plan");
}
void viewerRecompilesAttention(benchmark::State &state) {
  moveSlider(state, "", "num_stages", {"1", "2"});
}
// The shape of compile_bench.cpp.
void viewerRecompilesLargeAttention(benchmark::State &state) {
  moveSlider(state,
             ":attention --set batch=8 --set heads=32 --set length=4096 --set block_M=128 "
             "--set block_N=128",
             "num_stages", {"1", "2"});
}
BENCHMARK(viewerRecompilesAttention)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK(viewerRecompilesLargeAttention)->Unit(benchmark::kMillisecond)->UseManualTime();

} // namespace
} // namespace tilescope
