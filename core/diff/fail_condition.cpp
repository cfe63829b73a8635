#include "core/diff/fail_condition.h"

#include "core/support/size_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace {

struct MetricInfo {
  llvm::StringLiteral name;
  bool isBytes;
};

constexpr MetricInfo Metrics[] = {
    {"peak", true},   {"padding", true},   {"occupancy", false}, {"registers", false},
    {"spills", true}, {"barriers", false}, {"copies", false},
};

std::vector<std::string> metricNames() {
  std::vector<std::string> names;
  for (const MetricInfo &metric : Metrics)
    names.push_back(metric.name.str());
  return names;
}

llvm::Error wrong(llvm::StringRef condition, const llvm::Twine &why) {
  return llvm::createStringError("--fail-on: '" + condition + "': " + why);
}

llvm::Expected<double> parseNumber(llvm::StringRef text, bool isBytes, llvm::StringRef condition) {
  if (isBytes) {
    if (std::optional<int64_t> bytes = parseBytes(text))
      return static_cast<double>(*bytes);
    return wrong(condition, llvm::Twine("wants ") + SizeForm);
  }
  double number = 0;
  if (!llvm::all_of(text, [](char c) { return llvm::isDigit(c) || c == '.'; }) ||
      text.getAsDouble(number))
    return wrong(condition, "wants a number that is not negative");
  return number;
}

llvm::Error parseThreshold(llvm::StringRef text, FailCondition &condition) {
  if (text.empty() && condition.orEqual)
    return wrong(condition.text, "nothing follows the '='");
  if (text.empty()) {
    condition.kind = FailCondition::Kind::Direction;
    return llvm::Error::success();
  }
  bool isChange = text.starts_with("+") || text.starts_with("-");
  if (isChange && (text.front() == '+') != condition.isMore)
    return wrong(condition.text, "'>' is about growth, '>+1'; '<' about loss, '<-1'");
  bool isPercent = text.consume_back("%");
  text = text.rtrim();
  if (isPercent && !isChange)
    return wrong(condition.text, "per cent are of what it was before: '>+5%'");
  condition.kind = isPercent  ? FailCondition::Kind::Percent
                   : isChange ? FailCondition::Kind::Change
                              : FailCondition::Kind::Absolute;
  bool isBytes = Metrics[static_cast<size_t>(condition.metric)].isBytes && !isPercent;
  llvm::Expected<double> number =
      parseNumber(text.drop_front(isChange ? 1 : 0).trim(), isBytes, condition.text);
  if (!number)
    return number.takeError();
  condition.threshold = *number;
  return llvm::Error::success();
}

llvm::Expected<FailCondition> parseCondition(llvm::StringRef text) {
  FailCondition condition;
  condition.text = text.str();
  llvm::StringRef name = text.take_until([](char c) { return c == '<' || c == '>'; });
  llvm::StringRef rest = text.drop_front(name.size());
  name = name.rtrim();
  condition.name = name.str();
  if (rest.empty()) {
    std::optional<DiffReason> reason = reasonNamed(name);
    if (!reason && name != "any")
      return wrong(text, "no such reason; there are any, " + llvm::join(reasonNames(), ", "));
    condition.kind = reason ? FailCondition::Kind::Reason : FailCondition::Kind::AnyReason;
    condition.reason = reason.value_or(condition.reason);
    return condition;
  }
  const auto *metric = llvm::find_if(Metrics, [&](const MetricInfo &m) { return m.name == name; });
  if (metric == std::end(Metrics))
    return wrong(text, "no such metric; there are " + llvm::join(metricNames(), ", "));
  condition.metric = static_cast<DiffMetric>(metric - Metrics);
  condition.isMore = rest.consume_front(">");
  if (!condition.isMore)
    rest = rest.drop_front();
  condition.orEqual = rest.consume_front("=");
  if (llvm::Error error = parseThreshold(rest.trim(), condition))
    return error;
  return condition;
}

struct MetricValues {
  std::optional<double> before; // nullopt: there was no such thing
  double after = 0;
};

// But for blocks per SM, which depend on what the other side knows.
std::optional<double> valueOf(const std::optional<KernelState> &kernel, DiffMetric metric) {
  if (!kernel)
    return std::nullopt;
  if (metric == DiffMetric::Peak)
    return kernel->peakBytes;
  if (metric == DiffMetric::Padding)
    return kernel->paddingBytes;
  if (!kernel->registers.isKnown())
    return std::nullopt;
  return metric == DiffMetric::Registers ? kernel->registers.registersOfThread
                                         : kernel->registers.spillBytes;
}

std::pair<std::optional<double>, std::optional<double>> valuesOf(const KernelDiff &kernel,
                                                                 DiffMetric metric) {
  if (metric != DiffMetric::Occupancy)
    return {valueOf(kernel.before, metric), valueOf(kernel.after, metric)};
  ComparedBlocks blocks = comparedBlocks(kernel);
  return {blocks.before, blocks.after};
}

int64_t copiesOf(const CodeFacts &facts) {
  int64_t copies = 0;
  for (const auto &[function, count] : facts.copies)
    copies += count;
  return copies;
}

std::vector<MetricValues> valuesOf(const CompileDiff &diff, DiffMetric metric) {
  bool isOfCode = metric == DiffMetric::Barriers || metric == DiffMetric::Copies;
  if (isOfCode && diff.scope != DiffScope::Whole)
    return {};
  auto ofCode = [&](int64_t before, int64_t after) {
    MetricValues values{std::nullopt, static_cast<double>(after)};
    if (!diff.isNew)
      values.before = static_cast<double>(before);
    return std::vector<MetricValues>{values};
  };
  if (metric == DiffMetric::Barriers)
    return ofCode(diff.codeBefore.barriers, diff.codeAfter.barriers);
  if (metric == DiffMetric::Copies)
    return ofCode(copiesOf(diff.codeBefore), copiesOf(diff.codeAfter));
  std::vector<MetricValues> values;
  for (const FunctionDiff &function : diff.functions)
    if (auto [before, after] = valuesOf(function.kernel, metric); after)
      values.push_back({before, *after});
  return values;
}

bool holds(const FailCondition &condition, const MetricValues &values) {
  double sign = condition.isMore ? 1 : -1;
  auto exceeds = [&](double value, double threshold) {
    return value > threshold || (condition.orEqual && value == threshold);
  };
  if (condition.kind == FailCondition::Kind::Absolute)
    return exceeds(sign * values.after, sign * condition.threshold);
  if (!values.before)
    return false;
  double growth = sign * (values.after - *values.before);
  double least = condition.kind == FailCondition::Kind::Percent
                     ? *values.before * condition.threshold / 100
                     : condition.threshold;
  return exceeds(growth, least);
}

} // namespace

llvm::Expected<std::vector<FailCondition>> parseFailConditions(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  std::vector<FailCondition> conditions;
  for (llvm::StringRef part : parts) {
    llvm::Expected<FailCondition> condition = parseCondition(part.trim());
    if (!condition)
      return condition.takeError();
    conditions.push_back(std::move(*condition));
  }
  return conditions;
}

bool holds(const FailCondition &condition, const CompileDiff *diff,
           const std::vector<DiffReason> &reasons) {
  switch (condition.kind) {
  case FailCondition::Kind::AnyReason:
    return verdictOf(reasons) != DiffVerdict::Same;
  case FailCondition::Kind::Reason:
    return llvm::is_contained(reasons, condition.reason) ||
           (condition.reason == DiffReason::Unsound &&
            llvm::is_contained(reasons, DiffReason::VerdictFell));
  default:
    return diff && llvm::any_of(valuesOf(*diff, condition.metric), [&](const MetricValues &values) {
             return holds(condition, values);
           });
  }
}

std::vector<std::string> conditionNames() {
  std::vector<std::string> names = reasonNames();
  llvm::append_range(names, metricNames());
  names.emplace_back("any");
  return names;
}

} // namespace tilescope
