#include "core/run/pass_execution.h"

#include "core/exec/lowered.h"
#include "core/ir/printer.h"
#include "core/witness/witness.h"

#include "llvm/ADT/STLExtras.h"

#include <chrono>
#include <cmath>

namespace tilescope {

void Stages::beforePipeline(const Module &module) { stages_.push_back({"elaborate", &module}); }

void Stages::afterPass(const PassExecution &execution, const Module &module, bool changed) {
  int run = ++runs_[execution.name.str()];
  if (changed)
    stages_.push_back({execution.name.str() + (run > 1 ? "#" + std::to_string(run) : ""), &module});
}

namespace {

bool isLowered(const Module &module) {
  return llvm::all_of(module.functions, [](const Function *function) {
    return function->properties.has(Property::Lowered);
  });
}

// Bit for bit; whoever has a NaN differs from who has none.
bool isSame(const Tensor &a, const Tensor &b, int64_t at) {
  if (!a.isFloat())
    return a.get(at).i == b.get(at).i;
  double x = a.get(at).f, y = b.get(at).f;
  return x == y || (std::isnan(x) && std::isnan(y));
}

double millisecondsSince(std::chrono::steady_clock::time_point start) {
  std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  return time.count();
}

class StageRun {
public:
  StageRun(const Problem &problem, const ExecutionOptions &options)
      : problem_(problem), options_(options) {}

  StageResult run(const Stages::Stage &stage, const std::map<BufferId, Tensor> *expected) {
    StageResult result;
    result.pass = stage.pass;
    memory_.tensors = problem_.memory.tensors;
    writers_.clear();
    auto start = std::chrono::steady_clock::now();
    if (isLowered(*stage.module))
      runLoweredStage(*stage.module, result);
    else
      runTiles(*stage.module, result);
    result.milliseconds = millisecondsSince(start);
    if (expected && result.refusal.empty())
      compare(*stage.module, *expected, result);
    return result;
  }

  StageResult runEmitted(llvm::Expected<std::unique_ptr<Witness>> &witness, WitnessOrder order,
                         const Stages::Stage &last, const std::map<BufferId, Tensor> &expected) {
    StageResult result;
    result.pass = order == WitnessOrder::Usual ? "cuda" : "cuda reversed";
    if (!witness) {
      result.refusal = llvm::toString(witness.takeError());
      return result;
    }
    memory_.tensors = problem_.memory.tensors;
    writers_.clear();
    auto start = std::chrono::steady_clock::now();
    llvm::Expected<std::optional<WitnessFault>> fault = (*witness)->run(memory_, order);
    result.milliseconds = millisecondsSince(start);
    if (!fault)
      result.refusal = llvm::toString(fault.takeError());
    else if (*fault)
      result.findings = findingsOf(**fault, *last.module);
    else
      compare(*last.module, expected, result);
    return result;
  }

  std::map<BufferId, Tensor> &outputs() { return memory_.tensors; }

private:
  void runTiles(const Module &module, StageResult &result) {
    ReferenceOptions reference;
    reference.seed = options_.seed;
    reference.sampleAboveWork = HUGE_VAL;
    for (const Function *function : module.functions) {
      llvm::Expected<ReferenceReport> report =
          runReference(*function, memory_, problem_.scalars, reference);
      if (!report)
        result.refusal = llvm::toString(report.takeError());
    }
  }

  void runLoweredStage(const Module &module, StageResult &result) {
    LoweredOptions lowered;
    lowered.seed = options_.seed;
    Findings findings;
    for (const Function *function : module.functions)
      runLowered(*function, memory_, problem_.scalars, lowered, findings, writers_);
    result.findings = findings.all();
  }

  // About no statement in particular.
  static std::vector<ExecutionFinding> findingsOf(const WitnessFault &fault, const Module &module) {
    Findings findings;
    findings.add({.kind = FindingKind::EmittedCode,
                  .stmt = module.functions.front()->body,
                  .detail = fault.text,
                  .block = fault.block,
                  .thread = fault.thread});
    return findings.all();
  }

  void compare(const Module &module, const std::map<BufferId, Tensor> &expected,
               StageResult &result) {
    for (BufferId output : problem_.written) {
      const Tensor &got = memory_.tensors.at(output), &wanted = expected.at(output);
      double tolerance = toleranceFor(*problem_.function, output);
      TensorComparison near = compareTensors(got, wanted, tolerance, output, {});
      OutputDifference difference;
      for (int64_t at = 0; at != got.size(); ++at) {
        if (isSame(got, wanted, at))
          continue;
        if (near.passed()) {
          ++result.inexact;
          continue;
        }
        if (difference.count++ == 0)
          describe(difference, module, output, got, wanted, at);
      }
      if (difference.count != 0)
        result.differences.push_back(std::move(difference));
    }
  }

  void describe(OutputDifference &difference, const Module &module, BufferId output,
                const Tensor &got, const Tensor &wanted, int64_t at) {
    difference.tensor = problem_.function->buffer(output).name.str();
    difference.index = got.coordinatesOf(at);
    difference.got = got.real(at);
    difference.expected = wanted.real(at);
    auto writers = writers_.find(output);
    if (writers == writers_.end())
      return;
    if (const Stmt *stmt = writers->second.writerOf(static_cast<size_t>(at))) {
      difference.writer = stmt->id();
      difference.writerSpan = stmt->span();
      difference.written = printStmt(*module.functions.front(), *stmt);
    }
  }

  const Problem &problem_;
  const ExecutionOptions &options_;
  GlobalMemory memory_;
  std::map<BufferId, Shadow> writers_;
};

} // namespace

llvm::Expected<std::vector<StageResult>> executeStages(llvm::ArrayRef<Stages::Stage> stages,
                                                       const Problem &problem,
                                                       const ExecutionOptions &options) {
  std::vector<StageResult> results;
  StageRun run(problem, options);
  results.push_back(run.run(stages.front(), nullptr));
  if (!results.front().refusal.empty())
    return llvm::createStringError(results.front().refusal);
  std::map<BufferId, Tensor> expected = run.outputs();
  llvm::ArrayRef<Stages::Stage> rest =
      options.isEveryPass ? stages.drop_front() : stages.drop_front().take_back(1);
  for (const Stages::Stage &stage : rest) {
    results.push_back(run.run(stage, &expected));
    if (!results.back().isRight() && !options.goesOn)
      break;
  }
  if (!options.witness || !(results.back().isRight() || options.goesOn))
    return results;
  expected = run.outputs();
  llvm::Expected<std::unique_ptr<Witness>> witness = Witness::build(*options.witness, problem);
  for (WitnessOrder order : {WitnessOrder::Usual, WitnessOrder::Reversed}) {
    results.push_back(run.runEmitted(witness, order, stages.back(), expected));
    if (!results.back().isRight())
      break;
  }
  return results;
}

} // namespace tilescope
