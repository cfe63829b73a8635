// bisect: which pass or option makes a command of the user's fail.
#include "cli/bisect_report.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/shell_test.h"

#include "core/driver/bisect.h"
#include "core/json/json_value.h"
#include "core/trace/pass_figures.h"
#include "core/trace_file/trace_reader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <sys/wait.h>

namespace tilescope {

namespace {

constexpr const char *BisectOverview =
    "Finds what makes a command of yours fail, as 'git bisect run' does. With {cu} in the command\n"
    "it is run on the CUDA of compiles that have more and more of the passes that can be left out\n"
    "(simplify and vectorize, unless --optional names others), then of the options given\n"
    "with --pass-option. With {ir} it is run on the IR text after passes of one compile, as 'opt "
    "--tagged'\n"
    "prints it.\n\n"
    "The command runs in a shell, without standard input. Exit code 0 is good, 125 means that "
    "this\n"
    "one cannot be tested, one below that is bad, and one above ends the search. A compile that\n"
    "fails cannot be tested. The first must be good and the last bad, and what fails once must go\n"
    "on failing.\n"
    "Exit code: 0 found, 1 it never or always fails, 2 trouble.\n\n"
    "  tilescope bisect gemm.py:matmul --set M=1024 --run 'nvcc -arch=sm_80 -cubin {cu} -o "
    "k.cubin'\n"
    "  tilescope bisect gemm.py:matmul --set M=1024 --pass-option "
    "inject-pipeline.peel-epilogue=true "
    "\\\n"
    "    --run './compare.sh {cu}'\n"
    "  tilescope bisect gemm.py:matmul --set M=1024 --run '! grep -q ldmatrix {ir}'\n";

const char *nameOf(BisectVerdict verdict) {
  static constexpr const char *Names[] = {"good", "bad", "skip"};
  return Names[static_cast<size_t>(verdict)];
}

// Runs the user's command on a text.
class TestCommand {
public:
  static llvm::Expected<TestCommand> make(llvm::StringRef command) {
    TestCommand test;
    test.command_ = command.str();
    test.isOfIr_ = command.contains("{ir}");
    if (test.isOfIr_ == command.contains("{cu}"))
      return llvm::createStringError("--run wants a command with either {cu} or {ir} in it, not '" +
                                     command + "'");
    return test;
  }

  bool isOfIr() const { return isOfIr_; }

  // The exit code.
  llvm::Expected<int> run(llvm::StringRef text) const {
    ShellTest test{command_, isOfIr_ ? "{ir}" : "{cu}", isOfIr_ ? "kernel.py" : "kernel.cu",
                   // Standard output is for the result.
                   "exec 1>&2\n"};
    llvm::Expected<int> status = test.run(text);
    if (!status)
      return status.takeError();
    return exitCodeOf(*status);
  }

private:
  // Of the status of waitpid; the error is that it ends the search.
  static llvm::Expected<int> exitCodeOf(int status) {
    if (interrupted())
      return llvm::createStringError("interrupted");
    if (!WIFEXITED(status))
      return llvm::createStringError("the command ended with a signal, which ends the search");
    int code = WEXITSTATUS(status);
    if (code == 126 || code == 127)
      return llvm::createStringError("the command ended with " + std::to_string(code) +
                                     ": the shell cannot run it");
    if (code > 127)
      return llvm::createStringError("the command ended with " + std::to_string(code) +
                                     ", which ends the search");
    return code;
  }

  std::string command_;
  bool isOfIr_ = false;
};

class Bisection {
public:
  Bisection(const TestCommand &test, bool asJson) : test_(test), asJson_(asJson) {}

  // `report.text` is empty on an error.
  llvm::Expected<BisectReport> overCompiles(CompileRequest request,
                                            const std::vector<std::string> &optionalPasses) {
    llvm::Expected<BisectCompiles> compiles =
        BisectCompiles::make(std::move(request), optionalPasses);
    if (!compiles)
      return compiles.takeError();
    report_.mode = "compiles";
    report_.steps = compiles->steps();
    if (report_.steps.empty())
      return llvm::createStringError(
          "nothing can be left out of this pipeline, and no --pass-option is given");
    return search(report_.steps.size() + 1, [&](size_t index) -> llvm::Expected<BisectVerdict> {
      std::string name = index == 0 ? "none of the steps" : "up to " + report_.steps[index - 1];
      CompileResult result = compile(compiles->request(index));
      if (interrupted())
        return llvm::createStringError("interrupted");
      for (const Diagnostic &diagnostic : result.diagnostics.all())
        if (diagnostic.severity == Severity::Error)
          return answer({index, name, "", std::nullopt, diagnostic.text});
      return ask(index, name, result.cuda->text);
    });
  }

  llvm::Expected<BisectReport> overSnapshots(const CompileRequest &request) {
    TraceRecorder recorder;
    CompileResult result = compile(request, Observers{&recorder, {}});
    if (!result.succeeded())
      printDiagnostics(result);
    const Trace &trace = recorder.trace();
    report_.mode = "snapshots";
    std::vector<size_t> passes; // that changed something
    for (size_t pass = 0; pass != trace.passes.size(); ++pass) {
      bool isNew =
          passes.empty() || trace.passes[pass].snapshot != trace.passes[passes.back()].snapshot;
      if (isNew && !isOnlyGroup(trace, pass) && trace.passes[pass].status != PassStatus::Failed)
        passes.push_back(pass);
    }
    if (passes.size() < 2)
      return llvm::createStringError("'" + request.path + "' has no pass that changed something");
    std::vector<std::string> places;
    places.reserve(passes.size());
    for (size_t pass : passes)
      places.push_back(patchPlaceOf(trace, pass));
    report_.steps.assign(places.begin() + 1, places.end());
    return search(places.size(), [&](size_t index) -> llvm::Expected<BisectVerdict> {
      llvm::Expected<std::string> text = taggedTextAfter(request, places[index]);
      if (!text)
        return text.takeError();
      return ask(index, "after " + places[index], *text);
    });
  }

private:
  llvm::Expected<BisectVerdict> ask(size_t index, const std::string &name, llvm::StringRef text) {
    if (interrupted())
      return llvm::createStringError("interrupted");
    llvm::Expected<int> exitCode = test_.run(text);
    if (!exitCode)
      return exitCode.takeError();
    return answer({index, name, "", *exitCode, ""});
  }

  // Notes what was found, and says it at once.
  BisectVerdict answer(BisectAnswer found) {
    BisectVerdict verdict = !found.exitCode || *found.exitCode == 125 ? BisectVerdict::Skip
                            : *found.exitCode == 0                    ? BisectVerdict::Good
                                                                      : BisectVerdict::Bad;
    found.verdict = nameOf(verdict);
    if (!asJson_) {
      TerminalText out(llvm::outs());
      out << found.index << "  " << found.name << ": " << found.verdict << ", "
          << (found.exitCode ? "exit code " + std::to_string(*found.exitCode) : found.note) << '\n';
      out.flush();
      llvm::outs().flush(); // before what the next command prints
    }
    report_.asked.push_back(std::move(found));
    return verdict;
  }

  llvm::Expected<BisectReport>
  search(size_t count, llvm::function_ref<llvm::Expected<BisectVerdict>(size_t)> ask) {
    llvm::Expected<BisectOutcome> outcome = bisect(count, ask);
    if (!outcome)
      return outcome.takeError();
    bool isOfIr = test_.isOfIr();
    if (outcome->kind == BisectOutcome::Kind::NeverFails) {
      report_.text = isOfIr ? "the command does not fail after the last pass"
                            : "the command does not fail with all steps";
    } else if (outcome->kind == BisectOutcome::Kind::AlwaysFails) {
      report_.text =
          isOfIr ? "the command fails before the first pass" : "the command fails without any step";
    } else {
      report_.found = true;
      report_.first = report_.steps[outcome->first - 1];
      for (size_t index : outcome->skipped)
        report_.skipped.push_back(report_.steps[index - 1]);
      report_.text = "the command fails from " + report_.first + " on";
      if (!report_.skipped.empty())
        report_.text +=
            ", or from one that could not be tested: " + llvm::join(report_.skipped, ", ");
    }
    return std::move(report_);
  }

  const TestCommand &test_;
  bool asJson_;
  BisectReport report_;
};

} // namespace

int runBisect(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope bisect");
  KernelOptions kernel(category);
  llvm::cl::opt<std::string> command(
      "run", llvm::cl::desc("What is to succeed, with {cu} or {ir} for the file"),
      llvm::cl::value_desc("COMMAND"), llvm::cl::cat(category));
  llvm::cl::opt<std::string> optional(
      "optional", llvm::cl::desc("Passes that may be left out, instead of simplify and vectorize"),
      llvm::cl::value_desc("PASS,..."), llvm::cl::cat(category));
  llvm::cl::opt<std::string> passes(
      "passes",
      llvm::cl::desc("Passes to run instead of the default pipeline: 'a,b{option=value}'"),
      llvm::cl::cat(category));
  FormatOption format(category);
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category, BisectOverview))
    return *exitCode;
  llvm::Expected<TestCommand> test = TestCommand::make(command);
  if (!test)
    return report(test.takeError());
  llvm::Expected<CompileRequest> request = kernel.request();
  if (!request)
    return report(request.takeError());
  if (looksLikeTrace(request->text))
    return report(
        llvm::createStringError("'" + request->path + "' is a trace: bisect compiles a kernel"));
  if (passes.getNumOccurrences())
    request->passes = passes;
  if (test->isOfIr() && optional.getNumOccurrences())
    return report(
        llvm::createStringError("--optional goes with {cu}: {ir} looks into one compile"));
  std::vector<std::string> optionalPasses = improvingPasses(*request);
  if (optional.getNumOccurrences()) {
    optionalPasses.clear();
    llvm::SmallVector<llvm::StringRef> names;
    llvm::StringRef(optional).split(names, ',', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef name : names)
      optionalPasses.push_back(name.trim().str());
  }
  noteInterrupts();
  request->stop = &interrupted();
  Bisection bisection(*test, format.isJson());
  llvm::Expected<BisectReport> found = test->isOfIr()
                                           ? bisection.overSnapshots(*request)
                                           : bisection.overCompiles(*request, optionalPasses);
  if (!found)
    return report(found.takeError());
  TerminalText out(llvm::outs());
  if (format.isJson())
    out << dumpJson(toJson(*found));
  else
    out << found->text << '\n';
  return found->found ? Fine : Findings;
}

} // namespace tilescope
