#include "core/exec/tensor.h"

#include "core/exec/numbers.h"

#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

namespace tilescope {

Tensor::Tensor(DType dtype, llvm::ArrayRef<int64_t> shape, const Layout *layout)
    : dtype_(dtype), shape_(shape), size_(1) {
  if (layout && layout->kind == LayoutKind::Permuted)
    order_ = layout;
  for (int64_t extent : shape)
    size_ *= std::max<int64_t>(extent, 0);
  auto count = static_cast<size_t>(size_);
  if (!dtype.isFloat())
    integers_.assign(count, 0);
  else if (dtype.bits == 64)
    doubles_.assign(count, std::numeric_limits<double>::quiet_NaN());
  else
    floats_.assign(count, std::numeric_limits<float>::quiet_NaN());
}

int64_t Tensor::indexOf(llvm::ArrayRef<int64_t> coordinates) const {
  assert(coordinates.size() == shape_.size());
  int64_t index = 0;
  for (size_t dim = 0; dim < shape_.size(); ++dim) {
    if (coordinates[dim] < 0 || coordinates[dim] >= shape_[dim])
      return -1;
    index = index * shape_[dim] + coordinates[dim];
  }
  return order_ ? placeOf(*order_, coordinates).reg : index;
}

llvm::SmallVector<int64_t> Tensor::coordinatesOf(int64_t index) const {
  if (order_)
    return *tilescope::coordinatesOf(*order_, /*thread=*/0, index);
  llvm::SmallVector<int64_t> coordinates(shape_.size());
  for (size_t dim = shape_.size(); dim-- > 0;) {
    coordinates[dim] = index % shape_[dim];
    index /= shape_[dim];
  }
  return coordinates;
}

bool isSameNumber(DType dtype, Number a, Number b) {
  return a.i == b.i || (dtype.isFloat() && std::isnan(a.f) && std::isnan(b.f));
}

Number Tensor::get(int64_t index) const {
  auto place = static_cast<size_t>(index);
  Number value;
  if (!dtype_.isFloat())
    value.i = integers_[place];
  else
    value.f = dtype_.bits == 64 ? doubles_[place] : widened(floats_[place]);
  return value;
}

void Tensor::set(int64_t index, Number value) {
  auto place = static_cast<size_t>(index);
  if (!dtype_.isFloat())
    integers_[place] = wrapTo(dtype_, value.i);
  else if (dtype_.bits == 64)
    doubles_[place] = value.f;
  else if (dtype_.bits == 32)
    floats_[place] = narrowed(value.f);
  else
    floats_[place] = narrowed(roundToStored(dtype_, value.f));
}

uint64_t encode(DType dtype, Number value) {
  if (dtype.isFloat())
    return encodeFloat(dtype, value.f);
  return static_cast<uint64_t>(value.i) & (UINT64_MAX >> (64 - dtype.bits));
}

Number decode(DType dtype, uint64_t bits) {
  if (dtype.isFloat())
    return Number{.f = decodeFloat(dtype, bits)};
  return Number{.i = wrapTo(dtype, static_cast<int64_t>(bits))};
}

template <typename Word> void Tensor::packWords(uint8_t *bytes) const {
  for (int64_t index = 0; index < size_; ++index) {
    auto word = static_cast<Word>(bitsAt(index));
    std::memcpy(bytes + static_cast<size_t>(index) * sizeof(Word), &word, sizeof(Word));
  }
}

template <typename Word> void Tensor::unpackWords(const uint8_t *bytes) {
  for (int64_t index = 0; index < size_; ++index) {
    Word word;
    std::memcpy(&word, bytes + static_cast<size_t>(index) * sizeof(Word), sizeof(Word));
    setBits(index, word);
  }
}

std::vector<uint8_t> Tensor::toBytes() const {
  std::vector<uint8_t> bytes(static_cast<size_t>(dtype_.bytes(size_)));
  switch (dtype_.bits) {
  case 8:
    packWords<uint8_t>(bytes.data());
    break;
  case 16:
    packWords<uint16_t>(bytes.data());
    break;
  case 32:
    packWords<uint32_t>(bytes.data());
    break;
  case 64:
    packWords<uint64_t>(bytes.data());
    break;
  default:
    for (int64_t index = 0; index < size_; ++index)
      bytes[static_cast<size_t>(index / 2)] |=
          static_cast<uint8_t>((bitsAt(index) & 15) << (index % 2 * 4));
  }
  return bytes;
}

void Tensor::fromBytes(llvm::ArrayRef<uint8_t> bytes) {
  switch (dtype_.bits) {
  case 8:
    return unpackWords<uint8_t>(bytes.data());
  case 16:
    return unpackWords<uint16_t>(bytes.data());
  case 32:
    return unpackWords<uint32_t>(bytes.data());
  case 64:
    return unpackWords<uint64_t>(bytes.data());
  default:
    for (int64_t index = 0; index < size_; ++index)
      setBits(index, bytes[static_cast<size_t>(index / 2)] >> (index % 2 * 4) & 15U);
  }
}

std::string indexText(llvm::ArrayRef<int64_t> index) {
  std::string text;
  for (int64_t one : index)
    text += (text.empty() ? "" : ", ") + std::to_string(one);
  return "[" + text + "]";
}

Number convert(DType from, DType to, Number value) {
  if (from == to)
    return value;
  if (from.isFloat())
    return to.isFloat() ? Number{.f = roundTo(to, value.f)}
                        : Number{.i = truncateTo(from, to, value.f)};
  // Arithmetic on narrower types is made in int, which holds a sum or difference as it is.
  int64_t integer = from == DType{DTypeKind::UInt, 32} ? wrapTo(from, value.i) : value.i;
  return to.isFloat() ? Number{.f = roundInteger(from, to, integer)}
                      : Number{.i = wrapTo(to, integer)};
}

} // namespace tilescope
