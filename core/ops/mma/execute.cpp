#include "core/exec/numbers.h"
#include "core/exec/thread_group.h"

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

// Floats, or exact sums of integers.
template <typename Element> class Product {
public:
  Product(const OpStmt &op, ThreadGroup &group, Lanes lanes)
      : group_(group), a_(group.evaluate(op.regions[0], lanes)),
        b_(group.evaluate(op.regions[1], lanes)), c_(group.evaluate(op.regions[2], lanes)),
        k_(op.attr(Attr::K)), packed_(std::max<int64_t>(32 / a_.buffer->dtype.bits, 1)) {}

  void run(uint32_t firstLane) {
    readOperands(firstLane);
    forEach(c_, firstLane, [&](uint32_t lane, int64_t element) {
      auto [row, column] = placeOfC(lane - firstLane, element);
      Element sum = valueOf(c_, lane, element);
      for (int64_t k = 0; k != k_; ++k)
        sum +=
            left_[static_cast<size_t>(row * k_ + k)] * right_[static_cast<size_t>(column * k_ + k)];
      group_.store(c_, lane, element, numberOf(sum));
    });
  }

private:
  template <typename Visit> void forEach(const LaneRegion &region, uint32_t first, Visit visit) {
    for (uint32_t lane = first; lane != first + LanesOfWarp; ++lane)
      for (int64_t element = 0; element != region.size(); ++element)
        visit(lane, element);
  }

  void readOperands(uint32_t first) {
    left_.assign(static_cast<size_t>(Rows * k_), 0);
    right_.assign(static_cast<size_t>(Columns * k_), 0);
    forEach(a_, first, [&](uint32_t lane, int64_t element) {
      auto [row, k] = placeOfA(lane - first, element, packed_);
      left_[static_cast<size_t>(row * k_ + k)] = operandOf(a_, lane, element);
    });
    forEach(b_, first, [&](uint32_t lane, int64_t element) {
      auto [k, column] = placeOfB(lane - first, element, packed_);
      right_[static_cast<size_t>(column * k_ + k)] = operandOf(b_, lane, element);
    });
  }

  Element valueOf(const LaneRegion &region, uint32_t lane, int64_t element) {
    Number value = group_.load(region, lane, element);
    return region.buffer->dtype.isFloat() ? static_cast<Element>(value.f)
                                          : static_cast<Element>(value.i);
  }

  // The tensor core drops what TF32 has no bits for.
  Element operandOf(const LaneRegion &region, uint32_t lane, int64_t element) {
    Element value = valueOf(region, lane, element);
    if constexpr (std::is_same_v<Element, float>)
      if (region.buffer->dtype.bits == 32)
        return truncateToTf32(value);
    return value;
  }

  Number numberOf(Element sum) const {
    return c_.buffer->dtype.isFloat() ? Number{.f = static_cast<double>(sum)}
                                      : Number{.i = static_cast<int64_t>(sum)};
  }

  ThreadGroup &group_;
  LaneRegion a_, b_, c_;
  int64_t k_, packed_;
  std::vector<Element> left_, right_; // right by column
};

template <typename Element> void multiply(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  Product<Element> product(op, group, lanes);
  for (uint32_t lane : lanes)
    if (lane % LanesOfWarp == 0)
      product.run(lane);
}

} // namespace

// Sums in order of k, as the tile operation has them; stored as the accumulator rounds.
void executeMma(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  if (!requireFullWarps(group, lanes))
    return;
  DType accumulator = group.function().buffer(op.regions[2].buffer).dtype;
  if (accumulator.isFloat() && accumulator.bits == 64)
    return multiply<double>(op, group, lanes);
  if (accumulator.isFloat())
    return multiply<float>(op, group, lanes);
  multiply<int64_t>(op, group, lanes);
}

} // namespace tilescope
