#include "core/exec/wgmma_product.h"

#include "core/exec/exchange.h"
#include "core/exec/numbers.h"
#include "core/ir/build.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tilescope {

namespace {

constexpr int64_t RowsOfGroup = 64;
constexpr int64_t RowsOfWarp = 16;
constexpr uint32_t WarpsOfGroup = 4;
constexpr int64_t RowsOfPattern = 8;
constexpr int64_t DepthBits = 256;

// Of integers, or of floats as they are.
double operandOf(DType dtype, Number number) {
  return dtype.isInteger() ? static_cast<double>(number.i)
                           : static_cast<double>(static_cast<float>(number.f));
}

// One product of a warp: 16 rows.
class WarpProduct {
public:
  // `warp`: of the warp group.
  WarpProduct(const OpStmt &op, const Buffer &a, DType sums, uint32_t warp)
      : transposesA_(op.attr(Attr::TransposeA) != 0), transposesB_(op.attr(Attr::TransposeB) != 0),
        isFromRegisters_(!isMemory(a.scope)), sums_(sums), warp_(warp),
        depth_(DepthBits / a.dtype.bits), word_(32 / a.dtype.bits),
        columns_(2 * constantValue(op.regions[2].ranges.back().extent).value_or(0)) {}

  int64_t sumsOfLane() const { return columns_ / 2; }

  // `loadA`, `loadB`: an element of the operand's box, by its number there and a lane of the warp;
  // of registers, that lane's.
  template <typename Load> void read(Load loadA, Load loadB) {
    left_.resize(static_cast<size_t>(RowsOfWarp * depth_));
    right_.resize(static_cast<size_t>(columns_ * depth_));
    for (int64_t k = 0; k != depth_; ++k) {
      for (int64_t row = 0; row != RowsOfWarp; ++row) {
        auto [lane, element] = placeOfA(row, k);
        left_[static_cast<size_t>(row * depth_ + k)] = loadA(lane, element);
      }
      for (int64_t n = 0; n != columns_; ++n) {
        int64_t element = transposesB_ ? n * depth_ + k : k * columns_ + n;
        right_[static_cast<size_t>(n * depth_ + k)] = loadB(static_cast<uint32_t>(n % 32), element);
      }
    }
  }

  // Register `element` of a lane: row l / 4 + 8 * (i / 2 % 2), column 8 * (i / 4) + 2 * (l % 4) + i
  // % 2. PTX ISA, "Register fragments for wgmma.mma_async.m64nNk16".
  Number add(Number sum, uint32_t lane, int64_t element) const {
    int64_t row = lane / 4 + 8 * (element / 2 % 2);
    int64_t column = 8 * (element / 4) + 2 * int64_t{lane % 4} + element % 2;
    const double *left = &left_[static_cast<size_t>(row * depth_)];
    const double *right = &right_[static_cast<size_t>(column * depth_)];
    if (sums_.isInteger()) {
      for (int64_t k = 0; k != depth_; ++k)
        sum.i += static_cast<int64_t>(left[k] * right[k]);
      return {.i = wrapTo(sums_, sum.i)};
    }
    auto total = static_cast<float>(sum.f);
    for (int64_t k = 0; k != depth_; ++k)
      total += static_cast<float>(left[k]) * static_cast<float>(right[k]);
    return {.f = roundTo(sums_, total)};
  }

private:
  // In registers, of which a word holds w: register j of a lane has row l / 4 + 8 * (j / w % 2), k
  // w * (l % 4) + j % w + 4 * w * (j / (2 * w)).
  std::pair<uint32_t, int64_t> placeOfA(int64_t row, int64_t k) const {
    if (isFromRegisters_)
      return {static_cast<uint32_t>(row % 8 * 4 + k % (4 * word_) / word_),
              k % word_ + row / 8 * word_ + k / (4 * word_) * 2 * word_};
    int64_t m = warp_ * RowsOfWarp + row;
    return {static_cast<uint32_t>(row), transposesA_ ? k * RowsOfGroup + m : m * depth_ + k};
  }

  bool transposesA_, transposesB_, isFromRegisters_;
  DType sums_;
  int64_t warp_, depth_, word_, columns_;
  std::vector<double> left_, right_; // right by column
};

// Where the hardware would read other bytes than those of the elements that are named: its
// addresses count from the first, and it knows of no more than the pattern.
bool startsPattern(const LaneRegion &tile, uint32_t lane, bool kIsRow) {
  size_t last = tile.min.size() - 1;
  int64_t bits = tile.min[last][lane].i * tile.buffer->dtype.bits;
  int64_t step = kIsRow ? tile.buffer->layout->spanBytes * 8 : DepthBits;
  return tile.min[last - 1][lane].i % RowsOfPattern == 0 && bits % step == 0;
}

void checkStart(ThreadGroup &group, const LaneRegion &tile, Lanes lanes, bool kIsRow) {
  if (tile.registers)
    return;
  auto other =
      llvm::find_if(lanes, [&](uint32_t lane) { return !startsPattern(tile, lane, kIsRow); });
  if (other == lanes.end())
    return;
  llvm::SmallVector<int64_t> start;
  for (const LaneValues &min : tile.min)
    start.push_back(min[*other].i);
  group.find(FindingKind::Misaligned, *other, tile.buffer->name, indexText(start));
}

bool isSameRun(const LaneRegion &a, const LaneRegion &b, uint32_t lane) {
  return a.registers == b.registers && a.min.back()[lane].i == b.min.back()[lane].i &&
         a.extent == b.extent;
}

} // namespace

WgmmasInFlight::Warp &WgmmasInFlight::warpOf(const ThreadGroup &group, uint32_t lane) {
  return warps_[(group.first_ + lane) / LanesOfWarp];
}

// Operands are read from here on, until the product is waited for. Of one in shared memory the
// first and the last element stand for all: copies fill whole boxes.
void WgmmasInFlight::beginReading(ThreadGroup &group, const LaneRegion &operand,
                                  uint32_t firstLane) {
  if (operand.registers) {
    for (uint32_t lane = firstLane; lane != firstLane + LanesOfWarp; ++lane)
      for (int64_t element = 0; element != operand.size(); ++element)
        group.load(operand, lane, element);
    return;
  }
  for (int64_t element : {int64_t{0}, operand.size() - 1}) {
    ElementPlace place = group.placeOf(operand, firstLane, element);
    SharedMemory &shared = group.block_.shared;
    if (std::optional<size_t> bit = shared.bitOf(place.buffer.id, place.slot, place.coordinates))
      group.report(shared.shadow().read(SharedMemory::bytesOf(*bit, place.buffer.dtype.bits),
                                        group.actorOf(firstLane, place.buffer.id)),
                   place);
  }
}

void WgmmasInFlight::start(ThreadGroup &group, const OpStmt &op, Lanes lanes) {
  if (!requireFullWarps(group, lanes))
    return;
  StartedWgmma product{.op = &op,
                       .a = group.evaluate(op.regions[0], lanes),
                       .b = group.evaluate(op.regions[1], lanes),
                       .c = group.evaluate(op.regions[2], lanes),
                       .begun = group.actorOf(lanes.front(), BufferId()).now};
  LaneValues clears;
  if (op.args[0])
    clears = group.evaluateIndex(op.args[0], lanes);
  llvm::SaveAndRestore user(group.registerUser_, RegisterUser::Products);
  checkStart(group, product.a, lanes, op.attr(Attr::TransposeA) != 0);
  checkStart(group, product.b, lanes, op.attr(Attr::TransposeB) == 0);
  for (uint32_t first : lanes) {
    if (first % LanesOfWarp != 0)
      continue;
    Warp &warp = warpOf(group, first);
    beginReading(group, product.a, first);
    beginReading(group, product.b, first);
    product.group = warp.commits;
    product.sums.clear();
    product.clears = !clears.empty() && clears[first].i != 0;
    bool isFirst = llvm::none_of(warp.products, [&](const StartedWgmma &other) {
      return isSameRun(other.c, product.c, first);
    });
    for (uint32_t lane = first; isFirst && lane != first + LanesOfWarp; ++lane)
      for (int64_t element = 0; element != product.c.size(); ++element) {
        product.sums.push_back(product.clears ? Number{} : group.load(product.c, lane, element));
        group.leaveUndefined(product.c, lane, element);
      }
    warp.products.push_back(product);
  }
}

void WgmmasInFlight::finishFirst(ThreadGroup &group, uint32_t firstLane, Warp &warp) {
  StartedWgmma product = std::move(warp.products.front());
  warp.products.pop_front();
  group.setStatement(*product.op);
  uint32_t number = (group.first_ + firstLane) / LanesOfWarp % WarpsOfGroup;
  WarpProduct of(*product.op, *product.a.buffer, product.c.buffer->dtype, number);
  llvm::SaveAndRestore user(group.registerUser_, RegisterUser::Products);
  llvm::SaveAndRestore proxy(group.asyncSince_);
  if (group.block().launch.hasBarriers)
    group.asyncSince_ = product.begun;
  auto load = [&](const LaneRegion &tile) {
    return [&group, &tile, firstLane](uint32_t lane, int64_t element) {
      return operandOf(tile.buffer->dtype, group.load(tile, firstLane + lane, element));
    };
  };
  of.read(load(product.a), load(product.b));
  int64_t count = of.sumsOfLane();
  for (auto [number, sum] : llvm::enumerate(product.sums)) {
    auto at = static_cast<int64_t>(number);
    sum = of.add(sum, static_cast<uint32_t>(at / count), at % count);
  }
  for (StartedWgmma &next : warp.products)
    if (isSameRun(next.c, product.c, firstLane)) {
      next.sums = next.clears ? std::vector<Number>(product.sums.size(), Number{})
                              : std::move(product.sums);
      return;
    }
  for (auto [number, sum] : llvm::enumerate(product.sums)) {
    auto at = static_cast<int64_t>(number);
    group.store(product.c, firstLane + static_cast<uint32_t>(at / count), at % count, sum);
  }
}

void WgmmasInFlight::commit(ThreadGroup &group, Lanes lanes) {
  for (uint32_t first : lanes)
    if (first % LanesOfWarp == 0)
      ++warpOf(group, first).commits;
}

void WgmmasInFlight::wait(ThreadGroup &group, Lanes lanes, int64_t pending) {
  for (uint32_t first : lanes) {
    if (first % LanesOfWarp != 0)
      continue;
    Warp &warp = warpOf(group, first);
    while (!warp.products.empty() && warp.products.front().group < warp.commits - pending)
      finishFirst(group, first, warp);
  }
}

void WgmmasInFlight::findLeft(ThreadGroup &group) const {
  for (const auto &[number, warp] : warps_) {
    uint32_t first = number * LanesOfWarp;
    if (first < group.first_ || first >= group.first_ + group.count_)
      continue;
    for (const StartedWgmma &product : warp.products) {
      group.setStatement(*product.op);
      llvm::StringRef sums = product.c.buffer->name;
      group.find(FindingKind::ProductInFlight, first - group.first_, sums);
    }
  }
}

void multiplyOfWarpGroup(const OpStmt &op, BlockFrame &frame) {
  forEachWarp(op, frame, [&](WarpRegisters &warp) {
    auto number = static_cast<uint32_t>(warp.firstThread() / LanesOfWarp % WarpsOfGroup);
    const Buffer &a = frame.function().buffer(op.regions[0].buffer);
    WarpProduct product(op, a, warp.dtype(2), number);
    bool clears = op.args[0] && frame.evaluateInt(op.args[0]) != 0;
    auto load = [&](size_t operand) {
      return [&warp, operand](uint32_t lane, int64_t element) {
        return operandOf(warp.dtype(operand), warp.load(operand, lane, element));
      };
    };
    product.read(load(0), load(1));
    for (uint32_t lane = 0; lane != LanesOfWarp; ++lane)
      for (int64_t element = 0; element != product.sumsOfLane(); ++element) {
        Number old = clears ? Number{} : warp.load(2, lane, element);
        warp.store(2, lane, element, product.add(old, lane, element));
      }
  });
}

} // namespace tilescope
