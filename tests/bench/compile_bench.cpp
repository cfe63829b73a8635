// How long a compile takes, from kernel text to CUDA text, without and with a trace file.
//
// Beside it stands the incumbent's figure for the same kernel where it was measured (TileLang
// 0.1.15 lowers its quickstart GEMM for sm_80 in 1,840 ms on two cores, its flash attention in
// 7,270 ms; its tracer adds 150 %). The viewer wants a recompile with its trace in 50 ms.
#include "core/driver/compile.h"
#include "tests/source_folder.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <benchmark/benchmark.h>

using namespace tilescope;

namespace {

CompileRequest requestFor(llvm::StringRef kernel,
                          std::vector<std::pair<std::string, std::string>> arguments) {
  CompileRequest request;
  request.path = inSourceFolder("testdata/kernels/" + kernel);
  request.text = (*llvm::MemoryBuffer::getFile(request.path))->getBuffer().str();
  request.arguments = std::move(arguments);
  return request;
}

CompileRequest gemmRequest() {
  return requestFor("gemm_relu.py", {{"M", "1024"}, {"N", "1024"}, {"K", "1024"}});
}

// Batch 8, 32 heads, 4096 queries and keys of 128, blocks of 128 x 128, two stages.
CompileRequest attentionRequest() {
  CompileRequest request = requestFor("attention_fwd.py", {{"batch", "8"},
                                                           {"heads", "32"},
                                                           {"length", "4096"},
                                                           {"dim", "128"},
                                                           {"block_M", "128"},
                                                           {"block_N", "128"},
                                                           {"num_stages", "2"}});
  request.function = "attention";
  return request;
}

void compileOnce(benchmark::State &state, const CompileRequest &request,
                 const Observers &observers) {
  CompileResult result = compile(request, observers);
  if (!result.succeeded())
    state.SkipWithError("the kernel does not compile");
  benchmark::DoNotOptimize(result.cuda);
}

void compileGemm(benchmark::State &state) {
  CompileRequest request = gemmRequest();
  for ([[maybe_unused]] auto _ : state)
    compileOnce(state, request, {});
}

void compileGemmTracedTo(benchmark::State &state, bool removeBetween) {
  CompileRequest request = gemmRequest();
  llvm::SmallString<128> folder;
  (void)llvm::sys::fs::createUniqueDirectory("tilescope", folder);
  std::string path = (folder + "/gemm.trace").str();
  for ([[maybe_unused]] auto _ : state) {
    {
      auto writer = llvm::cantFail(TraceWriter::open(path));
      TraceRecorder recorder(writer.get());
      compileOnce(state, request, {&recorder, {}});
    }
    if (!removeBetween)
      continue;
    state.PauseTiming();
    (void)llvm::sys::fs::remove(path);
    state.ResumeTiming();
  }
  (void)llvm::sys::fs::remove(path);
  (void)llvm::sys::fs::remove(folder);
}

void compileGemmWithNewTraceFile(benchmark::State &state) {
  compileGemmTracedTo(state, /*removeBetween=*/true);
}

// As a user works: the trace of the compile before is overwritten.
void compileGemmOverTraceFile(benchmark::State &state) {
  compileGemmTracedTo(state, /*removeBetween=*/false);
}

void compileAttention(benchmark::State &state) {
  CompileRequest request = attentionRequest();
  for ([[maybe_unused]] auto _ : state)
    compileOnce(state, request, {});
}

// As the viewer does while an argument is dragged: from the request to the finished trace.
void recompileAttentionInMemory(benchmark::State &state) {
  CompileRequest request = attentionRequest();
  int64_t lengths = 0;
  for ([[maybe_unused]] auto _ : state) {
    // A new length each time, so that nothing could be remembered.
    request.arguments[2].second = std::to_string(4096 + 128 * (lengths++ % 64));
    TraceRecorder recorder;
    compileOnce(state, request, {&recorder, {}});
    benchmark::DoNotOptimize(recorder.takeTrace());
  }
}

BENCHMARK(recompileAttentionInMemory)->Unit(benchmark::kMillisecond);
BENCHMARK(compileAttention)->Unit(benchmark::kMillisecond);
BENCHMARK(compileGemm)->Unit(benchmark::kMillisecond);
BENCHMARK(compileGemmWithNewTraceFile)->Unit(benchmark::kMillisecond);
BENCHMARK(compileGemmOverTraceFile)->Unit(benchmark::kMillisecond);

} // namespace
