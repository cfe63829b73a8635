// plan: the arena planner alone, on a problem as CSV.
#include "cli/command.h"
#include "cli/plan_report.h"

#include "core/check/plan_check.h"
#include "core/exports/arena_svg.h"
#include "core/json/json_value.h"
#include "core/plan/infeasible.h"
#include "core/plan/planner.h"
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
constexpr int64_t CoreNodes = 200'000;
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
    return llvm::formatv("within {0:N} bytes of the bound", plan.heightBytes - proof.boundBytes);
  }
  llvm_unreachable("all kinds are handled");
}

// Why the capacity cannot be met, and what would help.
struct MisfitReasons {
  std::vector<BufferId> core;
  bool isLiveTogether = false; // else no placement fits them
  bool isMinimal = false;
  std::vector<Saving> savings;
};

MisfitReasons findReasons(const ArenaProblem &problem) {
  MisfitReasons reasons;
  reasons.core = infeasibleCore(problem);
  reasons.isLiveTogether = reasons.isMinimal = !reasons.core.empty();
  if (reasons.core.empty()) {
    FragmentationCore core = fragmentationCore(problem, CoreNodes);
    reasons.core = std::move(core.buffers);
    reasons.isMinimal = core.isMinimal;
  }
  reasons.savings = cheapestSavings(problem, SavingNodes);
  if (reasons.savings.size() > MaxListed)
    reasons.savings.resize(MaxListed);
  return reasons;
}

void printCore(const CsvProblem &csv, const MisfitReasons &reasons) {
  if (reasons.core.empty()) {
    llvm::errs() << "no point needs more than the capacity; lifetimes, alignments and offsets "
                    "together do\n";
    return;
  }
  if (reasons.isLiveTogether)
    llvm::errs() << "cannot fit, live together:\n";
  else
    llvm::errs() << "no point needs more than the capacity, but no placement fits these"
                 << (reasons.isMinimal ? ":\n" : " (fewer may do: the search was cut short):\n");
  for (BufferId id : reasons.core) {
    const ArenaBuffer &buffer = csv.problem.buffers[id.value];
    llvm::errs() << "  '" << buffer.name << "' " << buffer.sizeBytes << " bytes\n";
  }
}

void printSavings(const CsvProblem &csv, const MisfitReasons &reasons) {
  static constexpr const char *Texts[] = {"a shorter life of", "one version less of",
                                          "a smaller alignment of"};
  if (reasons.savings.empty())
    return;
  llvm::errs() << "single changes that gain most:\n";
  for (const Saving &saving : reasons.savings)
    llvm::errs() << "  " << Texts[saving.kind] << " '"
                 << csv.problem.buffers[saving.buffer.value].name << "': " << saving.gainBytes
                 << " bytes less, "
                 << (saving.heightBytes <= csv.problem.capacityBytes ? "fits" : "does not fit")
                 << '\n';
}

std::vector<std::string> namesOf(const CsvProblem &csv, const std::vector<BufferId> &ids) {
  std::vector<std::string> names;
  names.reserve(ids.size());
  for (BufferId id : ids)
    names.push_back(csv.problem.buffers[id.value].name);
  return names;
}

PlanReport reportOf(const CsvProblem &csv, const ArenaPlan &plan) {
  const Certificate &proof = plan.certificate;
  PlanReport report{plan.heightBytes,
                    proof.boundBytes,
                    plan.heightBytes - proof.boundBytes,
                    proof.kind == ProofKind::Gap ? "gap" : "optimal",
                    proofText(csv, plan),
                    proof.searchNodes};
  for (const Placement &placement : plan.placements)
    report.buffers.push_back({csv.problem.buffers[placement.id.value].name, placement.offsetBytes,
                              placement.sizeBytes, placement.paddingBytes,
                              namesOf(csv, placement.below), namesOf(csv, placement.sharesWith)});
  if (csv.problem.capacityBytes > 0) {
    report.capacityBytes = csv.problem.capacityBytes;
    report.fits = plan.heightBytes <= csv.problem.capacityBytes;
  }
  if (proof.kind == ProofKind::LiveAtPoint && !proof.liveSet.empty()) {
    report.point = csv.times[proof.point];
    report.liveSet = namesOf(csv, proof.liveSet);
  }
  return report;
}

void addReasons(const CsvProblem &csv, const MisfitReasons &reasons, PlanReport &report) {
  static constexpr const char *Kinds[] = {"shorter-life", "fewer-versions", "smaller-alignment"};
  const char *cause = reasons.core.empty()     ? "unknown"
                      : reasons.isLiveTogether ? "live-together"
                                               : "fragmentation";
  report.core = {namesOf(csv, reasons.core), reasons.isMinimal, cause};
  report.savings.emplace();
  for (const Saving &saving : reasons.savings)
    report.savings->push_back({Kinds[saving.kind], csv.problem.buffers[saving.buffer.value].name,
                               saving.heightBytes, saving.gainBytes});
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

// No CSV is written: there is no plan within the capacity to write. JSON says why.
int reportOverCapacity(const CsvProblem &csv, const ArenaPlan &plan, const std::string &jsonPath) {
  int code = report(llvm::createStringError(
      llvm::formatv("the plan needs {0:N} bytes, over the capacity of {1:N}; {2}", plan.heightBytes,
                    csv.problem.capacityBytes, proofText(csv, plan))
          .str()));
  MisfitReasons reasons = findReasons(csv.problem);
  printCore(csv, reasons);
  printSavings(csv, reasons);
  if (jsonPath.empty())
    return code;
  PlanReport written = reportOf(csv, plan);
  addReasons(csv, reasons, written);
  report(writeFile(jsonPath, dumpJson(toJson(written))));
  return code;
}

constexpr const char *PlanOverview =
    "Plans an arena: a problem and its plan are CSV in the format of minimalloc\n"
    "(id,lower,upper,size and maybe alignment, gaps, offset). What is proven goes to\n"
    "standard error. With --capacity the first plan that fits is taken; where none is found\n"
    "the exit code is 2.\n\n"
    "--format json writes, in place of the CSV, what 'tilescope schema plan' says; where the plan\n"
    "does not fit, it is written too, with the buffers that do not fit together and what would "
    "help.\n\n"
    "  tilescope plan problem.csv --capacity 1048576 -o plan.csv --svg plan.svg\n"
    "  tilescope plan problem.csv --format json\n";

} // namespace

int runPlan(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope plan");
  llvm::cl::opt<std::string> input(llvm::cl::Positional, llvm::cl::Required,
                                   llvm::cl::desc("PROBLEM.csv"), llvm::cl::cat(category));
  CountOption capacity("capacity", llvm::cl::desc("Bytes to fit into (default: as few as can be)"),
                       llvm::cl::value_desc("BYTES"), llvm::cl::init(0), llvm::cl::cat(category));
  llvm::cl::opt<std::string> output("o", llvm::cl::desc("Output file (default: standard output)"),
                                    llvm::cl::value_desc("PLAN.csv"), llvm::cl::init("-"),
                                    llvm::cl::cat(category));
  llvm::cl::opt<std::string> svg(
      "svg", llvm::cl::desc("Draw the plan, whether it fits or not, into this file"),
      llvm::cl::value_desc("PLAN.svg"), llvm::cl::cat(category));
  NumberOption timeLimit(
      "time-limit", llvm::cl::desc("End the search after this time; the plan may vary with it"),
      llvm::cl::value_desc("SECONDS"), llvm::cl::cat(category));
  FormatOption format(category);
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category, PlanOverview))
    return *exitCode;
  if (timeLimit.getNumOccurrences() != 0 && !(timeLimit >= 0))
    return report(llvm::createStringError("--time-limit wants seconds, not a negative number"));
  if (capacity.getNumOccurrences() != 0 && capacity == 0)
    return report(llvm::createStringError("--capacity wants a positive number of bytes, not 0"));
  if (capacity > static_cast<Count>(INT64_MAX))
    return report(llvm::createStringError("--capacity is too large"));

  if (llvm::Error error = checkOutputs({{"-o", output}, {"--svg", svg}}, {{"problem", input}}))
    return report(std::move(error));
  llvm::Expected<std::string> text = readFile(input);
  if (!text)
    return report(text.takeError());
  llvm::Expected<CsvProblem> csv = readProblemCsv(*text, input);
  if (!csv)
    return report(csv.takeError());
  csv->problem.capacityBytes = static_cast<int64_t>(Count(capacity));
  PlanLimits limits{.searchNodes = DefaultNodes, .enoughBytes = csv->problem.capacityBytes};
  if (timeLimit.getNumOccurrences() != 0) {
    limits.searchNodes = INT64_MAX;
    limits.stop = stopAfter(timeLimit);
  }
  ArenaPlan plan = planArena(csv->problem, limits);
  if (llvm::Error error = writePicture(svg, llvm::sys::path::filename(input), *csv, plan))
    return report(std::move(error));
  ArenaProblem unlimited = csv->problem;
  unlimited.capacityBytes = 0;
  for (const std::string &fault : checkPlan(unlimited, plan))
    return report(llvm::createStringError("no plan: " + fault));
  if (csv->problem.capacityBytes > 0 && plan.heightBytes > csv->problem.capacityBytes)
    return reportOverCapacity(*csv, plan, format.isJson() ? output : std::string());
  std::string planText =
      format.isJson() ? dumpJson(toJson(reportOf(*csv, plan))) : writePlanCsv(*csv, plan);
  if (llvm::Error error = writeFile(output, planText))
    return report(std::move(error));
  llvm::errs() << proofText(*csv, plan) << '\n';
  return Fine;
}

} // namespace tilescope
