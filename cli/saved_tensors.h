// Tensors of a run as files of numpy.
#pragma once

#include "core/exec/problem.h"

#include "llvm/Support/Error.h"

namespace tilescope {

// Writes into `folder`, which is made if it is not there, what each tensor starts as,
// NAME.before.npy, and of those that the kernel writes what is left in them, NAME.after.npy; a
// kernel that does not come to its end has no outputs.
llvm::Error saveTensors(const Problem &problem, const std::map<BufferId, Tensor> &outputs,
                        const std::string &folder);

} // namespace tilescope
