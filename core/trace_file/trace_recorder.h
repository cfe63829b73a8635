// Records a compile. The only observer in the product.
#pragma once

#include "core/codegen/cuda_source.h"
#include "core/pass/pass_observer.h"
#include "core/trace_file/trace_writer.h"

#include "llvm/ADT/StringMap.h"

namespace tilescope {

class TraceRecorder : public PassObserver {
public:
  // With a writer each pass is on disk as soon as it ends. `writer` may be null.
  explicit TraceRecorder(TraceWriter *writer = nullptr) : writer_(writer) {}

  // `target` may be null if no pass will run. `diagnostics` are those of the compile.
  void start(TraceHeader header, const Target *target, const Diagnostics &diagnostics);
  // Always called, also after a failure: nothing that was recorded is lost. The error is the first
  // that writing met.
  llvm::Error finish(const CudaSource *cuda);

  const Trace &trace() const { return trace_; }
  Trace takeTrace() { return std::move(trace_); }

  void beforePipeline(const Module &module) override;
  void beforePass(const PassExecution &execution, const Module &module) override;
  void afterPass(const PassExecution &execution, const Module &module, bool changed) override;
  void passFailed(const PassExecution &execution, const Module &module,
                  const Diagnostics &diagnostics) override;
  void remark(const Remark &remark) override;

private:
  // Facets assume verified IR; a broken module keeps those of the snapshot before.
  void addSnapshot(const Module &module, bool isWellFormed);
  void addPass(const PassExecution &execution, const Module &module, PassStatus status,
               const TraceVerdicts &verdicts);
  LineId intern(TraceLine line);

  TraceWriter *writer_;
  const Target *target_ = nullptr;
  const Diagnostics *diagnostics_ = nullptr;
  const Module *recorded_ = nullptr; // the last one
  Trace trace_;
  llvm::StringMap<LineId> lineIds_;         // by text and all that stands beside it
  std::vector<TraceRemark> pendingRemarks_; // of the pass that runs
};

} // namespace tilescope
