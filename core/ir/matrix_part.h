// What a region takes of a matrix: of the last two axes of its buffer, at one place of the others.
//
//     A_shared[k % 2, :, 64:128]   of float16 (2, 128, 128): 128 rows from 0 on, 64 columns from 64
//     on
#pragma once

#include "core/ir/module.h"

namespace tilescope {

// In elements.
struct MatrixPart {
  int64_t firstRow = 0, rows = 0;
  int64_t firstColumn = 0, columns = 0;
};
// nullopt: it takes several matrices, or how much and where it begins is not constant.
std::optional<MatrixPart> matrixPartOf(const BufferRegion &region, const Buffer &buffer);
// The same where it takes all of one.
std::optional<MatrixPart> wholeMatrixOf(const BufferRegion &region, const Buffer &buffer);
// All of a buffer of one axis, as a matrix of one row.
std::optional<MatrixPart> wholeRowOf(const BufferRegion &region, const Buffer &buffer);

} // namespace tilescope
