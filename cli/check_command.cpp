// check: verifier, arena, hazards and capacity, or the layout lock, as an exit code.
#include "cli/device_usage.h"
#include "cli/instance_checks.h"
#include "cli/lock_check.h"
#include "cli/problem_options.h"
#include "cli/sarif.h"

#include "core/json/json_value.h"

namespace tilescope {

namespace {

constexpr const char *CheckOverview =
    "Says whether a compile is sound: IR verified, arena sound, no missing barrier, within\n"
    "the shared memory of the target. Each is answered with yes, no or not established.\n\n"
    "  0  none is no, and there is no error\n"
    "  1  one is no, or an error says what is wrong with what the kernel does: an index out of\n"
    "     range, a division by zero, a value that nothing wrote; or what -W says should count\n"
    "  2  there was nothing to judge: the file, its arguments or a construct in it could not be\n"
    "     taken, or a trace does not reach its end\n\n"
    "A trace is judged by the IR that it holds, not by the verdicts that it records: 'show "
    "findings'\n"
    "prints those.\n\n"
    "  tilescope check gemm.py:matmul --set M=1024 --set N=1024 --set K=1024\n"
    "  tilescope check gemm.py:matmul --set M=1024 --plan-for occupancy --previous old.trace\n"
    "  tilescope check gemm.py:matmul --set M=1024 --patch moved.patch\n"
    "  tilescope check edited.ir    # text of 'opt --tagged', judged as it is where it was "
    "lowered\n"
    "  tilescope check --strict gemm.trace          # what is not established counts, too\n"
    "  tilescope check -Werror -Wno-layout-ignored gemm.py   # warnings count, but for one\n"
    "  tilescope check -Werror=hazard-free gemm.py  # not established: exit code 1\n"
    "  tilescope check -W help                      # the names of warnings and questions\n"
    "  tilescope check run/         # all traces of a folder\n"
    "  tilescope check kernels/*.py --target sm_90a   # what each file lists, or its one kernel\n"
    "  tilescope check gemm.py      # one file, the same\n"
    "  tilescope check gemm.py:matmul --format sarif > findings.sarif\n"
    "  tilescope check gemm.py:matmul --ptxas       # and blocks per SM, registers, spills\n\n"
    "With --exec the kernel is also run on the CPU after every pass, and must write what it does "
    "as\nwritten, without a finding: see 'tilescope exec'. Sizes should be small.\n\n"
    "  tilescope check --exec gemm.py:matmul --set M=128 --set N=128 --set K=96\n\n"
    "With --lock: whether the kernels, named as for 'tilescope lock', need no more shared memory\n"
    "than the lock says. Exit code 1 if one grew: more bytes, fewer blocks per SM, more spills "
    "(with\n"
    "--ptxas), or a new buffer where most is live; or a file in the lock lost all of its "
    "instances.\n"
    "What shrank or moved, is new or gone, is said. A file without instances, or no Python, is "
    "passed\n"
    "over. --update accepts all.\n\n"
    "  tilescope check --lock smem.lock.json kernels/*.py\n"
    "  tilescope check --lock smem.lock.json run/\n\n"
    "Which commit made a kernel of a program larger, where a commit at which it does not run is\n"
    "skipped (the lock and the traces lie outside of the repository; what comes from a cache of\n"
    "TileLang leaves no trace, so they are gone round):\n\n"
    "  export TILESCOPE_RECORD_REBUILD=1\n"
    "  git bisect start BAD GOOD\n"
    "  git bisect run sh -c 'rm -rf /tmp/run; TILESCOPE_RECORD=/tmp/run python prog.py || exit "
    "125\n"
    "    tilescope check --lock /tmp/smem.lock.json /tmp/run; code=$?; [ $code -lt 2 ] || exit "
    "125\n"
    "    exit $code'\n";

class CheckOptions {
public:
  explicit CheckOptions(llvm::cl::OptionCategory &category)
      : source_(category),
        more_(llvm::cl::Positional, llvm::cl::desc("[KERNELS...]"), llvm::cl::cat(category)),
        lock_("lock", llvm::cl::desc("Compare with this layout lock"), llvm::cl::value_desc("LOCK"),
              llvm::cl::cat(category)),
        update_("update", llvm::cl::desc("Write what is found into the lock"),
                llvm::cl::cat(category)),
        strict_("strict",
                llvm::cl::desc("Exit code 1 also for what is not established: "
                               "-Werror=not-established"),
                llvm::cl::cat(category)),
        severity_(category),
        exec_("exec", llvm::cl::desc("Also run it on the CPU after every pass"),
              llvm::cl::cat(category)),
        problem_(category), ptxas_(category),
        format_("format", llvm::cl::desc("How to print"), llvm::cl::init(CheckFormat::Text),
                llvm::cl::values(clEnumValN(CheckFormat::Text, "text", "for people (default)"),
                                 clEnumValN(CheckFormat::Json, "json", "for scripts"),
                                 clEnumValN(CheckFormat::Sarif, "sarif",
                                            "for editors, reviews and code scanning: SARIF 2.1.0")),
                llvm::cl::cat(category)) {}

  int run() {
    llvm::Expected<ProblemOptions> inputs = problem_.given();
    if (!inputs)
      return report(inputs.takeError());
    if (problem_.isGiven() && !exec_)
      return report(llvm::createStringError("--seed, --dim and --fill go with --exec"));
    if (ptxas_.isGiven() && format_ == CheckFormat::Sarif)
      return report(llvm::createStringError("--ptxas says what SARIF has no place for"));
    if (!lock_.empty())
      return checkWithLock();
    if (update_)
      return report(llvm::createStringError("--update goes with --lock"));
    llvm::Expected<FindingSeverities> severities = severity_.given(strict_);
    if (!severities)
      return report(severities.takeError());
    llvm::Expected<std::optional<ListedInstances>> many =
        manyOf(source_, std::vector<std::string>(more_.begin(), more_.end()));
    if (many && !*many)
      many = linesOf(source_);
    if (!many)
      return report(many.takeError());
    if (*many)
      return checkMany(**many, *severities, exec_ ? &*inputs : nullptr);
    if (exec_)
      source_.runOn(*inputs);
    return checkTrace(*severities);
  }

private:
  int checkMany(const ListedInstances &listed, const FindingSeverities &severities,
                const ProblemOptions *inputs) const {
    if (llvm::Error error = ptxas_.check())
      return report(std::move(error));
    return checkInstances(listed, format_, severities, {inputs, &source_.kernel(), &ptxas_});
  }

  int checkTrace(const FindingSeverities &severities) {
    llvm::Expected<Trace> trace = source_.loadBegun();
    if (!trace)
      return report(trace.takeError());
    if (!source_.hasFailed())
      if (llvm::Error error = ptxas_.addTo(*trace))
        return report(std::move(error));
    FindingsView view = judgedFindings(*trace, exec_);
    if (ptxas_.isGiven())
      view.kernels = occupanciesOf(*trace);
    bool isRefuted = isWrongKernel(view);
    int exitCode = exitCodeOf(view, severities);
    if (format_ == CheckFormat::Sarif)
      return printSarif(*trace, std::move(view), exitCode, severities);
    bool asJson = format_ == CheckFormat::Json;
    TerminalText out(llvm::outs());
    if (asJson)
      out << dumpJson(toJson(view));
    else if (isRefuted || !trace->passes.empty())
      print(view, out);
    if (!trace->complete)
      return report(llvm::createStringError("what a cut-off trace lost was not checked"));
    if (isRefuted)
      return Findings;
    if (trace->passes.empty())
      return asJson ? Trouble : report(source_.reportNotBegun());
    return exitCode;
  }

  static int printSarif(const Trace &trace, FindingsView view, int exitCode,
                        const FindingSeverities &severities) {
    CheckedInstance one{.trace = "", .file = trace.header.file, .exitCode = exitCode};
    if (!trace.complete)
      one.error = "what a cut-off trace lost was not checked";
    if (!trace.complete || (trace.passes.empty() && exitCode != Findings))
      one.exitCode = Trouble;
    one.check = std::move(view);
    one.text = trace.header.fileText;
    llvm::outs() << dumpJson(sarifOf({one}, severities, one.exitCode));
    return one.exitCode;
  }

  // What was given and does not go with --lock; "": nothing.
  std::string notForLock() const {
    const KernelOptions &kernel = source_.kernel();
    if (exec_)
      return "--exec is for one compile or several, not for --lock";
    if (strict_ || severity_.isGiven())
      return "--strict and -W are for the verdicts of compiles, not for --lock";
    if (format_ == CheckFormat::Sarif)
      return "--format sarif is of the verdicts of compiles, not of --lock";
    if (kernel.hasArguments())
      return "--lock takes the arguments of a kernel from its instances, not from --set";
    if (kernel.hasTarget())
      return "--lock takes the targets from the lock, not from --target";
    if (kernel.hasPlanPreferences())
      return "--lock compares plans made for height: it takes neither --plan-for nor --previous";
    if (kernel.hasPassOptions() || source_.hasPatches() || source_.hasPasses() ||
        source_.hasLibraries())
      return "--lock compares what the default passes make: it takes neither --passes, --load, "
             "--pass-option nor --patch";
    return "";
  }

  int checkWithLock() const {
    if (std::string why = notForLock(); !why.empty())
      return report(llvm::createStringError(why));
    if (llvm::Error error = ptxas_.check())
      return report(std::move(error));
    LockCheck check{
        lock_, {source_.kernel().kernel()}, ptxas_, update_, format_ == CheckFormat::Json};
    check.kernels.insert(check.kernels.end(), more_.begin(), more_.end());
    return checkLock(check);
  }

  TraceOptions source_;
  llvm::cl::list<std::string> more_;
  llvm::cl::opt<std::string> lock_;
  llvm::cl::opt<bool> update_;
  llvm::cl::opt<bool> strict_;
  SeverityOption severity_;
  llvm::cl::opt<bool> exec_;
  ProblemOption problem_;
  PtxasOption ptxas_;
  ChoiceOption<CheckFormat> format_;
};

} // namespace

int runCheck(const CommandLine &given) {
  if (SeverityOption::asksForNames(given)) {
    SeverityOption::printNames(llvm::outs());
    return Fine;
  }
  CommandLine commandLine = given;
  std::vector<std::string> storage;
  keepListArguments(commandLine, storage);
  llvm::cl::OptionCategory category("tilescope check");
  CheckOptions options(category);
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category, CheckOverview))
    return *exitCode;
  return options.run();
}

} // namespace tilescope
