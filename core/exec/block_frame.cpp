#include "core/exec/block_frame.h"

#include "core/exec/mbarriers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FormatVariadic.h"

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
  size_t copy = copyOf(region.buffer, region.slot);
  result.tensor = &copiesOf(region.buffer).tensors[copy];
  result.shadow = copiesOf(region.buffer).shadowOf(copy);
  result.isGlobal = function_.buffer(region.buffer).scope == Scope::Global;
  if (thread_ == AllThreads && isOwnMemory(function_.buffer(region.buffer))) {
    result.copies = togetherOf(*this, region.buffer).tensors;
    result.copyShadows = togetherOf(*this, region.buffer).shadows;
  }
  bool isInside = true;
  for (auto [range, extent] : llvm::zip_equal(region.ranges, result.tensor->shape())) {
    result.min.push_back(evaluateInt(range.min));
    result.extent.push_back(evaluateInt(range.extent));
    isInside &= result.min.back() >= 0 && result.min.back() + result.extent.back() <= extent;
  }
  if (!result.isGlobal && !isInside)
    fail(*stmt_,
         "a region of " + function_.buffer(region.buffer).name.str() + " at " +
             indexText(result.min) + " of extents " + indexText(result.extent) +
             " reaches outside its shape " + indexText(result.tensor->shape()),
         FindingKind::OutOfBounds);
  return result;
}

void BlockFrame::startBlock(int64_t block, int64_t threads, int64_t writer) {
  reads_.startBlock(block);
  tiles_.clear();
  found_.clear();
  ownVars_.clear();
  copies_.start(threads);
  mbarriers = {};
  block_ = block;
  writer_ = writer;
  threads_ = threads;
  thread_ = 0;
  firstTogether_ = 0;
  together_ = threads;
}

void BlockFrame::setStatement(const Stmt &stmt) {
  stmt_ = &stmt;
  reads_.setStatement(stmt);
  const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
  isAtomic_ = op && llvm::any_of(op->opInfo().operands,
                                 [](const OperandInfo &operand) { return operand.isAtomic; });
}

void BlockFrame::bindEach(const Var *var, llvm::ArrayRef<int64_t> threads,
                          llvm::ArrayRef<Number> values) {
  bool areEqual = llvm::all_of(
      values, [&](Number value) { return isSameNumber(var->dtype(), value, values[0]); });
  if (areEqual)
    return bind(var, values[0]);
  unbind(var);
  llvm::SmallVector<Number> &own = ownVars_[var->id.value];
  own.resize(static_cast<size_t>(threads_), Number{.i = 0});
  for (auto [thread, value] : llvm::zip_equal(threads, values))
    own[static_cast<size_t>(thread)] = value;
}

void joinNames(BlockFrame &frame, llvm::ArrayRef<int64_t> threads, const BlockFrame::Names &names,
               llvm::ArrayRef<int64_t> others) {
  using Names = BlockFrame::Names;
  auto giveEach = [&](const Names &from, const Names &other, llvm::ArrayRef<int64_t> to) {
    for (auto [var, value] : from) {
      auto same = other.find(var);
      if (same != other.end() && same->second.i == value.i)
        continue;
      llvm::SmallVector<Number> &own = frame.ownVars_[var];
      own.resize(static_cast<size_t>(frame.threads_), Number{.i = 0});
      for (int64_t thread : to)
        own[static_cast<size_t>(thread)] = value;
    }
  };
  Names before = frame.vars_;
  giveEach(before, names, threads);
  giveEach(names, before, others);
  for (auto [var, value] : before)
    if (auto same = names.find(var); same == names.end() || same->second.i != value.i)
      frame.vars_.erase(var);
}

// A tile exists from its first use in the block on.
BlockFrame::Copies BlockFrame::findCopies(BufferId id) {
  if (auto global = memory_.tensors.find(id); global != memory_.tensors.end())
    return {global->second, {}};
  if (auto known = tiles_.find(id); known != tiles_.end())
    return {known->second.tensors, known->second.shadows};
  const Buffer &buffer = function_.buffer(id);
  llvm::SmallVector<int64_t> shape;
  for (const Expr *extent : buffer.shape)
    shape.push_back(evaluateInt(extent));
  auto copies = static_cast<size_t>(isOwnMemory(buffer) ? threads_ : buffer.versions);
  Tensor tile(buffer.dtype, shape);
  // Zero would hide that nobody has written it; floats are NaN already.
  for (int64_t at = 0; !tile.isFloat() && at != tile.size(); ++at)
    tile.set(at, poisonOf(buffer.dtype));
  Tiles &tiles = tiles_[id];
  tiles.tensors.assign(copies, tile);
  tiles.shadows.assign(copies, TileShadow(buffer, tile.size()));
  return {tiles.tensors, tiles.shadows};
}

void setTogether(BlockFrame &frame, int64_t first, int64_t threads) {
  frame.setThread(BlockFrame::AllThreads);
  frame.firstTogether_ = first;
  frame.together_ = threads;
}

BlockFrame::Copies togetherOf(BlockFrame &frame, BufferId id) {
  BlockFrame::Copies copies = frame.copiesOf(id);
  bool isOfEach = isOwnMemory(frame.function_.buffer(id));
  if (frame.thread_ != BlockFrame::AllThreads || !isOfEach)
    return copies;
  auto first = static_cast<size_t>(frame.firstTogether_);
  auto threads = static_cast<size_t>(frame.together_);
  return {copies.tensors.slice(first, threads), copies.shadows.slice(first, threads)};
}

size_t BlockFrame::copyOf(BufferId id, const Expr *slot) {
  llvm::MutableArrayRef<Tensor> copies = copiesOf(id).tensors;
  int64_t wanted = slot ? evaluateInt(slot) : thread_ == AllThreads ? firstTogether_ : thread_;
  bool isThere = 0 <= wanted && wanted < static_cast<int64_t>(copies.size());
  if (slot && !isThere)
    fail(*stmt_, "slot " + std::to_string(wanted) + " of '" + function_.buffer(id).name.str() +
                     "' does not exist");
  return isThere && copies.size() > 1 ? static_cast<size_t>(wanted) : 0;
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
  const Tensor &target = tensor(store.buffer, store.slot);
  llvm::SmallVector<int64_t> coordinates = coordinatesIn(target, store.indices);
  int64_t place = target.indexOf(coordinates);
  if (place < 0)
    storeOutside(store, store.buffer, coordinates);
  return place;
}

void BlockFrame::store(const Store &store, int64_t place, Number value) {
  Copies copies = store.slot ? copiesOf(store.buffer) : togetherOf(*this, store.buffer);
  bool isOne = thread_ != AllThreads || store.slot;
  size_t first = isOne ? copyOf(store.buffer, store.slot) : 0;
  size_t end = isOne ? first + 1 : copies.tensors.size();
  llvm::StringRef unwritten = reads_.take();
  for (size_t copy = first; copy != end; ++copy) {
    reads_.putBack(unwritten);
    reads_.write(copies.shadowOf(copy), place);
    if (copies.shadows.empty() && memory_.overwrites)
      memory_.overwrites->write(store.buffer, copies.tensors[copy], place, value, block_);
    else
      copies.tensors[copy].set(place, value);
  }
}

CopiesInFlight::Element beginCopy(BlockFrame &frame, const TensorRegion &region, int64_t place,
                                  Number value) {
  if (region.shadow)
    frame.reads_.beginCopy(*region.shadow, place);
  region.tensor->set(place, poisonOf(region.tensor->dtype()));
  return {region.tensor, region.shadow, place, value, frame.stmt_};
}

CopiesInFlight::Element beginCopyIn(BlockFrame &other, BlockFrame &frame,
                                    const BufferRegion &region, int64_t place, Number value) {
  TensorRegion there;
  BlockFrame::Copies copies = other.copiesOf(region.buffer);
  size_t copy = frame.copyOf(region.buffer, region.slot);
  there.tensor = &copies.tensors[copy];
  there.shadow = copies.shadowOf(copy);
  const Stmt *own = std::exchange(other.stmt_, frame.stmt_);
  other.reads_.setStatement(*frame.stmt_);
  CopiesInFlight::Element element = beginCopy(other, there, place, value);
  other.stmt_ = own;
  other.reads_.setStatement(*own);
  return element;
}

void endCopy(BlockFrame &frame, const CopiesInFlight::Element &element) {
  element.tensor->set(element.place, element.value);
  if (element.shadow)
    frame.reads_.endCopy(*element.shadow, element.place, *element.copy);
}

void BlockFrame::startCopy(const TensorRegion &region, int64_t place, Number value) {
  copies_.add(thread_, beginCopy(*this, region, place, value));
}

void BlockFrame::waitForCopies(int64_t pending) {
  copies_.wait(thread_, pending,
               [&](const CopiesInFlight::Element &element) { endCopy(*this, element); });
}

void findCopiesInFlight(BlockFrame &frame) {
  frame.copies_.forEachLeft([&](const CopiesInFlight::Element &element) {
    if (element.shadow)
      frame.reads_.leaveInFlight(*element.shadow, *element.copy);
  });
  frame.mbarriers.forEachLeft([&](const Mbarriers::Copy &copy) {
    frame.reads_.leaveInFlight(frame.function().buffer(copy.destination), *copy.stmt);
  });
}

void BlockFrame::storeOutside(const Stmt &where, BufferId id, llvm::ArrayRef<int64_t> coordinates) {
  leaveTile(where, "store to ", id, coordinates);
}

void BlockFrame::leaveTile(const Stmt &where, llvm::StringRef access, BufferId id,
                           llvm::ArrayRef<int64_t> coordinates) {
  const Buffer &buffer = function_.buffer(id);
  if (buffer.scope != Scope::Global)
    fail(where,
         llvm::formatv("{0}{1}{2}, outside its shape {3}", access, buffer.name,
                       indexText(coordinates), indexText(tensor(id).shape())),
         FindingKind::OutOfBounds);
}

void BlockFrame::fail(const Stmt &where, std::string text, std::optional<FindingKind> kind) {
  if (!hasFailed())
    failure_ = {&where, std::move(text), kind, block_, threads_ == 1 ? AllThreads : thread_};
}

Number readElement(BlockFrame &frame, const Stmt &where, const TensorRegion &region,
                   int64_t place) {
  Number value = frame.read(region, place);
  for (const Tensor &copy : region.copies)
    if (!isSameNumber(copy.dtype(), copy.get(place), value))
      frame.fail(where, "'" + frame.function().buffer(region.buffer).name.str() +
                            "' differs between threads, and which of them does what here is left "
                            "to the compiler");
  return value;
}

void writeElement(BlockFrame &frame, const TensorRegion &region, int64_t place, Number value) {
  if (region.copies.empty())
    return frame.write(region, place, value);
  llvm::StringRef unwritten = frame.reads().take();
  for (auto [copy, shadow] : llvm::zip_equal(region.copies, region.copyShadows)) {
    frame.reads().putBack(unwritten);
    frame.reads().write(&shadow, place);
    copy.set(place, value);
  }
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

BlockFrame *reachBlock(const OpStmt &op, BlockFrame &frame, int64_t rank) {
  if (rank == frame.cluster.rank)
    return &frame;
  const std::vector<BlockFrame *> *blocks = frame.cluster.blocks;
  bool isThere = blocks && rank >= 0 && rank < static_cast<int64_t>(blocks->size());
  BlockFrame *block = isThere ? (*blocks)[static_cast<size_t>(rank)] : nullptr;
  if (!isThere)
    frame.fail(op, llvm::formatv("the cluster has no block of rank {0}", rank),
               FindingKind::NoBlock);
  else if (!block)
    frame.fail(op, llvm::formatv("the block of rank {0} of the cluster does not run", rank),
               FindingKind::EndedBlock);
  return block;
}

void meetCluster(const OpStmt &op, BlockFrame &frame) {
  if (!frame.blocks || !frame.blocks->meet())
    frame.fail(op, "not all blocks of a cluster get to its barrier", FindingKind::MissedBarrier);
}

} // namespace tilescope
