#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"
#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

// One access: where a part of it is outside of the tensor, zeros arrive.
void executeCpAsync(const OpStmt &op, BlockFrame &frame) {
  const Expr *predicate = predicateOf(op);
  bool isCopied = !predicate || frame.evaluate(predicate).i != 0;
  TensorRegion src = frame.evaluate(op.regions[0]);
  TensorRegion dst = frame.evaluate(op.regions[1]);
  size_t row = src.extent.size() - 1, target = dst.extent.size() - 1;
  int64_t count = src.extent[row];
  isCopied &= src.at({}, {}) >= 0 && src.at({row}, {count - 1}) >= 0;
  for (int64_t element = 0; element != count; ++element) {
    int64_t place = dst.at({target}, {element});
    if (place < 0)
      return frame.storeOutside(op, dst.buffer, dst.coordinatesAt({target}, {element}));
    Number value = {.i = 0};
    if (isCopied)
      value = frame.read(src, src.at({row}, {element}));
    frame.startCopy(dst, place, value);
  }
}

static bool isInside(ThreadGroup &group, const LaneRegion &region, uint32_t lane, int64_t element) {
  if (region.buffer->scope != Scope::Global)
    return true;
  llvm::SmallVector<int64_t> coordinates;
  for (const LaneValues &min : region.min)
    coordinates.push_back(min[lane].i);
  coordinates.back() += element;
  return group.block().launch.global.memory.tensors.at(region.buffer->id).indexOf(coordinates) >= 0;
}

// Where the predicate is false zeros arrive, and nothing is read. So they do where a part of it is
// outside of the tensor, of which nobody has made a predicate yet.
void executeCpAsync(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  const Expr *predicate = predicateOf(op);
  llvm::SmallVector<uint32_t, 32> copying(lanes);
  if (predicate)
    copying = group.where(predicate, lanes);
  LaneRegion dst = group.evaluate(op.regions[1], lanes);
  LaneRegion src;
  if (!copying.empty())
    src = group.evaluate(op.regions[0], copying);
  for (int64_t element = 0; element != dst.size(); ++element)
    for (uint32_t lane : lanes) {
      bool isCopied = llvm::is_contained(copying, lane);
      Number value = isCopied ? group.load(src, lane, element) : Number{.i = 0};
      bool isWhole =
          isCopied && isInside(group, src, lane, 0) && isInside(group, src, lane, dst.size() - 1);
      group.startCopy(dst, lane, element, isWhole ? value : Number{.i = 0});
    }
}

} // namespace tilescope
