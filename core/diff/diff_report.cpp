#include "core/diff/diff_report.h"

#include "core/support/number_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cassert>
#include <map>
#include <set>

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

std::optional<CompileDiff> diffOf(const ComparedCompile *before, const ComparedCompile *after) {
  bool isBefore = before && before->error.empty(), isAfter = after && after->error.empty();
  if (isBefore && isAfter)
    return diffCompiles(*before->trace, *after->trace);
  if (isAfter)
    return newCompile(*after->trace);
  if (!isBefore)
    return std::nullopt;
  if (!after)
    return goneCompile(*before->trace);
  return after->trace ? std::optional(diffUpToFailure(*before->trace, *after->trace))
                      : std::nullopt;
}

KernelComparison compare(const ComparedCompile *before, const ComparedCompile *after) {
  assert(before || after);
  KernelComparison kernel;
  const ComparedCompile &newer = after ? *after : *before;
  kernel.file = newer.file;
  kernel.label = newer.label();
  kernel.traceBefore = before ? before->recordedIn : "";
  kernel.traceAfter = after ? after->recordedIn : "";
  kernel.errorBefore = before ? before->error : "";
  kernel.errorAfter = after ? after->error : "";
  kernel.diff = diffOf(before, after);
  kernel.reasons = reasonsOf(before, after, kernel.diff);
  return kernel;
}

// " (block_M 64 -> 128, target sm_80 -> sm_90)"; "" where that is not known.
std::string changedArguments(const ComparedCompile &before, const ComparedCompile &after,
                             const std::optional<CompileDiff> &diff) {
  if (!diff || !before.trace || !after.trace)
    return "";
  std::set<std::string> names{"target"};
  for (const ComparedCompile *side : {&before, &after})
    for (const TraceParameter &parameter : side->trace->header.parameters)
      names.insert(parameter.name);
  auto valueOf = [](const std::string &value) { return value.empty() ? "none" : value; };
  std::vector<std::string> changes;
  for (const SettingDiff &setting : diff->settings)
    if (names.contains(setting.name))
      changes.push_back(setting.name + " " + valueOf(setting.before) + " -> " +
                        valueOf(setting.after));
  return changes.empty() ? "" : " (" + llvm::join(changes, ", ") + ")";
}

// Recorded programs lie where they lie: their files say nothing.
void noteRenaming(const ComparedCompile &before, const ComparedCompile &after, SideNames names,
                  KernelComparison &kernel) {
  std::vector<std::string> parts;
  if (names == SideNames::OfFiles && before.file != after.file)
    parts.push_back("moved from " + before.file);
  bool isInstance = !before.isWholeFile && !after.isWholeFile;
  if (isInstance && before.function != after.function)
    parts.push_back("renamed from " + before.function);
  if (isInstance && before.arguments != after.arguments)
    parts.push_back("other arguments" + changedArguments(before, after, kernel.diff));
  if (parts.empty())
    return;
  kernel.fileBefore = before.file;
  kernel.labelBefore = before.label();
  kernel.renaming = llvm::join(parts, ", ");
  kernel.reasons.push_back(DiffReason::KernelRenamed);
  llvm::sort(kernel.reasons);
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
                                             const std::vector<ComparedCompile> &after,
                                             SideNames names) {
  std::vector<KernelComparison> kernels;
  for (const KernelPair &pair : pairKernels(before, after, names)) {
    const ComparedCompile *left = pair.before ? &before[*pair.before] : nullptr;
    const ComparedCompile *right = pair.after ? &after[*pair.after] : nullptr;
    KernelComparison kernel = compare(left, right);
    kernel.before = pair.before;
    kernel.after = pair.after;
    if (left && right && names != SideNames::Given)
      noteRenaming(*left, *right, names, kernel);
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

void applyConditions(const std::vector<FailCondition> &conditions,
                     std::vector<Suppression> &suppressions, DiffReport &report) {
  for (KernelComparison &kernel : report.kernels) {
    // Nothing is measured of what is gone, or as far as it compiles.
    bool isMeasured = kernel.diff && !kernel.isGone() && kernel.errorAfter.empty();
    const CompileDiff *diff = isMeasured ? &*kernel.diff : nullptr;
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
    text +=
        "; " + worst.name() + ": " +
        (worst.isCompared() ? worst.withRenaming(figuresTextOf(*worst.diff)) : summaryOf(worst));
  return text;
}

std::string KernelComparison::withRenaming(const std::string &text) const {
  return renaming.empty() ? text : renaming + ", " + text;
}

static std::string summaryWithoutNames(const KernelComparison &kernel) {
  if (!kernel.errorAfter.empty())
    return (kernel.errorBefore.empty() ? "does not compile: "
                                       : "was not compared: compiles on neither side: ") +
           kernel.errorAfter;
  if (!kernel.diff)
    return kernel.isGone() ? "is gone" : "";
  if (kernel.isCompared())
    return summaryOf(*kernel.diff);
  int64_t bytes = 0;
  for (const FunctionDiff &function : kernel.diff->functions)
    bytes = std::max(bytes,
                     (kernel.isGone() ? function.kernel.before : function.kernel.after)->peakBytes);
  if (kernel.isGone())
    return "is gone, peak was " + groupedNumber(bytes) + " bytes";
  std::string text = kernel.isNew() ? "is new" : "compiles now";
  for (DiffReason reason : faultsOf(*kernel.diff))
    text += std::string(", ") + textOf(reason);
  return text + ", peak " + groupedNumber(bytes) + " bytes";
}

std::string summaryOf(const KernelComparison &kernel) {
  return kernel.withRenaming(summaryWithoutNames(kernel));
}

} // namespace tilescope
