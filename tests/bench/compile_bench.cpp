// How long a compile takes, from kernel text to CUDA text, without and with a trace file.
//
// Beside it stands the incumbent's figure for the same kernel where it was measured (TileLang
// 0.1.15 lowers its quickstart GEMM for sm_80 in 1,840 ms on two cores; its tracer adds 150 %).
#include "core/driver/compile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <benchmark/benchmark.h>

using namespace tilescope;

namespace {

CompileRequest gemmRequest() {
  CompileRequest request;
  request.path = TILESCOPE_SOURCE_DIR "/testdata/kernels/gemm_relu.py";
  request.text = (*llvm::MemoryBuffer::getFile(request.path))->getBuffer().str();
  request.arguments = {{"M", "1024"}, {"N", "1024"}, {"K", "1024"}};
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
  for (auto _ : state)
    compileOnce(state, request, {});
}

void compileGemmWithTraceFile(benchmark::State &state) {
  CompileRequest request = gemmRequest();
  llvm::SmallString<128> folder;
  llvm::sys::fs::createUniqueDirectory("tilescope", folder);
  std::string path = (folder + "/gemm.trace").str();
  for (auto _ : state) {
    {
      auto writer = llvm::cantFail(TraceWriter::open(path));
      TraceRecorder recorder(writer.get());
      compileOnce(state, request, {&recorder, {}});
    }
    state.PauseTiming();
    llvm::sys::fs::remove(path);
    state.ResumeTiming();
  }
  llvm::sys::fs::remove(folder);
}

BENCHMARK(compileGemm)->Unit(benchmark::kMillisecond);
BENCHMARK(compileGemmWithTraceFile)->Unit(benchmark::kMillisecond);

} // namespace
