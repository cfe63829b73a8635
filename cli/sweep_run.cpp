#include "cli/sweep_run.h"

#include "cli/interrupt.h"
#include "cli/progress.h"
#include "core/driver/kernel_instances.h"
#include "core/sweep/worker_pool.h"
#include "core/syntax/parser.h"
#include "core/trace_file/trace_reader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

#include <thread>

namespace tilescope {

namespace {

constexpr Count DefaultLimit = 60; // seconds of a point on its GPU

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

// Prints what no value of an argument can mend: every point would say it again.
bool hasFaultOfAllPoints(const CompileRequest &request, const SweepHeader &header) {
  CompileResult result = compile(requestOfPoint(request, header.grid.point(0)));
  auto isOfRequest = [](const Diagnostic &diagnostic) { return isFaultOfRequest(diagnostic.id); };
  bool isOfAll = !parses(request) || llvm::any_of(result.diagnostics.all(), isOfRequest);
  if (isOfAll)
    printDiagnostics(result);
  return isOfAll;
}

std::string hashOf(llvm::StringRef text) {
  return llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true);
}

class Sweep {
public:
  // `gpus`: that time points; nullopt: none does.
  Sweep(PointsRequest request, SweepHeader header, std::optional<GpuPointsOptions> gpus)
      : request_(std::move(request)), header_(std::move(header)), gpus_(std::move(gpus)) {}

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
    auto take = [&](SweepRow row) -> llvm::Error {
      // Such a row may be that of a compile that was stopped.
      if (interrupted())
        return interruption();
      if (journal_)
        if (llvm::Error error = journal_->append(row))
          return error;
      failed += !row.error.empty();
      rows_.push_back(std::move(row));
      progress.advance(failed ? std::to_string(failed) + " failed" : "");
      return llvm::Error::success();
    };
    llvm::Error error = gpus_ ? timePoints(request_, *gpus_, take) : compilePoints(request_, take);
    if (error && interrupted()) {
      llvm::consumeError(std::move(error));
      return interruption();
    }
    if (error)
      return error;
    llvm::sort(rows_, [](const SweepRow &a, const SweepRow &b) { return a.point < b.point; });
    return SweepJournal{header_, std::move(rows_), 0};
  }

private:
  llvm::Error interruption() const {
    return llvm::createStringError(
        "interrupted after " + std::to_string(rows_.size()) + " of " + std::to_string(all_) +
        " points" +
        (journal_ ? "; the same command with --resume goes on" : "; with -o FILE it could go on"));
  }

  PointsRequest request_;
  SweepHeader header_;
  std::optional<GpuPointsOptions> gpus_;
  std::unique_ptr<JournalWriter> journal_;
  std::vector<SweepRow> rows_;
  size_t all_ = 0; // points, finished or not
};

} // namespace

std::string hashOfKernel(llvm::StringRef text) { return hashOf(withoutInstances(text)); }

llvm::Expected<SweepHeader> sweepHeaderOf(const CompileRequest &request,
                                          const std::string &kernel) {
  SweepHeader header;
  header.format = SweepFormat;
  header.toolVersion = ToolVersion;
  header.kernel = kernel;
  header.function = request.function;
  header.fileHash = hashOfKernel(request.text);
  for (const Patch &patch : request.patches)
    header.patches.push_back(hashOf(patch.text));
  header.planFor = request.plan.forOccupancy ? "occupancy" : "";
  header.previous = request.previous;
  llvm::Expected<SweepGrid> grid = makeGrid(request.arguments, request.passOptions, request.target);
  if (!grid)
    return grid.takeError();
  header.grid = std::move(*grid);
  return header;
}

CompileRequest requestOfPoint(CompileRequest request, const SweepPoint &point) {
  request.arguments = point.arguments;
  request.passOptions = point.passOptions;
  request.target = point.target;
  return request;
}

SweepOptions::SweepOptions(llvm::cl::OptionCategory &category, bool benches)
    : kernel_(category), output_(category),
      resume_("resume", llvm::cl::desc("Go on where an interrupted sweep ended"),
              llvm::cl::cat(category)),
      benches_(benches),
      benchLimit_("bench-limit",
                  llvm::cl::desc("Seconds that a point may need on its GPU (default: 60)"),
                  llvm::cl::init(DefaultLimit), llvm::cl::cat(category)),
      ptxas_(category), cudaPath_("cuda-path", llvm::cl::desc("Folder of the CUDA Toolkit"),
                                  llvm::cl::value_desc("FOLDER"), llvm::cl::cat(category)),
      threads_("j", llvm::cl::desc("Compiles at a time (default: one a core)"),
               llvm::cl::init(std::max(1U, std::thread::hardware_concurrency())),
               llvm::cl::cat(category)) {
  if (!benches)
    bench_.emplace("bench", llvm::cl::desc("Time each point on the GPUs of this machine"),
                   llvm::cl::cat(category));
}

llvm::Error SweepOptions::check(const CompileRequest &request, const SweepHeader &header) const {
  if (looksLikeTrace(request.text))
    return llvm::createStringError("'" + request.path + "' is a trace: a sweep compiles a kernel");
  if (!output_.hasFile() && resume_)
    return llvm::createStringError("--resume needs -o FILE: only then points are kept");
  if (llvm::Error error = checkOutputs({{"-o", output_.path()}}, {{"kernel", request.path}}))
    return error;
  if (llvm::Error error = checkPassOptions(header.grid))
    return error;
  if (benchLimit_.getNumOccurrences() > 0 && !areTimed())
    return llvm::createStringError("--bench-limit is for points that are timed: it needs --bench");
  return checkPtxas();
}

// NVRTC asks for GPUs: in this process it would leave those that it forks without one.
llvm::Error SweepOptions::checkPtxas() const {
  llvm::Expected<std::string> fault =
      askProcess([&] { return llvm::toString(ptxas_.check(cudaPath_)); });
  if (!fault)
    return llvm::createStringError("--ptxas: " + llvm::toString(fault.takeError()));
  return fault->empty() ? llvm::Error::success() : llvm::createStringError(*fault);
}

llvm::Expected<std::optional<GpuPointsOptions>> SweepOptions::gpus() const {
  if (!areTimed())
    return std::nullopt;
  llvm::Expected<MachineGpus> gpus = findGpus();
  if (!gpus)
    return gpus.takeError();
  if (!gpus->noState.empty())
    llvm::errs() << "note: clocks are not logged: " << gpus->noState << '\n';
  constexpr Count Most = 1'000'000;
  return GpuPointsOptions{std::move(*gpus), cudaPath_,
                          std::chrono::seconds(std::min<Count>(benchLimit_, Most))};
}

PointsRequest SweepOptions::pointsOf(CompileRequest request, const SweepGrid &grid) const {
  PointsRequest points;
  points.compile = std::move(request);
  points.grid = grid;
  points.threads = static_cast<unsigned>(std::min<Count>(threads_, 1024));
  if (ptxas_.isGiven())
    points.askPtxas = [this](const CompileResult &result) {
      return askPtxas(result.cuda->text, result.target->name.str(), result.module->fastMath,
                      cudaPath_);
    };
  return points;
}

llvm::Expected<std::optional<SweepJournal>>
SweepOptions::run(CompileRequest request, SweepHeader header,
                  const std::string &journalPath) const {
  llvm::Expected<std::optional<GpuPointsOptions>> timed = gpus();
  if (!timed)
    return timed.takeError();
  header.usesPtxas = ptxas_.isGiven();
  header.gpu = *timed ? (*timed)->gpus.name : "";
  if (hasFaultOfAllPoints(request, header))
    return std::nullopt;
  noteInterrupts();
  request.stop = &interrupted();
  Sweep sweep(pointsOf(std::move(request), header.grid), header, std::move(*timed));
  if (llvm::Error error = sweep.openJournal(journalPath, resume_))
    return error;
  llvm::Expected<SweepJournal> result = sweep.run();
  if (!result)
    return result.takeError();
  return std::move(*result);
}

} // namespace tilescope
