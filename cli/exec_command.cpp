// exec: compile, run on the CPU after the last pass or after each, compare with the kernel as
// written.
#include "cli/command.h"
#include "cli/problem_options.h"
#include "core/run/pass_execution.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/WithColor.h"

namespace tilescope {

namespace {

void printPlace(const CompileResult &compiled, const Span &span, llvm::StringRef what) {
  if (!span.isValid())
    return;
  llvm::outs() << "    " << what << "line " << span.line << ": "
               << llvm::StringRef(compiled.files.lineText(span.file, span.line)).trim() << '\n';
}

void printFinding(const CompileResult &compiled, const ExecutionFinding &finding) {
  llvm::outs() << "  " << finding.text << ", by thread " << finding.thread << " of block "
               << finding.block;
  if (finding.count > 1)
    llvm::outs() << "; " << finding.count << " times";
  llvm::outs() << " [" << keyOf(finding.kind) << "]\n";
  printPlace(compiled, finding.span, "");
  printPlace(compiled, finding.otherSpan, "and ");
}

void printDifference(const CompileResult &compiled, const OutputDifference &difference) {
  llvm::outs() << "  " << difference.tensor << indexText(difference.index) << " is "
               << llvm::format("%.9g", difference.got) << ", as written it is "
               << llvm::format("%.9g", difference.expected) << "; " << difference.count
               << " elements differ\n";
  if (!difference.written.empty())
    llvm::outs() << "    written by " << difference.written << '\n';
  printPlace(compiled, difference.writerSpan, "");
}

void printStage(const CompileResult &compiled, const StageResult &stage) {
  bool isRight = stage.isRight();
  llvm::outs() << llvm::format("%-22s", stage.pass.c_str());
  llvm::WithColor(llvm::outs(), isRight ? llvm::raw_ostream::GREEN : llvm::raw_ostream::RED)
      << (isRight                 ? "equal"
          : stage.refusal.empty() ? "WRONG"
                                  : "not run");
  llvm::outs() << llvm::format("  %.1f ms", stage.milliseconds) << '\n';
  if (!stage.refusal.empty())
    llvm::outs() << "  " << stage.refusal << '\n';
  for (const OutputDifference &difference : stage.differences)
    printDifference(compiled, difference);
  for (const ExecutionFinding &finding : stage.findings)
    printFinding(compiled, finding);
}

} // namespace

int runExec(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope exec");
  KernelOptions kernel(category);
  llvm::cl::opt<bool> everyPass("every-pass",
                                llvm::cl::desc("Run after each pass that changed the kernel"),
                                llvm::cl::cat(category));
  llvm::cl::opt<bool> goesOn("go-on", llvm::cl::desc("Do not stop at the first pass that is wrong"),
                             llvm::cl::cat(category));
  ProblemOption inputs(category);
  if (std::optional<int> exitCode = parseCommandLine(
          commandLine, category,
          "Runs a kernel on the CPU as it is after its passes, thread by thread, and compares "
          "what it\nwrites with the kernel as written.\n\n"
          "  tilescope exec gemm.py:matmul --set M=256 --set N=256 --set K=256 --every-pass\n"))
    return *exitCode;
  llvm::Expected<ProblemOptions> problemOptions = inputs.given();
  if (!problemOptions)
    return report(problemOptions.takeError());
  llvm::Expected<CompileRequest> request = kernel.request();
  if (!request)
    return report(request.takeError());
  Stages stages;
  PassObserver *observers[] = {&stages};
  CompileResult compiled = compile(*request, {.passes = observers});
  printDiagnostics(compiled);
  if (!compiled.succeeded())
    return Trouble;
  Problem problem;
  if (compiled.elaborated->functions.size() != 1)
    return report(
        llvm::createStringError("exec wants one kernel function: name it as FILE:FUNCTION"));
  if (llvm::Error error =
          makeProblem(problem, *compiled.elaborated->functions.front(), *problemOptions))
    return report(std::move(error));
  llvm::Expected<std::vector<StageResult>> results =
      executeStages(stages.all(), problem, {problemOptions->seed, everyPass, goesOn});
  if (!results)
    return report(results.takeError());
  for (const StageResult &stage : *results)
    printStage(compiled, stage);
  bool isRight = llvm::all_of(*results, [](const StageResult &stage) { return stage.isRight(); });
  return isRight ? Fine : Findings;
}

} // namespace tilescope
