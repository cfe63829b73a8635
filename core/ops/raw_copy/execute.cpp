#include "core/exec/alignment.h"
#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"

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

} // namespace

// What lies outside of a tensor reads as zeros, and is not written.
void executeRawCopy(const OpStmt &op, BlockFrame &frame) {
  TensorRegion src = frame.evaluate(op.regions[0]);
  TensorRegion dst = frame.evaluate(op.regions[1]);
  DType from = src.tensor->dtype();
  BitRun run;
  for (int64_t element = 0; element != src.extent.back(); ++element) {
    int64_t place = placeIn(src, element);
    Number zero = from.isFloat() ? Number{.f = 0} : Number{.i = 0};
    run.append(from, place < 0 ? zero : readElement(frame, op, src, place));
  }
  if (isMemory(frame.function().buffer(dst.buffer).scope))
    frame.reads().use();
  llvm::StringRef unwritten = frame.reads().take();
  for (int64_t element = 0; element != dst.extent.back(); ++element) {
    int64_t place = placeIn(dst, element);
    frame.reads().putBack(unwritten);
    if (place >= 0)
      writeElement(frame, dst, place,
                   run.element(dst.tensor->dtype(), static_cast<size_t>(element)));
  }
  frame.reads().take();
}

void executeRawCopy(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  LaneRegion src = group.evaluate(op.regions[0], lanes);
  LaneRegion dst = group.evaluate(op.regions[1], lanes);
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
