#include "core/run/pass_execution.h"

#include "core/analysis/drawn_numbers.h"
#include "core/driver/patched_pipeline.h"
#include "core/exec/execution_limits.h"
#include "core/exec/foreign_code.h"
#include "core/exec/held_elements.h"
#include "core/exec/lowered.h"
#include "core/ir/op_facts.h"
#include "core/ir/printer.h"
#include "core/ir/verifier.h"
#include "core/ir/visit.h"
#include "core/run/value_origins.h"
#include "core/witness/witness.h"

#include "llvm/ADT/STLExtras.h"

#include <chrono>
#include <cmath>

namespace tilescope {

namespace {

constexpr llvm::StringLiteral GuardingPass = "guard-memory-access";

} // namespace

void Stages::beforePipeline(const Module &module) { stages_.push_back({"elaborate", &module}); }

// A group ends with the module of its last pass.
void Stages::afterPass(const PassExecution &execution, const Module &module, bool changed) {
  bool isPatch = execution.name == PatchPassName;
  if (!isPatch)
    place_ = placeName(execution.name, runs_[execution.name.str()]++);
  isGuarded_ |= execution.name == GuardingPass;
  if (!changed || stages_.back().module == &module)
    return;
  bool isOfLast = isPatch && stages_.size() > 1 && stages_.back().pass == place_;
  if (!isOfLast)
    stages_.push_back({place_, nullptr, execution.results, false, isGuarded_});
  stages_.back().module = &module;
  stages_.back().isPatched |= isPatch;
}

// Only what is well-formed can be run.
void Stages::passFailed(const PassExecution &execution, const Module &module,
                        const Diagnostics & /*diagnostics*/) {
  Diagnostics ignored;
  if (verifyModule(module, ignored))
    afterPass(execution, module, /*changed=*/true);
}

namespace {

bool isLowered(const Module &module) {
  return llvm::all_of(module.functions, [](const Function *function) {
    return function->properties.has(Property::Lowered);
  });
}

// Bit for bit, but for what a NaN holds.
bool isSame(const Tensor &a, const Tensor &b, int64_t at) {
  if (!a.isFloat())
    return a.get(at).i == b.get(at).i;
  double x = a.get(at).f, y = b.get(at).f;
  return (x == y && std::signbit(x) == std::signbit(y)) || (std::isnan(x) && std::isnan(y));
}

// Who adds first is nobody's to say, and sums of floats depend on it.
bool addsInAnyOrder(const Module &module) {
  Context scratch;
  bool isFound = false;
  for (const Function *function : module.functions)
    walk(function->body, [&](const Stmt *stmt) {
      for (const BufferAccess &access : accessesOf(scratch, stmt))
        isFound |= access.isAtomic() && function->buffer(access.buffer).dtype.isFloat();
      return !isFound;
    });
  return isFound;
}

// The emitted product of fp8 sums in an order of its own along k.
bool multipliesFp8(const Module &module) {
  bool isFound = false;
  for (const Function *function : module.functions)
    walk(function->body, [&](const Stmt *stmt) {
      const auto *op = llvm::dyn_cast<OpStmt>(stmt);
      if (op && infoOf(op->op).work == OpWork::MatrixMultiply) {
        isFound |= function->buffer(op->regions[0].buffer).dtype.isFloat8();
      }
      return !isFound;
    });
  return isFound;
}

// Null: there are several, or none.
const Stmt *onlyWriterOf(const Module &module, BufferId buffer) {
  std::vector<const Stmt *> writers;
  for (const Function *function : module.functions)
    llvm::append_range(writers, writersOf(*function, buffer));
  return writers.size() == 1 ? writers.front() : nullptr;
}

// What the outputs of a stage must agree with.
struct Measure {
  std::string pass;
  const std::map<BufferId, Tensor> *outputs = nullptr; // null: nothing is there yet
  bool isExact = false;
  bool keepsOrder = false; // threads come first that came first there
};

// The same elements in other places.
bool isRearranged(const Tensor &a, const Tensor &b) {
  std::vector<uint64_t> left, right;
  for (int64_t at = 0; at != a.size(); ++at) {
    left.push_back(encode(a.dtype(), a.get(at)));
    right.push_back(encode(b.dtype(), b.get(at)));
  }
  llvm::sort(left);
  llvm::sort(right);
  return left == right;
}

double millisecondsSince(std::chrono::steady_clock::time_point start) {
  std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  return time.count();
}

// About no statement in particular.
std::vector<ExecutionFinding> findingsOf(const WitnessFault &fault, const Module &module) {
  Findings findings;
  findings.add({.kind = FindingKind::EmittedCode,
                .stmt = module.functions.front()->body,
                .detail = fault.text,
                .block = fault.block,
                .thread = fault.thread});
  return findings.all();
}

bool meetsBlocks(const Function &function) {
  bool meets = false;
  walk(function.body, [&](const Stmt *stmt) {
    const auto *launch = llvm::dyn_cast<Launch>(stmt);
    meets |= launch && (tilescope::meetsBlocks(*launch) || meetsCluster(*launch));
    return !launch;
  });
  return meets;
}

// core/witness has one block in memory at a time.
bool reachesBlocks(const Module &module) {
  bool reaches = false;
  for (const Function *function : module.functions)
    walk(function->body, [&](const Stmt *stmt) {
      const auto *op = llvm::dyn_cast<OpStmt>(stmt);
      reaches |= op && tilescope::reachesBlocks(*op);
      return true;
    });
  return reaches;
}

class StageRun {
public:
  StageRun(const Problem &problem, const ExecutionOptions &options, size_t stages)
      : problem_(problem), options_(options), stages_(stages) {}

  StageResult run(const Stages::Stage &stage, const Measure &measure) {
    StageResult result = begin(stage.pass, measure);
    ++stage_;
    result.isPatched = stage.isPatched;
    auto start = std::chrono::steady_clock::now();
    for (const Function *function : stage.module->functions)
      if (result.refusal.empty())
        result.refusal = whyForeign(*function);
    for (const Function *function : stage.module->functions)
      if (result.refusal.empty() && options_.blocks != 0 && meetsBlocks(*function))
        result.refusal = "the blocks wait for each other, so a sample of them cannot be run";
      else if (result.refusal.empty())
        result.refusal = whyTooLarge(*function, problem_.scalars, options_.blocks);
    if (!result.refusal.empty())
      return result;
    if (isLowered(*stage.module))
      runLoweredStage(stage, result);
    else
      runTiles(*stage.module, result);
    result.milliseconds = millisecondsSince(start);
    if (measure.outputs && result.refusal.empty() && !result.endsEarly)
      compare(*stage.module, measure, result);
    return result;
  }

  StageResult runEmitted(const Witness &witness, WitnessOrder order, const Module &last,
                         const Measure &measure) {
    StageResult result = begin(order == WitnessOrder::Usual ? "cuda" : "cuda reversed", measure);
    auto start = std::chrono::steady_clock::now();
    llvm::Expected<std::optional<WitnessFault>> fault = witness.run(memory_, order);
    result.milliseconds = millisecondsSince(start);
    if (!fault)
      result.refusal = llvm::toString(fault.takeError());
    else if (*fault)
      result.findings = findingsOf(**fault, last);
    else
      compare(last, measure, result);
    return result;
  }

  std::map<BufferId, Tensor> &outputs() { return memory_.tensors; }

private:
  StageResult begin(std::string name, const Measure &measure) {
    memory_.tensors = problem_.memory.tensors;
    writers_.clear();
    StageResult result;
    result.pass = std::move(name);
    result.comparedWith = measure.pass;
    result.isExact = measure.isExact;
    return result;
  }

  BlockOptions blockOptions(llvm::StringRef pass) const {
    BlockOptions blocks{options_.blocks, options_.threads, {}, nullptr};
    if (options_.onProgress)
      blocks.onBlock = [this, pass](int64_t done, int64_t all) {
        options_.onProgress({stage_ - 1, stages_, pass, done, all});
      };
    return blocks;
  }

  void runTiles(const Module &module, StageResult &result) {
    ReferenceOptions reference;
    reference.seed = options_.seed;
    reference.sampleAboveWork = HUGE_VAL;
    reference.blocks = blockOptions(result.pass);
    reference.isRepeatable = true;
    Findings findings;
    for (const Function *function : module.functions) {
      llvm::Expected<ReferenceReport> report =
          runReference(*function, memory_, problem_.scalars, reference);
      if (!report) {
        recordFailure(report.takeError(), result, findings);
        continue;
      }
      result.blocks.add({report->executedBlocks, report->blocks});
      findings.append(report->findings);
    }
    for (const Function *function : module.functions)
      findElementsHeldElsewhere(*function, *options_.target, findings);
    result.findings = findings.all();
  }

  static void recordFailure(llvm::Error error, StageResult &result, Findings &findings) {
    llvm::handleAllErrors(std::move(error), [&](const ReferenceError &failure) {
      if (!failure.fault()) {
        result.refusal = failure.message();
        return;
      }
      result.endsEarly = true;
      findings.add(*failure.fault());
    });
  }

  void runLoweredStage(const Stages::Stage &stage, StageResult &result) {
    Findings findings;
    BlockOptions blocks = blockOptions(result.pass);
    StepRecording steps{options_.stepsOfBlock.value_or(0), {}};
    blocks.steps = options_.stepsOfBlock ? &steps : nullptr;
    for (const Function *function : stage.module->functions)
      result.blocks.add(runLowered(*function, memory_, problem_.scalars, stage.isGuarded, blocks,
                                   findings, writers_));
    result.findings = findings.all();
    result.steps = std::move(steps.blocks);
    result.hasThreads = true;
  }

  void compare(const Module &module, const Measure &measure, StageResult &result) {
    for (BufferId output : problem_.written) {
      const Tensor &got = memory_.tensors.at(output), &wanted = measure.outputs->at(output);
      result.judgedElements += numbersIn(wanted);
      OutputDifference difference;
      std::optional<int64_t> first = measure.isExact
                                         ? firstUnequal(got, wanted, difference.count)
                                         : firstFar(got, wanted, output, difference.count);
      if (!first)
        continue;
      if (mayBeOfOrder(module, measure, got, wanted)) {
        result.orderDependent.push_back(problem_.function->buffer(output).name.str());
        continue;
      }
      describe(difference, module, output, got, wanted, *first);
      result.differences.push_back(std::move(difference));
    }
  }

  // A pass that leaves the order of threads as it is may have moved elements, where it has not made
  // others of them.
  static bool mayBeOfOrder(const Module &module, const Measure &measure, const Tensor &got,
                           const Tensor &wanted) {
    return llvm::any_of(module.functions,
                        [](const Function *function) { return writesByDrawnNumbers(*function); }) &&
           (!measure.keepsOrder || isRearranged(got, wanted));
  }

  static int64_t numbersIn(const Tensor &tensor) {
    int64_t count = 0;
    for (int64_t at = 0; at != tensor.size(); ++at)
      count += !tensor.isFloat() || !std::isnan(tensor.real(at));
    return count;
  }

  static std::optional<int64_t> firstUnequal(const Tensor &got, const Tensor &wanted,
                                             int64_t &count) {
    std::optional<int64_t> first;
    for (int64_t at = 0; at != got.size(); ++at) {
      if (isSame(got, wanted, at))
        continue;
      if (count++ == 0)
        first = at;
    }
    return first;
  }

  std::optional<int64_t> firstFar(const Tensor &got, const Tensor &wanted, BufferId output,
                                  int64_t &count) const {
    double tolerance = toleranceFor(*problem_.function, output);
    TensorComparison comparison = compareTensors(got, wanted, tolerance, output, {});
    count = comparison.wrong;
    return comparison.firstWrong;
  }

  void describe(OutputDifference &difference, const Module &module, BufferId output,
                const Tensor &got, const Tensor &wanted, int64_t at) {
    difference.buffer = output;
    difference.tensor = problem_.function->buffer(output).name.str();
    difference.index = got.coordinatesOf(at);
    difference.got = got.real(at);
    difference.expected = wanted.real(at);
    if (const Stmt *stmt = writerOf(module, output, at)) {
      difference.writer = stmt->id();
      difference.writerSpan = stmt->span();
      difference.written = llvm::StringRef(printStmt(*module.functions.back(), *stmt)).trim().str();
    }
  }

  // Null: not known.
  const Stmt *writerOf(const Module &module, BufferId output, int64_t at) const {
    auto writers = writers_.find(output);
    if (writers != writers_.end())
      return writers->second.writerOf(static_cast<size_t>(at));
    return onlyWriterOf(module, output);
  }

  const Problem &problem_;
  const ExecutionOptions &options_;
  size_t stages_;    // that may be run
  size_t stage_ = 0; // that have begun
  GlobalMemory memory_;
  std::map<BufferId, Shadow> writers_;
};

// What wrote the first element that is wrong; where nobody did, all that write its tensor.
std::vector<StmtId> blamedStmts(const StageResult &result, const Stages::Stage &stage) {
  for (const OutputDifference &difference : result.differences)
    if (difference.writer.isValid())
      return {difference.writer};
  if (!result.findings.empty())
    return {result.findings.front().stmt};
  std::vector<StmtId> writers;
  for (const OutputDifference &difference : result.differences)
    for (const Function *function : stage.module->functions)
      for (const Stmt *stmt : writersOf(*function, difference.buffer))
        writers.push_back(stmt->id());
  return writers;
}

class StagesRun {
public:
  StagesRun(llvm::ArrayRef<Stages::Stage> stages, const Problem &problem,
            const ExecutionOptions &options)
      : stages_(stages), problem_(problem), options_(options),
        first_(options.isEveryPass ? 1 : std::max<size_t>(stages.size() - 1, 1)),
        run_(problem, options, 1 + stages.size() - first_) {}

  llvm::Expected<std::vector<StageResult>> run() {
    results_.push_back(run_.run(stages_.front(), {}));
    if (!results_.front().refusal.empty())
      return llvm::createStringError(results_.front().refusal);
    // There is nothing to hold the others against.
    if (results_.front().endsEarly)
      return std::move(results_);
    asWritten_ = last_ = run_.outputs();
    if (options_.outputs)
      *options_.outputs = asWritten_;
    for (size_t at = first_; at < stages_.size(); ++at) {
      if (!results_.back().isRight() && !options_.goesOn)
        break;
      runOne(at);
    }
    if (options_.cuda && (results_.back().isRight() || options_.goesOn))
      runCuda();
    return std::move(results_);
  }

private:
  void runOne(size_t at) {
    const Stages::Stage &stage = stages_[at], &before = stages_[lastRun_];
    Measure measure{stages_.front().pass, &asWritten_, false};
    if (isExactUpTo(at))
      measure = {before.pass, &last_, true, true};
    StageResult result = run_.run(stage, measure);
    // Between stages that are further apart lies more than one pass's doing.
    if (!result.isRight() && at == lastRun_ + 1)
      result.change = changeNear(*before.module, *stage.module, blamedStmts(result, stage));
    if (result.refusal.empty() && !result.endsEarly) {
      last_ = run_.outputs();
      lastRun_ = at;
    }
    results_.push_back(std::move(result));
  }

  // Against the last stage: who adds first is the same there.
  void runCuda() {
    if (reachesBlocks(*stages_[lastRun_].module)) {
      results_.push_back(
          {.pass = "cuda", .refusal = "its blocks reach each other's shared memory"});
      return;
    }
    llvm::Expected<std::unique_ptr<Witness>> witness = Witness::build(*options_.cuda, problem_);
    if (!witness) {
      results_.push_back({.pass = "cuda", .refusal = llvm::toString(witness.takeError())});
      return;
    }
    const Stages::Stage &last = stages_[lastRun_];
    bool isExact = !addsInAnyOrder(*last.module) && !multipliesFp8(*last.module);
    Measure measure{last.pass, &last_, isExact};
    for (WitnessOrder order : {WitnessOrder::Usual, WitnessOrder::Reversed}) {
      results_.push_back(run_.runEmitted(**witness, order, *last.module, measure));
      if (!results_.back().isRight())
        return;
    }
  }

  // All passes since the stage that was run last.
  bool isExactUpTo(size_t at) const {
    llvm::ArrayRef<Stages::Stage> passes = stages_.slice(lastRun_ + 1, at - lastRun_);
    return llvm::all_of(passes, [](const Stages::Stage &stage) {
      return stage.results == ResultChange::Exact && !addsInAnyOrder(*stage.module);
    });
  }

  llvm::ArrayRef<Stages::Stage> stages_;
  const Problem &problem_;
  const ExecutionOptions &options_;
  size_t first_; // of those after the kernel as written
  StageRun run_;
  std::vector<StageResult> results_;
  std::map<BufferId, Tensor> asWritten_, last_;
  size_t lastRun_ = 0;
};

} // namespace

llvm::Error makeProblem(Problem &problem, const CompileResult &compiled,
                        const ProblemOptions &inputs) {
  if (compiled.elaborated->functions.size() != 1)
    return llvm::createStringError("one kernel function is run: name it as FILE:FUNCTION");
  ProblemOptions bounded = inputs;
  bounded.mostTensorBytes = MostTensorBytes;
  return makeProblem(problem, *compiled.elaborated->functions.front(), bounded);
}

llvm::Expected<std::vector<StageResult>> executeStages(llvm::ArrayRef<Stages::Stage> stages,
                                                       const Problem &problem,
                                                       const ExecutionOptions &options) {
  return StagesRun(stages, problem, options).run();
}

} // namespace tilescope
