#include "core/diff/suppressions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/GlobPattern.h"

namespace tilescope {

namespace {

// Braces multiply: no more than that many.
constexpr size_t MaxSubPatterns = 64;

// Refers to `pattern`.
llvm::Expected<llvm::GlobPattern> globOf(llvm::StringRef pattern) {
  return llvm::GlobPattern::create(pattern, MaxSubPatterns);
}

llvm::Expected<Suppression> parseLine(llvm::StringRef text) {
  auto [names, pattern] = text.split(' ');
  pattern = pattern.trim();
  if (pattern.empty())
    return llvm::createStringError("wants NAME[,NAME] and a pattern of kernels");
  Suppression suppression;
  suppression.text = text.str();
  llvm::SmallVector<llvm::StringRef> parts;
  names.split(parts, ',');
  for (llvm::StringRef name : parts) {
    if (!llvm::is_contained(conditionNames(), name))
      return llvm::createStringError("'" + name + "' is neither a metric nor a reason");
    suppression.names.push_back(name.str());
  }
  if (llvm::Expected<llvm::GlobPattern> checked = globOf(pattern); !checked)
    return checked.takeError();
  suppression.kernels = pattern.str();
  return suppression;
}

// What is said of a metric.
struct MetricReason {
  llvm::StringLiteral metric;
  bool isMore;
  DiffReason reason;
};

constexpr MetricReason MetricReasons[] = {
    {"peak", true, DiffReason::PeakGrew},           {"peak", false, DiffReason::PeakShrank},
    {"occupancy", true, DiffReason::OccupancyRose}, {"occupancy", false, DiffReason::OccupancyFell},
    {"spills", true, DiffReason::SpillsGrew},       {"spills", false, DiffReason::SpillsShrank},
    {"barriers", true, DiffReason::MoreBarriers},   {"barriers", false, DiffReason::FewerBarriers},
};

bool coversReason(llvm::StringRef name, DiffReason reason) {
  bool isStanding = reason == DiffReason::Failed || reason == DiffReason::NotCompared;
  return name == nameOf(reason) || (name == "any" && !isStanding) ||
         llvm::any_of(MetricReasons, [&](const MetricReason &known) {
           return known.reason == reason && known.metric == name;
         });
}

bool covers(llvm::StringRef name, const FailCondition &condition) {
  if (condition.kind == FailCondition::Kind::Reason)
    return coversReason(name, condition.reason);
  return name == condition.name || name == "any" ||
         llvm::any_of(MetricReasons, [&](const MetricReason &known) {
           return known.metric == condition.name && known.isMore == condition.isMore &&
                  nameOf(known.reason) == name;
         });
}

bool matches(const Suppression &suppression, llvm::StringRef kernel) {
  return llvm::cantFail(globOf(suppression.kernels)).match(kernel);
}

} // namespace

llvm::Expected<std::vector<Suppression>> parseSuppressions(llvm::StringRef text,
                                                           llvm::StringRef fileName) {
  std::vector<Suppression> suppressions;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (const auto &[index, whole] : llvm::enumerate(lines)) {
    llvm::StringRef line = whole.split('#').first.trim();
    if (line.empty())
      continue;
    llvm::Expected<Suppression> suppression = parseLine(line);
    if (!suppression)
      return llvm::createStringError(fileName + ":" + llvm::Twine(index + 1) + ": " +
                                     llvm::toString(suppression.takeError()));
    suppression->line = index + 1;
    suppressions.push_back(std::move(*suppression));
  }
  return suppressions;
}

bool suppresses(const std::vector<Suppression> &suppressions, const FailCondition &condition,
                llvm::StringRef kernel, const std::vector<DiffReason> &reasons) {
  auto isCovered = [&](llvm::function_ref<bool(llvm::StringRef)> coversIt) {
    return llvm::any_of(suppressions, [&](const Suppression &suppression) {
      return llvm::any_of(suppression.names, coversIt) && matches(suppression, kernel);
    });
  };
  if (isCovered([&](llvm::StringRef name) { return covers(name, condition); }))
    return true;
  return condition.kind == FailCondition::Kind::AnyReason &&
         llvm::all_of(reasons, [&](DiffReason reason) {
           return isCovered([&](llvm::StringRef name) { return coversReason(name, reason); });
         });
}

void markUsed(std::vector<Suppression> &suppressions, llvm::StringRef kernel,
              const std::vector<DiffReason> &reasons) {
  for (Suppression &suppression : suppressions)
    suppression.wasUsed |=
        matches(suppression, kernel) && llvm::any_of(suppression.names, [&](llvm::StringRef name) {
          return llvm::any_of(reasons,
                              [&](DiffReason reason) { return coversReason(name, reason); });
        });
}

} // namespace tilescope
