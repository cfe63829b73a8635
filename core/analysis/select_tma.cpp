#include "core/analysis/select_tma.h"

#include "core/analysis/divisor.h"
#include "core/analysis/select_wgmma.h"
#include "core/ir/atomic_attrs.h"
#include "core/ir/build.h"
#include "core/ir/matrix_part.h"
#include "core/ir/op_facts.h"
#include "core/ir/tensor_map_extents.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

constexpr int64_t SwizzledRows = 8;
constexpr int64_t NarrowestSpanBits = 256; // the swizzle of 32 bytes
constexpr int64_t BoxStartBytes = 128;     // where a box that is not swizzled may begin

// One axis, which nothing swizzles: each slot of the buffer must begin where a box may.
std::string whyNotRow(const BufferRegion &region, const Buffer &tile) {
  std::optional<MatrixPart> row = wholeRowOf(region, tile);
  if (!row)
    return llvm::formatv("'{0}' is not moved as a whole, of constant extent", tile.name);
  if (tile.dtype.bits < 8 || tile.dtype.bytes(row->columns) % BoxStartBytes != 0)
    return llvm::formatv("the bytes of '{0}' are no multiple of {1}", tile.name, BoxStartBytes);
  if (tile.layoutPinned && (!tile.layout || tile.layout->kind != LayoutKind::RowMajor))
    return llvm::formatv("the kernel says how '{0}' lies", tile.name);
  return "";
}

// Where the tile begins the kernel does not say.
bool isSwizzledAlike(const Layout *layout, const Layout &wanted) {
  return layout && layout->kind == wanted.kind && layout->spanBytes == wanted.spanBytes;
}

// All rows of some panels, each as wide as the swizzle: those lie one behind the other.
bool isOfPanels(const BufferRegion &region, const Buffer &tile, int64_t rowBits) {
  std::optional<MatrixPart> matrix = matrixPartOf(region, tile);
  int64_t panelBits = 8 * spanOfRow(tile);
  return matrix && rowBits % panelBits == 0 && matrix->firstRow == 0 &&
         matrix->rows == constantValue(tile.shape.take_back(2).front()) &&
         matrix->firstColumn * tile.dtype.bits % panelBits == 0 &&
         matrix->columns * tile.dtype.bits % panelBits == 0;
}

std::string whyNotTile(Context &context, const BufferRegion &region, const Buffer &tile,
                       bool takesPanels) {
  if (tile.scope != Scope::Shared)
    return llvm::formatv("'{0}' is not in dynamic shared memory", tile.name);
  if (tile.shape.size() == 1)
    return whyNotRow(region, tile);
  std::optional<MatrixPart> matrix = matrixPartOf(region, tile);
  int64_t rowBits = matrix ? *constantValue(tile.shape.back()) * tile.dtype.bits : 0;
  if (!wholeMatrixOf(region, tile) && !(takesPanels && isOfPanels(region, tile, rowBits)))
    return llvm::formatv("'{0}' is not moved as a whole, a matrix of constant extents", tile.name);
  if (tile.dtype.bits < 8 || rowBits % NarrowestSpanBits != 0 || matrix->rows % SwizzledRows != 0)
    return llvm::formatv("'{0}' has no whole rows of 32 bytes, eight at a time", tile.name);
  if (tile.layoutPinned && !isSwizzledAlike(tile.layout, *wgmmaOperandLayout(context, tile)))
    return llvm::formatv("the kernel says how '{0}' lies", tile.name);
  return "";
}

// Rows and columns of the tile are an axis of the tensor each, in this order; its one axis is a
// row.
std::string whyNotBox(const BufferRegion &region, const Buffer &tensor, const BufferRegion &tile) {
  llvm::ArrayRef<Range> matrix = tile.ranges.take_back(2); // of one axis: that
  size_t rank = tensor.shape.size();
  if (rank < 2 || rank > static_cast<size_t>(TensorMapMaxRank))
    return llvm::formatv("'{0}' has {1} dimensions, not 2 to {2}", tensor.name, rank,
                         TensorMapMaxRank);
  llvm::SmallVector<std::optional<int64_t>> wide;
  for (const Range &range : region.ranges)
    if (constantValue(range.extent) != 1)
      wide.push_back(constantValue(range.extent));
  bool areRows = wide.size() == matrix.size() && constantValue(region.ranges.back().extent) != 1;
  for (size_t axis = 0; areRows && axis != matrix.size(); ++axis)
    areRows = wide[axis] == constantValue(matrix[axis].extent);
  if (!areRows)
    return llvm::formatv("what it moves of '{0}' are no rows of its last axis", tensor.name);
  return "";
}

std::string whyNotStrides(const Buffer &tensor) {
  if (tensor.layout && tensor.layout->kind != LayoutKind::RowMajor)
    return llvm::formatv("'{0}' does not lie row by row", tensor.name);
  if (!tensor.strides.empty() && constantValue(tensor.strides.back()) != 1)
    return llvm::formatv("elements of a row of '{0}' do not lie side by side", tensor.name);
  int64_t elements = TensorMapStrideBytes / tensor.dtype.bytes(1);
  // Row major, all strides are multiples of the row.
  llvm::SmallVector<const Expr *> strides(tensor.strides.empty() ? tensor.shape.take_back()
                                                                 : tensor.strides.drop_back());
  for (const Expr *stride : strides) {
    if (knownDivisor(stride) % std::max<int64_t>(elements, 1) == 0)
      continue;
    if (std::optional<int64_t> known = constantValue(stride))
      return llvm::formatv("the stride of '{0}', {1} bytes, is no multiple of {2}", tensor.name,
                           tensor.dtype.bytes(*known), TensorMapStrideBytes);
    return llvm::formatv("the stride of '{0}' may be no multiple of {1} bytes", tensor.name,
                         TensorMapStrideBytes);
  }
  if (std::optional<std::string> refusal = refusalOfTensor(knownTensorMap(tensor)))
    return llvm::formatv("'{0}' has no map: {1}", tensor.name, *refusal);
  return "";
}

// Code that follows pointers into it knows of no swizzle.
bool isOfForeignCode(const Function &function, BufferId tile) {
  bool found = false;
  walk(function.body, [&](const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    found |= op && op->opInfo().isForeign &&
             llvm::any_of(op->regions,
                          [&](const BufferRegion &region) { return region.buffer == tile; });
    return !found;
  });
  return found;
}

// Whether a statement accesses the tensor so. What threads do is no order for the other proxy.
bool isAccessed(Context &context, const Function &function, BufferId tensor,
                llvm::function_ref<bool(const Stmt *, const BufferAccess &)> counts) {
  bool found = false;
  walk(function.body, [&](const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(context, stmt))
      found |= access.buffer == tensor && counts(stmt, access);
    return !found;
  });
  return found;
}

// Whatever the direction of the move. Where the kernel itself asks for TMA, parts of a tile are
// moved, too.
std::string whyNotMoved(Context &context, const Function &function, const Target &target,
                        const BufferRegion &inTensor, const BufferRegion &inTile,
                        bool takesPanels) {
  if (!target.hasTma())
    return llvm::formatv("{0} has none", target.name);
  const Buffer &tensor = function.buffer(inTensor.buffer);
  const Buffer &tile = function.buffer(inTile.buffer);
  if (tensor.scope != Scope::Global || tensor.dtype != tile.dtype)
    return "it does not go between a tensor and a tile of its type";
  if (std::string reason = whyNotTile(context, inTile, tile, takesPanels); !reason.empty())
    return reason;
  if (std::string reason = whyNotBox(inTensor, tensor, inTile); !reason.empty())
    return reason;
  if (std::string reason = whyNotStrides(tensor); !reason.empty())
    return reason;
  if (isOfForeignCode(function, tile.id))
    return llvm::formatv("'{0}' is given to code that the kernel calls", tile.name);
  return "";
}

bool asksFor(const OpStmt &copy, CopyInstruction instruction) {
  return copy.opInfo().has(Attr::Prefer) &&
         copy.attr(Attr::Prefer) == static_cast<int64_t>(instruction);
}

bool asksForAnother(const OpStmt &copy) {
  return asksFor(copy, CopyInstruction::CpAsync) || asksFor(copy, CopyInstruction::Synchronous);
}

} // namespace

std::string whyNotByTma(Context &context, const Function &function, const Target &target,
                        const OpStmt &copy) {
  const bool isAsked = !copy.opInfo().has(Attr::Prefer);
  std::string reason =
      whyNotMoved(context, function, target, copy.regions[0], copy.regions[1], isAsked);
  if (!reason.empty())
    return reason;
  if (asksForAnother(copy))
    return "the kernel asks for another instruction";
  auto isWrite = [](const Stmt *, const BufferAccess &access) {
    return access.effect != Effect::Read;
  };
  BufferId tensor = copy.regions[0].buffer;
  if (isAccessed(context, function, tensor, isWrite))
    return llvm::formatv("'{0}' is written, too", function.buffer(tensor).name);
  return "";
}

std::string whyNotStoredByTma(Context &context, const Function &function, const Target &target,
                              const OpStmt &copy) {
  std::string reason = whyNotMoved(context, function, target, copy.regions[1], copy.regions[0],
                                   /*takesPanels=*/false);
  if (!reason.empty())
    return reason;
  if (const Buffer &tile = function.buffer(copy.regions[0].buffer); tile.shape.size() == 1)
    return llvm::formatv("'{0}' has one axis", tile.name);
  if (asksForAnother(copy))
    return "the kernel asks for another instruction";
  auto isOther = [&](const Stmt *stmt, const BufferAccess &) { return stmt->id() != copy.id(); };
  BufferId tensor = copy.regions[1].buffer;
  if (isAccessed(context, function, tensor, isOther))
    return llvm::formatv("'{0}' is accessed elsewhere, too", function.buffer(tensor).name);
  return "";
}

// Others of the tensor must go the same way: what goes through two proxies at once is no one step.
std::string whyNotReducedByTma(Context &context, const Function &function, const Target &target,
                               const OpStmt &atomic) {
  const BufferRegion &inTensor = atomic.regions[0];
  const Buffer &tensor = function.buffer(inTensor.buffer);
  int64_t kind = atomic.attr(Attr::Kind);
  std::string reason = whyNotMoved(context, function, target, inTensor, atomic.regions[1],
                                   /*takesPanels=*/false);
  if (!reason.empty())
    return reason;
  if (const Buffer &tile = function.buffer(atomic.regions[1].buffer); tile.shape.size() == 1)
    return llvm::formatv("'{0}' has one axis", tile.name);
  if (std::optional<std::string> refusal = refusalOfReduction(atomicKindOf(kind), tensor.dtype))
    return *refusal;
  if (static_cast<MemoryOrder>(atomic.attr(Attr::Order)) != MemoryOrder::Relaxed)
    return "the kernel orders other accesses by it";
  auto isOther = [&](const Stmt *stmt, const BufferAccess &access) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    return !access.isAtomic() || !op || !isReducedByTma(*op) || op->attr(Attr::Kind) != kind;
  };
  if (isAccessed(context, function, tensor.id, isOther))
    return llvm::formatv("'{0}' is accessed elsewhere, too", tensor.name);
  return "";
}

bool isReducedByTma(const OpStmt &op) {
  return op.opInfo().has(Attr::UseTma) && op.attr(Attr::UseTma) != 0;
}

bool isStoredByTma(const OpStmt &op) { return asksFor(op, CopyInstruction::Tma); }

TmaBoxes tmaBoxesOf(const Buffer &tile) {
  if (tile.shape.size() == 1) {
    int64_t elements = *constantValue(tile.shape.front());
    int64_t width = std::min(elements, TensorMapMaxBox);
    while (elements % width != 0 || tile.dtype.bytes(width) % BoxStartBytes != 0)
      --width;
    return {1, width};
  }
  int64_t rows = *constantValue(tile.shape.take_back(2).front());
  int64_t height = std::min(rows, TensorMapMaxBox);
  while (rows % height != 0 || height % SwizzledRows != 0)
    --height;
  return {height, tile.layout->spanBytes * 8 / tile.dtype.bits};
}

} // namespace tilescope
