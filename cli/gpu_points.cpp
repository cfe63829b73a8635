#include "cli/gpu_points.h"

#include "core/run/kernel_run.h"
#include "core/sweep/json_line.h"
#include "core/sweep/worker_pool.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

namespace tilescope {

namespace {

// What a process that may open GPUs says of them.
struct GpuAnswer {
  std::string error;
  std::vector<std::string> names;
  std::string noState;
};

template <typename Archive> void fields(Archive &archive, GpuAnswer &answer) {
  archive("error", answer.error);
  archive("names", answer.names);
  archive("noState", answer.noState);
}

std::string answerText() {
  GpuAnswer answer;
  llvm::Expected<std::vector<std::string>> names = gpuNames();
  if (names)
    answer.names = std::move(*names);
  else
    answer.error = llvm::toString(names.takeError());
  answer.noState = llvm::toString(checkGpuState());
  return jsonLine(answer);
}

llvm::Error severalKinds(llvm::ArrayRef<std::string> names) {
  std::vector<std::string> texts;
  for (const auto &[i, name] : llvm::enumerate(names))
    texts.push_back(name + " (" + std::to_string(i) + ")");
  return llvm::createStringError("the GPUs are of several kinds: " + llvm::join(texts, ", ") +
                                 "; CUDA_VISIBLE_DEVICES says which to use");
}

// Of a compile that succeeded.
llvm::Error timeOnGpu(const CompileResult &compiled, const RunOptions &options,
                      SweepFigures &figures) {
  if (compiled.elaborated->functions.size() != 1)
    return llvm::createStringError("--bench wants one kernel function: name it as FILE:FUNCTION");
  Problem problem;
  if (llvm::Error error = makeProblem(problem, *compiled.elaborated->functions.front(), {}))
    return error;
  llvm::Expected<RunResult> result = runKernel(compiled, problem, options);
  if (!result)
    return result.takeError();
  figures.medianNs = std::llround(result->times->medianMs * 1e6);
  if (const std::optional<GpuState> &state = result->times->state) {
    figures.smMhz = state->smMhz;
    figures.watts = state->watts;
    figures.celsius = state->celsius;
    figures.slowedBy = state->slowedBy;
  }
  return llvm::Error::success();
}

// What the process of a GPU does.
void workOn(int gpu, PoolLine &line, PointsRequest request, const std::string &cudaPath) {
  // Held, so that points need not open it anew. Where it cannot be opened each of them says so.
  llvm::Expected<std::unique_ptr<OpenGpu>> open = OpenGpu::open(gpu);
  request.time = [&](const CompileResult &compiled, uint64_t point, SweepFigures &figures) {
    RunOptions options;
    options.bench = true;
    options.cudaPath = cudaPath;
    options.gpu = gpu;
    options.onTurn = [&line, point] { line.begin(point); };
    return timeOnGpu(compiled, options, figures);
  };
  llvm::cantFail(compilePoints(
      request, [&] { return line.next(); },
      [&](const SweepRow &row) {
        bool isSpoiled = false;
        if (!row.error.empty() && open)
          if (llvm::Error error = (*open)->check()) {
            llvm::consumeError(std::move(error));
            isSpoiled = true;
          }
        line.finish(row, isSpoiled);
        return llvm::Error::success();
      }));
  if (!open)
    llvm::consumeError(open.takeError());
}

} // namespace

llvm::Expected<MachineGpus> findGpus() {
  llvm::Expected<std::string> text = askProcess(answerText);
  if (!text)
    return llvm::createStringError("the CUDA driver cannot be asked for GPUs: " +
                                   llvm::toString(text.takeError()));
  GpuAnswer answer;
  std::string fault;
  if (!readJsonLine(llvm::StringRef(*text).rtrim(), answer, fault))
    return llvm::createStringError("the CUDA driver cannot be asked for GPUs: '" + *text + "'");
  if (!answer.error.empty())
    return llvm::createStringError(answer.error);
  if (!llvm::all_equal(answer.names))
    return severalKinds(answer.names);
  return MachineGpus{answer.names.front(), answer.names.size(), answer.noState};
}

llvm::Error timePoints(const PointsRequest &request, const GpuPointsOptions &options,
                       llvm::function_ref<llvm::Error(SweepRow)> take) {
  PoolRequest pool;
  pool.points = request.points;
  pool.workers = options.gpus.count;
  pool.atOnce = std::max<size_t>(request.threads / options.gpus.count, 1);
  pool.limit = options.limit;
  pool.late = "it did not come to its end on the GPU in " + std::to_string(options.limit.count()) +
              " s (--bench-limit)";
  pool.stop = request.compile.stop;
  PointsRequest ofOne = request;
  ofOne.threads = static_cast<unsigned>(pool.atOnce);
  pool.work = [&](size_t worker, PoolLine &line) {
    workOn(static_cast<int>(worker), line, ofOne, options.cudaPath);
  };
  return runPool(pool, take);
}

} // namespace tilescope
