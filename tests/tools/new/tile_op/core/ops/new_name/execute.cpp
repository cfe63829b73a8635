#include "core/exec/block_frame.h"

namespace tilescope {

void executeNewName(const OpStmt &op, BlockFrame &frame) {
  TensorRegion region = frame.evaluate(op.regions[0]);
  forEachCoordinate(region.extent, [&](llvm::ArrayRef<int64_t> coordinates) {
    llvm::SmallVector<int64_t> at(region.min);
    for (size_t axis = 0; axis < at.size(); ++axis)
      at[axis] += coordinates[axis];
    int64_t place = region.tensor->indexOf(at);
    if (place < 0)
      return frame.storeOutside(op, region.buffer, at);
    Number element = region.tensor->get(place);
    if (region.tensor->isFloat())
      element.f *= 2;
    else
      element.i *= 2;
    region.tensor->set(place, element);
  });
}

} // namespace tilescope
