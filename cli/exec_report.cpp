#include "cli/exec_report.h"

#include "cli/command.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/WithColor.h"

#include <cmath>

namespace tilescope {

namespace {

std::optional<ExecReport::Place> placeOf(const CompileResult &compiled, const Span &span) {
  if (!span.isValid())
    return std::nullopt;
  llvm::StringRef text = compiled.files.lineText(span.file, span.line);
  return ExecReport::Place{span.line, text.trim().str()};
}

std::optional<double> finiteElement(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string verdictWord(const StageResult &stage) {
  if (!stage.refusal.empty())
    return "not run";
  if (!stage.isRight())
    return "wrong";
  if (stage.isUnjudged())
    return "not judged";
  return stage.comparedWith.empty() ? "runs" : "equal";
}

ExecReport::Stage stageReport(const CompileResult &compiled, const StageResult &stage) {
  ExecReport::Stage report{.pass = stage.pass,
                           .patched = stage.isPatched,
                           .verdict = verdictWord(stage),
                           .comparedWith = stage.comparedWith,
                           .exact = stage.isExact,
                           .notRun = stage.refusal,
                           .change = stage.change.lines,
                           .otherOrigins = static_cast<int64_t>(stage.change.otherOrigins),
                           .blocks = stage.blocks.executed,
                           .gridBlocks = stage.blocks.all,
                           .milliseconds = stage.milliseconds};
  for (const OutputDifference &difference : stage.differences)
    report.differences.push_back({difference.tensor,
                                  {difference.index.begin(), difference.index.end()},
                                  finiteElement(difference.got),
                                  finiteElement(difference.expected),
                                  difference.count,
                                  difference.written,
                                  placeOf(compiled, difference.writerSpan)});
  for (const ChangedOrigin &origin : stage.change.origins)
    report.origins.push_back({origin.text, placeOf(compiled, origin.span)});
  for (const ExecutionFinding &finding : stage.findings)
    report.findings.push_back(
        {keyOf(finding.kind).str(), finding.text, placeOf(compiled, finding.span),
         placeOf(compiled, finding.otherSpan), finding.block,
         finding.thread < 0 ? std::nullopt : std::optional(finding.thread), finding.count});
  return report;
}

void printPlace(const CompileResult &compiled, const Span &span, llvm::StringRef what,
                llvm::raw_ostream &out) {
  if (std::optional<ExecReport::Place> place = placeOf(compiled, span))
    out << "    " << what << "line " << place->line << ": " << place->source << '\n';
}

void printFinding(const CompileResult &compiled, const ExecutionFinding &finding,
                  llvm::raw_ostream &out) {
  out << "  " << sentenceOf(finding) << " [" << keyOf(finding.kind) << "]\n";
  printPlace(compiled, finding.span, "", out);
  printPlace(compiled, finding.otherSpan, "and ", out);
}

void printDifference(const CompileResult &compiled, const StageResult &stage,
                     const OutputDifference &difference, llvm::raw_ostream &out) {
  out << "  " << sentenceOf(difference, stage) << '\n';
  if (!difference.written.empty())
    out << "    written by " << difference.written << '\n';
  printPlace(compiled, difference.writerSpan, "", out);
}

void printOrigins(const CompileResult &compiled, const StageChange &change,
                  llvm::raw_ostream &out) {
  if (change.origins.empty())
    return;
  out << "  the value comes from these, which the pass changed, nearest first:\n";
  for (const ChangedOrigin &origin : change.origins) {
    out << "    " << origin.text << '\n';
    printPlace(compiled, origin.span, "  ", out);
  }
  if (change.otherOrigins > 0)
    out << "    and " << change.otherOrigins << " more\n";
}

void printChange(const CompileResult &compiled, const StageChange &change, llvm::raw_ostream &out) {
  if (change.lines.empty())
    return;
  out << "  the pass changed there";
  if (change.otherPlaces > 0)
    out << ", and in " << change.otherPlaces
        << (change.otherPlaces == 1 ? " place more" : " places more");
  out << ":\n";
  for (const std::string &line : change.lines)
    out << "    " << line << '\n';
  printOrigins(compiled, change, out);
}

} // namespace

ExecReport execReportOf(const CompileResult &compiled, llvm::ArrayRef<StageResult> results) {
  ExecReport report;
  report.kernel = compiled.elaborated->functions.front()->name.str();
  report.target = compiled.target->name.str();
  for (const StageResult &stage : results) {
    report.stages.push_back(stageReport(compiled, stage));
    if (report.firstWrong.empty() && !stage.isRight())
      report.firstWrong = stage.pass;
  }
  report.verdict = report.firstWrong.empty() ? "right" : "wrong";
  return report;
}

void printStage(const CompileResult &compiled, const StageResult &stage, llvm::raw_ostream &out) {
  std::string name = stage.pass + (stage.isPatched ? ", patched" : "");
  std::string verdict = verdictWord(stage);
  out << llvm::format("%-22s ", name.c_str());
  llvm::WithColor(out, stage.isRight() ? llvm::raw_ostream::GREEN : llvm::raw_ostream::RED)
      << (verdict == "wrong" ? "WRONG" : verdict)
      << (verdict == "wrong" && stage.comparedWith.empty() ? " as written" : "");
  out << llvm::format("  %.1f ms", stage.milliseconds);
  if (stage.blocks.executed != stage.blocks.all)
    out << ", " << stage.blocks.executed << " of " << stage.blocks.all << " blocks";
  out << '\n';
  if (!stage.refusal.empty())
    out << "  " << stage.refusal << '\n';
  for (const std::string &tensor : stage.orderDependent)
    out << "  " << orderSentenceOf(tensor) << '\n';
  for (const OutputDifference &difference : stage.differences)
    printDifference(compiled, stage, difference, out);
  for (const ExecutionFinding &finding : stage.findings)
    printFinding(compiled, finding, out);
  printChange(compiled, stage.change, out);
}

} // namespace tilescope
