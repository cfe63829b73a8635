// What accesses of linear layouts ask of the banks of shared memory: BufferRecord::banks of a
// recorded program, of which its trace has BufferRecord::linear.
#pragma once

#include "core/facets/buffers.h"

#include <memory>

namespace tilescope {

using BufferRecords = std::shared_ptr<const std::vector<BufferRecord>>;

// An access without places has those of its buffer. The same pointer where no record has such
// accesses. An access whose instruction is not known has no passes and no lanes.
BufferRecords withLinearBanks(BufferRecords records);

} // namespace tilescope
