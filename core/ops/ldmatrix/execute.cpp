#include "core/exec/exchange.h"

namespace tilescope {

namespace {

constexpr uint32_t RowsOfMatrix = 8;

// What a lane receives of each matrix: of which lane's row, and which elements of it. 32 bits.
struct Source {
  uint32_t lane = 0;
  uint32_t column = 0;
};

Source sourceOf(uint32_t lane, uint32_t matrix, uint32_t element, uint32_t packed,
                bool isTransposed) {
  uint32_t row = lane / 4, column = lane % 4 * packed + element;
  if (isTransposed)
    std::swap(row, column);
  return {matrix * RowsOfMatrix + row, column};
}

} // namespace

// Lane l of a warp gives the address of row l % 8 of matrix l / 8, 16 bytes. Of each matrix it
// receives the 32 bits at row l / 4, word l % 4; transposed, of 16-bit elements: rows 2 * (l % 4)
// and the next, column l / 4. PTX ISA, "Warp-level matrix load instruction: ldmatrix".
void executeLdmatrix(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  if (!requireFullWarps(group, lanes))
    return;
  LaneRegion src = group.evaluate(op.regions[0], lanes);
  LaneRegion dst = group.evaluate(op.regions[1], lanes);
  bool isTransposed = op.attr(Attr::Transposed) != 0;
  auto matrices = static_cast<uint32_t>(op.attr(Attr::Matrices));
  uint32_t packed = 32U / src.buffer->dtype.bits;
  for (uint32_t lane : lanes) {
    uint32_t warp = lane / LanesOfWarp * LanesOfWarp;
    for (uint32_t matrix = 0; matrix != matrices; ++matrix)
      for (uint32_t element = 0; element != packed; ++element) {
        Source from = sourceOf(lane % LanesOfWarp, matrix, element, packed, isTransposed);
        group.store(dst, lane, matrix * packed + element,
                    group.load(src, warp + from.lane, from.column, lane));
      }
  }
}

void executeLdmatrix(const OpStmt &op, BlockFrame &frame) {
  bool isTransposed = op.attr(Attr::Transposed) != 0;
  auto matrices = static_cast<uint32_t>(op.attr(Attr::Matrices));
  forEachWarp(op, frame, [&](WarpRegisters &warp) {
    uint32_t packed = 32U / warp.dtype(0).bits;
    for (uint32_t lane = 0; lane != LanesOfWarp; ++lane)
      for (uint32_t matrix = 0; matrix != matrices; ++matrix)
        for (uint32_t element = 0; element != packed; ++element) {
          Source from = sourceOf(lane, matrix, element, packed, isTransposed);
          Number value = warp.load(0, from.lane, from.column);
          warp.store(1, lane, matrix * packed + element, value);
        }
  });
}

} // namespace tilescope
