// A kernel as written with values for its parameters: what the GPU and the reference start from.
#pragma once

#include "core/exec/reference.h"

#include <map>
#include <string>

namespace tilescope {

struct ProblemOptions {
  uint64_t seed = 0;
  // By name, as written (core/exec/scalar_text.h); of integers also LEAST..MOST, one of which the
  // seed takes. Those that are left out have defaults.
  std::map<std::string, std::string> scalars;
  std::map<std::string, std::string> fills;            // tensor: how (core/exec/inputs.h)
  std::string fillOfFloats = "random";                 // of all others that hold floats
  double mostTensorBytes = double(uint64_t{64} << 30); // of all; what a GPU may have
};

struct Problem {
  const Function *function = nullptr;
  std::vector<std::pair<const Var *, Number>> scalars;
  std::string chosen;  // "m=100, s=0.5": scalars that were left out, or a range
  GlobalMemory memory; // of the parameters, as they start
  std::map<BufferId, llvm::SmallVector<int64_t>> strides; // in elements, of those that have any
  std::vector<BufferId> written;                          // parameters that the kernel writes
};

// What is read starts as `fills` say, else seeded: indices in the range that the kernel shows
// (core/exec/index_inputs.h), zeros where it shows none, random numbers elsewhere. What is only
// written starts as NaN. Errors name the parameter that has a wrong value.
llvm::Error makeProblem(Problem &problem, const Function &function, const ProblemOptions &options);

// The bytes of a parameter where its strides place them; those between its elements are 0.
std::vector<uint8_t> toMemory(const Problem &problem, BufferId id, const Tensor &tensor);
void fromMemory(const Problem &problem, BufferId id, llvm::ArrayRef<uint8_t> bytes, Tensor &tensor);

// The scalars that are integers, by name: what grids and shapes may depend on.
std::map<std::string, int64_t> integersOf(const Problem &problem);

} // namespace tilescope
