// run: compile, launch on the GPU of this machine, compare with the reference, time.
#include "cli/command.h"
#include "cli/problem_options.h"
#include "cli/run_report.h"
#include "cli/saved_tensors.h"
#include "core/json/json_value.h"
#include "core/run/kernel_run.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/WithColor.h"

#include <cmath>

namespace tilescope {

namespace {

void printLaunch(const RunLaunch &launch) {
  llvm::outs() << "kernel  " << launch.kernel << ": grid " << launch.grid[0] << " x "
               << launch.grid[1] << " x " << launch.grid[2] << ", " << launch.threads
               << " threads, " << launch.sharedBytes << " bytes of shared memory, "
               << launch.registers << " registers, " << launch.localBytes
               << " bytes of local memory\n";
}

void printVerdict(OutputVerdict verdict) {
  llvm::raw_ostream::Colors color =
      verdict == OutputVerdict::Right ? llvm::raw_ostream::GREEN : llvm::raw_ostream::RED;
  llvm::WithColor(llvm::outs(), color) << nameOf(verdict);
}

void printCheck(const OutputCheck &check) {
  llvm::outs() << "check   " << check.tensor << ": ";
  printVerdict(check.verdict());
  llvm::outs() << ", " << describe(check) << '\n';
}

double teraflops(const RunTimes &times) { return times.gemmFlop / times.medianMs * 1e-9; }
double gigabytes(const RunTimes &times) { return times.tensorBytes / times.medianMs * 1e-6; }

void printTimes(const RunTimes &times) {
  llvm::outs() << llvm::format("time    %.4f ms (median), %.4f ms (least)", times.medianMs,
                               times.minMs);
  if (times.gemmFlop > 0)
    llvm::outs() << llvm::format(", %.1f TFLOPS", teraflops(times));
  llvm::outs() << llvm::format(", %.0f GB/s of parameters", gigabytes(times)) << "; " << times.runs
               << " runs over " << times.sets << " sets of tensors\n";
}

// The verdict on all outputs comes last.
void printText(const RunResult &result, const Target &target, bool wasChecked) {
  llvm::outs() << "device  " << result.device << ", compiled for " << result.architecture << " by "
               << result.compiler << ", as for " << target.name << '\n';
  llvm::for_each(result.launches, printLaunch);
  llvm::for_each(result.checks, printCheck);
  if (result.times)
    printTimes(*result.times);
  if (!wasChecked)
    return;
  llvm::outs() << "verdict ";
  if (!result.refusal.empty()) {
    printVerdict(OutputVerdict::Wrong);
    llvm::outs() << ", not launched: " << result.refusal << '\n';
    return;
  }
  printVerdict(verdictOf(result.checks));
  llvm::outs() << ", " << describeOutputs(result.checks) << '\n';
}

OutputVerdict overallVerdict(const RunResult &result) {
  return result.refusal.empty() ? verdictOf(result.checks) : OutputVerdict::Wrong;
}

std::optional<double> finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string verdictKey(OutputVerdict verdict) {
  return verdict == OutputVerdict::Wrong ? "wrong" : nameOf(verdict).str();
}

RunReport::Check reportOf(const OutputCheck &check) {
  const TensorComparison &c = check.comparison;
  return {check.tensor,
          check.verdict() == OutputVerdict::Right,
          verdictKey(check.verdict()),
          c.compared,
          c.wrong,
          c.nanPairs,
          c.overwritten,
          check.isSample,
          check.tolerance,
          finite(c.rms),
          finite(c.maxErrorOverRms),
          {c.worst.begin(), c.worst.end()},
          finite(c.got),
          finite(c.expected)};
}

void printJson(const RunResult &result, const Target &target, bool wasChecked) {
  RunReport report{result.device, result.architecture, result.compiler, target.name.str()};
  for (const RunLaunch &launch : result.launches)
    report.launches.push_back({launch.kernel,
                               {std::begin(launch.grid), std::end(launch.grid)},
                               launch.threads,
                               launch.sharedBytes,
                               launch.registers,
                               launch.localBytes});
  for (const OutputCheck &check : result.checks)
    report.checks.push_back(reportOf(check));
  report.notLaunched = result.refusal;
  if (wasChecked)
    report.verdict = verdictKey(overallVerdict(result));
  if (const std::optional<RunTimes> &times = result.times)
    report.time = {times->medianMs, times->minMs,      times->runs,      times->sets,
                   times->gemmFlop, teraflops(*times), gigabytes(*times)};
  llvm::outs() << dumpJson(toJson(report));
}

void printAdvice(const Problem &problem, const CompileResult &compiled) {
  std::map<std::string, std::string> arguments;
  for (const TraceParameter &parameter : compiled.parameters)
    arguments[parameter.name] = parameter.value;
  std::string advice = adviseSmaller(estimateReference(*problem.function, problem.scalars),
                                     arguments, integersOf(problem));
  if (!advice.empty())
    llvm::WithColor::note(llvm::errs()) << advice << '\n';
}

int compileAndRun(const CompileRequest &request, const ProblemOptions &inputs,
                  const RunOptions &options, const std::string &folder, bool asJson) {
  CompileResult compiled = compile(request);
  printDiagnostics(compiled);
  if (!compiled.succeeded())
    return Trouble;
  Problem problem;
  if (compiled.elaborated->functions.size() != 1)
    return report(
        llvm::createStringError("run wants one kernel function: name it as FILE:FUNCTION"));
  if (llvm::Error error = makeProblem(problem, *compiled.elaborated->functions.front(), inputs))
    return report(std::move(error));
  printChosen(problem);
  if (options.check)
    printAdvice(problem, compiled);
  llvm::Expected<RunResult> result = runKernel(compiled, problem, options);
  if (!result)
    return report(result.takeError());
  if (asJson)
    printJson(*result, *compiled.target, options.check);
  else
    printText(*result, *compiled.target, options.check);
  if (options.keepsOutputs && result->refusal.empty())
    if (llvm::Error error = saveTensors(problem, result->outputs, folder))
      return report(std::move(error));
  return !options.check || overallVerdict(*result) == OutputVerdict::Right ? Fine : Findings;
}

} // namespace

int runRun(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope run");
  KernelOptions kernel(category);
  FormatOption format(category);
  llvm::cl::opt<bool> check("check",
                            llvm::cl::desc("Compare with the CPU reference; exit code 1 if wrong"),
                            llvm::cl::cat(category));
  llvm::cl::opt<bool> bench("bench", llvm::cl::desc("Time the kernel over rotating tensors"),
                            llvm::cl::cat(category));
  llvm::cl::opt<std::string> lock(
      "lock",
      llvm::cl::desc("Use the GPU only while no other process that names this file does: for "
                     "times of many kernels that compile side by side"),
      llvm::cl::value_desc("FILE"), llvm::cl::cat(category));
  llvm::cl::opt<std::string> folder(
      "save",
      llvm::cl::desc("Write what each tensor starts as, NAME.before.npy, and what the GPU leaves "
                     "in it, NAME.after.npy"),
      llvm::cl::value_desc("FOLDER"), llvm::cl::cat(category));
  ProblemOption inputs(category);
  llvm::cl::opt<std::string> passes("passes",
                                    llvm::cl::desc("Passes to run instead of the default pipeline"),
                                    llvm::cl::cat(category));
  llvm::cl::opt<std::string> cudaPath("cuda-path", llvm::cl::desc("Folder of the CUDA Toolkit"),
                                      llvm::cl::value_desc("FOLDER"), llvm::cl::cat(category));
  if (std::optional<int> exitCode = parseCommandLine(
          commandLine, category,
          "Compiles a kernel as for its target, runs it on the GPU of this machine and, with "
          "--check,\n"
          "compares what it writes with a CPU evaluation of the kernel as written. The last line "
          "is the\nverdict on all outputs; a kernel that stores outside of its tiles is not "
          "launched.\n\n"
          "  tilescope run gemm.py:matmul --set M=1024 --set N=1024 --set K=1024 --check "
          "--bench\n"
          "  tilescope run gemm.py:matmul --set M=1024 --plan-for occupancy --bench\n"
          "  tilescope run scale.py:scale --dim n=1000 --dim factor=0.125 --check\n"))
    return *exitCode;
  llvm::Expected<ProblemOptions> problem = inputs.given();
  if (!problem)
    return report(problem.takeError());
  llvm::Expected<CompileRequest> request = kernel.request();
  if (!request)
    return report(request.takeError());
  if (passes.getNumOccurrences())
    request->passes = passes;
  return compileAndRun(*request, *problem,
                       {check, bench, !folder.empty(), problem->seed, cudaPath, lock}, folder,
                       format.isJson());
}

} // namespace tilescope
