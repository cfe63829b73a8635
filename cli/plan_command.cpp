// plan: the arena planner alone, on a problem as CSV.
#include "cli/command.h"

#include "core/exports/arena_svg.h"
#include "core/plan/infeasible.h"
#include "core/plan/problem_csv.h"
#include "core/plan/savings.h"

#include "llvm/Support/Path.h"

#include <chrono>
#include <cmath>

namespace tilescope {

namespace {

// Without a time limit the plan depends on the problem alone.
constexpr int64_t DefaultNodes = 1'000'000;
constexpr int64_t SavingNodes = 2'000;
constexpr size_t MaxListed = 10;

std::function<bool()> stopAfter(double seconds) {
  using Clock = std::chrono::steady_clock;
  // Longer than any search, and still a time that the clock can count.
  auto limit = std::chrono::duration<double>(std::min(seconds, 1e8));
  auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(limit);
  return [end] { return Clock::now() >= end; };
}

std::string proofText(const CsvProblem &csv, const ArenaPlan &plan) {
  const Certificate &proof = plan.certificate;
  switch (proof.kind) {
  case ProofKind::LiveAtPoint:
    if (proof.liveSet.empty())
      return "optimal: nothing is live";
    return llvm::formatv("optimal: live at point {0} = {1}", csv.times[proof.point],
                         plan.heightBytes);
  case ProofKind::Exhausted:
    return "optimal: search exhausted";
  case ProofKind::Gap:
    return llvm::formatv("within {0} bytes of the bound", plan.heightBytes - proof.boundBytes);
  }
  llvm_unreachable("all kinds are handled");
}

void printCore(const CsvProblem &csv) {
  std::vector<BufferId> core = infeasibleCore(csv.problem);
  if (core.empty()) {
    llvm::errs() << "no point needs more than the capacity; lifetimes, alignments and offsets "
                    "together do\n";
    return;
  }
  llvm::errs() << "cannot fit, live together:\n";
  for (BufferId id : core) {
    const ArenaBuffer &buffer = csv.problem.buffers[id.value];
    llvm::errs() << "  '" << buffer.name << "' " << buffer.sizeBytes << " bytes\n";
  }
}

void printSavings(const CsvProblem &csv) {
  static constexpr const char *Texts[] = {"a shorter life of", "one version less of",
                                          "a smaller alignment of"};
  std::vector<Saving> savings = cheapestSavings(csv.problem, SavingNodes);
  if (savings.empty())
    return;
  llvm::errs() << "single changes that gain most:\n";
  for (const Saving &saving : llvm::ArrayRef(savings).take_front(MaxListed))
    llvm::errs() << "  " << Texts[saving.kind] << " '"
                 << csv.problem.buffers[saving.buffer.value].name << "': " << saving.gainBytes
                 << " bytes less, "
                 << (saving.heightBytes <= csv.problem.capacityBytes ? "fits" : "does not fit")
                 << '\n';
}

llvm::Error writePicture(const std::string &path, llvm::StringRef title, const CsvProblem &csv,
                         const ArenaPlan &plan) {
  if (path.empty())
    return llvm::Error::success();
  ArenaPicture picture;
  picture.title = title.str();
  picture.caption = proofText(csv, plan);
  picture.problem = csv.problem;
  picture.plan = plan;
  for (int64_t time : csv.times)
    picture.labels.push_back({0, "time " + std::to_string(time)});
  return writeFile(path, arenaSvg({picture}));
}

// No CSV is written: there is no plan within the capacity to write.
int reportOverCapacity(const CsvProblem &csv, const ArenaPlan &plan) {
  int code = report(llvm::createStringError(
      llvm::formatv("the plan needs {0} bytes, over the capacity of {1}; {2}", plan.heightBytes,
                    csv.problem.capacityBytes, proofText(csv, plan))
          .str()));
  printCore(csv);
  printSavings(csv);
  return code;
}

} // namespace

int runPlan(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope plan");
  llvm::cl::opt<std::string> input(llvm::cl::Positional, llvm::cl::Required,
                                   llvm::cl::desc("PROBLEM.csv"), llvm::cl::cat(category));
  llvm::cl::opt<uint64_t> capacity(
      "capacity", llvm::cl::desc("Bytes to fit into (default: as few as can be)"),
      llvm::cl::value_desc("BYTES"), llvm::cl::init(0), llvm::cl::cat(category));
  llvm::cl::opt<std::string> output("o", llvm::cl::desc("Output file (default: standard output)"),
                                    llvm::cl::value_desc("PLAN.csv"), llvm::cl::init("-"),
                                    llvm::cl::cat(category));
  llvm::cl::opt<std::string> svg(
      "svg", llvm::cl::desc("Draw the plan, whether it fits or not, into this file"),
      llvm::cl::value_desc("PLAN.svg"), llvm::cl::cat(category));
  llvm::cl::opt<double> timeLimit(
      "time-limit", llvm::cl::desc("End the search after this time; the plan may vary with it"),
      llvm::cl::value_desc("SECONDS"), llvm::cl::cat(category));
  if (std::optional<int> exitCode = parseCommandLine(
          commandLine, category,
          "Plans an arena: a problem and its plan are CSV in the format of minimalloc\n"
          "(id,lower,upper,size and maybe alignment, gaps, offset). What is proven goes to\n"
          "standard error. With --capacity the first plan that fits is taken; where none is found\n"
          "the exit code is 2.\n\n"
          "  tilescope plan problem.csv --capacity 1048576 -o plan.csv --svg plan.svg\n"))
    return *exitCode;
  if (timeLimit.getNumOccurrences() != 0 && !(timeLimit >= 0))
    return report(llvm::createStringError("--time-limit wants seconds, not a negative number"));
  if (capacity > static_cast<uint64_t>(INT64_MAX))
    return report(llvm::createStringError("--capacity is too large"));

  llvm::Expected<std::string> text = readFile(input);
  if (!text)
    return report(text.takeError());
  llvm::Expected<CsvProblem> csv = readProblemCsv(*text, input);
  if (!csv)
    return report(csv.takeError());
  csv->problem.capacityBytes = static_cast<int64_t>(uint64_t(capacity));
  PlanLimits limits{.searchNodes = DefaultNodes, .enoughBytes = csv->problem.capacityBytes};
  if (timeLimit.getNumOccurrences() != 0) {
    limits.searchNodes = INT64_MAX;
    limits.stop = stopAfter(timeLimit);
  }
  ArenaPlan plan = planArena(csv->problem, limits);
  if (llvm::Error error = writePicture(svg, llvm::sys::path::filename(input), *csv, plan))
    return report(std::move(error));
  if (csv->problem.capacityBytes > 0 && plan.heightBytes > csv->problem.capacityBytes)
    return reportOverCapacity(*csv, plan);
  for (const std::string &fault : checkPlan(csv->problem, plan))
    return report(llvm::createStringError("no plan: " + fault));
  if (llvm::Error error = writeFile(output, writePlanCsv(*csv, plan)))
    return report(std::move(error));
  llvm::errs() << proofText(*csv, plan) << '\n';
  return Fine;
}

} // namespace tilescope
