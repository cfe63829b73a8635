#include "core/ir/module.h"

#include "core/ir/build.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

llvm::StringRef nameOf(Scope scope) {
  switch (scope) {
  case Scope::Global:
    return "global";
  case Scope::Shared:
    return "shared.dyn";
  case Scope::SharedStatic:
    return "shared";
  case Scope::Fragment:
    return "local.fragment";
  case Scope::Local:
    return "local";
  case Scope::LocalVar:
    return "local.var";
  }
  return "?";
}

llvm::StringRef nameOf(Property property) {
  switch (property) {
  case Property::Tile:
    return "tile";
  case Property::Pipelined:
    return "pipelined";
  case Property::LayoutsInferred:
    return "layouts-inferred";
  case Property::Lowered:
    return "lowered";
  case Property::BarriersPlaced:
    return "barriers-placed";
  case Property::ArenaPlanned:
    return "arena-planned";
  case Property::BarriersFinal:
    return "barriers-final";
  }
  return "?";
}

std::optional<llvm::SmallVector<int64_t>> constantShape(const Buffer &buffer) {
  llvm::SmallVector<int64_t> shape;
  for (const Expr *extent : buffer.shape) {
    std::optional<int64_t> value = constantValue(extent);
    if (!value)
      return std::nullopt;
    shape.push_back(*value);
  }
  return shape;
}

std::optional<int64_t> versionBytes(const Buffer &buffer) {
  std::optional<llvm::SmallVector<int64_t>> shape = constantShape(buffer);
  if (!shape)
    return std::nullopt;
  int64_t elements = 1;
  for (int64_t extent : *shape)
    if (__builtin_mul_overflow(elements, extent, &elements))
      return std::nullopt;
  if (shape->empty() || elements == 0)
    return buffer.dtype.bytes(elements);
  // Padding follows each row of the last dimension.
  if (buffer.layout && buffer.layout->kind == LayoutKind::RowMajor)
    elements = elements / shape->back() * (shape->back() + buffer.layout->padElements);
  int64_t bits = 0;
  if (__builtin_mul_overflow(elements, int64_t{buffer.dtype.bits}, &bits))
    return std::nullopt;
  return buffer.dtype.bytes(elements);
}

const Buffer *Function::findBuffer(BufferId id) const {
  auto found = llvm::lower_bound(
      buffers, id, [](const Buffer *buffer, BufferId wanted) { return buffer->id < wanted; });
  return found != buffers.end() && (*found)->id == id ? *found : nullptr;
}

const Buffer &Function::buffer(BufferId id) const {
  const Buffer *found = findBuffer(id);
  assert(found && "the buffer is not declared in this function");
  return *found;
}

} // namespace tilescope
