// Runs a kernel on the CPU after every pass, and as emitted, and names the first pass that changed
// what it computes.
#pragma once

#include "core/driver/compile.h"
#include "core/exec/block_queue.h"
#include "core/exec/findings.h"
#include "core/exec/output_verdict.h"
#include "core/exec/problem.h"
#include "core/run/stage_change.h"

namespace tilescope {

// What the kernel is after each pass that changed it; the first is the kernel as written. A patch
// is of the pass that it comes after, so that a fault planted by one is that pass's. What a check
// of memory refuses is a stage too: running it may name an earlier pass, and shows what it does.
class Stages : public PassObserver {
public:
  struct Stage {
    std::string pass; // a place of core/driver/patch.h: "elaborate", "simplify", "simplify#2"
    const Module *module = nullptr;
    ResultChange results = ResultChange::Exact;
    bool isPatched = false;
    bool isGuarded = false; // accesses that may lie outside of a tensor have had their conditions
  };
  void beforePipeline(const Module &module) override;
  void afterPass(const PassExecution &execution, const Module &module, bool changed) override;
  void passFailed(const PassExecution &execution, const Module &module,
                  const Diagnostics &diagnostics) override;

  llvm::ArrayRef<Stage> all() const { return stages_; }

private:
  std::map<std::string, size_t> runs_; // by name
  std::string place_ = "elaborate";
  bool isGuarded_ = false;
  std::vector<Stage> stages_;
};

// Where an output differs from that of the stage that it must agree with.
struct OutputDifference {
  BufferId buffer;
  std::string tensor;
  llvm::SmallVector<int64_t> index; // of the first element
  double got = 0;
  double expected = 0;
  int64_t count = 0; // elements that are wrong
  StmtId writer;     // that wrote the first one, if known
  Span writerSpan;
  std::string written; // that statement, as text
};

struct StageResult {
  std::string pass;
  bool isPatched = false;
  std::string refusal; // why it could not be run; "": it was
  // The stage that its outputs were held against: the one before, where all passes between are
  // exact, else the kernel as written, within a tolerance. "": none, it is the first.
  std::string comparedWith;
  bool isExact = false;
  int64_t judgedElements = 0; // of the outputs, that are a number and were compared
  std::vector<OutputDifference> differences;
  // Outputs that differ, but may where other threads come first to an atomic operation.
  std::vector<std::string> orderDependent;
  std::vector<ExecutionFinding> findings;
  // Of a stage that is wrong: what its pass changed near the statement that is to blame.
  StageChange change;
  BlockCounts blocks;
  std::vector<BlockSteps> steps; // of the block that was to be recorded, of each launch
  bool hasThreads = false;       // it is lowered, so that there are steps
  double milliseconds = 0;
  bool endsEarly = false; // at a finding, so that its outputs are not whole

  // Whether it was compared with nothing although it should have been: all is NaN, nothing is
  // written, or what there is to compare with is one of several results.
  bool isUnjudged() const {
    return !comparedWith.empty() && (judgedElements == 0 || !orderDependent.empty());
  }
  bool isRight() const { return refusal.empty() && differences.empty() && findings.empty(); }
};

// How far an execution is: so many of the blocks of a launch.
struct ExecutionProgress {
  size_t stage = 0; // from 0
  size_t stages = 0;
  llvm::StringRef pass;
  int64_t done = 0;
  int64_t blocks = 0;
};

struct ExecutionOptions {
  uint64_t seed = 0;
  bool isEveryPass = false; // else the last stage alone
  bool goesOn = false;      // behind the first that is not right
  // Not null: gets the tensors as the kernel as written leaves them.
  std::map<BufferId, Tensor> *outputs = nullptr;
  const CudaSource *cuda = nullptr; // not null: what the last stage was emitted as, run too
  // Of stages; what is emitted runs all blocks.
  int64_t blocks = 0;                  // of each launch; 0: all
  unsigned threads = 0;                // of the CPU; 0: as many as it has cores
  std::optional<int64_t> stepsOfBlock; // of each launch; nullopt: no steps are recorded
  std::function<void(const ExecutionProgress &)> onProgress;
  // Whose instructions say which threads hold what operations work on.
  const Target *target = nullptr;
};

// Results of the stages that were run, the kernel as written first. Error: it cannot be run at all.
llvm::Expected<std::vector<StageResult>> executeStages(llvm::ArrayRef<Stages::Stage> stages,
                                                       const Problem &problem,
                                                       const ExecutionOptions &options);

// What the one kernel of a compile is run on. Error: also that it has several, or does not fit.
llvm::Error makeProblem(Problem &problem, const CompileResult &compiled,
                        const ProblemOptions &inputs);

// Puts what came of running a compile into its trace: a verdict for each pass that was run after,
// and for those behind it that changed nothing; what is wrong is among the diagnostics.
void recordExecution(llvm::ArrayRef<StageResult> results, Trace &trace);
// Of the last stage that has steps of a block; "": there are, else why not.
std::string recordSteps(llvm::ArrayRef<StageResult> results, Trace &trace);

struct RecordedCompile {
  CompileResult result;
  Trace trace;
};
// `inputs`: what it is run on after every pass, if it compiles; null: it is not run. What cannot be
// run is not established in the trace.
RecordedCompile recordCompile(const CompileRequest &request, const ProblemOptions *inputs);

// "C[0, 3] is 1.5, as written it is 2; 12 elements differ"
std::string sentenceOf(const OutputDifference &difference, const StageResult &stage);
// "C comes out otherwise where other threads come first to an atomic operation"
std::string orderSentenceOf(llvm::StringRef tensor);
// "bytes of 'A' are read that nobody has written, by thread 3 of block 0; 4 times"
std::string sentenceOf(const ExecutionFinding &finding);

} // namespace tilescope
