#include "core/views/tile_layout.h"

#include "core/access/linear_lanes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace tilescope {

namespace {

// Within these nothing overflows.
constexpr int64_t MostNumber = int64_t{1} << 30;
constexpr int64_t MostElements = int64_t{1} << 32;
constexpr int64_t MostDigit = int64_t{1} << 16;
constexpr int64_t MostPad = int64_t{1} << 12;
constexpr int64_t MostBits = int64_t{1} << 10;
constexpr int64_t ChunkBits = 128;
constexpr int64_t RowsOfSwizzle = 8;

std::optional<int64_t> numberIn(llvm::StringRef text) {
  int64_t number = 0;
  bool isFine = !text.getAsInteger(10, number) && number >= 1 && number <= MostNumber;
  return isFine ? std::optional(number) : std::nullopt;
}

int64_t bitsOf(llvm::StringRef dtype) {
  if (dtype == "bool")
    return 8;
  llvm::StringRef digits =
      dtype.drop_until([](char c) { return c >= '0' && c <= '9'; }).take_while([](char c) {
        return c >= '0' && c <= '9';
      });
  int64_t bits = numberIn(digits).value_or(0);
  auto [element, lanes] = dtype.rsplit('x');
  if (!lanes.empty() && element != dtype)
    bits *= std::min(numberIn(lanes).value_or(1), MostBits);
  return bits;
}

int64_t floorDiv(int64_t a, int64_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

} // namespace

std::optional<TileLayout> TileLayout::of(const BufferRecord &record) {
  TileLayout tile;
  llvm::StringRef text = record.layout;
  bool isMemory = isShared(record.scope) || record.scope == BufferScope::Global;
  if (!tile.setShape(record))
    return std::nullopt;
  tile.hasBanks_ = isShared(record.scope);
  tile.isGlobal_ = record.scope == BufferScope::Global;
  bool isKnown = text.starts_with("fragment(")
                     ? tile.setFragment(text)
                     : isMemory && (tile.setMemory(text) || tile.setPlaces(record.places));
  return isKnown ? std::optional(std::move(tile)) : std::nullopt;
}

bool TileLayout::setShape(const BufferRecord &record) {
  bits_ = bitsOf(record.dtype);
  if (record.shape.empty() || bits_ < 1 || bits_ > MostBits)
    return false;
  int64_t elements = 1;
  for (const std::string &text : record.shape) {
    std::optional<int64_t> extent = numberIn(text);
    if (!extent || elements > MostElements / *extent)
      return false;
    elements *= *extent;
    shape_.push_back(*extent);
  }
  rows_ = elements / shape_.back();
  return true;
}

// "2@t32 2@r1 8@t4"; nullopt if it is anything else.
std::optional<TileLayout::Digits> TileLayout::digitsIn(llvm::StringRef text) {
  Digits digits;
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words) {
    auto [extent, place] = word.split('@');
    if (place.empty()) {
      if (word != "1")
        return std::nullopt;
      continue;
    }
    std::optional<int64_t> number = numberIn(extent), stride = numberIn(place.drop_front());
    if (!number || !stride || *number > MostDigit || *stride > MostDigit ||
        (place.front() != 't' && place.front() != 'r'))
      return std::nullopt;
    digits.push_back({*number, place.front() == 't', *stride});
  }
  return digits;
}

bool TileLayout::setFragment(llvm::StringRef text) {
  kind_ = Kind::Fragment;
  auto [body, from] = text.split(" from thread ");
  if (!body.consume_front("fragment(") || !body.consume_back(")"))
    return false;
  if (!from.empty())
    firstThread_ = numberIn(from).value_or(0);
  auto [coordinates, replicas] = body.split(';');
  std::optional<Digits> copied = digitsIn(replicas);
  for (auto [dim, rest] = coordinates.split('|'); copied; std::tie(dim, rest) = rest.split('|')) {
    std::optional<Digits> digits = digitsIn(dim);
    if (!digits)
      return false;
    dims_.push_back(*std::move(digits));
    if (rest.empty())
      break;
  }
  if (!copied || (dims_.size() != shape_.size() && !takeShapeOfDigits()))
    return false;
  Holder last{firstThread_, 0};
  auto add = [&](const Digits &digits) {
    for (const Digit &digit : digits)
      (digit.onThread ? last.thread : last.reg) += (digit.extent - 1) * digit.stride;
  };
  llvm::for_each(dims_, add);
  add(*copied);
  for (const Digit &digit : *copied)
    copies_ = std::min(copies_ * digit.extent, MostNumber);
  threads_ = last.thread + 1;
  registers_ = last.reg + 1;
  return true;
}

// A fragment that was lowered to an array of each thread has the shape of that array.
bool TileLayout::takeShapeOfDigits() {
  shape_.clear();
  int64_t elements = 1;
  for (const Digits &digits : dims_) {
    shape_.push_back(1);
    for (const Digit &digit : digits) {
      if (elements > MostElements / digit.extent)
        return false;
      elements *= digit.extent;
      shape_.back() *= digit.extent;
    }
  }
  rows_ = elements / shape_.back();
  return true;
}

bool TileLayout::setMemory(llvm::StringRef text) {
  bool isPadded = text.consume_front("padded(");
  // Where the tile starts changes nothing within it.
  bool isSwizzled = text.consume_front("swizzle(") || text.consume_front("aligned_swizzle(");
  if (!isPadded && !isSwizzled)
    return text.empty() || text == "row_major" || text == "aligned_row_major";
  int64_t number = text.consume_back(")") ? numberIn(text).value_or(0) : 0;
  if (isPadded)
    padElements_ = number;
  else
    spanBytes_ = number;
  kind_ = isSwizzled ? Kind::Swizzle : Kind::Rows;
  return isPadded ? 1 <= number && number <= MostPad
                  : number == 32 || number == 64 || number == 128;
}

// Every element has one.
bool TileLayout::setPlaces(llvm::ArrayRef<int64_t> places) {
  kind_ = Kind::Linear;
  bool isWhole = rows_ * columns() == int64_t{1} << places.size() && bits_ % 8 == 0;
  for (size_t bit = 0; bit != places.size() && isWhole; ++bit) {
    std::optional<int64_t> place = placeOfElement(places, int64_t{1} << bit);
    isWhole = place.has_value();
    places_.push_back(place.value_or(0));
  }
  return isWhole && !places_.empty();
}

TileLayout TileLayout::inRows() const {
  TileLayout plain = *this;
  plain.kind_ = Kind::Rows;
  plain.padElements_ = 0;
  return plain;
}

int64_t TileLayout::chunkElements() const {
  return std::min(columns(), std::max<int64_t>(1, ChunkBits / bits_));
}

std::string TileLayout::coordinatesText(int64_t row, int64_t column) const {
  llvm::SmallVector<std::string> coordinates = {std::to_string(column)};
  for (size_t dim = shape_.size() - 1; dim-- > 0; row /= shape_[dim])
    coordinates.push_back(std::to_string(row % shape_[dim]));
  std::ranges::reverse(coordinates);
  return "[" + llvm::join(coordinates, ", ") + "]";
}

std::optional<int64_t> TileLayout::placeInTile(int64_t element) const {
  if (element < 0 || element >= rows_ * columns())
    return std::nullopt;
  return elementAtPlace(places_, element) * bits_ / 8;
}

// The formula is in core/ir/layout.h.
std::optional<int64_t> TileLayout::byteOf(int64_t element) const {
  if (element <= -MostElements || element >= MostElements)
    return std::nullopt;
  if (kind_ == Kind::Linear)
    return placeInTile(element);
  int64_t row = floorDiv(element, columns());
  int64_t column = element - row * columns();
  if (kind_ != Kind::Swizzle || shape_.size() < 2)
    return floorDiv((row * (columns() + padElements_) + column) * bits_, 8);
  int64_t rows = shape_[shape_.size() - 2];
  int64_t tile = floorDiv(row, rows);
  row -= tile * rows;
  int64_t byte = column * bits_ / 8;
  int64_t chunks = spanBytes_ / 16;
  int64_t chunk = (byte % spanBytes_ / 16) ^ (row / (RowsOfSwizzle / chunks) % chunks);
  int64_t panels = (columns() * bits_ / 8 + spanBytes_ - 1) / spanBytes_;
  return tile * rows * panels * spanBytes_ + (byte / spanBytes_ * rows + row) * spanBytes_ +
         chunk * 16 + byte % 16;
}

// What a coordinate chooses of thread and register.
void TileLayout::addHolder(const Digits &digits, int64_t coordinate, Holder &holder) const {
  for (const Digit &digit : llvm::reverse(digits)) {
    (digit.onThread ? holder.thread : holder.reg) += coordinate % digit.extent * digit.stride;
    coordinate /= digit.extent;
  }
}

TileLayout::Holder TileLayout::holderOf(int64_t row, int64_t column) const {
  Holder holder{firstThread_, 0};
  addHolder(dims_.back(), column, holder);
  for (size_t dim = shape_.size() - 1; dim-- > 0; row /= shape_[dim])
    addHolder(dims_[dim], row % shape_[dim], holder);
  return holder;
}

} // namespace tilescope
