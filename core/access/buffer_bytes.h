// Where a buffer of the arena lies, for whoever asks which accesses touch the same bytes.
#pragma once

#include "core/support/ids.h"

namespace tilescope {

// Where a buffer lies: version v occupies [offset + v * stride, offset + v * stride + size).
struct BufferBytes {
  BufferId buffer;
  int64_t offsetBytes = 0;
  int64_t strideBytes = 0;
  int64_t sizeBytes = 0; // of one version
};

} // namespace tilescope
