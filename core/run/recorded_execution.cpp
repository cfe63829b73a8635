#include "core/run/pass_execution.h"

#include "core/driver/patched_pipeline.h"
#include "core/exec/tensor.h"
#include "core/trace/judgement.h"
#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

static std::string numberText(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", value);
  return text;
}

std::string sentenceOf(const OutputDifference &difference, const StageResult &stage) {
  std::string measure = stage.isExact ? "after " + stage.comparedWith : "as written";
  return llvm::formatv("{0}{1} is {2}, {3} it is {4}; {5} {6}", difference.tensor,
                       indexText(difference.index), numberText(difference.got), measure,
                       numberText(difference.expected), difference.count,
                       difference.count == 1 ? "element differs" : "elements differ");
}

std::string orderSentenceOf(llvm::StringRef tensor) {
  return (tensor + " comes out otherwise where other threads come first to an atomic operation")
      .str();
}

std::string sentenceOf(const ExecutionFinding &finding) {
  std::string threads =
      finding.thread < 0 ? "in" : llvm::formatv("by thread {0} of", finding.thread).str();
  std::string text = llvm::formatv("{0}, {1} block {2}", finding.text, threads, finding.block);
  return finding.count > 1 ? text + "; " + std::to_string(finding.count) + " times" : text;
}

namespace {

constexpr const char *WrongResultId = "wrong-result";

bool isSample(const StageResult &stage) { return stage.blocks.executed != stage.blocks.all; }

Verdict ranAsWritten(const StageResult &stage) {
  if (!stage.refusal.empty())
    return Verdict::NotEstablished;
  if (!stage.isRight())
    return Verdict::No;
  return isSample(stage) || stage.isUnjudged() ? Verdict::NotEstablished : Verdict::Yes;
}

// With the patches of it, which are passes of the trace. nullopt: emission is none.
std::optional<size_t> passOf(const StageResult &stage, const Trace &trace) {
  for (size_t pass = 0; pass != trace.passes.size(); ++pass) {
    if (passPlace(trace, pass) != stage.pass)
      continue;
    while (stage.isPatched && pass + 1 < trace.passes.size() &&
           trace.passes[pass + 1].name == PatchPassName)
      ++pass;
    return pass;
  }
  return std::nullopt;
}

TraceDiagnostic diagnosticOf(const OutputDifference &difference, const StageResult &stage) {
  TraceDiagnostic diagnostic{.id = WrongResultId,
                             .severity = "error",
                             .span = difference.writerSpan,
                             .text = "after " + stage.pass + " " + sentenceOf(difference, stage)};
  if (!difference.written.empty())
    diagnostic.notes.push_back({Span(), "written by " + difference.written});
  return diagnostic;
}

TraceDiagnostic diagnosticOf(const ExecutionFinding &finding, const StageResult &stage) {
  std::string when = stage.comparedWith.empty() ? "as written" : "after " + stage.pass;
  TraceDiagnostic diagnostic{.id = keyOf(finding.kind).str(),
                             .severity = "error",
                             .span = finding.span,
                             .text = when + " " + sentenceOf(finding)};
  if (finding.otherSpan.isValid())
    diagnostic.notes.push_back({finding.otherSpan, "it met this access"});
  return diagnostic;
}

void addDiagnostics(const StageResult &stage, Trace &trace) {
  if (!stage.refusal.empty())
    trace.diagnostics.push_back({.id = NotRunId,
                                 .severity = "warning",
                                 .text = "not run after " + stage.pass + ": " + stage.refusal});
  for (const std::string &tensor : stage.orderDependent)
    trace.diagnostics.push_back({.id = NotRunId,
                                 .severity = "warning",
                                 .text = "after " + stage.pass + " " + orderSentenceOf(tensor)});
  for (const OutputDifference &difference : stage.differences)
    trace.diagnostics.push_back(diagnosticOf(difference, stage));
  for (const ExecutionFinding &finding : stage.findings)
    trace.diagnostics.push_back(diagnosticOf(finding, stage));
}

} // namespace

void recordExecution(llvm::ArrayRef<StageResult> results, Trace &trace) {
  if (auto sample = llvm::find_if(results, isSample); sample != results.end())
    trace.diagnostics.push_back(
        {.id = NotRunId,
         .severity = "warning",
         .text = llvm::formatv("only {0} of {1} blocks were run", sample->blocks.executed,
                               sample->blocks.all)});
  if (llvm::any_of(results, [](const StageResult &stage) {
        return stage.isUnjudged() && stage.orderDependent.empty();
      }))
    trace.diagnostics.push_back(
        {.id = NotRunId,
         .severity = "warning",
         .text = "nothing to compare: no output has an element that is a number"});
  for (const StageResult &stage : results) {
    addDiagnostics(stage, trace);
    if (std::optional<size_t> pass = passOf(stage, trace)) {
      std::optional<Verdict> &verdict = trace.passes[*pass].runsAsWritten;
      verdict = allOf(verdict.value_or(Verdict::Yes), ranAsWritten(stage));
    }
  }
  for (size_t pass = 1; pass < trace.passes.size(); ++pass) {
    TracePass &one = trace.passes[pass];
    if (!one.runsAsWritten && one.status == PassStatus::Unchanged)
      one.runsAsWritten = trace.passes[pass - 1].runsAsWritten;
  }
}

std::string recordSteps(llvm::ArrayRef<StageResult> results, Trace &trace) {
  auto stage = llvm::find_if(llvm::reverse(results),
                             [](const StageResult &one) { return !one.steps.empty(); });
  if (stage == results.rend())
    return llvm::any_of(results, [](const StageResult &one) { return one.hasThreads; })
               ? "that block was not run"
               : "no stage that was run has threads: they are there from lower-tile-ops on";
  std::optional<size_t> pass = passOf(*stage, trace);
  if (!pass)
    return "'" + stage->pass + "' is no pass";
  trace.execution = std::make_shared<const ExecutionRecord>(ExecutionRecord{*pass, stage->steps});
  return "";
}

static llvm::Expected<std::vector<StageResult>> executeEveryPass(const CompileResult &compiled,
                                                                 const Stages &stages,
                                                                 const ProblemOptions &inputs) {
  Problem problem;
  if (llvm::Error error = makeProblem(problem, compiled, inputs))
    return error;
  return executeStages(stages.all(), problem,
                       {.seed = inputs.seed, .isEveryPass = true, .target = compiled.target});
}

RecordedCompile recordCompile(const CompileRequest &request, const ProblemOptions *inputs) {
  TraceRecorder recorder;
  Stages stages;
  PassObserver *observers[] = {&stages};
  RecordedCompile recorded{compile(request, Observers{&recorder, observers}), {}};
  recorded.trace = recorder.takeTrace();
  if (!inputs || !recorded.result.succeeded())
    return recorded;
  llvm::Expected<std::vector<StageResult>> results =
      executeEveryPass(recorded.result, stages, *inputs);
  if (results)
    recordExecution(*results, recorded.trace);
  else
    recordExecution(
        StageResult{.pass = "elaborate", .refusal = llvm::toString(results.takeError())},
        recorded.trace);
  return recorded;
}

} // namespace tilescope
