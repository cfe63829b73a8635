#include "core/exec/block_frame.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilescope {

llvm::SmallVector<size_t> TensorRegion::wideAxes() const {
  llvm::SmallVector<size_t> axes;
  for (size_t axis = 0; axis < extent.size(); ++axis)
    if (extent[axis] != 1)
      axes.push_back(axis);
  return axes;
}

llvm::SmallVector<int64_t> TensorRegion::coordinatesAt(llvm::ArrayRef<size_t> axes,
                                                       llvm::ArrayRef<int64_t> wide) const {
  llvm::SmallVector<int64_t> coordinates(min);
  for (size_t i = 0; i < axes.size(); ++i)
    coordinates[axes[i]] += wide[i];
  return coordinates;
}

TensorRegion BlockFrame::evaluate(const BufferRegion &region) {
  TensorRegion result;
  result.buffer = region.buffer;
  result.tensor = &tensor(region.buffer);
  result.isGlobal = function_.buffer(region.buffer).scope == Scope::Global;
  for (const Range &range : region.ranges) {
    result.min.push_back(evaluateInt(range.min));
    result.extent.push_back(evaluateInt(range.extent));
  }
  return result;
}

void BlockFrame::startBlock(int64_t threads) {
  tiles_.clear();
  found_.clear();
  ownVars_.clear();
  threads_ = threads;
  thread_ = 0;
}

void BlockFrame::bindEach(const Var *var, llvm::ArrayRef<int64_t> threads,
                          llvm::ArrayRef<Number> values) {
  bool areEqual = llvm::all_of(values, [&](Number value) { return value.i == values[0].i; });
  if (areEqual)
    return bind(var, values[0]);
  unbind(var);
  llvm::SmallVector<Number> &own = ownVars_[var->id.value];
  own.resize(static_cast<size_t>(threads_), Number{.i = 0});
  for (auto [thread, value] : llvm::zip_equal(threads, values))
    own[static_cast<size_t>(thread)] = value;
}

// A tile exists from its first use in the block on.
llvm::MutableArrayRef<Tensor> BlockFrame::findCopies(BufferId id) {
  if (auto global = memory_.tensors.find(id); global != memory_.tensors.end())
    return global->second;
  if (auto tile = tiles_.find(id); tile != tiles_.end())
    return tile->second;
  const Buffer &buffer = function_.buffer(id);
  llvm::SmallVector<int64_t> shape;
  for (const Expr *extent : buffer.shape)
    shape.push_back(evaluateInt(extent));
  size_t copies = isOwnMemory(buffer) ? static_cast<size_t>(threads_) : 1;
  return tiles_.emplace(id, std::vector<Tensor>(copies, Tensor(buffer.dtype, shape))).first->second;
}

llvm::SmallVector<int64_t> BlockFrame::coordinatesIn(const Tensor &tensor, ExprList indices) {
  llvm::SmallVector<int64_t> coordinates;
  for (auto [index, extent] : llvm::zip_equal(indices, tensor.shape())) {
    int64_t coordinate = evaluateInt(index);
    coordinates.push_back(coordinate < 0 ? coordinate + extent : coordinate);
  }
  return coordinates;
}

int64_t BlockFrame::placeToStore(const Store &store) {
  const Tensor &target = tensor(store.buffer);
  llvm::SmallVector<int64_t> coordinates = coordinatesIn(target, store.indices);
  int64_t place = target.indexOf(coordinates);
  if (place < 0)
    storeOutside(store, store.buffer, coordinates);
  return place;
}

void BlockFrame::store(BufferId id, int64_t place, Number value) {
  if (thread_ != AllThreads)
    return tensor(id).set(place, value);
  for (Tensor &copy : copiesOf(id))
    copy.set(place, value);
}

void BlockFrame::storeOutside(const Stmt &where, BufferId id, llvm::ArrayRef<int64_t> coordinates) {
  const Buffer &buffer = function_.buffer(id);
  if (buffer.scope != Scope::Global)
    fail(where,
         "store to " + buffer.name.str() + indexText(coordinates) + ", outside its shape " +
             indexText(tensor(id).shape()),
         /*isOfKernel=*/true);
}

void BlockFrame::fail(const Stmt &where, std::string text, bool isOfKernel) {
  if (failed_)
    return;
  failed_ = true;
  isKernelWrong_ = isOfKernel;
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
