#include "core/analysis/bank_conflicts.h"

#include "core/access/bank_passes.h"
#include "core/analysis/mma_layouts.h"
#include "core/analysis/warp_lanes.h"
#include "core/ir/op_facts.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// The byte of an element in one version of a buffer; nullopt where the layout has no places in
// memory.
std::optional<int64_t> byteOf(const Buffer &buffer, llvm::ArrayRef<int64_t> shape,
                              llvm::ArrayRef<int64_t> indices) {
  int64_t bits = buffer.dtype.bits;
  const Layout *layout = buffer.layout;
  bool isSwizzled = layout && layout->kind == LayoutKind::Swizzle;
  if (layout && layout->kind == LayoutKind::Permuted)
    return placeOf(*layout, indices).reg * bits / 8;
  if (layout && !isSwizzled && layout->kind != LayoutKind::RowMajor)
    return std::nullopt;
  size_t last = shape.size() - 1;
  int64_t pitch = shape[last] + (layout && !isSwizzled ? layout->padElements : 0);
  if (!isSwizzled || shape.size() < 2) {
    int64_t row = 0;
    for (size_t dim = 0; dim < last; ++dim)
      row = row * shape[dim] + indices[dim];
    return (row * pitch + indices[last]) * bits / 8;
  }
  int64_t tile = 0;
  for (size_t dim = 0; dim + 1 < last; ++dim)
    tile = tile * shape[dim] + indices[dim];
  int64_t rows = shape[last - 1];
  int64_t row = indices[last - 1];
  int64_t span = layout->spanBytes;
  int64_t bytes = indices[last] * bits / 8;
  int64_t chunks = span / 16;
  int64_t chunk = (bytes % span / 16) ^ (row / (8 / chunks) % chunks);
  int64_t panels = (pitch * bits / 8 + span - 1) / span;
  return tile * rows * panels * span + (bytes / span * rows + row) * span + chunk * 16 + bytes % 16;
}

class AccessCounter {
public:
  AccessCounter(const StmtPlaces &places, const Stmt &stmt, const Buffer &buffer,
                const BufferAccess &access)
      : walk_(places, &stmt), buffer_(buffer), access_(access) {}

  // `lanes` of a warp give addresses.
  void run(int64_t lanes, BankAccess &found) {
    std::optional<llvm::SmallVector<int64_t>> shape = constantShape(buffer_);
    if (!shape || !walk_.launch() || found.bytes == 0)
      return;
    shape_ = *shape;
    lanes_ = lanes;
    walk_.need(access_.ranges);
    bool isKnown = walk_.run([&](const Lanes &active) { return visit(active, found); });
    if (!isKnown) {
      found.passes = found.least = 0;
      found.warps.clear();
    }
  }

private:
  bool visit(const Lanes &active, BankAccess &found) {
    llvm::SmallVector<LaneIndex> indices;
    for (const Range &range : access_.ranges) {
      indices.push_back(walk_.indexOf(range.min));
      const LaneIndex &index = indices.back();
      // What all lanes add only turns the banks, unless it chooses the row of a swizzle.
      bool turns = !buffer_.layout || buffer_.layout->kind == LayoutKind::RowMajor;
      if (index.first.empty() || index.period != 0 || (!index.fixed.empty() && !turns))
        return false;
      found.isShifted |= !index.fixed.empty();
    }
    found.warps.resize(warpsOf(*walk_.launch()));
    most_.resize(found.warps.size());
    for (size_t warp = 0; warp != found.warps.size(); ++warp)
      visitWarp(indices, active, warp, found);
    return walk_.spend(4 * walk_.launch()->threads);
  }

  void visitWarp(llvm::ArrayRef<LaneIndex> indices, const Lanes &active, size_t warp,
                 BankAccess &found) {
    auto first = static_cast<int64_t>(warp) * WarpThreads;
    int64_t end = std::min(walk_.launch()->threads, first + lanes_);
    LanePlaces places = lanePlaces(indices, active, first, end);
    std::vector<std::optional<int64_t>> bytes;
    bytes.reserve(places.size());
    for (const std::optional<LanePlace> &place : places)
      bytes.push_back(place ? byteOf(buffer_, shape_, *place) : std::nullopt);
    BankPasses counted = bankPassesOf(bytes, found.bytes);
    if (counted.passes > found.passes) {
      found.passes = counted.passes;
      found.least = counted.least;
    }
    if (counted.passes > most_[warp]) {
      most_[warp] = counted.passes;
      found.warps[warp] = elementsAt(shape_, places);
    }
  }

  LaneWalk walk_;
  const Buffer &buffer_;
  const BufferAccess &access_;
  llvm::SmallVector<int64_t> shape_;
  int64_t lanes_ = WarpThreads;
  std::vector<int64_t> most_; // passes, by warp
};

// Lanes of a warp that give addresses: where all 32 get fewer bytes than these point at, the first.
int64_t lanesWithAddresses(const Function &function, const Stmt &stmt, int64_t bytes) {
  const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
  if (!op || scopeOf(*op) != OpScope::Warp)
    return WarpThreads;
  for (const BufferRegion &region : op->regions) {
    const Buffer &buffer = function.buffer(region.buffer);
    std::optional<int64_t> elements = constantValue(region.ranges.back().extent);
    if (buffer.scope == Scope::Local && elements)
      return std::min(WarpThreads, WarpThreads * *elements * buffer.dtype.bits / 8 / bytes);
  }
  return WarpThreads;
}

// Whether they cost the same, wherever their lanes are.
bool isAlike(const BankAccess &a, const BankAccess &b) {
  return isSameAccess(a, b) && a.passes == b.passes && a.least == b.least;
}

} // namespace

std::vector<BankAccess> computeBankAccesses(Context &context, const Function &function) {
  const StmtPlaces &places = computeStmtPlaces(context, function);
  std::vector<BankAccess> found;
  auto isWanted = [&](BufferId id) { return isShared(function.buffer(id).scope); };
  auto count = [&](const BufferAccess &access, const WarpAccess &of) {
    BankAccess made{of};
    if (made.bytes > 0 && made.bytes <= WidestLaneBytes)
      AccessCounter(places, *of.stmt, function.buffer(of.buffer), access)
          .run(lanesWithAddresses(function, *of.stmt, made.bytes), made);
    if (llvm::none_of(found, [&](const BankAccess &one) { return isAlike(one, made); }))
      found.push_back(std::move(made));
  };
  forEachWarpAccess(context, function, isWanted, count);
  return found;
}

} // namespace tilescope
