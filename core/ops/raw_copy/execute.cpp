#include "core/exec/alignment.h"
#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// The bits of a run of elements, the first in the lowest bits of the first byte.
class BitRun {
public:
  void append(DType dtype, Number value) {
    for (uint64_t bits = encode(dtype, value), byte = 0; byte != dtype.bits / 8; ++byte)
      bytes_.push_back(static_cast<uint8_t>(bits >> (8 * byte)));
  }
  Number element(DType dtype, size_t index) const {
    size_t width = dtype.bits / 8;
    uint64_t bits = 0;
    for (size_t byte = 0; byte != width; ++byte)
      bits |= uint64_t{bytes_[index * width + byte]} << (8 * byte);
    return decode(dtype, bits);
  }

private:
  llvm::SmallVector<uint8_t, 32> bytes_;
};

int64_t placeIn(const TensorRegion &region, int64_t element) {
  llvm::SmallVector<int64_t> coordinates = region.min;
  coordinates.back() += element;
  return region.tensor->indexOf(coordinates);
}

bool isInside(const TensorRegion &region) {
  return placeIn(region, 0) >= 0 && placeIn(region, region.extent.back() - 1) >= 0;
}

// Of a tensor; whether it is inside of other memory each access says.
bool isInside(ThreadGroup &group, const LaneRegion &region, uint32_t lane) {
  if (region.buffer->scope != Scope::Global)
    return true;
  llvm::SmallVector<int64_t> first;
  for (const LaneValues &min : region.min)
    first.push_back(min[lane].i);
  llvm::SmallVector<int64_t> last = first;
  last.back() += region.extent.back() - 1;
  const Tensor &tensor = group.block().launch.global.memory.tensors.at(region.buffer->id);
  return tensor.indexOf(first) >= 0 && tensor.indexOf(last) >= 0;
}

} // namespace

// One access: where a part of it is outside of a tensor, nothing happens.
void executeRawCopy(const OpStmt &op, BlockFrame &frame) {
  TensorRegion src = frame.evaluate(op.regions[0]);
  TensorRegion dst = frame.evaluate(op.regions[1]);
  if (!isInside(src) || !isInside(dst))
    return;
  DType from = src.tensor->dtype();
  BitRun run;
  for (int64_t element = 0; element != src.extent.back(); ++element)
    run.append(from, readElement(frame, op, src, placeIn(src, element)));
  if (isMemory(frame.function().buffer(dst.buffer).scope))
    frame.reads().use();
  llvm::StringRef unwritten = frame.reads().take();
  for (int64_t element = 0; element != dst.extent.back(); ++element) {
    frame.reads().putBack(unwritten);
    writeElement(frame, dst, placeIn(dst, element),
                 run.element(dst.tensor->dtype(), static_cast<size_t>(element)));
  }
  frame.reads().take();
}

void executeRawCopy(const OpStmt &op, ThreadGroup &group, Lanes active) {
  LaneRegion src = group.evaluate(op.regions[0], active);
  LaneRegion dst = group.evaluate(op.regions[1], active);
  // Once conditions stand where they are needed, what is outside is a finding.
  llvm::SmallVector<uint32_t, 32> lanes;
  llvm::copy_if(active, std::back_inserter(lanes), [&](uint32_t lane) {
    return group.block().launch.isGuarded ||
           (isInside(group, src, lane) && isInside(group, dst, lane));
  });
  for (const LaneRegion &region : {src, dst})
    findMisaligned(group, region, lanes, op.attr(Attr::Bytes));
  std::vector<BitRun> runs(group.size());
  for (int64_t element = 0; element != src.size(); ++element)
    for (uint32_t lane : lanes)
      runs[lane].append(src.buffer->dtype, group.load(src, lane, element));
  for (int64_t element = 0; element != dst.size(); ++element)
    for (uint32_t lane : lanes)
      group.store(dst, lane, element,
                  runs[lane].element(dst.buffer->dtype, static_cast<size_t>(element)));
}

} // namespace tilescope
