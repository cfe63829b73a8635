// exec: compile, run on the CPU after the last pass or after each, compare with the kernel as
// written.
#include "cli/command.h"
#include "cli/exec_report.h"
#include "cli/problem_options.h"
#include "cli/progress.h"
#include "core/exec/execution_limits.h"
#include "core/ir/reader.h"
#include "core/json/json_value.h"
#include "core/run/pass_execution.h"
#include "core/witness/witness.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/WithColor.h"

#include <cmath>

namespace tilescope {

namespace {

// ---- Report -------------------------------------------------------------------------------------

std::optional<ExecReport::Place> placeOf(const CompileResult &compiled, const Span &span) {
  if (!span.isValid())
    return std::nullopt;
  llvm::StringRef text = compiled.files.lineText(span.file, span.line);
  return ExecReport::Place{span.line, text.trim().str()};
}

std::optional<double> finiteElement(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string verdictWord(const StageResult &stage) {
  if (!stage.refusal.empty())
    return "not run";
  if (!stage.isRight())
    return "wrong";
  return stage.comparedWith.empty() ? "runs" : "equal";
}

ExecReport::Stage stageReport(const CompileResult &compiled, const StageResult &stage) {
  ExecReport::Stage report{.pass = stage.pass,
                           .patched = stage.isPatched,
                           .verdict = verdictWord(stage),
                           .comparedWith = stage.comparedWith,
                           .exact = stage.isExact,
                           .notRun = stage.refusal,
                           .change = stage.change.lines,
                           .blocks = stage.blocks.executed,
                           .gridBlocks = stage.blocks.all,
                           .milliseconds = stage.milliseconds};
  for (const OutputDifference &difference : stage.differences)
    report.differences.push_back({difference.tensor,
                                  {difference.index.begin(), difference.index.end()},
                                  finiteElement(difference.got),
                                  finiteElement(difference.expected),
                                  difference.count,
                                  difference.written,
                                  placeOf(compiled, difference.writerSpan)});
  for (const ExecutionFinding &finding : stage.findings)
    report.findings.push_back(
        {keyOf(finding.kind).str(), finding.text, placeOf(compiled, finding.span),
         placeOf(compiled, finding.otherSpan), finding.block, finding.thread, finding.count});
  return report;
}

void printReport(const CompileResult &compiled, llvm::ArrayRef<StageResult> results) {
  ExecReport report;
  report.kernel = compiled.elaborated->functions.front()->name.str();
  report.target = compiled.target->name.str();
  for (const StageResult &stage : results) {
    report.stages.push_back(stageReport(compiled, stage));
    if (report.firstWrong.empty() && !stage.isRight())
      report.firstWrong = stage.pass;
  }
  report.verdict = report.firstWrong.empty() ? "right" : "wrong";
  llvm::outs() << dumpJson(toJson(report));
}

// ---- Text ---------------------------------------------------------------------------------------

void printPlace(const CompileResult &compiled, const Span &span, llvm::StringRef what) {
  if (std::optional<ExecReport::Place> place = placeOf(compiled, span))
    llvm::outs() << "    " << what << "line " << place->line << ": " << place->source << '\n';
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

void printDifference(const CompileResult &compiled, const StageResult &stage,
                     const OutputDifference &difference) {
  std::string measure = stage.isExact ? "after " + stage.comparedWith : "as written";
  llvm::outs() << "  " << difference.tensor << indexText(difference.index) << " is "
               << llvm::format("%.9g", difference.got) << ", " << measure << " it is "
               << llvm::format("%.9g", difference.expected) << "; " << difference.count
               << (difference.count == 1 ? " element differs\n" : " elements differ\n");
  if (!difference.written.empty())
    llvm::outs() << "    written by " << difference.written << '\n';
  printPlace(compiled, difference.writerSpan, "");
}

void printChange(const StageChange &change) {
  if (change.lines.empty())
    return;
  llvm::outs() << "  the pass changed there";
  if (change.otherPlaces > 0)
    llvm::outs() << ", and in " << change.otherPlaces
                 << (change.otherPlaces == 1 ? " place more" : " places more");
  llvm::outs() << ":\n";
  for (const std::string &line : change.lines)
    llvm::outs() << "    " << line << '\n';
}

void printStage(const CompileResult &compiled, const StageResult &stage) {
  std::string name = stage.pass + (stage.isPatched ? ", patched" : "");
  std::string verdict = verdictWord(stage);
  llvm::outs() << llvm::format("%-22s ", name.c_str());
  llvm::WithColor(llvm::outs(), stage.isRight() ? llvm::raw_ostream::GREEN : llvm::raw_ostream::RED)
      << (verdict == "wrong" ? "WRONG" : verdict);
  llvm::outs() << llvm::format("  %.1f ms", stage.milliseconds);
  if (stage.blocks.executed != stage.blocks.all)
    llvm::outs() << ", " << stage.blocks.executed << " of " << stage.blocks.all << " blocks";
  llvm::outs() << '\n';
  if (!stage.refusal.empty())
    llvm::outs() << "  " << stage.refusal << '\n';
  for (const OutputDifference &difference : stage.differences)
    printDifference(compiled, stage, difference);
  for (const ExecutionFinding &finding : stage.findings)
    printFinding(compiled, finding);
  printChange(stage.change);
}

// ---- Command ------------------------------------------------------------------------------------

// What -j may ask of a machine.
constexpr Count MostThreads = 1024;

class ExecVerb {
public:
  std::optional<int> parse(const CommandLine &commandLine) {
    return parseCommandLine(
        commandLine, category_,
        "Runs a kernel on the CPU as it is after its passes, thread by thread, and compares what "
        "it writes\nwith the kernel as written. With --every-pass it does so after each pass that "
        "changed the kernel,\nand stops at the first that is wrong: what it changed is shown near "
        "the statement to blame. A pass\nthat says so may take sums in another order; what any "
        "other leaves must be equal, bit for bit.\nReads of what nobody wrote, races, copies that "
        "are not waited for and the like are findings too.\n\nIR text of any stage is run as it "
        "is, or after --passes. Exit codes: 0 equal and nothing found,\n1 not, 2 trouble.\n\n"
        "  tilescope exec gemm.py:matmul --set M=256 --set N=256 --set K=256 --every-pass\n"
        "  tilescope exec gemm.py:matmul --set M=256 --set N=256 --set K=256 --witness\n"
        "  tilescope exec gemm.py:matmul --set M=256 --after vectorize\n"
        "  tilescope exec gemm.py:matmul --set M=2048 --set N=2048 --set K=64 --blocks 8\n"
        "  tilescope exec lowered.ir --passes 'insert-barriers,simplify' --every-pass\n");
  }

  int run() {
    llvm::Expected<ProblemOptions> inputs = inputs_.given();
    if (!inputs)
      return report(inputs.takeError());
    inputs->mostTensorBytes = MostTensorBytes;
    llvm::Expected<CompileRequest> request = kernel_.request();
    if (!request)
      return report(request.takeError());
    if (llvm::Error error = patches_.addTo(*request, {}))
      return report(std::move(error));
    request->passes = passes_.given();
    if (!request->passes && looksLikeIr(request->text))
      request->passes = "";
    request->stopAfter = after_;
    request->emitCuda = runsCuda();
    if (request->emitCuda && blocks_ != 0)
      return report(llvm::createStringError("the emitted CUDA runs all blocks: --blocks goes "
                                            "neither with --witness nor with --cuda"));
    if (request->emitCuda)
      if (llvm::Error error = Witness::checkCompiler())
        return report(std::move(error));
    return compileAndExecute(*request, *inputs);
  }

private:
  int compileAndExecute(const CompileRequest &request, const ProblemOptions &inputs) {
    Stages stages;
    PassObserver *observers[] = {&stages};
    CompileResult compiled = compile(request, {.passes = observers});
    printDiagnostics(compiled);
    if (!compiled.succeeded())
      return Trouble;
    if (compiled.elaborated->functions.size() != 1)
      return report(
          llvm::createStringError("exec wants one kernel function: name it as FILE:FUNCTION"));
    llvm::Expected<std::optional<CudaSource>> cuda = cudaToRun(compiled);
    if (!cuda)
      return report(cuda.takeError());
    Problem problem;
    if (llvm::Error error = makeProblem(problem, *compiled.elaborated->functions.front(), inputs))
      return report(std::move(error));
    ExecutionOptions options{inputs.seed, everyPass_, goesOn_, *cuda ? &**cuda : nullptr};
    llvm::Expected<std::vector<StageResult>> results =
        execute(stages.all(), problem, std::move(options));
    if (!results)
      return report(results.takeError());
    if (format_.isJson())
      printReport(compiled, *results);
    else
      for (const StageResult &stage : *results)
        printStage(compiled, stage);
    bool isRight = llvm::all_of(*results, [](const StageResult &stage) { return stage.isRight(); });
    return isRight ? Fine : Findings;
  }

  llvm::Expected<std::vector<StageResult>> execute(llvm::ArrayRef<Stages::Stage> stages,
                                                   const Problem &problem,
                                                   ExecutionOptions options) const {
    options.blocks = static_cast<int64_t>(std::min<Count>(blocks_, INT64_MAX));
    options.threads = static_cast<unsigned>(std::min<Count>(threads_, MostThreads));
    Progress progress(0, everyPass_ ? stages.size() : std::min<size_t>(stages.size(), 2));
    options.onProgress = [&](const ExecutionProgress &now) {
      progress.show(now.stage,
                    llvm::formatv("{0}: {1} of {2} blocks", now.pass, now.done, now.blocks).str());
    };
    return executeStages(stages, problem, options);
  }

  bool runsCuda() const { return witness_ || !cudaFile_.empty(); }

  // What was emitted, with the text of --cuda in place of its own; nothing: it is not to be run.
  llvm::Expected<std::optional<CudaSource>> cudaToRun(const CompileResult &compiled) const {
    if (!runsCuda())
      return std::nullopt;
    if (!compiled.cuda)
      return llvm::createStringError("there is no CUDA to run: the passes end before lowering");
    std::optional<CudaSource> cuda = compiled.cuda;
    if (cudaFile_.empty())
      return cuda;
    llvm::Expected<std::string> text = readFile(cudaFile_);
    if (!text)
      return text.takeError();
    cuda->text = std::move(*text);
    return cuda;
  }

  llvm::cl::OptionCategory category_{"tilescope exec"};
  KernelOptions kernel_{category_};
  FormatOption format_{category_};
  llvm::cl::opt<bool> everyPass_{"every-pass",
                                 llvm::cl::desc("Run after each pass that changed the kernel"),
                                 llvm::cl::cat(category_)};
  llvm::cl::opt<bool> goesOn_{"go-on",
                              llvm::cl::desc("Do not stop at the first pass that is wrong"),
                              llvm::cl::cat(category_)};
  llvm::cl::opt<std::string> after_{
      "after",
      llvm::cl::desc("Stop compiling after this pass; the second 'simplify' is 'simplify#2'"),
      llvm::cl::value_desc("PASS"), llvm::cl::cat(category_)};
  llvm::cl::opt<bool> witness_{
      "witness",
      llvm::cl::desc("Run the emitted CUDA too, which clang compiles for this CPU, and compare it "
                     "with the last stage"),
      llvm::cl::cat(category_)};
  llvm::cl::opt<std::string> cudaFile_{
      "cuda", llvm::cl::value_desc("FILE"),
      llvm::cl::desc("As --witness, but run this text in place of the emitted"),
      llvm::cl::cat(category_)};
  PositiveOption blocks_{
      "blocks", llvm::cl::value_desc("N"),
      llvm::cl::desc("Run N blocks of each launch, spread evenly over its grid (default: all)"),
      llvm::cl::init(0), llvm::cl::cat(category_)};
  PositiveOption threads_{"j", llvm::cl::value_desc("N"),
                          llvm::cl::desc("Blocks to run at a time (default: one a core)"),
                          llvm::cl::init(0), llvm::cl::cat(category_)};
  PassesOption passes_{category_};
  PatchOption patches_{category_};
  ProblemOption inputs_{category_};
};

} // namespace

int runExec(const CommandLine &commandLine) {
  ExecVerb verb;
  if (std::optional<int> exitCode = verb.parse(commandLine))
    return *exitCode;
  return verb.run();
}

} // namespace tilescope
