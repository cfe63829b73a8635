// tune: the fastest point of a sweep, and the line that keeps it.
#include "cli/instance_checks.h"
#include "cli/interrupt.h"
#include "cli/sweep_run.h"
#include "core/driver/kernel_instances.h"
#include "core/run/pass_execution.h"
#include "core/support/number_text.h"
#include "core/sweep/best_points.h"
#include "core/sweep/measure.h"
#include "core/sweep/sweep_csv.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

constexpr const char *TuneOverview =
    "Times a kernel with every combination of arguments and options of passes, as 'tilescope "
    "sweep\n"
    "--bench' does, and says which is the fastest: for each target and each problem, which is the\n"
    "types and shapes of the tensors. Of points with the same time the one that was tried first\n"
    "counts. A point that 'tilescope check' finds wrong is passed over; what is not established "
    "is\n"
    "no reason to.\n"
    "The fastest is printed with the second and the first that was tried, and as the line that\n"
    "lists it in a kernel file. --write puts the line there, in place of the first one of the "
    "same\n"
    "function, target and problem if there is one; nothing else of the file changes.\n"
    "--from FILE takes a sweep that was made elsewhere: the shard of --shard 1/1, what 'merge -o\n"
    "FILE.csv' made of several, or the CSV of a sweep. The fastest points are compiled again "
    "here,\n"
    "without a GPU, to be judged.\n\n"
    "Exit code: 0 there is a fastest point, 1 there is none, 2 trouble.\n\n"
    "  tilescope tune gemm.py:matmul --set M=4096 --set N=4096 --set K=4096 \\\n"
    "    --set block_M=64,128 --pass-option inject-pipeline.roles=false,true \\\n"
    "    --target sm_90a -o gemm.csv --write\n";

// Before any pass has run; "": it does not come that far.
std::string problemOfPoint(CompileRequest request) {
  request.passes = "";
  request.passOptions.clear();
  request.emitCuda = false;
  CompileResult result = compile(request);
  return result.succeeded() && result.elaborated ? problemOf(*result.elaborated) : "";
}

// A point that was compiled here to be judged.
struct Judged {
  std::string function;
  std::string fault; // ""; it may be chosen
};

Judged judge(const CompileRequest &request) {
  RecordedCompile recorded = recordCompile(request, nullptr);
  Judged judged{recorded.result.function, ""};
  for (const Diagnostic &diagnostic : recorded.result.diagnostics.all())
    if (diagnostic.severity == Severity::Error) {
      judged.fault = llvm::StringRef(diagnostic.text).split('\n').first.str();
      return judged;
    }
  FindingsView view = judgedFindings(recorded.trace, /*wasRun=*/false);
  if (!isWrongKernel(view))
    return judged;
  judged.fault = "it is wrong";
  for (const FindingAnswer &answer : answersOf(view))
    if (answer.verdict == Verdict::No)
      judged.fault = answer.question + ": no" + (answer.why.empty() ? "" : ", " + answer.why);
  return judged;
}

struct PassedOver {
  SweepRow row;
  std::string why;
};

// What came of the points of one problem on one target.
struct Choice {
  RankedProblem ranked;
  std::optional<SweepRow> best;
  std::string function; // of the best
  std::vector<PassedOver> passedOver;
};

Choice choose(const CompileRequest &request, const SweepGrid &grid, RankedProblem ranked) {
  Choice choice{std::move(ranked), std::nullopt, "", {}};
  for (const SweepRow &row : choice.ranked.rows) {
    Judged judged = judge(requestOfPoint(request, grid.point(row.point)));
    if (judged.fault.empty()) {
      choice.best = row;
      choice.function = judged.function;
      break;
    }
    choice.passedOver.push_back({row, judged.fault});
  }
  return choice;
}

KernelInstance instanceOf(const Choice &choice, const SweepGrid &grid) {
  SweepPoint point = grid.point(choice.best->point);
  return {"", choice.function, point.arguments, point.target, point.passOptions};
}

class ChoicePrinter {
public:
  ChoicePrinter(const SweepHeader &header, const Choice &choice, llvm::raw_ostream &out)
      : grid_(header.grid), choice_(choice), out_(out) {}

  void print() {
    out_ << choice_.ranked.target
         << (choice_.ranked.problem.empty() ? "" : ", " + choice_.ranked.problem) << '\n';
    table_.emplace_back(1);
    for (const SweepAxis &axis : grid_.axes)
      if (axis.values.size() > 1)
        table_[0].push_back(axis.name);
    size_t figures = table_[0].size();
    table_[0].insert(table_[0].end(), {"median ns", "times the best"});
    for (const PassedOver &passed : choice_.passedOver)
      addRow("passed over", passed.row);
    if (choice_.best) {
      addRow("best", *choice_.best);
      if (const SweepRow *second = findSecond())
        addRow("second", *second);
      addRow("first tried", choice_.ranked.first);
    }
    printTable(out_, table_, figures);
    for (const PassedOver &passed : choice_.passedOver)
      out_ << "passed over at " << groupedNumber(*passed.row.figures.medianNs)
           << " ns: " << passed.why << '\n';
    out_ << (choice_.best ? lineOf(instanceOf(choice_, grid_)) : "no point is left") << '\n';
  }

private:
  // The next that is slower, or as fast, and was not passed over.
  const SweepRow *findSecond() const {
    size_t place = choice_.passedOver.size() + 1;
    return place < choice_.ranked.rows.size() ? &choice_.ranked.rows[place] : nullptr;
  }

  void addRow(llvm::StringRef word, const SweepRow &row) {
    std::vector<std::string> &cells = table_.emplace_back(std::vector<std::string>{word.str()});
    std::vector<SweepSetting> settings = grid_.point(row.point).settings();
    for (const auto &[axis, setting] : llvm::zip_equal(grid_.axes, settings))
      if (axis.values.size() > 1)
        cells.push_back(setting.second);
    cells.push_back(groupedNumber(*row.figures.medianNs));
    cells.push_back(choice_.best
                        ? llvm::formatv("{0:F3}", double(*row.figures.medianNs) /
                                                      double(std::max<int64_t>(
                                                          *choice_.best->figures.medianNs, 1)))
                              .str()
                        : "");
  }

  const SweepGrid &grid_;
  const Choice &choice_;
  llvm::raw_ostream &out_;
  std::vector<std::vector<std::string>> table_;
};

// The kernel file with the best of each problem.
class LineWriter {
public:
  LineWriter(const CompileRequest &request, const SweepGrid &grid)
      : request_(request), grid_(grid), text_(request.text) {}

  llvm::Error add(const Choice &choice) {
    KernelInstance instance = instanceOf(choice, grid_);
    std::string line = lineOf(instance);
    if (line.find_first_of("\r\n") != std::string::npos)
      return llvm::createStringError("--write: a value has a line break, a line cannot keep it");
    llvm::Expected<std::vector<KernelInstance>> listed = instancesOfKernel(text_, request_.path);
    if (!listed)
      return listed.takeError();
    std::string problem = problemOfPoint(requestOfPoint(request_, grid_.point(choice.best->point)));
    for (const KernelInstance &old : *listed)
      if (old.function == instance.function && old.target == instance.target &&
          problemOfInstance(old) == problem) {
        text_ = withLine(text_, line, old.line);
        return llvm::Error::success();
      }
    text_ = withLine(text_, line, 0);
    return llvm::Error::success();
  }

  const std::string &text() const { return text_; }

private:
  std::string problemOfInstance(const KernelInstance &instance) const {
    CompileRequest request = request_;
    request.function = instance.function;
    request.arguments = instance.arguments;
    request.target = instance.target;
    return problemOfPoint(std::move(request));
  }

  const CompileRequest &request_;
  const SweepGrid &grid_;
  std::string text_;
};

class TuneCommand {
public:
  explicit TuneCommand(llvm::cl::OptionCategory &category)
      : sweep_(category, /*benches=*/true),
        from_("from", llvm::cl::desc("Finished sweep with times, instead of making one here"),
              llvm::cl::value_desc("FILE"), llvm::cl::cat(category)),
        write_("write", llvm::cl::desc("Put the line of the fastest into the kernel file"),
               llvm::cl::cat(category)) {}

  int run() const {
    llvm::Expected<CompileRequest> request = sweep_.request();
    if (!request)
      return report(request.takeError());
    if (!from_.empty())
      noteInterrupts(); // as a sweep that is made here does
    llvm::Expected<std::optional<SweepJournal>> sweep =
        from_.empty() ? timed(*request) : readSweep(*request);
    if (!sweep)
      return report(sweep.takeError());
    if (!*sweep)
      return Trouble;
    if (llvm::Error error = checkWrite(*request, (*sweep)->header))
      return report(std::move(error));
    return tune(*request, **sweep);
  }

private:
  llvm::Expected<std::optional<SweepJournal>> timed(const CompileRequest &request) const {
    llvm::Expected<SweepHeader> header = sweepHeaderOf(request, sweep_.kernel().kernel());
    if (!header)
      return header.takeError();
    if (llvm::Error error = checkWrite(request, *header))
      return error;
    if (llvm::Error error = sweep_.check(request, *header))
      return error;
    const SweepOutput &output = sweep_.output();
    std::string journal = output.hasFile() ? output.path() + ".journal" : "";
    llvm::Expected<std::optional<SweepJournal>> sweep =
        sweep_.run(request, std::move(*header), journal);
    if (!sweep || !*sweep || journal.empty())
      return sweep;
    if (output.write(**sweep) == Trouble)
      return std::nullopt;
    (void)llvm::sys::fs::remove(journal);
    return sweep;
  }

  // Checks that it is of this kernel, as far as the file says of which it is.
  llvm::Expected<std::optional<SweepJournal>> readSweep(CompileRequest &request) const {
    const KernelOptions &kernel = sweep_.kernel();
    if (kernel.hasArguments() || kernel.hasPassOptions() || kernel.hasTarget())
      return llvm::createStringError("--from says what was tried: --set, --pass-option and "
                                     "--target are for a sweep that is made here");
    if (sweep_.output().hasFile() || sweep_.isResumed())
      return llvm::createStringError("--from is a finished sweep: -o and --resume are for one that "
                                     "is made here");
    llvm::Expected<std::string> text = readFile(from_);
    if (!text)
      return text.takeError();
    bool isCsv = llvm::StringRef(from_).ends_with(".csv");
    llvm::Expected<SweepJournal> sweep = isCsv ? readSweepCsv(*text, from_) : readWhole(*text);
    if (!sweep)
      return sweep.takeError();
    if (!isCsv)
      if (llvm::Error error = checkKernel(request, sweep->header))
        return error;
    request.plan.forOccupancy |= sweep->header.planFor == "occupancy";
    if (isCsv)
      for (SweepRow &row : sweep->rows)
        if (row.error.empty())
          row.problem =
              problemOfPoint(requestOfPoint(request, sweep->header.grid.point(row.point)));
    return std::move(*sweep);
  }

  llvm::Expected<SweepJournal> readWhole(llvm::StringRef text) const {
    llvm::Expected<std::optional<SweepJournal>> journal = readJournal(text, from_);
    if (!journal)
      return journal.takeError();
    if (!*journal)
      return llvm::createStringError("'" + from_ + "' ends before its first line does");
    if ((*journal)->header.gpu.empty())
      return llvm::createStringError("'" + from_ + "' has no times: its points were not timed");
    std::vector<SweepJournal> parts;
    parts.push_back(std::move(**journal));
    return mergeJournals(std::move(parts), {from_});
  }

  llvm::Error checkKernel(const CompileRequest &request, const SweepHeader &header) const {
    auto differs = [&](llvm::StringRef what) {
      return llvm::createStringError("'" + from_ +
                                     "' is a sweep of another kernel: it differs in " + what);
    };
    if (!header.patches.empty())
      return llvm::createStringError("'" + from_ + "' is a sweep of a patched kernel");
    if (header.fileHash != hashOfKernel(request.text))
      return differs("the text of the kernel file");
    bool namesBoth = !header.function.empty() && !request.function.empty();
    return namesBoth && header.function != request.function ? differs("the kernel function")
                                                            : llvm::Error::success();
  }

  // A line has no room for everything that a compile may be told.
  llvm::Error checkWrite(const CompileRequest &request, const SweepHeader &header) const {
    if (!write_)
      return llvm::Error::success();
    if (request.path == "-")
      return llvm::createStringError("--write needs a kernel file, not standard input");
    std::string given = !header.planFor.empty()    ? "--plan-for"
                        : !header.previous.empty() ? "--previous"
                        : !request.device.empty()  ? "--device"
                                                   : "";
    if (!given.empty())
      return llvm::createStringError("--write: a line of the kernel file cannot keep " + given);
    if (std::error_code code =
            llvm::sys::fs::access(request.path, llvm::sys::fs::AccessMode::Write))
      return llvm::createStringError("--write: cannot write '" + request.path +
                                     "': " + code.message());
    return llvm::Error::success();
  }

  int tune(CompileRequest request, const SweepJournal &sweep) const {
    request.stop = &interrupted();
    TerminalText out(llvm::outs());
    auto failed =
        llvm::count_if(sweep.rows, [](const SweepRow &row) { return !row.error.empty(); });
    out << llvm::formatv("{0} {1}, {2} failed{3}\n", groupedNumber(int64_t(sweep.rows.size())),
                         sweep.rows.size() == 1 ? "point" : "points", groupedNumber(failed),
                         sweep.header.gpu.empty() ? "" : ", timed on " + sweep.header.gpu);
    LineWriter writer(request, sweep.header.grid);
    std::vector<RankedProblem> problems = rankProblems(sweep);
    bool haveAll = !problems.empty();
    if (problems.empty() && !sweep.rows.empty())
      out << "no point has a time; the first: " << sweep.rows.front().error << '\n';
    for (RankedProblem &problem : problems) {
      Choice choice = choose(request, sweep.header.grid, std::move(problem));
      // What was judged meanwhile may be a compile that was stopped.
      if (interrupted())
        return report(llvm::createStringError("interrupted"));
      out << '\n';
      ChoicePrinter(sweep.header, choice, out).print();
      haveAll &= choice.best.has_value();
      if (write_ && choice.best)
        if (llvm::Error error = writer.add(choice))
          return report(std::move(error));
    }
    if (write_)
      if (llvm::Error error = writeLines(request, writer.text()))
        return report(std::move(error));
    return haveAll ? Fine : Findings;
  }

  static llvm::Error writeLines(const CompileRequest &request, const std::string &text) {
    if (text == request.text)
      return llvm::Error::success();
    llvm::Expected<std::string> now = readFile(request.path);
    if (!now)
      return now.takeError();
    if (*now != request.text)
      return llvm::createStringError("--write: '" + request.path +
                                     "' has changed meanwhile, and was left as it is");
    return writeFile(request.path, text);
  }

  SweepOptions sweep_;
  llvm::cl::opt<std::string> from_;
  llvm::cl::opt<bool> write_;
};

} // namespace

int runTune(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope tune");
  TuneCommand command(category);
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category, TuneOverview))
    return *exitCode;
  return command.run();
}

} // namespace tilescope
