#include "core/analysis/select_copy.h"

#include "core/analysis/layout_access.h"
#include "core/ir/build.h"

#include "llvm/Support/FormatVariadic.h"

#include <numeric>

namespace tilescope {

namespace {

// One side of the copy: a box of a buffer in memory.
struct Side {
  const Buffer &buffer;
  const BufferRegion &region;
  const BoundValues &bound;

  bool inMemory() const { return isMemory(buffer.scope); }
  bool inShared() const { return isShared(buffer.scope); }
};

bool isUnit(const Expr *expr) { return constantValue(expr) == 1; }

bool isContiguousInLastDim(const Side &side) {
  const Layout *layout = side.buffer.layout;
  if (layout && layout->kind == LayoutKind::Permuted && adjacentElements(*layout) == 1)
    return false;
  return side.buffer.strides.empty() || isUnit(side.buffer.strides.back());
}

// Elements beyond the last full vector of a row would be read with their neighbours.
void limitByExtents(const Side &side, WidthLimit &limit) {
  const Range &row = side.region.ranges.back();
  limitByLayout(side.buffer, limit);
  limit.atMost(bytesOf(side.buffer, knownDivisor(row.extent)), "the copied row");
  limit.atMost(bytesOf(side.buffer, knownDivisor(side.buffer.shape.back())),
               llvm::formatv("the row length of '{0}'", side.buffer.name).str());
}

WidthLimit widthOf(const Side &source, const Side &destination) {
  WidthLimit limit;
  for (const Side *side : {&source, &destination}) {
    if (!side->inMemory())
      continue;
    if (!isContiguousInLastDim(*side)) {
      limit.bytes = bytesOf(side->buffer, 1);
      limit.reason =
          llvm::formatv("the elements of a row of '{0}' are not adjacent", side->buffer.name);
      return limit;
    }
    limitByStarts(side->buffer, side->region, side->bound, limit);
    limitByExtents(*side, limit);
  }
  return limit;
}

bool isInBounds(const Range &range, const Expr *shape) {
  if (constantValue(range.min) == 0 && range.extent == shape)
    return true;
  std::optional<int64_t> min = constantValue(range.min);
  std::optional<int64_t> extent = constantValue(range.extent);
  std::optional<int64_t> bound = constantValue(shape);
  return min && extent && bound && *min >= 0 && *min + *extent <= *bound;
}

bool mayLeaveBounds(const Side &side) {
  if (side.buffer.scope != Scope::Global)
    return false;
  for (auto [range, extent] : llvm::zip_equal(side.region.ranges, side.buffer.shape))
    if (!isInBounds(range, extent))
      return true;
  return false;
}

// Null: the destination can be filled by cp.async, as far as the two sides go.
const char *whyNotAsync(const Side &source, const Side &destination, int64_t bytes,
                        const OpStmt &copy, const Target &target) {
  if (source.buffer.scope != Scope::Global || !destination.inShared())
    return "it does not go from global to shared memory";
  if (!target.hasCpAsync())
    return "the target has no cp.async";
  if (copy.attr(Attr::Prefer) == static_cast<int64_t>(CopyInstruction::Synchronous))
    return "the kernel asks for a synchronous copy";
  if (bytes < 4)
    return "cp.async moves at least 4 bytes";
  return nullptr;
}

// The innermost axis that is copied must be the last one on both sides for a row to be a row.
bool rowsMatch(const Side &source, const Side &destination) {
  return isUnit(source.region.ranges.back().extent) ==
         isUnit(destination.region.ranges.back().extent);
}

CopyChoice scalarChoice(CopyChoice choice, int64_t elementBytes, std::string reason) {
  choice.method = CopyMethod::Scalar;
  choice.vectorBytes = static_cast<int>(elementBytes);
  choice.reason = std::move(reason);
  return choice;
}

} // namespace

CopyChoice selectCopy(const OpStmt &copy, const Function &function, const Target &target) {
  BoundValues bound = boundValuesOf(function);
  Side source{function.buffer(copy.regions[0].buffer), copy.regions[0], bound};
  Side destination{function.buffer(copy.regions[1].buffer), copy.regions[1], bound};
  CopyChoice choice;
  choice.needsGuard = mayLeaveBounds(source) || mayLeaveBounds(destination);
  int64_t elementBytes = destination.buffer.dtype.bytes(1);
  if (!source.inMemory() || !destination.inMemory())
    return scalarChoice(choice, elementBytes, "one side lies in registers");
  if (source.buffer.dtype != destination.buffer.dtype)
    return scalarChoice(choice, elementBytes,
                        llvm::formatv("{0} is converted to {1}", source.buffer.dtype.name(),
                                      destination.buffer.dtype.name()));
  if (!rowsMatch(source, destination))
    return scalarChoice(choice, elementBytes, "rows of one side are columns of the other");
  WidthLimit limit = widthOf(source, destination);
  if (limit.bytes < elementBytes)
    return scalarChoice(choice, elementBytes, limit.reason);
  choice.vectorBytes = static_cast<int>(limit.bytes);
  const char *obstacle = whyNotAsync(source, destination, limit.bytes, copy, target);
  choice.method = obstacle ? CopyMethod::VectorCopy : CopyMethod::CpAsync;
  choice.reason = obstacle ? llvm::formatv("{0}; {1}", limit.reason, obstacle).str() : limit.reason;
  return choice;
}

} // namespace tilescope
