// Whether it makes a difference in which order the blocks of a kernel as written run.
#pragma once

#include "core/exec/footprint.h"

namespace tilescope {

// False where one may write what another touches, as far as footprints know: they add atomically to
// global memory, read a tensor that they also write, or their writes overlap. `footprints`: of each
// block that is run.
bool areBlocksApart(const Launch &launch, const Function &function, const GlobalMemory &memory,
                    llvm::ArrayRef<const Footprint *> footprints);

} // namespace tilescope
