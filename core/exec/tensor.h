// A tensor or tile on the CPU: values of one element type, logical coordinates. Row major, or in
// the memory order that the kernel gives a tensor.
#pragma once

#include "core/ir/layout.h"
#include "core/support/dtype.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <string>
#include <vector>

namespace tilescope {

// A number of an expression. Integers and booleans are in `i`, floats in `f`.
union Number {
  double f;
  int64_t i;
};

// Of numbers of the type. A GPU has one NaN, whichever the host computes.
bool isSameNumber(DType dtype, Number a, Number b);

// The bits in memory of one element, in the low `dtype.bits`.
uint64_t encode(DType dtype, Number value);
Number decode(DType dtype, uint64_t bits);
// What memory holds that nobody should read: no number, or at least conspicuous.
inline Number poisonOf(DType dtype) { return decode(dtype, UINT64_MAX); }

class Tensor {
public:
  Tensor() = default;
  // Floats start as NaN, so that what nobody wrote is seen; integers as 0. `layout`, of the buffer:
  // a permutation is the order in memory, anything else is not looked at.
  Tensor(DType dtype, llvm::ArrayRef<int64_t> shape, const Layout *layout = nullptr);

  DType dtype() const { return dtype_; }
  llvm::ArrayRef<int64_t> shape() const { return shape_; }
  int64_t size() const { return size_; }
  bool isRowMajor() const { return order_ == nullptr; }

  // Index of an element, its place in memory; -1 if a coordinate is outside.
  int64_t indexOf(llvm::ArrayRef<int64_t> coordinates) const;
  llvm::SmallVector<int64_t> coordinatesOf(int64_t index) const;

  Number get(int64_t index) const;
  // Rounds or wraps to the element type.
  void set(int64_t index, Number value);

  bool isFloat() const { return dtype_.isFloat(); }
  double real(int64_t index) const {
    return isFloat() ? get(index).f : static_cast<double>(get(index).i);
  }

  // Memory image: elements packed tightly, four-bit ones in pairs.
  std::vector<uint8_t> toBytes() const;
  void fromBytes(llvm::ArrayRef<uint8_t> bytes);

private:
  uint64_t bitsAt(int64_t index) const { return encode(dtype_, get(index)); }
  void setBits(int64_t index, uint64_t bits) { set(index, decode(dtype_, bits)); }
  template <typename Word> void packWords(uint8_t *bytes) const;
  template <typename Word> void unpackWords(const uint8_t *bytes);

  DType dtype_;
  llvm::SmallVector<int64_t> shape_;
  const Layout *order_ = nullptr; // null: row major
  int64_t size_ = 0;
  // Exactly one of these is used: by floats up to 32 bits, by float64, by integers.
  std::vector<float> floats_;
  std::vector<double> doubles_;
  std::vector<int64_t> integers_;
};

// "[3, 0]"
std::string indexText(llvm::ArrayRef<int64_t> index);

// Between element types, as a cast in the kernel does.
Number convert(DType from, DType to, Number value);

} // namespace tilescope
