// Rows that boxes of TMA fill in order: row major, from a multiple of 128 bytes on, where a box
// that is not swizzled may begin. As a swizzle of one chunk, which permutes nothing and repeats
// after so many bytes. In text "aligned_row_major".
#pragma once

#include "core/ir/layout.h"

namespace tilescope {

const Layout *makeAlignedRows(Context &context);

} // namespace tilescope
