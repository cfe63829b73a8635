#include "core/exec/output_verdict.h"

#include "core/analysis/drawn_numbers.h"
#include "core/support/number_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace tilescope {

namespace {

// " --set M=512" for a size of thousands, which is divided so that what divides it in the kernel
// mostly still does; "" for others.
std::string smallerSetting(llvm::StringRef option, llvm::StringRef name, int64_t value) {
  constexpr int64_t Least = 2048;
  constexpr int64_t Divisor = 8;
  if (value < Least)
    return "";
  return (" --" + option + " " + name + "=" + std::to_string(value / Divisor)).str();
}

} // namespace

llvm::StringRef nameOf(OutputVerdict verdict) {
  switch (verdict) {
  case OutputVerdict::Right:
    return "right";
  case OutputVerdict::Wrong:
    return "WRONG";
  case OutputVerdict::NotEstablished:
    return "not established";
  }
  return "";
}

OutputVerdict OutputCheck::verdict() const {
  if (!comparison.passed())
    return isOfOrder ? OutputVerdict::NotEstablished : OutputVerdict::Wrong;
  if (comparison.overwritten > 0)
    return OutputVerdict::NotEstablished;
  return comparison.compared > comparison.nanPairs ? OutputVerdict::Right
                                                   : OutputVerdict::NotEstablished;
}

llvm::Expected<Expectation> expect(const Problem &problem, uint64_t seed) {
  GlobalMemory memory;
  memory.tensors = problem.memory.tensors;
  ReferenceOptions options;
  options.seed = seed;
  options.findOverwrites = true;
  Expectation expected;
  llvm::Expected<ReferenceReport> report =
      runReference(*problem.function, memory, problem.scalars, options);
  if (report) {
    expected.report = std::move(*report);
    expected.tensors = std::move(memory.tensors);
    return expected;
  }
  llvm::Error unknown = llvm::handleErrors(
      report.takeError(), [&](std::unique_ptr<ReferenceError> error) -> llvm::Error {
        if (!error->fault())
          return llvm::Error(std::move(error));
        expected.refusal = error->message();
        return llvm::Error::success();
      });
  if (unknown)
    return unknown;
  return expected;
}

std::vector<OutputCheck> checkOutputs(const Problem &problem, const std::map<BufferId, Tensor> &got,
                                      const Expectation &expected) {
  std::vector<OutputCheck> checks;
  for (BufferId id : problem.written) {
    OutputCheck check;
    check.tensor = problem.function->buffer(id).name.str();
    check.tolerance = toleranceFor(*problem.function, id);
    check.isOfOrder = writesByDrawnNumbers(*problem.function);
    check.isSample = !expected.report.sample.empty();
    check.comparison = compareTensors(got.at(id), expected.tensors.at(id), check.tolerance, id,
                                      expected.report.sample, expected.report.overwrites.of(id));
    checks.push_back(std::move(check));
  }
  return checks;
}

OutputVerdict verdictOf(llvm::ArrayRef<OutputCheck> checks) {
  auto is = [](OutputVerdict verdict) {
    return [verdict](const OutputCheck &check) { return check.verdict() == verdict; };
  };
  if (llvm::any_of(checks, is(OutputVerdict::Wrong)))
    return OutputVerdict::Wrong;
  bool areRight = !checks.empty() && llvm::all_of(checks, is(OutputVerdict::Right));
  return areRight ? OutputVerdict::Right : OutputVerdict::NotEstablished;
}

std::string describe(const OutputCheck &check) {
  const TensorComparison &c = check.comparison;
  std::string text;
  llvm::raw_string_ostream out(text);
  if (c.nanPairs > 0 && c.nanPairs < c.compared) // the rest says something
    out << c.compared - c.nanPairs << " of ";
  out << c.compared << " elements" << (check.isSample ? " (a sample)" : "");
  if (c.wrong > 0)
    out << ", " << c.wrong
        << (check.isOfOrder ? " others, as other threads may come first to an atomic operation"
                            : " wrong");
  if (c.nanPairs > 0)
    out << ", " << c.nanPairs << " NaN on both sides";
  if (c.overwritten > 0)
    out << ", " << c.overwritten << " more that several blocks write, each another value";
  if (c.compared > c.nanPairs)
    out << llvm::format(", max error / rms %.3g at ", c.maxErrorOverRms) << indexText(c.worst)
        << llvm::format(" (got %.6g, expected %.6g, tolerance %g)", c.got, c.expected,
                        check.tolerance);
  return text;
}

std::string describeOutputs(llvm::ArrayRef<OutputCheck> checks) {
  OutputVerdict verdict = verdictOf(checks);
  std::string count = std::to_string(checks.size()) + (checks.size() == 1 ? " output" : " outputs");
  if (verdict == OutputVerdict::Right)
    return count;
  std::string names;
  for (const OutputCheck &check : checks)
    if (check.verdict() == verdict)
      names += (names.empty() ? "" : ", ") + check.tensor;
  return names.empty() ? count : names + " of " + count;
}

std::string adviseSmaller(const ReferenceEstimate &estimate,
                          const std::map<std::string, std::string> &arguments,
                          const std::map<std::string, int64_t> &scalars) {
  // A core does about 1e9 of them a second.
  constexpr double LongWork = 1e11;
  if (estimate.work < LongWork)
    return "";
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "the reference runs " << groupedNumber(estimate.blocks)
      << llvm::format(" blocks on the CPU, about %.1e operations, which takes minutes",
                      estimate.work);
  std::string settings;
  for (const auto &[name, value] : arguments) {
    int64_t size = 0;
    if (!llvm::StringRef(value).getAsInteger(10, size))
      settings += smallerSetting("set", name, size);
  }
  for (const auto &[name, value] : scalars)
    settings += smallerSetting("dim", name, value);
  if (settings.empty())
    out << "; smaller sizes are checked sooner";
  else
    out << "; a smaller size is checked sooner:" << settings;
  return text;
}

} // namespace tilescope
