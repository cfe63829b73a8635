#include "core/exec/thread_group.h"

namespace tilescope {

// Lane l of a warp gives the address of row l % 8 of matrix l / 8. Of each matrix it receives two
// elements: those at row l / 4, columns 2 * (l % 4) and the next; transposed: row and column change
// places. PTX ISA, "Warp-level matrix load instruction: ldmatrix".
void executeLdmatrix(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  constexpr uint32_t Rows = 8;
  LaneRegion src = group.evaluate(op.regions[0], lanes);
  LaneRegion dst = group.evaluate(op.regions[1], lanes);
  bool isTransposed = op.attr(Attr::Transposed) != 0;
  auto matrices = static_cast<uint32_t>(op.attr(Attr::Matrices));
  for (uint32_t lane : lanes) {
    uint32_t warp = lane / LanesOfWarp * LanesOfWarp;
    uint32_t inWarp = lane % LanesOfWarp;
    for (uint32_t matrix = 0; matrix != matrices; ++matrix)
      for (uint32_t element = 0; element != 2; ++element) {
        uint32_t row = inWarp / 4, column = inWarp % 4 * 2 + element;
        if (isTransposed)
          std::swap(row, column);
        uint32_t giver = warp + matrix * Rows + row;
        group.store(dst, lane, matrix * 2 + element, group.loadFor(src, giver, column, lane));
      }
  }
}

} // namespace tilescope
