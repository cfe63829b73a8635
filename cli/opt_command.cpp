// opt: IR text in, passes, IR text out.
#include "cli/command.h"
#include "cli/exec_report.h"
#include "cli/problem_options.h"

#include "core/ir/kernel_source.h"
#include "core/ir/printer.h"

namespace tilescope {

namespace {

enum class VerifyEach : uint8_t { Checks, Exec };

int verifyByRunning(const CompileResult &compiled, const Stages &stages,
                    const ProblemOptions &inputs) {
  Problem problem;
  if (llvm::Error error = makeProblem(problem, compiled, inputs))
    return report(std::move(error));
  printChosen(problem);
  llvm::Expected<std::vector<StageResult>> results = executeStages(
      stages.all(), problem, {.seed = inputs.seed, .isEveryPass = true, .target = compiled.target});
  if (!results)
    return report(results.takeError());
  const StageResult &last = results->back();
  if (last.isRight())
    return Fine;
  printStage(compiled, last, llvm::errs());
  return last.refusal.empty() ? Findings : Trouble;
}

std::string optOverview(const CommandLine &commandLine) {
  return "Runs passes on IR text, or on a kernel as elaborated, and prints the IR. An empty list\n"
         "reads and prints. IR to be read again is printed with --tagged: plain text, as 'show "
         "ir'\n"
         "prints it too, does not say which tile operation a statement was lowered from, and the\n"
         "checks of lowered IR need that.\n\n" +
         passHelpFor(commandLine) + PatchHelp +
         "\nWith --verify-each=exec nothing is printed of a kernel that a pass broke but what "
         "was found, on\nstandard error, and the exit code is 1.\n"
         "\n  tilescope opt snapshot.ir --passes 'plan-pipeline,inject-pipeline' "
         "--tagged -o after.ir\n"
         "  tilescope opt lowered.ir --passes merge-shared-memory --plan-for occupancy\n"
         "  tilescope opt lowered.ir --passes 'vectorize,insert-barriers' "
         "--verify-each=exec -o after.ir\n"
         "  tilescope opt kernel.py --load libmine.so --passes 'simplify,my-pass'\n";
}

} // namespace

int runOpt(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope opt");
  KernelOptions kernel(category);
  PassesOption passes(category, "Passes to run: 'a,b{option=value}'");
  llvm::cl::opt<std::string> output("o", llvm::cl::desc("Output file (default: standard output)"),
                                    llvm::cl::value_desc("FILE"), llvm::cl::init("-"),
                                    llvm::cl::cat(category));
  llvm::cl::opt<bool> tagged("tagged",
                             llvm::cl::desc("Print ids, anchors and spans as #@ comments"),
                             llvm::cl::cat(category));
  ChoiceOption<VerifyEach> verifyEach(
      "verify-each", llvm::cl::desc("What is done after every pass besides its checks"),
      llvm::cl::init(VerifyEach::Checks),
      llvm::cl::values(clEnumValN(VerifyEach::Checks, "checks", "nothing (default)"),
                       clEnumValN(VerifyEach::Exec, "exec",
                                  "run it on the CPU, as 'tilescope exec --every-pass' does")),
      llvm::cl::cat(category));
  ProblemOption problem(category);
  PatchOption patches(category);
  if (std::optional<int> exitCode =
          parseCommandLine(commandLine, category, optOverview(commandLine)))
    return *exitCode;

  llvm::Expected<CompileRequest> request = kernel.request();
  if (!request)
    return report(request.takeError());
  NamedFile written{"-o", output};
  if (llvm::Error error = checkOutputs(written, {{"input", request->path}}))
    return report(std::move(error));
  if (llvm::Error error = patches.addTo(*request, written))
    return report(std::move(error));
  request->passes = "";
  if (llvm::Error error = passes.addTo(*request))
    return report(std::move(error));
  request->keepsTaggedPlaces = tagged;
  request->emitCuda = false;
  llvm::Expected<ProblemOptions> inputs = problem.given();
  if (!inputs)
    return report(inputs.takeError());
  Stages stages;
  PassObserver *observers[] = {&stages};
  CompileResult result = compile(*request, {.passes = observers});
  printDiagnostics(result);
  if (!result.succeeded())
    return Trouble;
  if (verifyEach == VerifyEach::Exec)
    if (int exitCode = verifyByRunning(result, stages, *inputs); exitCode != Fine)
      return exitCode;
  std::string text = printModule(*result.module, tagged);
  if (tagged && result.kernel)
    text += printKernelSource(result.files.get(*result.kernel));
  if (llvm::Error error = writeFile(output, text))
    return report(std::move(error));
  return Fine;
}

} // namespace tilescope
