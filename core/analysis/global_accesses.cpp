#include "core/analysis/global_accesses.h"

#include "core/access/sector_counts.h"
#include "core/analysis/warp_lanes.h"
#include "core/ir/op_facts.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace tilescope {

namespace {

// Rows of whole bytes, one behind the other.
bool liesInRows(const Buffer &buffer) {
  return !buffer.layout && buffer.strides.empty() && buffer.dtype.bits % 8 == 0;
}

class SectorCounter {
public:
  // `fixesLoops`: one iteration stands for all, where what loops add is a multiple of a line.
  SectorCounter(const StmtPlaces &places, const Stmt *stmt, const Buffer &buffer,
                const BufferAccess &access, bool fixesLoops)
      : walk_(places, stmt), buffer_(buffer), access_(access) {
    if (fixesLoops)
      walk_.fixAround(stmt);
    if (const Expr *predicate = accessPredicate(*stmt, buffer, access.effect))
      walk_.addCondition(predicate);
  }

  // Whether all is known.
  bool run(GlobalAccess &found) {
    std::optional<llvm::SmallVector<int64_t>> shape = constantShape(buffer_);
    if (!shape || !walk_.launch() || !liesInRows(buffer_))
      return false;
    shape_ = *shape;
    walk_.need(access_.ranges);
    bool isKnown = walk_.run([&](const Lanes &active) { return visit(active, found); });
    if (!isKnown) {
      found.sectors = found.least = found.lines = 0;
      found.warps.clear();
    } else if (!areLinesKnown_) {
      found.lines = 0;
    }
    return isKnown && areLinesKnown_;
  }

private:
  bool visit(const Lanes &active, GlobalAccess &found) {
    llvm::SmallVector<LaneIndex> indices;
    int64_t elementBytes = buffer_.dtype.bits / 8;
    int64_t shiftBytes = 0; // what all lanes add is a multiple of it
    for (auto [dim, range] : llvm::enumerate(access_.ranges)) {
      indices.push_back(walk_.indexOf(range.min));
      const LaneIndex &index = indices.back();
      if (index.first.empty() || index.period != 0)
        return false;
      found.isShifted |= !index.fixed.empty();
      int64_t stride = std::accumulate(shape_.begin() + static_cast<ptrdiff_t>(dim) + 1,
                                       shape_.end(), elementBytes, std::multiplies<>());
      int64_t step = 0;
      if (__builtin_mul_overflow(periodOf(index.fixed), stride, &step))
        return false;
      shiftBytes = std::gcd(shiftBytes, step);
    }
    if (shiftBytes % SectorBytes != 0)
      return false;
    areLinesKnown_ &= shiftBytes % LineBytes == 0;
    found.warps.resize(warpsOf(*walk_.launch()));
    most_.resize(found.warps.size());
    for (size_t warp = 0; warp != found.warps.size(); ++warp)
      visitWarp(indices, active, warp, found);
    return walk_.spend(4 * walk_.launch()->threads);
  }

  void visitWarp(llvm::ArrayRef<LaneIndex> indices, const Lanes &active, size_t warp,
                 GlobalAccess &found) {
    auto first = static_cast<int64_t>(warp) * WarpLanes;
    int64_t end = std::min(walk_.launch()->threads, first + WarpLanes);
    std::vector<std::optional<int64_t>> elements =
        elementsAt(shape_, lanePlaces(indices, active, first, end));
    std::vector<std::optional<int64_t>> bytes = elements;
    for (std::optional<int64_t> &byte : bytes)
      if (byte)
        *byte *= buffer_.dtype.bits / 8;
    SectorCounts counted = sectorCountsOf(bytes, found.bytes);
    if (counted.sectors > found.sectors) {
      found.sectors = counted.sectors;
      found.least = counted.least;
      found.lines = counted.lines;
    }
    if (counted.sectors > most_[warp]) {
      most_[warp] = counted.sectors;
      found.warps[warp] = std::move(elements);
    }
  }

  LaneWalk walk_;
  const Buffer &buffer_;
  const BufferAccess &access_;
  llvm::SmallVector<int64_t> shape_;
  bool areLinesKnown_ = true;
  std::vector<int64_t> most_; // sectors, by warp
};

bool isAlike(const GlobalAccess &a, const GlobalAccess &b) {
  return isSameAccess(a, b) && a.sectors == b.sectors && a.least == b.least && a.lines == b.lines;
}

} // namespace

std::vector<GlobalAccess> computeGlobalAccesses(Context &context, const Function &function) {
  const StmtPlaces &places = computeStmtPlaces(context, function);
  std::vector<GlobalAccess> found;
  auto isWanted = [&](BufferId id) { return places.isGlobal(id); };
  auto count = [&](const BufferAccess &access, const WarpAccess &of) {
    GlobalAccess made{of};
    if (made.bytes > 0 && made.bytes <= WidestLaneBytes) {
      const Buffer &buffer = function.buffer(of.buffer);
      GlobalAccess ofOne = made;
      if (SectorCounter(places, of.stmt, buffer, access, /*fixesLoops=*/true).run(ofOne))
        made = std::move(ofOne);
      else
        SectorCounter(places, of.stmt, buffer, access, /*fixesLoops=*/false).run(made);
    }
    if (llvm::none_of(found, [&](const GlobalAccess &one) { return isAlike(one, made); }))
      found.push_back(std::move(made));
  };
  forEachWarpAccess(context, function, isWanted, count);
  return found;
}

} // namespace tilescope
