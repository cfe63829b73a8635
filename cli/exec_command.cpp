// exec: compile, run on the CPU after the last pass or after each, compare with the kernel as
// written.
#include "cli/command.h"
#include "cli/problem_options.h"
#include "core/run/pass_execution.h"
#include "core/witness/witness.h"

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
  llvm::outs() << llvm::format("  %.1f ms", stage.milliseconds);
  if (stage.inexact != 0)
    llvm::outs() << ", " << stage.inexact << " elements rounded otherwise";
  llvm::outs() << '\n';
  if (!stage.refusal.empty())
    llvm::outs() << "  " << stage.refusal << '\n';
  for (const OutputDifference &difference : stage.differences)
    printDifference(compiled, difference);
  for (const ExecutionFinding &finding : stage.findings)
    printFinding(compiled, finding);
}

// What is run, and how.
class ExecFlags {
public:
  explicit ExecFlags(llvm::cl::OptionCategory &category)
      : everyPass_("every-pass", llvm::cl::desc("Run after each pass that changed the kernel"),
                   llvm::cl::cat(category)),
        goesOn_("go-on", llvm::cl::desc("Do not stop at the first pass that is wrong"),
                llvm::cl::cat(category)),
        witness_("witness",
                 llvm::cl::desc("Run the emitted CUDA too, which clang compiles for this CPU, and "
                                "compare it with the last stage"),
                 llvm::cl::cat(category)),
        cuda_("cuda", llvm::cl::value_desc("FILE"),
              llvm::cl::desc("As --witness, but run this text in place of the emitted"),
              llvm::cl::cat(category)) {}

  // Reads --cuda into the compile's text.
  llvm::Expected<ExecutionOptions> options(uint64_t seed, CompileResult &compiled) const {
    ExecutionOptions options{seed, everyPass_, goesOn_};
    if (!witness_ && cuda_.empty())
      return options;
    if (llvm::Error error = Witness::checkCompiler())
      return error;
    options.witness = &*compiled.cuda;
    if (cuda_.empty())
      return options;
    llvm::Expected<std::string> text = readFile(cuda_);
    if (!text)
      return text.takeError();
    compiled.cuda->text = std::move(*text);
    return options;
  }

private:
  llvm::cl::opt<bool> everyPass_, goesOn_, witness_;
  llvm::cl::opt<std::string> cuda_;
};

} // namespace

int runExec(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope exec");
  KernelOptions kernel(category);
  ExecFlags flags(category);
  ProblemOption inputs(category);
  if (std::optional<int> exitCode = parseCommandLine(
          commandLine, category,
          "Runs a kernel on the CPU as it is after its passes, thread by thread, and compares "
          "what it\nwrites with the kernel as written.\n\n"
          "  tilescope exec gemm.py:matmul --set M=256 --set N=256 --set K=256 --every-pass\n"
          "  tilescope exec gemm.py:matmul --set M=256 --set N=256 --set K=256 --witness\n"))
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
  llvm::Expected<ExecutionOptions> options = flags.options(problemOptions->seed, compiled);
  if (!options)
    return report(options.takeError());
  llvm::Expected<std::vector<StageResult>> results = executeStages(stages.all(), problem, *options);
  if (!results)
    return report(results.takeError());
  for (const StageResult &stage : *results)
    printStage(compiled, stage);
  bool isRight = llvm::all_of(*results, [](const StageResult &stage) { return stage.isRight(); });
  return isRight ? Fine : Findings;
}

} // namespace tilescope
