#include "core/exec/exchange.h"
#include "core/exec/numbers.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace tilescope {

namespace {

constexpr int64_t Rows = 16;
constexpr int64_t Columns = 8;

// Where an element of a fragment lies: e elements fill the 32 bits of a register; of 64 bits a
// register holds one. With group
// g = lane / 4 and t = lane % 4 register r of lane holds
//
//   a    row g + 8 * (r % 2), columns t * e + 4 * e * (r / 2) and e - 1 more
//   b    rows t * e + 4 * e * r and e - 1 more, column g
//   c    row g + 8 * (element / 2), column 2 * t + element % 2
//
// PTX ISA, "Matrix fragments for mma.m16n8k*".
struct Place {
  int64_t row = 0;
  int64_t column = 0;
};

Place placeOfA(int64_t lane, int64_t element, int64_t packed) {
  int64_t reg = element / packed;
  return {lane / 4 + 8 * (reg % 2), lane % 4 * packed + 4 * packed * (reg / 2) + element % packed};
}

Place placeOfB(int64_t lane, int64_t element, int64_t packed) {
  int64_t reg = element / packed;
  return {lane % 4 * packed + 4 * packed * reg + element % packed, lane / 4};
}

Place placeOfC(int64_t lane, int64_t element) {
  return {lane / 4 + 8 * (element / 2), 2 * (lane % 4) + element % 2};
}

// Operands of a lane of a group of threads in step, as those of WarpRegisters.
class GroupRegisters {
public:
  GroupRegisters(const OpStmt &op, ThreadGroup &group, Lanes lanes) : group_(group) {
    for (const BufferRegion &region : op.regions)
      regions_.push_back(group.evaluate(region, lanes));
  }

  void startWarp(uint32_t firstLane) { first_ = firstLane; }
  DType dtype(size_t operand) const { return regions_[operand].buffer->dtype; }
  int64_t size(size_t operand) const { return regions_[operand].size(); }
  Number load(size_t operand, uint32_t lane, int64_t element) {
    return group_.load(regions_[operand], first_ + lane, element);
  }
  void store(size_t operand, uint32_t lane, int64_t element, Number value) {
    group_.store(regions_[operand], first_ + lane, element, value);
  }

private:
  ThreadGroup &group_;
  llvm::SmallVector<LaneRegion, 3> regions_;
  uint32_t first_ = 0;
};

// Of one warp. Floats, or exact sums of integers.
template <typename Element, typename Registers> class Product {
public:
  Product(const OpStmt &op, Registers &registers)
      : registers_(registers), k_(op.attr(Attr::K)),
        packed_(std::max<int64_t>(32 / registers.dtype(A).bits, 1)) {}

  void run() {
    readOperands();
    forEach(C, [&](uint32_t lane, int64_t element) {
      auto [row, column] = placeOfC(lane, element);
      Element sum = valueOf(C, lane, element);
      for (int64_t k = 0; k != k_; ++k)
        sum +=
            left_[static_cast<size_t>(row * k_ + k)] * right_[static_cast<size_t>(column * k_ + k)];
      registers_.store(C, lane, element, numberOf(sum));
    });
  }

private:
  enum Operand : uint8_t { A, B, C };

  template <typename Visit> void forEach(Operand operand, Visit visit) {
    for (uint32_t lane = 0; lane != LanesOfWarp; ++lane)
      for (int64_t element = 0; element != registers_.size(operand); ++element)
        visit(lane, element);
  }

  void readOperands() {
    left_.assign(static_cast<size_t>(Rows * k_), 0);
    right_.assign(static_cast<size_t>(Columns * k_), 0);
    forEach(A, [&](uint32_t lane, int64_t element) {
      auto [row, k] = placeOfA(lane, element, packed_);
      left_[static_cast<size_t>(row * k_ + k)] = operandOf(A, lane, element);
    });
    forEach(B, [&](uint32_t lane, int64_t element) {
      auto [k, column] = placeOfB(lane, element, packed_);
      right_[static_cast<size_t>(column * k_ + k)] = operandOf(B, lane, element);
    });
  }

  Element valueOf(Operand operand, uint32_t lane, int64_t element) {
    Number value = registers_.load(operand, lane, element);
    return registers_.dtype(operand).isFloat() ? static_cast<Element>(value.f)
                                               : static_cast<Element>(value.i);
  }

  // The tensor core drops what TF32 has no bits for.
  Element operandOf(Operand operand, uint32_t lane, int64_t element) {
    Element value = valueOf(operand, lane, element);
    if constexpr (std::is_same_v<Element, float>)
      if (registers_.dtype(operand).bits == 32)
        return truncateToTf32(value);
    return value;
  }

  Number numberOf(Element sum) const {
    return registers_.dtype(C).isFloat() ? Number{.f = static_cast<double>(sum)}
                                         : Number{.i = static_cast<int64_t>(sum)};
  }

  Registers &registers_;
  int64_t k_, packed_;
  std::vector<Element> left_, right_; // right by column
};

// Sums in order of k, as the tile operation has them; stored as the accumulator rounds.
template <typename Registers> void multiply(const OpStmt &op, Registers &registers) {
  DType accumulator = registers.dtype(2);
  if (accumulator.isFloat() && accumulator.bits == 64)
    return Product<double, Registers>(op, registers).run();
  if (accumulator.isFloat())
    return Product<float, Registers>(op, registers).run();
  Product<int64_t, Registers>(op, registers).run();
}

} // namespace

void executeMma(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  if (!requireFullWarps(group, lanes))
    return;
  GroupRegisters registers(op, group, lanes);
  for (uint32_t lane : lanes)
    if (lane % LanesOfWarp == 0) {
      registers.startWarp(lane);
      multiply(op, registers);
    }
}

void executeMma(const OpStmt &op, BlockFrame &frame) {
  forEachWarp(op, frame, [&](WarpRegisters &warp) { multiply(op, warp); });
}

} // namespace tilescope
