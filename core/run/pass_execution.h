// Runs a kernel on the CPU after every pass, and names the first pass that changed what it
// computes.
#pragma once

#include "core/driver/compile.h"
#include "core/exec/findings.h"
#include "core/exec/output_verdict.h"

namespace tilescope {

// What the kernel is after each pass that changed it; the first is the kernel as written.
class Stages : public PassObserver {
public:
  struct Stage {
    std::string pass; // "elaborate", "simplify", "simplify#2"
    const Module *module = nullptr;
  };
  void beforePipeline(const Module &module) override;
  void afterPass(const PassExecution &execution, const Module &module, bool changed) override;

  llvm::ArrayRef<Stage> all() const { return stages_; }

private:
  std::map<std::string, int> runs_; // by name
  std::vector<Stage> stages_;
};

// Where an output differs from that of the kernel as written.
struct OutputDifference {
  std::string tensor;
  llvm::SmallVector<int64_t> index; // of the first element
  double got = 0;
  double expected = 0;
  int64_t count = 0; // elements
  StmtId writer;     // that wrote the first one, if known
  Span writerSpan;
  std::string written; // that statement, as text
};

struct StageResult {
  std::string pass;
  std::string refusal; // why it could not be run; "": it was
  std::vector<OutputDifference> differences;
  std::vector<ExecutionFinding> findings;
  int64_t inexact = 0; // elements that differ, but no more than rounding explains
  double milliseconds = 0;

  bool isRight() const { return refusal.empty() && differences.empty() && findings.empty(); }
};

struct ExecutionOptions {
  uint64_t seed = 0;
  bool isEveryPass = false; // else the last stage alone
  bool goesOn = false;      // behind the first that is not right
  // What was emitted: runs after the last stage, as stages "cuda" and "cuda reversed", and is
  // compared with that.
  const CudaSource *witness = nullptr;
};

// Results of the stages that were run, the kernel as written first. Error: it cannot be run at all.
llvm::Expected<std::vector<StageResult>> executeStages(llvm::ArrayRef<Stages::Stage> stages,
                                                       const Problem &problem,
                                                       const ExecutionOptions &options);

} // namespace tilescope
