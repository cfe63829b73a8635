// What a warp computes with mma.sync: the matrices that the registers of its lanes are parts of.
#pragma once

#include "core/exec/exchange.h"
#include "core/exec/numbers.h"

#include "llvm/ADT/STLExtras.h"

#include <optional>

namespace tilescope {

constexpr int64_t RowsOfMma = 16;
constexpr int64_t ColumnsOfMma = 8;

// Where an element of a fragment lies: e elements fill the 32 bits of a register; of 64 bits a
// register holds one. With group
// g = lane / 4 and t = lane % 4 register r of lane holds
//
//   a    row g + 8 * (r % 2), columns t * e + 4 * e * (r / 2) and e - 1 more
//   b    rows t * e + 4 * e * r and e - 1 more, column g
//   c    row g + 8 * (element / 2), column 2 * t + element % 2
//
// PTX ISA, "Matrix fragments for mma.m16n8k*".
struct MmaPlace {
  int64_t row = 0;
  int64_t column = 0;
};
MmaPlace placeOfA(int64_t lane, int64_t element, int64_t packed);
MmaPlace placeOfB(int64_t lane, int64_t element, int64_t packed);
MmaPlace placeOfC(int64_t lane, int64_t element);

// Four bits of metadata of a group of columns of a that is kept in part: who has them, and where
// in its word. Of 16 and 32 bits lane `2 * selector` and the next of each four have a word each, of
// 8 bits all four.
//
// PTX ISA, "Sparse matrix storage".
struct MetadataPlace {
  uint32_t lane = 0;
  int64_t shift = 0;
};
MetadataPlace placeOfMetadata(int64_t row, int64_t group, int64_t bits, int64_t selector);
// The column of a kept element of the group, counted from its first: of four columns two are kept,
// of two of 32 bits one.
int64_t columnKept(int64_t metadata, int64_t kept, int64_t bits);

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
  llvm::SmallVector<LaneRegion, 4> regions_;
  uint32_t first_ = 0;
};

// Of one warp. Floats, or exact sums of integers.
template <typename Element, typename Registers> class MmaProduct {
public:
  // `selector`, of a product whose a is kept by halves: who has the metadata, operand 3.
  MmaProduct(Registers &registers, int64_t k, std::optional<int64_t> selector)
      : registers_(registers), k_(k), selector_(selector),
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
  enum Operand : uint8_t { A, B, C, Metadata };

  template <typename Visit> void forEach(Operand operand, Visit visit) {
    for (uint32_t lane = 0; lane != LanesOfWarp; ++lane)
      for (int64_t element = 0; element != registers_.size(operand); ++element)
        visit(lane, element);
  }

  void readOperands() {
    left_.assign(static_cast<size_t>(RowsOfMma * k_), 0);
    right_.assign(static_cast<size_t>(ColumnsOfMma * k_), 0);
    if (selector_)
      readMetadata();
    forEach(A, [&](uint32_t lane, int64_t element) {
      auto [row, column] = placeOfA(lane, element, packed_);
      int64_t k = selector_ ? columnOfKept(row, column) : column;
      left_[static_cast<size_t>(row * k_ + k)] = operandOf(A, lane, element);
    });
    forEach(B, [&](uint32_t lane, int64_t element) {
      auto [k, column] = placeOfB(lane, element, packed_);
      right_[static_cast<size_t>(column * k_ + k)] = operandOf(B, lane, element);
    });
  }

  void readMetadata() {
    int64_t bits = registers_.dtype(Metadata).bits;
    uint64_t mask = (uint64_t{1} << bits) - 1;
    metadata_.assign(LanesOfWarp, 0);
    forEach(Metadata, [&](uint32_t lane, int64_t element) {
      auto part = static_cast<uint64_t>(registers_.load(Metadata, lane, element).i) & mask;
      metadata_[lane] |= part << (element * bits);
    });
  }

  // In a, of an element that is kept in this column of its halves.
  int64_t columnOfKept(int64_t row, int64_t column) const {
    int64_t bits = registers_.dtype(A).bits;
    int64_t kept = bits == 32 ? 1 : 2;
    MetadataPlace place = placeOfMetadata(row, column / kept, bits, *selector_);
    auto four = static_cast<int64_t>(metadata_[place.lane] >> place.shift & 15);
    return column / kept * kept * 2 + columnKept(four, column % kept, bits);
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
  int64_t k_;
  std::optional<int64_t> selector_;
  int64_t packed_;
  std::vector<Element> left_, right_; // right by column
  std::vector<uint64_t> metadata_;    // a word of each lane
};

// Sums in order of k, as the tile operation has them; stored as the accumulator rounds.
template <typename Registers>
void multiplyOfWarp(Registers &registers, int64_t k, std::optional<int64_t> selector = {}) {
  DType accumulator = registers.dtype(2);
  if (accumulator.isFloat() && accumulator.bits == 64)
    return MmaProduct<double, Registers>(registers, k, selector).run();
  if (accumulator.isFloat())
    return MmaProduct<float, Registers>(registers, k, selector).run();
  MmaProduct<int64_t, Registers>(registers, k, selector).run();
}

// Of all warps of a group, `multiply` each; the lanes of each must be there.
template <typename Multiply>
void multiplyOfGroup(const OpStmt &op, ThreadGroup &group, Lanes lanes, Multiply multiply) {
  if (!requireFullWarps(group, lanes))
    return;
  GroupRegisters registers(op, group, lanes);
  for (uint32_t lane : lanes)
    if (lane % LanesOfWarp == 0) {
      registers.startWarp(lane);
      multiply(registers);
    }
}

} // namespace tilescope
