#include "cli/pass_reports.h"

#include "core/driver/patch.h"
#include "core/json/json_value.h"
#include "core/run/pass_execution.h"
#include "core/trace/pass_figures.h"
#include "core/trace/trace_queries.h"
#include "core/views/view.h"
#include "core/views/view_text.h"

#include "llvm/ADT/STLExtras.h"

#include <malloc.h>
#include <map>

namespace tilescope {

namespace {

int64_t heapBytesInUse() {
  struct mallinfo2 info = mallinfo2();
  return static_cast<int64_t>(info.uordblks + info.hblkhd);
}

// Passes, without groups of them.
std::vector<size_t> innermostPasses(const Trace &trace) {
  std::vector<size_t> passes;
  for (size_t pass = 0; pass != trace.passes.size(); ++pass)
    if (!isOnlyGroup(trace, pass))
      passes.push_back(pass);
  return passes;
}

llvm::Expected<size_t> passNamed(const Trace &trace, llvm::StringRef name) {
  if (std::optional<size_t> pass = passOfPlace(trace, name))
    return *pass;
  std::vector<std::string> names;
  for (size_t pass = 0; pass != trace.passes.size(); ++pass)
    names.push_back(placeToFind(trace, pass));
  return llvm::createStringError("no pass '" + name + "' in this compile; it has: " +
                                 llvm::join(names, " ") + didYouMean(name, names));
}

// "simplify" names each that runs, "simplify#1" one.
bool isNamed(const Trace &trace, size_t pass, const llvm::cl::list<std::string> &names) {
  return llvm::any_of(names, [&](const std::string &name) {
    return name == trace.passes[pass].name || name == placeToFind(trace, pass);
  });
}

std::string textAfter(const Trace &trace, size_t pass, llvm::StringRef view) {
  Selection selection;
  selection.pass = pass;
  return viewText(view, {trace, selection});
}

void printDump(llvm::StringRef when, const std::string &place, const std::string &text,
               llvm::raw_ostream &out) {
  out << "# *** IR Dump " << when << ' ' << place << " ***\n" << text;
}

struct PassStatistic {
  std::string place;
  std::string name; // of what is counted, a key
  int64_t value = 0;
};

// What is zero is left out, as LLVM does.
std::vector<PassStatistic> statisticsOf(const Trace &trace) {
  std::vector<PassStatistic> statistics;
  int64_t sharedBytes = 0;
  for (size_t pass : innermostPasses(trace)) {
    std::string place = placeToFind(trace, pass);
    auto add = [&](const std::string &name, int64_t value) {
      if (value != 0)
        statistics.push_back({place, name, value});
    };
    PassFigures figures = figuresOf(trace, pass);
    add("lines-added", figures.linesAdded);
    add("lines-removed", figures.linesRemoved);
    add("ir-bytes", trace.passes[pass].irBytes);
    add("shared-bytes-added", figures.sharedBytes - sharedBytes);
    sharedBytes = figures.sharedBytes;
    std::map<std::string, int64_t> remarks;
    for (const TraceRemark &remark : trace.passes[pass].remarks)
      ++remarks[remark.id];
    for (const auto &[id, count] : remarks)
      add(id, count);
  }
  return statistics;
}

void printHeading(llvm::StringRef title, llvm::raw_ostream &out) {
  std::string rule = "===" + std::string(74, '-') + "===\n";
  out << rule << std::string((80 - title.size()) / 2, ' ') << title << '\n' << rule;
}

void printStatistics(const Trace &trace, llvm::raw_ostream &out) {
  printHeading("... Statistics Collected ...", out);
  std::vector<PassStatistic> statistics = statisticsOf(trace);
  std::vector<std::vector<std::string>> rows;
  rows.reserve(statistics.size());
  for (const PassStatistic &statistic : statistics)
    rows.push_back({statistic.place, statistic.name, groupedNumber(statistic.value)});
  printTable(out, rows, 2, plainInk);
}

struct MeasuredPass : PassMeter::Measured {
  std::string place;
};

// What a compile starts from is no pass. Of one that failed nothing was measured.
std::vector<MeasuredPass> measuredPasses(const Trace &trace, const PassMeter &meter) {
  std::vector<MeasuredPass> passes;
  std::vector<size_t> indices = innermostPasses(trace);
  for (auto [pass, measured] : llvm::zip(llvm::ArrayRef(indices).drop_front(), meter.all()))
    passes.push_back({measured, placeToFind(trace, pass)});
  return passes;
}

// The slowest first.
void printTimes(const Trace &trace, const PassMeter &meter, llvm::raw_ostream &out) {
  printHeading("Pass execution timing report", out);
  std::vector<MeasuredPass> passes = measuredPasses(trace, meter);
  llvm::stable_sort(
      passes, [](const auto &a, const auto &b) { return a.wallMicroseconds > b.wallMicroseconds; });
  MeasuredPass total{{}, "Total"};
  for (const MeasuredPass &pass : passes) {
    total.wallMicroseconds += pass.wallMicroseconds;
    total.heapBytes += pass.heapBytes;
  }
  passes.push_back(total);
  std::vector<std::vector<std::string>> rows{{"pass", "wall ms", "share", "heap bytes"}};
  for (const MeasuredPass &pass : passes) {
    double share = total.wallMicroseconds == 0 ? 0
                                               : static_cast<double>(pass.wallMicroseconds) /
                                                     static_cast<double>(total.wallMicroseconds);
    rows.push_back(
        {pass.place,
         llvm::formatv("{0:f3}", static_cast<double>(pass.wallMicroseconds) / 1000).str(),
         llvm::formatv("{0:P1}", share).str(), groupedNumber(pass.heapBytes)});
  }
  printTable(out, rows, 1, headingInk);
}

// One object, as -stats-json of LLVM: "PASS.WHAT", and the seconds of "time.pass.PASS.wall".
Json statisticsJson(const Trace &trace, const PassMeter *meter) {
  Json all = Json::object();
  for (const PassStatistic &statistic : statisticsOf(trace))
    all[statistic.place + "." + statistic.name] = statistic.value;
  if (!meter)
    return all;
  for (const MeasuredPass &pass : measuredPasses(trace, *meter)) {
    all["time.pass." + pass.place + ".wall"] =
        static_cast<double>(pass.wallMicroseconds) / 1'000'000;
    all["time.pass." + pass.place + ".mem"] = pass.heapBytes;
  }
  return all;
}

} // namespace

void PassMeter::beforePass(const PassExecution & /*execution*/, const Module & /*module*/) {
  isInnermost_ = true;
  heapBefore_ = heapBytesInUse();
}

void PassMeter::afterPass(const PassExecution &execution, const Module & /*module*/,
                          bool /*changed*/) {
  int64_t heapBytes = heapBytesInUse() - heapBefore_;
  bool isGroup = !std::exchange(isInnermost_, false);
  if (isGroup)
    return;
  measured_.push_back({execution.wallMicroseconds, heapBytes});
}

PassReportOptions::LibraryOptionsRemoved::LibraryOptionsRemoved() {
  llvm::StringMap<llvm::cl::Option *> &options = llvm::cl::getRegisteredOptions();
  for (llvm::StringRef name : {"stats", "stats-json", "info-output-file"})
    if (auto found = options.find(name); found != options.end())
      found->second->removeArgument();
}

PassReportOptions::PassReportOptions(llvm::cl::OptionCategory &category)
    : printAfterAll_("print-after-all", llvm::cl::desc("Print the IR after each pass"),
                     llvm::cl::cat(category)),
      printBeforeAll_("print-before-all", llvm::cl::desc("Print the IR before each pass"),
                      llvm::cl::cat(category)),
      printAfter_("print-after", llvm::cl::CommaSeparated,
                  llvm::cl::desc("Print the IR after these passes"),
                  llvm::cl::value_desc("PASS,..."), llvm::cl::cat(category)),
      printBefore_("print-before", llvm::cl::CommaSeparated,
                   llvm::cl::desc("Print the IR before these passes"),
                   llvm::cl::value_desc("PASS,..."), llvm::cl::cat(category)),
      printChanged_(
          "print-changed",
          llvm::cl::desc("Print the IR after each pass that changed it; =quiet says nothing of "
                         "others, =diff prints lines that changed"),
          llvm::cl::ValueOptional, llvm::cl::init(Changed::Nothing),
          llvm::cl::values(clEnumValN(Changed::All, "", "name the other passes too"),
                           clEnumValN(Changed::Quiet, "quiet", "say nothing of other passes"),
                           clEnumValN(Changed::Diff, "diff", "what changed, line by line")),
          llvm::cl::cat(category)),
      stopBefore_("stop-before", llvm::cl::desc("Print the IR before this pass, tagged, and end"),
                  llvm::cl::value_desc("PASS"), llvm::cl::cat(category)),
      stopAfter_("stop-after", llvm::cl::desc("Print the IR after this pass, tagged, and end"),
                 llvm::cl::value_desc("PASS"), llvm::cl::cat(category)),
      timePasses_("time-passes", llvm::cl::desc("Print what each pass took: time, heap"),
                  llvm::cl::cat(category)),
      stats_("stats", llvm::cl::desc("Print what each pass did, in figures"),
             llvm::cl::cat(category)),
      statsJson_("stats-json", llvm::cl::desc("The same as JSON, with -time-passes its times too"),
                 llvm::cl::cat(category)),
      infoFile_("info-output-file",
                llvm::cl::desc("Where -stats and -time-passes go (default: standard error)"),
                llvm::cl::value_desc("FILE"), llvm::cl::cat(category)) {}

bool PassReportOptions::needsTrace() const {
  return printAfterAll_ || printBeforeAll_ || !printAfter_.empty() || !printBefore_.empty() ||
         printChanged_ != Changed::Nothing || timePasses_ || stats_ || statsJson_;
}

bool PassReportOptions::stops() const {
  return stopBefore_.getNumOccurrences() > 0 || stopAfter_.getNumOccurrences() > 0;
}

llvm::Expected<std::string> PassReportOptions::stoppedText(const CompileRequest &request) const {
  if (stopBefore_.getNumOccurrences() > 0 && stopAfter_.getNumOccurrences() > 0)
    return llvm::createStringError("--stop-before and --stop-after exclude each other");
  bool isBefore = stopBefore_.getNumOccurrences() > 0;
  RecordedCompile recorded = recordCompile(request, nullptr);
  const Trace &trace = recorded.trace;
  if (trace.passes.empty()) {
    printDiagnostics(recorded.result);
    return llvm::createStringError("'" + request.path + "' did not get as far as its first pass");
  }
  llvm::Expected<size_t> pass = passNamed(trace, isBefore ? stopBefore_ : stopAfter_);
  if (!pass)
    return pass.takeError();
  if (isBefore && *pass == 0)
    return llvm::createStringError("nothing comes before 'elaborate'");
  return taggedTextAfter(request, patchPlaceOf(trace, isBefore ? *pass - 1 : *pass));
}

llvm::Error PassReportOptions::checkNames(const Trace &trace) const {
  for (const auto *names : {&printAfter_, &printBefore_})
    for (const std::string &name : *names)
      if (llvm::Expected<size_t> pass = passNamed(trace, name); !pass)
        return pass.takeError();
  return llvm::Error::success();
}

void PassReportOptions::printIr(const Trace &trace, llvm::raw_ostream &out) const {
  std::optional<size_t> before;
  for (size_t pass : innermostPasses(trace)) {
    std::string place = placeToFind(trace, pass);
    if (before && (printBeforeAll_ || isNamed(trace, pass, printBefore_)))
      printDump("Before", place, textAfter(trace, *before, "ir"), out);
    if (printAfterAll_ || isNamed(trace, pass, printAfter_))
      printDump("After", place, textAfter(trace, pass, "ir"), out);
    before = pass;
  }
}

void PassReportOptions::printChanged(const Trace &trace, llvm::raw_ostream &out) const {
  for (size_t pass : innermostPasses(trace)) {
    std::string place = placeToFind(trace, pass);
    bool isStart = pass == 0;
    if (trace.passes[pass].status != PassStatus::Unchanged)
      printDump(
          isStart ? "At Start:" : "After", place,
          textAfter(trace, pass, isStart || printChanged_ != Changed::Diff ? "ir" : "changes"),
          out);
    else if (printChanged_ == Changed::All)
      out << "# *** IR Dump After " << place << " omitted because no change ***\n";
  }
}

llvm::Error PassReportOptions::printFigures(const Trace &trace, const PassMeter &meter) const {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (statsJson_)
    out << dumpJson(statisticsJson(trace, timePasses_ ? &meter : nullptr));
  else if (stats_)
    printStatistics(trace, out);
  if (timePasses_ && !statsJson_)
    printTimes(trace, meter, out);
  if (!infoFile_.empty())
    return writeFile(infoFile_, text);
  llvm::errs() << text;
  return llvm::Error::success();
}

int PassReportOptions::print(const Trace &trace, const PassMeter &meter) const {
  if (!needsTrace() || trace.passes.empty())
    return Fine;
  if (llvm::Error error = checkNames(trace))
    return report(std::move(error));
  TerminalText out(llvm::errs());
  printIr(trace, out);
  if (printChanged_ != Changed::Nothing)
    printChanged(trace, out);
  out.flush();
  return report(printFigures(trace, meter));
}

} // namespace tilescope
