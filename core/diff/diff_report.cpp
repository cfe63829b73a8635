#include "core/diff/diff_report.h"

#include "core/support/number_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

namespace tilescope {

namespace {

KernelComparison compare(const ComparedCompile *before, const ComparedCompile *after) {
  KernelComparison kernel;
  const ComparedCompile &newer = after ? *after : *before;
  kernel.file = newer.file;
  kernel.label = newer.label;
  kernel.errorBefore = before ? before->error : "";
  kernel.errorAfter = after ? after->error : "";
  if (!before || !after)
    kernel.reasons = {before ? DiffReason::Gone : DiffReason::New};
  if (!kernel.errorAfter.empty() && kernel.errorBefore.empty())
    kernel.reasons.insert(kernel.reasons.begin(), DiffReason::Failed);
  else if (kernel.errorAfter.empty() && !kernel.errorBefore.empty() && after)
    kernel.reasons = {DiffReason::Fixed};
  if (!after || !after->error.empty())
    return kernel;
  if (!before || !before->error.empty()) {
    kernel.diff = newCompile(*after->trace);
    return kernel;
  }
  kernel.diff = diffCompiles(*before->trace, *after->trace);
  kernel.reasons = reasonsOf(*kernel.diff);
  return kernel;
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
    for (const FailCondition &condition : conditions)
      if (holds(condition, diff, kernel.reasons)) {
        bool isSuppressed = suppresses(suppressions, condition, kernel.name());
        (isSuppressed ? kernel.suppressed : kernel.counted).push_back(condition.text);
      }
    if (llvm::is_contained(kernel.reasons, DiffReason::Failed) &&
        !llvm::is_contained(kernel.counted, nameOf(DiffReason::Failed)))
      kernel.counted.emplace_back(nameOf(DiffReason::Failed));
  }
  for (const Suppression &suppression : suppressions)
    if (!suppression.wasUsed)
      report.warnings.push_back(llvm::formatv("suppression '{0}' (line {1}) matches nothing",
                                              suppression.text, suppression.line));
}

std::vector<const KernelComparison *> byWeight(const DiffReport &report) {
  std::vector<const KernelComparison *> kernels;
  for (const KernelComparison &kernel : report.kernels)
    kernels.push_back(&kernel);
  llvm::stable_sort(kernels, [](const KernelComparison *a, const KernelComparison *b) {
    return std::pair(!a->counted.empty(), a->verdict()) >
           std::pair(!b->counted.empty(), b->verdict());
  });
  return kernels;
}

std::string headlineOf(const DiffReport &report) {
  if (report.kernels.empty())
    return "no kernels to compare";
  std::map<DiffVerdict, int64_t, std::greater<>> counts; // the worst first
  for (const KernelComparison &kernel : report.kernels)
    ++counts[kernel.verdict()];
  std::vector<std::string> parts;
  for (const auto &[verdict, count] : counts)
    parts.push_back(std::to_string(count) + " " + nameOf(verdict));
  return llvm::formatv("{0} {1}: {2}", report.kernels.size(),
                       report.kernels.size() == 1 ? "kernel" : "kernels", llvm::join(parts, ", "));
}

std::string summaryOf(const KernelComparison &kernel) {
  if (!kernel.errorAfter.empty())
    return (kernel.errorBefore.empty() ? "does not compile: " : "still does not compile: ") +
           kernel.errorAfter;
  if (kernel.isGone())
    return "is gone";
  if (!kernel.diff)
    return "";
  if (!kernel.isNew() && kernel.errorBefore.empty())
    return summaryOf(*kernel.diff);
  int64_t bytes = 0;
  for (const FunctionDiff &function : kernel.diff->functions)
    bytes = std::max(bytes, function.kernel.after->peakBytes);
  return llvm::formatv("{0}, peak {1} bytes", kernel.isNew() ? "is new" : "compiles now",
                       groupedNumber(bytes));
}

} // namespace tilescope
