// The coordinates of a buffer outside of which an access touches nothing, in whatever iteration and
// by whatever thread it is made.
//
//     for k in unroll(4):
//       wgmma(A[0:64, k * 16 + 64:k * 16 + 80], ...)    [0, 64) x [64, 128)
#pragma once

#include "core/access/access_program.h"
#include "core/analysis/ir_affine.h"

namespace tilescope {

// A coordinate of each axis; empty: it is not known, or all.
std::vector<SlotPart> touchedBox(IrAffine &affine, const Buffer &buffer,
                                 llvm::ArrayRef<Range> ranges);
// What either touches; nothing: no access yet.
void joinBox(std::optional<std::vector<SlotPart>> &box, std::vector<SlotPart> other);

} // namespace tilescope
