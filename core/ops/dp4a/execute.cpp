#include "core/exec/block_frame.h"
#include "core/exec/numbers.h"
#include "core/exec/thread_group.h"

namespace tilescope {

namespace {

constexpr int64_t Bytes = 4;

int64_t placeIn(const TensorRegion &region, int64_t element) {
  llvm::SmallVector<int64_t> coordinates = region.min;
  coordinates.back() += element;
  return region.tensor->indexOf(coordinates);
}

} // namespace

void executeDp4a(const OpStmt &op, BlockFrame &frame) {
  TensorRegion a = frame.evaluate(op.regions[0]);
  TensorRegion b = frame.evaluate(op.regions[1]);
  TensorRegion c = frame.evaluate(op.regions[2]);
  int64_t target = placeIn(c, 0);
  if (target < 0)
    return frame.storeOutside(op, c.buffer, c.min);
  int64_t sum = readElement(frame, op, c, target).i;
  for (int64_t byte = 0; byte != Bytes; ++byte) {
    int64_t first = placeIn(a, byte), second = placeIn(b, byte);
    if (first >= 0 && second >= 0)
      sum += readElement(frame, op, a, first).i * readElement(frame, op, b, second).i;
  }
  writeElement(frame, c, target, Number{.i = wrapTo(DType::int32(), sum)});
}

void executeDp4a(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  LaneRegion a = group.evaluate(op.regions[0], lanes);
  LaneRegion b = group.evaluate(op.regions[1], lanes);
  LaneRegion c = group.evaluate(op.regions[2], lanes);
  for (uint32_t lane : lanes) {
    int64_t sum = group.load(c, lane, 0).i;
    for (int64_t byte = 0; byte != Bytes; ++byte)
      sum += group.load(a, lane, byte).i * group.load(b, lane, byte).i;
    group.store(c, lane, 0, Number{.i = wrapTo(DType::int32(), sum)});
  }
}

} // namespace tilescope
