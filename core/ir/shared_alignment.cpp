#include "core/ir/shared_alignment.h"

namespace tilescope {

int64_t alignmentBytes(const Buffer &buffer) {
  constexpr int64_t WidestAccess = 16, WidestElement = 8;
  constexpr int64_t RowsOfPattern = 8;
  if (buffer.layout && buffer.layout->isAligned)
    return RowsOfPattern * buffer.layout->spanBytes;
  bool isOneElement = buffer.dtype.bytes(1) == WidestElement && buffer.versions == 1 &&
                      versionBytes(buffer) == WidestElement;
  return isOneElement ? WidestElement : WidestAccess;
}

} // namespace tilescope
