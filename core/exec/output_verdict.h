// What `run --check` says: one line an output, and last the verdict on all of them.
#pragma once

#include "core/exec/compare.h"
#include "core/exec/problem.h"

namespace tilescope {

enum class OutputVerdict : uint8_t {
  Right,
  Wrong,
  NotEstablished, // nothing was compared that could have been wrong
};
llvm::StringRef nameOf(OutputVerdict verdict); // "right", "WRONG", "not established"

struct OutputCheck {
  std::string tensor;
  double tolerance = 0;
  TensorComparison comparison;
  bool isSample = false;
  bool isOfOrder = false; // other elements may be there where other threads come first

  OutputVerdict verdict() const;
};

// What the reference says of a problem.
struct Expectation {
  std::map<BufferId, Tensor> tensors; // as the kernel leaves them
  ReferenceReport report;
  std::string refusal; // not empty: what the kernel does wrong, so that it must not be launched
};

// Runs the reference, which leaves the problem as it is. Error: it cannot judge this kernel.
llvm::Expected<Expectation> expect(const Problem &problem, uint64_t seed);

// Outputs of the GPU against those expected.
std::vector<OutputCheck> checkOutputs(const Problem &problem, const std::map<BufferId, Tensor> &got,
                                      const Expectation &expected);

// Wrong if an output is; else right only if all are.
OutputVerdict verdictOf(llvm::ArrayRef<OutputCheck> checks);

// "right, 128 elements, 4 of them NaN on both sides, max error / rms 0.1 at [3] (got ...)". Without
// the verdict, which is printed in colour.
std::string describe(const OutputCheck &check);
// "B and C of 3 outputs" for a verdict of Wrong, "3 outputs" for one of Right.
std::string describeOutputs(llvm::ArrayRef<OutputCheck> checks);

// A sentence that proposes smaller sizes if the reference has so much to do that it takes minutes;
// "" if not. `arguments`: of --set, by name; `scalars`: of --dim.
std::string adviseSmaller(const ReferenceEstimate &estimate,
                          const std::map<std::string, std::string> &arguments,
                          const std::map<std::string, int64_t> &scalars);

} // namespace tilescope
