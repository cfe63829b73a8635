// run: compile, launch on the GPU of this machine, compare with the reference, time.
#include "cli/command.h"
#include "cli/kernel_run.h"
#include "core/trace/json_value.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/WithColor.h"

#include <cmath>

namespace tilescope {

namespace {

std::string indexText(llvm::ArrayRef<int64_t> index) {
  std::vector<std::string> parts;
  for (int64_t one : index)
    parts.push_back(std::to_string(one));
  return "[" + llvm::join(parts, ", ") + "]";
}

void printLaunch(const RunLaunch &launch) {
  llvm::outs() << "kernel  " << launch.kernel << ": grid " << launch.grid[0] << " x "
               << launch.grid[1] << " x " << launch.grid[2] << ", " << launch.threads
               << " threads, " << launch.sharedBytes << " bytes of shared memory, "
               << launch.registers << " registers, " << launch.localBytes
               << " bytes of local memory\n";
}

void printCheck(const RunCheck &check) {
  const Comparison &c = check.comparison;
  llvm::outs() << "check   " << check.tensor << ": ";
  llvm::WithColor(llvm::outs(), c.passed() ? llvm::raw_ostream::GREEN : llvm::raw_ostream::RED)
      << (c.passed() ? "right" : "WRONG");
  llvm::outs() << ", " << c.compared << " elements" << (check.isSample ? " (a sample)" : "");
  if (!c.passed())
    llvm::outs() << ", " << c.wrong << " wrong";
  llvm::outs() << llvm::format(", max error / rms %.3g at ", c.maxErrorOverRms)
               << indexText(c.worst)
               << llvm::format(" (got %.6g, expected %.6g, tolerance %g)\n", c.got, c.expected,
                               check.tolerance);
}

double teraflops(const RunTimes &times) { return times.gemmFlop / times.medianMs * 1e-9; }
double gigabytes(const RunTimes &times) { return times.tensorBytes / times.medianMs * 1e-6; }

void printText(const RunResult &result, const Target &target) {
  llvm::outs() << "device  " << result.device << ", compiled for " << result.architecture << " by "
               << result.compiler << ", as for " << target.name << '\n';
  llvm::for_each(result.launches, printLaunch);
  llvm::for_each(result.checks, printCheck);
  if (!result.times)
    return;
  const RunTimes &times = *result.times;
  llvm::outs() << llvm::format("time    %.4f ms (median), %.4f ms (least)", times.medianMs,
                               times.minMs);
  if (times.gemmFlop > 0)
    llvm::outs() << llvm::format(", %.1f TFLOPS", teraflops(times));
  llvm::outs() << llvm::format(", %.0f GB/s of parameters", gigabytes(times)) << "; " << times.runs
               << " runs over " << times.sets << " sets of tensors\n";
}

// JSON has no infinity and no NaN.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json checkJson(const RunCheck &check) {
  const Comparison &c = check.comparison;
  return {{"tensor", check.tensor},
          {"passed", c.passed()},
          {"compared", c.compared},
          {"wrong", c.wrong},
          {"sample", check.isSample},
          {"tolerance", check.tolerance},
          {"rms", number(c.rms)},
          {"maxErrorOverRms", number(c.maxErrorOverRms)},
          {"worstIndex", std::vector<int64_t>(c.worst.begin(), c.worst.end())},
          {"got", number(c.got)},
          {"expected", number(c.expected)}};
}

void printJson(const RunResult &result, const Target &target) {
  Json json = {{"device", result.device},     {"architecture", result.architecture},
               {"compiler", result.compiler}, {"target", target.name.str()},
               {"launches", Json::array()},   {"checks", Json::array()}};
  for (const RunLaunch &launch : result.launches)
    json["launches"].push_back({{"kernel", launch.kernel},
                                {"grid", {launch.grid[0], launch.grid[1], launch.grid[2]}},
                                {"threads", launch.threads},
                                {"sharedBytes", launch.sharedBytes},
                                {"registers", launch.registers},
                                {"localBytes", launch.localBytes}});
  for (const RunCheck &check : result.checks)
    json["checks"].push_back(checkJson(check));
  if (result.times)
    json["time"] = {{"medianMs", result.times->medianMs},
                    {"minMs", result.times->minMs},
                    {"runs", result.times->runs},
                    {"sets", result.times->sets},
                    {"gemmFlop", result.times->gemmFlop},
                    {"teraflops", teraflops(*result.times)},
                    {"parameterGigabytesPerSecond", gigabytes(*result.times)}};
  llvm::outs() << dumpJson(json);
}

// NAME=VALUE of an option.
llvm::Expected<std::pair<std::string, std::string>> splitSetting(llvm::StringRef option,
                                                                 llvm::StringRef setting) {
  auto [name, value] = setting.split('=');
  if (name.empty() || value.empty())
    return llvm::createStringError("--" + option.str() + " wants NAME=VALUE, not '" +
                                   setting.str() + "'");
  return std::pair(name.str(), value.str());
}

llvm::Error readSettings(llvm::ArrayRef<std::string> dims, llvm::ArrayRef<std::string> fills,
                         RunOptions &options) {
  for (const std::string &text : dims) {
    auto setting = splitSetting("dim", text);
    if (!setting)
      return setting.takeError();
    int64_t value = 0;
    if (llvm::StringRef(setting->second).getAsInteger(10, value))
      return llvm::createStringError("--dim wants an integer, not '" + setting->second + "'");
    options.scalars[setting->first] = value;
  }
  for (const std::string &text : fills) {
    auto setting = splitSetting("fill", text);
    if (!setting)
      return setting.takeError();
    options.fills.insert(*setting);
  }
  return llvm::Error::success();
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
  CountOption seed("seed", llvm::cl::desc("Seed of the inputs (default: 0)"), llvm::cl::init(0),
                   llvm::cl::cat(category));
  llvm::cl::list<std::string> dims(
      "dim", llvm::cl::desc("Value of a dynamic dimension or scalar parameter"),
      llvm::cl::value_desc("NAME=VALUE"), llvm::cl::cat(category));
  llvm::cl::list<std::string> fills(
      "fill",
      llvm::cl::desc("What a tensor starts as: random, zeros, ones, arange, nan or a number"),
      llvm::cl::value_desc("TENSOR=HOW"), llvm::cl::cat(category));
  llvm::cl::opt<std::string> passes("passes",
                                    llvm::cl::desc("Passes to run instead of the default pipeline"),
                                    llvm::cl::cat(category));
  llvm::cl::opt<std::string> cudaPath("cuda-path", llvm::cl::desc("Folder of the CUDA Toolkit"),
                                      llvm::cl::value_desc("FOLDER"), llvm::cl::cat(category));
  if (std::optional<int> exitCode = parseCommandLine(
          commandLine, category,
          "Compiles a kernel as for its target, runs it on the GPU of this machine and, with "
          "--check,\n"
          "compares what it writes with a CPU evaluation of the kernel as written.\n\n"
          "  tilescope run gemm.py:matmul --set M=1024 --set N=1024 --set K=1024 --check "
          "--bench\n"
          "  tilescope run gemm.py:matmul --set M=1024 --plan-for occupancy --bench\n"))
    return *exitCode;
  RunOptions options;
  options.check = check;
  options.bench = bench;
  options.seed = seed;
  options.cudaPath = cudaPath;
  if (llvm::Error error = readSettings(dims, fills, options))
    return report(std::move(error));
  llvm::Expected<CompileRequest> request = kernel.request();
  if (!request)
    return report(request.takeError());
  if (passes.getNumOccurrences())
    request->passes = passes;
  CompileResult compiled = compile(*request);
  printDiagnostics(compiled);
  if (!compiled.succeeded())
    return Trouble;
  llvm::Expected<RunResult> result = runKernel(compiled, options);
  if (!result)
    return report(result.takeError());
  if (format.isJson())
    printJson(*result, *compiled.target);
  else
    printText(*result, *compiled.target);
  return result->passed() ? Fine : Findings;
}

} // namespace tilescope
