// What moves a tile pairs the axes of two regions whose extent is not 1, in order. What that makes
// of fragment layouts, where an axis may be left out or stay at one index on either side:
//
//     T.copy(a[0, 0:32], b[0:32])       a of 1 x 32 by  | 32@t1      b by 32@t1
//     T.copy(b[0:32], c[k, 0:32])       c of 4 x 32 by  4@r1 | 32@t1
#pragma once

#include "core/analysis/fragment_digits.h"
#include "core/analysis/layouts/parallel_access.h"

namespace tilescope {

bool isWide(const Range &range);

// The layout of an iteration space with one variable for each wide axis of the region.
const Layout *layoutOfMove(Context &context, const BufferRegion &region, const Layout &fragment);

// What such a loop touches of a fragment.
FragmentAccess accessOfMove(const BufferAccess &access);

// The digits of the wide axes; nullopt if an index that stays chooses threads.
std::optional<llvm::SmallVector<DigitList>> wideDigits(const BufferRegion &region,
                                                       const Layout &fragment);

// The layout of `buffer` that places the wide axes of `region`, a part of it, like that; null if
// they do not say where all of it lies.
const Layout *layoutByWideAxes(Context &context, const Buffer &buffer, const BufferRegion &region,
                               llvm::ArrayRef<DigitList> wide, llvm::ArrayRef<Digit> replicas);

} // namespace tilescope
