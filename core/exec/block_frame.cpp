#include "core/exec/block_frame.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilescope {

llvm::SmallVector<size_t> Region::wideAxes() const {
  llvm::SmallVector<size_t> axes;
  for (size_t axis = 0; axis < extent.size(); ++axis)
    if (extent[axis] != 1)
      axes.push_back(axis);
  return axes;
}

int64_t Region::at(llvm::ArrayRef<size_t> axes, llvm::ArrayRef<int64_t> wide) const {
  llvm::SmallVector<int64_t> coordinates(min);
  for (size_t i = 0; i < axes.size(); ++i)
    coordinates[axes[i]] += wide[i];
  return tensor->indexOf(coordinates);
}

Region BlockFrame::evaluate(const BufferRegion &region) {
  Region result;
  result.tensor = &tensor(region.buffer);
  result.isGlobal = function_.buffer(region.buffer).scope == Scope::Global;
  for (const Range &range : region.ranges) {
    result.min.push_back(evaluateInt(range.min));
    result.extent.push_back(evaluateInt(range.extent));
  }
  return result;
}

// A tile exists from its first use in the block on.
Tensor &BlockFrame::findTensor(BufferId id) {
  if (auto global = memory_.tensors.find(id); global != memory_.tensors.end())
    return global->second;
  if (auto tile = tiles_.find(id); tile != tiles_.end())
    return tile->second;
  const Buffer &buffer = function_.buffer(id);
  llvm::SmallVector<int64_t> shape;
  for (const Expr *extent : buffer.shape)
    shape.push_back(evaluateInt(extent));
  return tiles_.emplace(id, Tensor(buffer.dtype, shape)).first->second;
}

void BlockFrame::store(BufferId id, ExprList indices, Number value, const Stmt &where) {
  llvm::SmallVector<int64_t> coordinates;
  for (const Expr *index : indices)
    coordinates.push_back(evaluateInt(index));
  Tensor &target = tensor(id);
  int64_t place = target.indexOf(coordinates);
  if (place >= 0)
    return target.set(place, value);
  const Buffer &buffer = function_.buffer(id);
  if (buffer.scope != Scope::Global)
    fail(where, "store outside the bounds of '" + buffer.name.str() + "'");
}

void BlockFrame::fail(const Stmt &where, std::string text) {
  if (failed_)
    return;
  failed_ = true;
  failure_ = std::move(text);
  failureSpan_ = where.span();
}

void forEachCoordinate(llvm::ArrayRef<int64_t> extents,
                       llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit) {
  for (int64_t extent : extents)
    if (extent <= 0)
      return;
  llvm::SmallVector<int64_t> coordinates(extents.size(), 0);
  while (true) {
    visit(coordinates);
    size_t dim = extents.size();
    while (dim > 0 && ++coordinates[dim - 1] == extents[dim - 1])
      coordinates[--dim] = 0;
    if (dim == 0)
      return;
  }
}

} // namespace tilescope
