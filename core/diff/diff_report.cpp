#include "core/diff/diff_report.h"

#include "core/support/number_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

namespace tilescope {

namespace {

// What is wrong with a kernel that has nothing to be compared with.
std::vector<DiffReason> faultsOf(const CompileDiff &diff) {
  std::vector<DiffReason> reasons = reasonsOf(diff);
  std::erase_if(reasons, [](DiffReason reason) {
    return reason != DiffReason::Unsound && reason != DiffReason::OverCapacity;
  });
  return reasons;
}

// nullptr: that side lacks the kernel.
std::vector<DiffReason> reasonsOf(const ComparedCompile *before, const ComparedCompile *after,
                                  const std::optional<CompileDiff> &diff) {
  if (!after)
    return {DiffReason::Gone};
  bool failedBefore = before && !before->error.empty(), failsAfter = !after->error.empty();
  if (failsAfter && failedBefore)
    return {DiffReason::NotCompared};
  std::vector<DiffReason> reasons;
  if (failsAfter)
    reasons.push_back(DiffReason::Failed);
  else
    reasons = before && !failedBefore ? reasonsOf(*diff) : faultsOf(*diff);
  if (failedBefore)
    reasons.push_back(DiffReason::Fixed);
  if (!before)
    reasons.push_back(DiffReason::New);
  return reasons;
}

KernelComparison compare(const ComparedCompile *before, const ComparedCompile *after) {
  KernelComparison kernel;
  const ComparedCompile &newer = after ? *after : *before;
  kernel.file = newer.file;
  kernel.label = newer.label;
  kernel.errorBefore = before ? before->error : "";
  kernel.errorAfter = after ? after->error : "";
  if (after && after->error.empty())
    kernel.diff = before && before->error.empty() ? diffCompiles(*before->trace, *after->trace)
                                                  : newCompile(*after->trace);
  kernel.reasons = reasonsOf(before, after, kernel.diff);
  return kernel;
}

// Conditions that nobody needs to give.
std::vector<FailCondition> withStanding(std::vector<FailCondition> conditions) {
  for (DiffReason reason : {DiffReason::Failed, DiffReason::NotCompared}) {
    FailCondition standing{nameOf(reason), nameOf(reason), FailCondition::Kind::Reason, reason};
    if (llvm::none_of(conditions, [&](const auto &c) { return c.text == standing.text; }))
      conditions.push_back(std::move(standing));
  }
  return conditions;
}

} // namespace

DiffVerdict DiffReport::verdict() const {
  DiffVerdict worst = DiffVerdict::Same;
  for (const KernelComparison &kernel : kernels)
    worst = std::max(worst, kernel.verdict());
  return worst;
}

bool DiffReport::isCounted() const {
  return llvm::any_of(kernels, [](const auto &kernel) { return !kernel.counted.empty(); });
}

std::vector<KernelComparison> compareKernels(const std::vector<ComparedCompile> &before,
                                             const std::vector<ComparedCompile> &after) {
  std::vector<KernelComparison> kernels;
  auto add = [&](std::optional<size_t> left, std::optional<size_t> right) {
    KernelComparison kernel =
        compare(left ? &before[*left] : nullptr, right ? &after[*right] : nullptr);
    kernel.before = left;
    kernel.after = right;
    kernels.push_back(std::move(kernel));
  };
  if (before.size() == 1 && after.size() == 1) {
    add(0, 0);
    return kernels;
  }
  std::map<std::pair<std::string, std::string>, size_t> unpaired;
  for (const auto &[index, compile] : llvm::enumerate(before))
    unpaired.try_emplace({compile.file, compile.label}, index);
  for (const auto &[index, compile] : llvm::enumerate(after)) {
    auto partner = unpaired.extract({compile.file, compile.label});
    add(partner ? std::optional(partner.mapped()) : std::nullopt, index);
  }
  for (const auto &[index, compile] : llvm::enumerate(before))
    if (unpaired.contains({compile.file, compile.label}))
      add(index, std::nullopt);
  return kernels;
}

void applyConditions(const std::vector<FailCondition> &conditions,
                     std::vector<Suppression> &suppressions, DiffReport &report) {
  for (KernelComparison &kernel : report.kernels) {
    const CompileDiff *diff = kernel.diff ? &*kernel.diff : nullptr;
    for (const FailCondition &condition : withStanding(conditions))
      if (holds(condition, diff, kernel.reasons)) {
        bool isSuppressed = suppresses(suppressions, condition, kernel.name(), kernel.reasons);
        (isSuppressed ? kernel.suppressed : kernel.counted).push_back(condition.text);
      }
  }
  for (const KernelComparison &kernel : report.kernels)
    markUsed(suppressions, kernel.name(), kernel.reasons);
  for (const Suppression &suppression : suppressions)
    if (!suppression.wasUsed)
      report.warnings.push_back(llvm::formatv("suppression '{0}' (line {1}) matches nothing",
                                              suppression.text, suppression.line));
}

std::vector<const KernelComparison *> byWeight(const DiffReport &report) {
  std::vector<const KernelComparison *> kernels;
  kernels.reserve(report.kernels.size());
  for (const KernelComparison &kernel : report.kernels)
    kernels.push_back(&kernel);
  llvm::stable_sort(kernels, [](const KernelComparison *a, const KernelComparison *b) {
    return std::pair(!a->counted.empty(), a->verdict()) >
           std::pair(!b->counted.empty(), b->verdict());
  });
  return kernels;
}

bool knowsBlocks(const KernelComparison &kernel) {
  auto isKnown = [](const std::optional<KernelState> &side) { return side && side->blocksPerSm; };
  return kernel.diff && llvm::any_of(kernel.diff->functions, [&](const FunctionDiff &function) {
           return isKnown(function.kernel.before) || isKnown(function.kernel.after);
         });
}

std::string headlineOf(const DiffReport &report) {
  if (report.kernels.empty())
    return "no kernels to compare";
  std::map<DiffVerdict, int64_t, std::greater<>> counts; // the worst first
  for (const KernelComparison &kernel : report.kernels)
    ++counts[kernel.verdict()];
  std::vector<std::string> parts;
  parts.reserve(counts.size());
  for (const auto &[verdict, count] : counts)
    parts.push_back(std::to_string(count) + " " + nameOf(verdict));
  std::string text =
      llvm::formatv("{0} {1}: {2}", report.kernels.size(),
                    report.kernels.size() == 1 ? "kernel" : "kernels", llvm::join(parts, ", "));
  const KernelComparison &worst = *byWeight(report).front();
  if (report.kernels.size() > 1 && !worst.isQuiet())
    text += "; " + worst.name() + ": " +
            (worst.isCompared() ? figuresTextOf(*worst.diff) : summaryOf(worst));
  return text;
}

std::string summaryOf(const KernelComparison &kernel) {
  if (!kernel.errorAfter.empty())
    return (kernel.errorBefore.empty() ? "does not compile: "
                                       : "was not compared: compiles on neither side: ") +
           kernel.errorAfter;
  if (kernel.isGone())
    return "is gone";
  if (!kernel.diff)
    return "";
  if (kernel.isCompared())
    return summaryOf(*kernel.diff);
  int64_t bytes = 0;
  for (const FunctionDiff &function : kernel.diff->functions)
    bytes = std::max(bytes, function.kernel.after->peakBytes);
  std::string text = kernel.isNew() ? "is new" : "compiles now";
  for (DiffReason reason : faultsOf(*kernel.diff))
    text += std::string(", ") + textOf(reason);
  return text + ", peak " + groupedNumber(bytes) + " bytes";
}

} // namespace tilescope
