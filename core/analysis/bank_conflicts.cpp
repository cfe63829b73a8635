#include "core/analysis/bank_conflicts.h"

#include "core/analysis/lane_walk.h"
#include "core/analysis/mma_layouts.h"
#include "core/ir/op_facts.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

#include <array>
#include <set>

namespace tilescope {

namespace {

constexpr int64_t Banks = 32;
constexpr int64_t WordBytes = 4;

// The byte of an element in one version of a buffer; nullopt where the layout
// has no places in memory.
std::optional<int64_t> byteOf(const Buffer &buffer, llvm::ArrayRef<int64_t> shape,
                              llvm::ArrayRef<int64_t> indices) {
  int64_t bits = buffer.dtype.bits;
  const Layout *layout = buffer.layout;
  bool isSwizzled = layout && layout->kind == LayoutKind::Swizzle;
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
    if (!isKnown)
      found.passes = found.least = 0;
  }

private:
  bool visit(const Lanes &active, BankAccess &found) {
    llvm::SmallVector<LaneIndex> indices;
    for (const Range &range : access_.ranges) {
      indices.push_back(walk_.indexOf(range.min));
      const LaneIndex &index = indices.back();
      // What all lanes add only turns the banks, unless it chooses the row of a
      // swizzle.
      bool turns = !buffer_.layout || buffer_.layout->kind == LayoutKind::RowMajor;
      if (index.first.empty() || index.period != 0 || (!index.fixed.empty() && !turns))
        return false;
    }
    int64_t threads = walk_.launch()->threads;
    for (int64_t warp = 0; warp < threads; warp += WarpThreads) {
      std::vector<std::optional<int64_t>> bytes;
      for (int64_t lane = warp; lane < std::min(threads, warp + lanes_); ++lane)
        bytes.push_back(byteOfLane(indices, active, static_cast<size_t>(lane)));
      count(bytes, found);
    }
    return walk_.spend(4 * threads);
  }

  std::optional<int64_t> byteOfLane(llvm::ArrayRef<LaneIndex> indices, const Lanes &active,
                                    size_t lane) const {
    if (laneOf(active, lane) == 0)
      return std::nullopt;
    llvm::SmallVector<int64_t> place;
    for (const LaneIndex &index : indices)
      place.push_back(laneOf(index.first, lane));
    return byteOf(buffer_, shape_, place);
  }

  static void count(llvm::ArrayRef<std::optional<int64_t>> bytes, BankAccess &found) {
    size_t group = static_cast<size_t>(Banks * WordBytes / std::max(found.bytes, WordBytes));
    int64_t passes = 0;
    int64_t least = 0;
    for (size_t begin = 0; begin < bytes.size(); begin += group) {
      int64_t needed =
          passesOf(bytes.slice(begin, std::min(group, bytes.size() - begin)), found.bytes);
      passes += needed;
      least += needed > 0;
    }
    if (passes > found.passes) {
      found.passes = passes;
      found.least = least;
    }
  }

  static int64_t passesOf(llvm::ArrayRef<std::optional<int64_t>> bytes, int64_t width) {
    std::array<std::set<int64_t>, Banks> words;
    int64_t most = 0;
    for (const std::optional<int64_t> &byte : bytes)
      for (int64_t word = byte.value_or(0) / WordBytes;
           byte && word <= (*byte + width - 1) / WordBytes; ++word) {
        std::set<int64_t> &ofBank = words[static_cast<size_t>(((word % Banks) + Banks) % Banks)];
        ofBank.insert(word);
        most = std::max(most, static_cast<int64_t>(ofBank.size()));
      }
    return most;
  }

  LaneWalk walk_;
  const Buffer &buffer_;
  const BufferAccess &access_;
  llvm::SmallVector<int64_t> shape_;
  int64_t lanes_ = WarpThreads;
};

// Lanes of a warp that give addresses: where all 32 get fewer bytes than these
// point at, the first.
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

} // namespace

std::vector<BankAccess> computeBankAccesses(Context &context, const Function &function) {
  const StmtPlaces &places = computeStmtPlaces(context, function);
  std::vector<BankAccess> found;
  walk(function.body, [&](const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    if (llvm::isa<Parallel>(stmt) || (op && scopeOf(*op) == OpScope::Block))
      return false;
    for (const BufferAccess &access : accessesOf(context, stmt)) {
      const Buffer &buffer = function.buffer(access.buffer);
      if (!isShared(buffer.scope) || access.ranges.empty())
        continue;
      BankAccess made{stmt, buffer.id, access.effect != Effect::Read, 0, 0, 0};
      int64_t elements = constantValue(access.ranges.back().extent).value_or(0);
      made.bytes = elements * buffer.dtype.bits / 8;
      if (made.bytes > 0 && made.bytes <= 16)
        AccessCounter(places, *stmt, buffer, access)
            .run(lanesWithAddresses(function, *stmt, made.bytes), made);
      if (!llvm::is_contained(found, made))
        found.push_back(made);
    }
    return true;
  });
  return found;
}

} // namespace tilescope
