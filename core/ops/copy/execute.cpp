#include "core/exec/tile_move.h"

namespace tilescope {

void executeCopy(const OpStmt &op, BlockFrame &frame) {
  moveTile(op, frame, [&](const TensorRegion &to, int64_t place, Number value) {
    if (op.attr(Attr::Async))
      frame.startCopy(to, place, value);
    else
      frame.write(to, place, value);
  });
}

} // namespace tilescope
