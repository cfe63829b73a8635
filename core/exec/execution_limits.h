// What is run on the CPU at all: the sizes of a kernel are anybody's to choose.
#pragma once

#include "core/exec/reference.h"

namespace tilescope {

// Bytes of all tensors: each is held several times.
inline constexpr double MostTensorBytes = double(uint64_t{2} << 30);

// Iterations of a loop that nothing but a `break` ends.
inline constexpr int64_t MostEndlessTrips = int64_t{1} << 20;

// What is wrong with one that reaches them.
std::string endlessText();

// "": its blocks fit into memory, and there are not too many; else what is too large. `blocks`: so
// many are run of each launch; 0: all.
std::string whyTooLarge(const Function &function, ScalarArguments scalars, int64_t blocks = 0);

} // namespace tilescope
