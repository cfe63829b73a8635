// How long a large trace takes to open and to step through, what is read for it and what it takes
// in memory. Limits of the viewer: a trace of 200 passes of 5,000 lines with 20,000 buffers and
// 200,000 intervals opens in 2 s and steps in 50 ms; its memory stays below three times the file;
// a trace of 1 GB opens without being read.
#include "core/trace_file/trace_file.h"
#include "tests/bench/synthetic_trace.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <unistd.h>

using namespace tilescope;

namespace {

// A file that lives as long as the program; each is made when it is first asked for.
class MadeTrace {
public:
  explicit MadeTrace(uint64_t leastBytes) {
    int file = -1;
    llvm::cantFail(
        llvm::errorCodeToError(llvm::sys::fs::createTemporaryFile("bench", "trace", file, path_)));
    ::close(file);
    llvm::cantFail(test::writeSyntheticTrace({}, path_.str().str(), leastBytes));
  }
  ~MadeTrace() { (void)llvm::sys::fs::remove(path_); }

  std::string path() const { return path_.str().str(); }
  double bytes() const {
    uint64_t bytes = 0;
    (void)llvm::sys::fs::file_size(path_, bytes);
    return static_cast<double>(bytes);
  }

private:
  llvm::SmallString<128> path_;
};

const MadeTrace &viewerTrace() {
  static const MadeTrace Made(0);
  return Made;
}

const MadeTrace &largeTrace() {
  static const MadeTrace Made(uint64_t(1) << 30);
  return Made;
}

double residentBytes() {
  auto text = llvm::MemoryBuffer::getFileAsStream("/proc/self/statm");
  double pages = 0;
  if (text)
    (*text)->getBuffer().split(' ').second.split(' ').first.getAsDouble(pages);
  return pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

void openFile(benchmark::State &state, const MadeTrace &made) {
  for ([[maybe_unused]] auto _ : state) {
    std::unique_ptr<TraceFile> file = llvm::cantFail(TraceFile::open(made.path()));
    state.counters["passes"] = static_cast<double>(file->trace().passes.size());
    state.counters["fileMB"] = made.bytes() / 1e6;
    state.counters["readMB"] = static_cast<double>(file->bytesRead()) / 1e6;
  }
}

// Without the closing record, as after a crash.
void openUnclosed(benchmark::State &state, const MadeTrace &made) {
  uint64_t bytes = static_cast<uint64_t>(made.bytes());
  std::string cut = made.path() + ".cut";
  llvm::cantFail(llvm::errorCodeToError(llvm::sys::fs::copy_file(made.path(), cut)));
  if (::truncate(cut.c_str(), static_cast<off_t>(bytes - 100)) != 0)
    state.SkipWithError("cannot cut the trace");
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(llvm::cantFail(TraceFile::open(cut)));
  (void)llvm::sys::fs::remove(cut);
}

double threadMilliseconds() {
  timespec time = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

// Each pass in turn, as by key, or at random. `worstMs` counts what else the machine does.
void step(benchmark::State &state, const MadeTrace &made, bool isRandom) {
  using Clock = std::chrono::steady_clock;
  double worst = 0, worstCpu = 0, before = residentBytes(), most = before;
  for ([[maybe_unused]] auto _ : state) {
    std::unique_ptr<TraceFile> file = llvm::cantFail(TraceFile::open(made.path()));
    std::mt19937 random(1);
    size_t count = file->trace().passes.size();
    for (size_t step = 0; step != count; ++step) {
      auto begin = Clock::now();
      double beginCpu = threadMilliseconds();
      llvm::cantFail(file->load(isRandom ? random() % count : step));
      std::chrono::duration<double, std::milli> took = Clock::now() - begin;
      worst = std::max(worst, took.count());
      worstCpu = std::max(worstCpu, threadMilliseconds() - beginCpu);
      most = std::max(most, residentBytes());
    }
  }
  state.counters["worstMs"] = worst;
  state.counters["worstCpuMs"] = worstCpu;
  state.counters["residentMB"] = (most - before) / 1e6;
  state.counters["residentPerFile"] = (most - before) / made.bytes();
}

void openViewerTrace(benchmark::State &state) { openFile(state, viewerTrace()); }
void openUnclosedTrace(benchmark::State &state) { openUnclosed(state, viewerTrace()); }
void openLargeTrace(benchmark::State &state) { openFile(state, largeTrace()); }
void stepInTurn(benchmark::State &state) { step(state, viewerTrace(), /*isRandom=*/false); }
void stepAtRandom(benchmark::State &state) { step(state, viewerTrace(), /*isRandom=*/true); }

BENCHMARK(openViewerTrace)->Unit(benchmark::kMillisecond);
BENCHMARK(openUnclosedTrace)->Unit(benchmark::kMillisecond);
BENCHMARK(stepInTurn)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(stepAtRandom)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(openLargeTrace)->Unit(benchmark::kMillisecond);

} // namespace
