// A sweep from its options to its rows: shared by `sweep` and `tune`.
#pragma once

#include "cli/device_usage.h"
#include "cli/gpu_points.h"
#include "cli/sweep_output.h"

namespace tilescope {

// What a sweep of this request is; the error says what is wrong with values, options of passes or
// targets.
llvm::Expected<SweepHeader> sweepHeaderOf(const CompileRequest &request, const std::string &kernel);

// Of the text of a kernel file, but for its instances, which change nothing that is compiled.
std::string hashOfKernel(llvm::StringRef text);

// To compile one point.
CompileRequest requestOfPoint(CompileRequest request, const SweepPoint &point);

class SweepOptions {
public:
  // `benches`: --bench is not asked for, but done.
  SweepOptions(llvm::cl::OptionCategory &category, bool benches);

  llvm::Expected<CompileRequest> request() const { return kernel_.request(); }
  const KernelOptions &kernel() const { return kernel_; }
  const SweepOutput &output() const { return output_; }
  bool isResumed() const { return resume_; }
  // Before anything is compiled.
  llvm::Error check(const CompileRequest &request, const SweepHeader &header) const;
  // Compiles, and times if that is asked for, all points of the header that the journal does not
  // hold; "": nothing is kept. nullopt: what is wrong with all points was printed.
  llvm::Expected<std::optional<SweepJournal>> run(CompileRequest request, SweepHeader header,
                                                  const std::string &journalPath) const;

private:
  bool areTimed() const { return benches_ || *bench_; }
  llvm::Error checkPtxas() const;
  llvm::Expected<std::optional<GpuPointsOptions>> gpus() const; // nullopt: points are not timed
  PointsRequest pointsOf(CompileRequest request, const SweepGrid &grid) const;

  KernelOptions kernel_;
  SweepOutput output_;
  llvm::cl::opt<bool> resume_;
  bool benches_;
  std::optional<llvm::cl::opt<bool>> bench_;
  PositiveOption benchLimit_;
  PtxasOption ptxas_;
  llvm::cl::opt<std::string> cudaPath_;
  PositiveOption threads_;
};

} // namespace tilescope
