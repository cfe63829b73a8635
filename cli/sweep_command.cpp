// sweep: a grid of arguments, compiled in parallel.
#include "cli/device_usage.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/sweep_output.h"
#include "core/run/kernel_run.h"
#include "core/sweep/compile_points.h"
#include "core/sweep/ptxas_usage.h"
#include "core/syntax/parser.h"
#include "core/trace_file/trace_reader.h"
#ifdef TILESCOPE_HAS_CUDA
#include "core/cuda/toolkit.h"
#endif

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

#include <cmath>
#include <thread>

namespace tilescope {

namespace {

constexpr const char *SweepOverview =
    "Compiles a kernel with every combination of arguments, on all cores, and prints what each\n"
    "needs. A value of --set or --pass-option is a list of Python literals and ranges; --target "
    "is\n"
    "a list too:\n\n"
    "  64,128        two values          1..4          1, 2, 3, 4\n"
    "  (8, 64),(4)   commas in brackets  64..512*2     64, 128, 256, 512\n"
    "                stay                0..96+32      0, 32, 64, 96\n\n"
    "A star marks the points that no other of the same target and problem beats: fewer bytes of\n"
    "shared memory, fewer global bytes, more blocks per SM, fewer barriers, with --ptxas fewer\n"
    "registers and spilled bytes, with --bench less time. A problem is the types and shapes of "
    "the\n"
    "tensors. Global bytes are what the threads of all blocks read and write in global memory,\n"
    "before any cache; where only data or the launch say how many, they are unknown, and no point\n"
    "of the problem is compared by them. Blocks per SM are by shared memory and threads, with\n"
    "--ptxas by registers too; 'limited by' says what allows no more. A point that does not\n"
    "compile is a row with its first error.\n"
    "--bench runs each point on the first GPU of CUDA_VISIBLE_DEVICES as 'tilescope run --bench'\n"
    "does, one at a time while others compile, whatever the target; it compares no results.\n"
    "With -o FILE finished points are kept in FILE.journal until FILE is written; if the sweep is\n"
    "interrupted, the same command with --resume goes on. --shard K/N compiles one part of N on\n"
    "this machine, into a file of its own that is its journal; 'tilescope merge' joins them. As "
    "an\n"
    "array of Slurm, numbered from 1:\n\n"
    "  sbatch --array=1-8 --wrap 'tilescope sweep gemm.py:matmul --resume \\\n"
    "    --set block_M=64,128,256 -o part-$SLURM_ARRAY_TASK_ID.sweep \\\n"
    "    --shard $SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT'\n"
    "  tilescope merge part-*.sweep -o gemm.csv\n\n"
    "With --bench, sbatch takes --gres=gpu:1 too: each task then has a GPU of its own, all of one\n"
    "kind.\n\n"
    "Exit code: 0 fine, 1 a point failed, 2 trouble, or a name that no point can have.\n\n"
    "  tilescope sweep gemm.py:matmul --set M=1024 --set block_M=64,128 \\\n"
    "    --set num_stages=1..4 --target sm_80,sm_90a -o gemm.csv\n";

// Registers and spills of emitted code.
llvm::Expected<PtxasUsage> askPtxas(const std::string &cuda, const std::string &architecture,
                                    bool fastMath, const std::string &cudaPath) {
  llvm::Expected<std::string> log = askPtxasLog(cuda, architecture, fastMath, cudaPath);
  if (!log)
    return log.takeError();
  std::optional<PtxasUsage> usage = usageOf(*log);
  if (!usage)
    return llvm::createStringError("ptxas does not say how many registers it used");
  return *usage;
}

// Nanoseconds of a compile that succeeded, with tensors as `run` makes them.
llvm::Expected<int64_t> timeOnGpu(const CompileResult &compiled, const std::string &cudaPath) {
  if (compiled.elaborated->functions.size() != 1)
    return llvm::createStringError("--bench wants one kernel function: name it as FILE:FUNCTION");
  Problem problem;
  if (llvm::Error error = makeProblem(problem, *compiled.elaborated->functions.front(), {}))
    return error;
  RunOptions options;
  options.bench = true;
  options.cudaPath = cudaPath;
  llvm::Expected<RunResult> result = runKernel(compiled, problem, options);
  if (!result)
    return result.takeError();
  return std::llround(result->times->medianMs * 1e6);
}

// Parsed apart: the text of a patch may be wrong too, at the points that it fits.
bool parses(const CompileRequest &request) {
  SourceFiles files;
  Diagnostics diagnostics;
  parseModule(files.add(request.path, request.text), files, diagnostics);
  return !diagnostics.hasErrors();
}

// Of the names that were given, and what the file makes of them: no value of an argument changes
// it.
bool isFaultOfRequest(DiagId id) {
  switch (id) {
  case DiagId::InvalidRequest:
  case DiagId::NoKernel:
  case DiagId::SeveralKernels:
  case DiagId::UnknownKernel:
  case DiagId::UnknownArgument:
  case DiagId::MissingArguments:
    return true;
  default:
    return false;
  }
}

std::string hashOf(llvm::StringRef text) {
  return llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true);
}

class Sweep {
public:
  // `gpu`: that times points; null: none does.
  Sweep(PointsRequest request, SweepHeader header, OpenGpu *gpu)
      : request_(std::move(request)), header_(std::move(header)), gpu_(gpu) {}

  // "": nothing is kept.
  llvm::Error openJournal(const std::string &path, bool isResumed) {
    if (path.empty())
      return llvm::Error::success();
    llvm::Expected<std::unique_ptr<JournalWriter>> journal =
        JournalWriter::open(path, header_, isResumed);
    if (!journal)
      return journal.takeError();
    journal_ = std::move(*journal);
    rows_ = journal_->rows();
    return llvm::Error::success();
  }

  llvm::Expected<SweepJournal> run() {
    std::vector<bool> isDone(request_.grid.size());
    for (const SweepRow &row : rows_)
      isDone[row.point] = true;
    for (uint64_t point = 0; point != isDone.size(); ++point)
      if (!isDone[point] && header_.shard.holds(point))
        request_.points.push_back(point);
    size_t failed = 0;
    all_ = rows_.size() + request_.points.size();
    Progress progress(rows_.size(), all_);
    llvm::Error error = compilePoints(request_, [&](SweepRow row) -> llvm::Error {
      // Such a row may be that of a compile that was stopped.
      if (interrupted())
        return interruption();
      if (journal_)
        if (llvm::Error error = journal_->append(row))
          return error;
      bool hasFailed = !row.error.empty();
      failed += hasFailed;
      rows_.push_back(std::move(row));
      progress.advance(failed ? std::to_string(failed) + " failed" : "");
      return hasFailed && gpu_ ? checkGpu() : llvm::Error::success();
    });
    if (error)
      return error;
    llvm::sort(rows_, [](const SweepRow &a, const SweepRow &b) { return a.point < b.point; });
    return SweepJournal{header_, std::move(rows_), 0};
  }

private:
  // What the last row did to it, every later point would be said to have done.
  llvm::Error checkGpu() const {
    if (llvm::Error error = gpu_->check())
      return llvm::createStringError(llvm::toString(std::move(error)) + "; stopped after " +
                                     progressText());
    return llvm::Error::success();
  }

  llvm::Error interruption() const {
    return llvm::createStringError("interrupted after " + progressText());
  }

  std::string progressText() const {
    return std::to_string(rows_.size()) + " of " + std::to_string(all_) + " points" +
           (journal_ ? "; the same command with --resume goes on"
                     : "; with -o FILE it could go on");
  }

  PointsRequest request_;
  SweepHeader header_;
  OpenGpu *gpu_;
  std::unique_ptr<JournalWriter> journal_;
  std::vector<SweepRow> rows_;
  size_t all_ = 0; // points, finished or not
};

class SweepOptions {
public:
  explicit SweepOptions(llvm::cl::OptionCategory &category)
      : kernel_(category), patches_(category), output_(category),
        shard_("shard", llvm::cl::desc("Compile part K of N, from 1, into -o FILE"),
               llvm::cl::value_desc("K/N"), llvm::cl::cat(category)),
        resume_("resume", llvm::cl::desc("Go on where an interrupted sweep ended"),
                llvm::cl::cat(category)),
        bench_("bench", llvm::cl::desc("Time each point on the GPU of this machine"),
               llvm::cl::cat(category)),
        ptxas_(category), cudaPath_("cuda-path", llvm::cl::desc("Folder of the CUDA Toolkit"),
                                    llvm::cl::value_desc("FOLDER"), llvm::cl::cat(category)),
        threads_("j", llvm::cl::desc("Compiles at a time (default: one a core)"),
                 llvm::cl::init(std::max(1U, std::thread::hardware_concurrency())),
                 llvm::cl::cat(category)) {}

  int run() const {
    llvm::Expected<CompileRequest> request = kernel_.request();
    if (!request)
      return report(request.takeError());
    if (llvm::Error error = patches_.addTo(*request, {{"-o", output_.path()}}))
      return report(std::move(error));
    llvm::Expected<SweepHeader> header = headerOf(*request);
    if (!header)
      return report(header.takeError());
    if (llvm::Error error = check(*request, *header))
      return report(std::move(error));
    std::unique_ptr<OpenGpu> gpu;
    if (bench_) {
      llvm::Expected<std::unique_ptr<OpenGpu>> opened = OpenGpu::open();
      if (!opened)
        return report(opened.takeError());
      gpu = std::move(*opened);
      header->gpu = gpu->name();
    }
    bool isShard = shard_.getNumOccurrences() > 0;
    std::string journal = !output_.hasFile() ? ""
                          : isShard          ? output_.path()
                                             : output_.path() + ".journal";
    if (hasFaultOfAllPoints(*request, *header))
      return Trouble;
    noteInterrupts();
    request->stop = &interrupted();
    Sweep sweep(pointsOf(std::move(*request), header->grid), *header, gpu.get());
    if (llvm::Error error = sweep.openJournal(journal, resume_))
      return report(std::move(error));
    llvm::Expected<SweepJournal> result = sweep.run();
    if (!result)
      return report(result.takeError());
    if (isShard)
      return reportShard(*result);
    int exitCode = output_.write(*result);
    if (exitCode != Trouble && !journal.empty())
      (void)llvm::sys::fs::remove(journal);
    return exitCode;
  }

private:
  llvm::Expected<SweepHeader> headerOf(const CompileRequest &request) const {
    SweepHeader header;
    header.format = SweepFormat;
    header.toolVersion = ToolVersion;
    header.kernel = kernel_.kernel();
    header.function = request.function;
    header.fileHash = hashOf(request.text);
    for (const Patch &patch : request.patches)
      header.patches.push_back(hashOf(patch.text));
    header.planFor = request.plan.forOccupancy ? "occupancy" : "";
    header.previous = request.previous;
    header.usesPtxas = ptxas_.isGiven();
    llvm::Expected<SweepGrid> grid =
        makeGrid(request.arguments, request.passOptions, request.target);
    if (!grid)
      return grid.takeError();
    header.grid = std::move(*grid);
    if (shard_.getNumOccurrences() == 0)
      return header;
    llvm::Expected<SweepShard> shard = parseShard(shard_);
    if (!shard)
      return shard.takeError();
    header.shard = *shard;
    return header;
  }

  llvm::Error check(const CompileRequest &request, const SweepHeader &header) const {
    if (looksLikeTrace(request.text))
      return llvm::createStringError("'" + request.path +
                                     "' is a trace: a sweep compiles a kernel");
    if (!output_.hasFile() && resume_)
      return llvm::createStringError("--resume needs -o FILE: only then points are kept");
    bool isShard = shard_.getNumOccurrences() > 0;
    if (isShard && !output_.hasFile())
      return llvm::createStringError("--shard needs -o FILE, which 'tilescope merge' reads");
    if (isShard && output_.hasFormat())
      return llvm::createStringError("--shard writes what 'tilescope merge' reads, in no --format");
    if (llvm::Error error = checkOutputs({{"-o", output_.path()}}, {{"kernel", request.path}}))
      return error;
    if (llvm::Error error = checkPassOptions(header.grid))
      return error;
    return ptxas_.check(cudaPath_);
  }

  // Prints what no value of an argument can mend: every point would say it again.
  static bool hasFaultOfAllPoints(CompileRequest request, const SweepHeader &header) {
    SweepPoint point = header.grid.point(0);
    request.arguments = point.arguments;
    request.passOptions = point.passOptions;
    request.target = point.target;
    CompileResult result = compile(request);
    auto isOfRequest = [](const Diagnostic &diagnostic) { return isFaultOfRequest(diagnostic.id); };
    bool isOfAll = !parses(request) || llvm::any_of(result.diagnostics.all(), isOfRequest);
    if (isOfAll)
      printDiagnostics(result);
    return isOfAll;
  }

  PointsRequest pointsOf(CompileRequest request, const SweepGrid &grid) const {
    PointsRequest points;
    points.compile = std::move(request);
    points.grid = grid;
    points.threads = static_cast<unsigned>(std::min<Count>(threads_, 1024));
    if (ptxas_.isGiven())
      points.askPtxas = [this](const CompileResult &result) {
        return askPtxas(result.cuda->text, result.target->name.str(), result.module->fastMath,
                        cudaPath_);
      };
    if (bench_)
      points.time = [this](const CompileResult &result) { return timeOnGpu(result, cudaPath_); };
    return points;
  }

  static int reportShard(const SweepJournal &sweep) {
    auto failed =
        llvm::count_if(sweep.rows, [](const SweepRow &row) { return !row.error.empty(); });
    llvm::outs() << llvm::formatv("shard {0}/{1}: {2:N} of {3:N} points, {4:N} failed\n",
                                  sweep.header.shard.index, sweep.header.shard.count,
                                  sweep.rows.size(), sweep.header.grid.size(), failed);
    return failed ? Findings : Fine;
  }

  KernelOptions kernel_;
  PatchOption patches_;
  SweepOutput output_;
  llvm::cl::opt<std::string> shard_;
  llvm::cl::opt<bool> resume_;
  llvm::cl::opt<bool> bench_;
  PtxasOption ptxas_;
  llvm::cl::opt<std::string> cudaPath_;
  PositiveOption threads_;
};

} // namespace

int runSweep(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope sweep");
  SweepOptions options(category);
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category, SweepOverview))
    return *exitCode;
  return options.run();
}

} // namespace tilescope
