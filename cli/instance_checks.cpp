#include "cli/instance_checks.h"

#include "cli/device_usage.h"
#include "cli/sarif.h"
#include "core/driver/judge_trace.h"
#include "core/json/json_value.h"
#include "core/support/diagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <map>

namespace tilescope {

namespace {

bool hasError(const FindingsView &view) {
  return llvm::any_of(view.findings, [](const FindingRow &row) { return row.severity == "error"; });
}

CheckedInstance check(const ListedInstance &instance, const FindingSeverities &severities,
                      const CheckInputs &inputs) {
  CheckedInstance one{instance.trace, instance.path, labelOf(instance)};
  llvm::Expected<LoadedInstance> loaded =
      load(instance, inputs.problem, inputs.options, inputs.ptxas);
  if (!loaded) {
    one.error = llvm::toString(loaded.takeError());
    return one;
  }
  one.check = judgedFindings(loaded->trace, inputs.problem != nullptr);
  if (inputs.ptxas && inputs.ptxas->isGiven())
    one.check->kernels = occupanciesOf(loaded->trace);
  one.text = loaded->trace.header.fileText;
  KernelInstance named = instance;
  if (named.function.empty())
    named.function = loaded->trace.header.function;
  one.instance = labelOf(named);
  one.exitCode = exitCodeOf(*one.check, severities);
  if (loaded->trace.passes.empty() && one.exitCode != Findings)
    one.exitCode = Trouble;
  if (one.exitCode == Trouble)
    one.error = loaded->failure;
  return one;
}

// The first error, else the first question without a yes; "": there is nothing to say.
std::string reasonOf(const CheckedInstance &one) {
  if (!one.error.empty())
    return one.error;
  for (const FindingRow &row : one.check->findings)
    if (row.severity == "error")
      return lineText("line ", row.sourceLine, ": ") + row.text;
  for (const FindingAnswer &answer : answersOf(*one.check)) {
    bool isAsked = one.check->hasVerifier || answer.question != textOf(Question::Verified);
    if (answer.verdict == one.check->soundness() && isAsked && answer.verdict != Verdict::Yes)
      return answer.question + (answer.why.empty() ? "" : ": " + answer.why);
  }
  return "";
}

struct Outcome {
  const char *word;
  Ink::Kind ink;
};

Outcome outcomeOf(const CheckedInstance &one) {
  if (one.exitCode == Trouble)
    return {"not judged", Ink::Bad};
  if (isWrongKernel(*one.check))
    return {"unsound", Ink::Bad};
  if (one.check->soundness() != Verdict::Yes)
    return {"not established", Ink::Notice};
  if (one.exitCode == Findings)
    return {"warned of", Ink::Notice};
  return {"sound", Ink::Good};
}

void printLine(const CheckedInstance &one, llvm::raw_ostream &out) {
  Outcome outcome = outcomeOf(one);
  write(out, llvm::formatv("{0,-15}", outcome.word).str(), {outcome.ink});
  out << "  " << (one.trace.empty() ? one.file : llvm::sys::path::filename(one.trace)) << "  "
      << one.instance;
  std::string reason = reasonOf(one);
  out << (reason.empty() ? "" : ": " + reason) << '\n';
  if (one.check)
    for (const KernelOccupancy &kernel : one.check->kernels)
      out << "  " << kernel.function << ": " << toText(kernel.occupancy) << '\n';
}

void printSummary(const std::vector<CheckedInstance> &all, llvm::raw_ostream &out) {
  std::map<std::string, size_t> counts;
  for (const CheckedInstance &one : all)
    ++counts[outcomeOf(one).word];
  std::vector<std::string> parts;
  for (const char *word : {"sound", "warned of", "not established", "unsound", "not judged"})
    if (counts[word] > 0)
      parts.push_back(std::to_string(counts[word]) + " " + word);
  out << llvm::formatv("{0} {1}: {2}\n", all.size(), all.size() == 1 ? "instance" : "instances",
                       llvm::join(parts, ", "));
}

} // namespace

bool isWrongKernel(const FindingsView &view) {
  return llvm::any_of(answersOf(view),
                      [](const FindingAnswer &answer) { return answer.verdict == Verdict::No; }) ||
         llvm::any_of(view.findings, [](const FindingRow &row) {
           return row.severity == "error" && isKernelFault(row.id);
         });
}

int exitCodeOf(FindingsView &view, const FindingSeverities &severities) {
  int exitCode = isWrongKernel(view) ? Findings
                 : hasError(view)    ? Trouble
                 : view.isClean()    ? Fine
                                     : Findings;
  bool hasCounted = severities.apply(view);
  return exitCode == Fine && hasCounted ? Findings : exitCode;
}

FindingsView judgedFindings(const Trace &trace, bool wasRun) {
  Judgement judgement = judgeTrace(trace);
  std::optional<Answer> run = recordedRun(trace);
  if (wasRun || (run && run->verdict == Verdict::No))
    judgement.runsAsWritten = run;
  return findingsOf(trace, judgement);
}

int checkInstances(const ListedInstances &listed, CheckFormat format,
                   const FindingSeverities &severities, const CheckInputs &inputs) {
  TerminalText out(llvm::outs());
  std::vector<CheckedInstance> all;
  int worst = Fine;
  auto add = [&](CheckedInstance one) {
    if (format == CheckFormat::Text)
      printLine(one, out);
    worst = std::max(worst, one.exitCode);
    all.push_back(std::move(one));
  };
  for (const ListedInstance &instance : listed.instances)
    add(check(instance, severities, inputs));
  for (const UnreadTrace &trace : listed.unread)
    add({.trace = trace.path, .error = trace.why});
  if (format == CheckFormat::Json)
    out << dumpJson(toJson(all));
  else if (format == CheckFormat::Sarif)
    out << dumpJson(sarifOf(all, severities, worst));
  else
    printSummary(all, out);
  return worst;
}

} // namespace tilescope
