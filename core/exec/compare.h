// Is a result right? An element is if |got - ref| <= t * |ref| + t * rms(ref), with t = 1e-2, or
// 4e-2 where accumulators are fp16 or the output is bf16, and of fp8 one step to a neighbour more;
// NaN is wrong unless both have it (then it is counted, and nothing else is said of it), infinities
// must agree, integers must be equal.
#pragma once

#include "core/exec/footprint.h"

namespace tilescope {

struct TensorComparison {
  int64_t compared = 0; // elements
  int64_t wrong = 0;
  int64_t nanPairs = 0;             // NaN on both sides
  int64_t overwritten = 0;          // left out: the order of blocks decides
  double rms = 0;                   // of the reference, over what was compared
  double maxErrorOverRms = 0;       // infinite if an element that must be finite is not
  llvm::SmallVector<int64_t> worst; // where the error is largest; empty if all are NaN pairs
  double got = 0;                   // there
  double expected = 0;
  std::optional<int64_t> firstWrong; // element

  bool passed() const { return wrong == 0; }
};

// `boxes` of `buffer` are compared; without boxes the whole tensor. Left out are `overwritten`
// elements (core/exec/overwrites.h), null: none.
TensorComparison compareTensors(const Tensor &got, const Tensor &expected, double tolerance,
                                BufferId buffer, llvm::ArrayRef<TensorBox> boxes,
                                const llvm::BitVector *overwritten = nullptr);

// 1e-2, or 4e-2 by the rule above.
double toleranceFor(const Function &function, BufferId output);

} // namespace tilescope
