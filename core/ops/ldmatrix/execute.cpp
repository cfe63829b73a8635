#include "core/exec/thread_group.h"

namespace tilescope {

// Lane l of a warp gives the address of row l % 8 of matrix l / 8, 16 bytes. Of each matrix it
// receives the 32 bits at row l / 4, word l % 4; transposed, of 16-bit elements: rows 2 * (l % 4)
// and the next, column l / 4. PTX ISA, "Warp-level matrix load instruction: ldmatrix".
void executeLdmatrix(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  constexpr uint32_t Rows = 8;
  if (!requireFullWarps(group, lanes))
    return;
  LaneRegion src = group.evaluate(op.regions[0], lanes);
  LaneRegion dst = group.evaluate(op.regions[1], lanes);
  bool isTransposed = op.attr(Attr::Transposed) != 0;
  auto matrices = static_cast<uint32_t>(op.attr(Attr::Matrices));
  uint32_t packed = 32U / src.buffer->dtype.bits;
  for (uint32_t lane : lanes) {
    uint32_t warp = lane / LanesOfWarp * LanesOfWarp;
    uint32_t inWarp = lane % LanesOfWarp;
    for (uint32_t matrix = 0; matrix != matrices; ++matrix)
      for (uint32_t element = 0; element != packed; ++element) {
        uint32_t row = inWarp / 4, column = inWarp % 4 * packed + element;
        if (isTransposed)
          std::swap(row, column);
        uint32_t giver = warp + matrix * Rows + row;
        group.store(dst, lane, matrix * packed + element, group.load(src, giver, column, lane));
      }
  }
}

} // namespace tilescope
