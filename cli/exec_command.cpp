// exec: compile, run on the CPU after the last pass or after each, compare with the kernel as
// written.
#include "cli/command.h"
#include "cli/exec_report.h"
#include "cli/problem_options.h"
#include "cli/progress.h"
#include "cli/saved_tensors.h"
#include "core/ir/reader.h"
#include "core/json/json_value.h"
#include "core/run/pass_execution.h"
#include "core/support/number_text.h"
#include "core/trace_file/trace_writer.h"
#include "core/witness/witness.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

namespace tilescope {

namespace {

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
        "  tilescope exec lowered.ir --passes 'insert-barriers,simplify' --every-pass\n"
        "  tilescope exec gemm.py:matmul --set M=256 --trace gemm.trace --steps 0\n");
  }

  int run() {
    llvm::Expected<ProblemOptions> inputs = inputs_.given();
    if (!inputs)
      return report(inputs.takeError());
    llvm::Expected<CompileRequest> request = kernel_.request();
    if (!request)
      return report(request.takeError());
    NamedFile written{"--trace", trace_};
    if (llvm::Error error = checkOutputs(written, {{"kernel", request->path}}))
      return report(std::move(error));
    if (llvm::Error error = patches_.addTo(*request, written))
      return report(std::move(error));
    if (llvm::Error error = passes_.addTo(*request))
      return report(std::move(error));
    if (!request->passes && looksLikeIr(request->text))
      request->passes = "";
    request->stopAfter = after_;
    request->emitCuda = runsCuda() || (!trace_.empty() && !request->passes);
    if (recordsSteps() && trace_.empty())
      return report(llvm::createStringError("--steps writes into a trace: it wants --trace FILE"));
    if (runsCuda() && blocks_ != 0)
      return report(llvm::createStringError("the emitted CUDA runs all blocks: --blocks goes "
                                            "neither with --witness nor with --cuda"));
    if (runsCuda())
      if (llvm::Error error = Witness::checkCompiler())
        return report(std::move(error));
    return compileAndExecute(*request, *inputs);
  }

private:
  int compileAndExecute(const CompileRequest &request, const ProblemOptions &inputs) {
    Stages stages;
    PassObserver *observers[] = {&stages};
    TraceRecorder recorder;
    CompileResult compiled =
        compile(request, {.recorder = trace_.empty() ? nullptr : &recorder, .passes = observers});
    printDiagnostics(compiled);
    // What a pass did wrong may be what a check after a later one is about.
    bool mayNamePass = everyPass_ && !stages.all().empty();
    if (!compiled.succeeded() && !mayNamePass)
      return Trouble;
    llvm::Expected<std::optional<CudaSource>> cuda = cudaToRun(compiled);
    if (!cuda)
      return report(cuda.takeError());
    Problem problem;
    if (llvm::Error error = makeProblem(problem, compiled, inputs))
      return report(std::move(error));
    printChosen(problem);
    ExecutionOptions options{inputs.seed, everyPass_, goesOn_};
    options.target = compiled.target;
    std::map<BufferId, Tensor> outputs;
    options.outputs = folder_.empty() ? nullptr : &outputs;
    options.cuda = *cuda ? &**cuda : nullptr;
    if (recordsSteps())
      options.stepsOfBlock = steps_;
    llvm::Expected<std::vector<StageResult>> results =
        execute(stages.all(), problem, std::move(options));
    if (!results)
      return report(results.takeError());
    bool isRight = llvm::all_of(*results, [](const StageResult &stage) { return stage.isRight(); });
    if (isRight && !compiled.succeeded())
      return Trouble;
    if (format_.isJson())
      llvm::outs() << dumpJson(toJson(execReportOf(compiled, *results)));
    else
      for (const StageResult &stage : *results)
        printStage(compiled, stage, llvm::outs());
    if (!folder_.empty())
      if (llvm::Error error = saveTensors(problem, outputs, folder_))
        return report(std::move(error));
    if (!trace_.empty()) {
      Trace trace = recorder.takeTrace();
      recordExecution(*results, trace);
      if (recordsSteps())
        reportSteps(recordSteps(*results, trace), trace);
      if (llvm::Error error = writeTrace(trace, trace_))
        return report(std::move(error));
    }
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

  bool recordsSteps() const { return steps_.getNumOccurrences() > 0; }

  // What the trace lacks; it is whole otherwise.
  void reportSteps(const std::string &whyNone, const Trace &trace) const {
    if (!whyNone.empty())
      return warn(llvm::formatv("no steps of block {0}: {1}", steps_.getValue(), whyNone));
    for (const BlockSteps &block : trace.execution->blocks)
      if (block.isCut)
        warn(llvm::formatv(
            "the trace holds the first {0} steps of block {1}; what it did then is cut off",
            groupedNumber(static_cast<int64_t>(block.steps.size())), block.block));
  }

  static void warn(const std::string &text) {
    llvm::WithColor::warning(llvm::errs(), "tilescope") << text << '\n';
  }

  bool runsCuda() const { return witness_ || !cudaFile_.empty(); }

  // What was emitted, with the text of --cuda in place of its own; nothing: it is not to be run.
  llvm::Expected<std::optional<CudaSource>> cudaToRun(const CompileResult &compiled) const {
    if (!runsCuda() || !compiled.succeeded())
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
  llvm::cl::opt<std::string> trace_{
      "trace", llvm::cl::desc("Record every pass into this file, with what came of running it"),
      llvm::cl::value_desc("FILE"), llvm::cl::cat(category_)};
  llvm::cl::opt<std::string> folder_{
      "save",
      llvm::cl::desc("Write what each tensor starts as, NAME.before.npy, and what the kernel as "
                     "written leaves in it, NAME.after.npy"),
      llvm::cl::value_desc("FOLDER"), llvm::cl::cat(category_)};
  llvm::cl::opt<unsigned> steps_{
      "steps", llvm::cl::value_desc("BLOCK"),
      llvm::cl::desc("With --trace: record step by step which bytes of shared memory this block of "
                     "each launch read and wrote, for 'tilescope show steps'"),
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
