#include "core/ir/shared_alignment.h"

namespace tilescope {

int64_t alignmentBytes(const Buffer &buffer) {
  constexpr int64_t WidestAccess = 16;
  constexpr int64_t RowsOfPattern = 8;
  bool isAligned = buffer.layout && buffer.layout->isAligned;
  return isAligned ? RowsOfPattern * buffer.layout->spanBytes : WidestAccess;
}

} // namespace tilescope
