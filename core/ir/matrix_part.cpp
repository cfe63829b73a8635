#include "core/ir/matrix_part.h"

#include "core/ir/build.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

std::optional<MatrixPart> matrixPartOf(const BufferRegion &region, const Buffer &buffer) {
  if (!constantShape(buffer) || buffer.shape.size() < 2)
    return std::nullopt;
  llvm::ArrayRef<Range> matrix = region.ranges.take_back(2);
  for (const Range &range : matrix)
    if (!constantValue(range.min) || !constantValue(range.extent))
      return std::nullopt;
  auto takesSeveral = [](const Range &range) { return constantValue(range.extent) != 1; };
  if (llvm::any_of(region.ranges.drop_back(2), takesSeveral))
    return std::nullopt;
  return MatrixPart{.firstRow = *constantValue(matrix[0].min),
                    .rows = *constantValue(matrix[0].extent),
                    .firstColumn = *constantValue(matrix[1].min),
                    .columns = *constantValue(matrix[1].extent)};
}

std::optional<MatrixPart> wholeMatrixOf(const BufferRegion &region, const Buffer &buffer) {
  std::optional<MatrixPart> part = matrixPartOf(region, buffer);
  if (!part)
    return std::nullopt;
  ExprList extents = buffer.shape.take_back(2);
  bool isWhole = part->firstRow == 0 && part->rows == constantValue(extents[0]) &&
                 part->firstColumn == 0 && part->columns == constantValue(extents[1]);
  return isWhole ? part : std::nullopt;
}

std::optional<MatrixPart> wholeRowOf(const BufferRegion &region, const Buffer &buffer) {
  if (!constantShape(buffer) || buffer.shape.size() != 1)
    return std::nullopt;
  const Range &range = region.ranges.front();
  std::optional<int64_t> extent = constantValue(range.extent);
  if (constantValue(range.min) != 0 || !extent || extent != constantValue(buffer.shape.front()))
    return std::nullopt;
  return MatrixPart{.rows = 1, .columns = *extent};
}

} // namespace tilescope
