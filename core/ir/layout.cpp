#include "core/ir/layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

using DigitList = llvm::SmallVector<Digit>;

std::string digitText(const Digit &digit) {
  return llvm::formatv("{0}@{1}{2}", digit.extent, digit.onThread ? 't' : 'r', digit.stride).str();
}

std::string digitsText(llvm::ArrayRef<Digit> digits) {
  return llvm::join(llvm::map_range(digits, digitText), " ");
}

// "16@t4": extent, place, stride.
std::optional<Digit> parseDigit(llvm::StringRef text) {
  auto [extent, place] = text.split('@');
  Digit digit;
  if (place.empty() || (place[0] != 't' && place[0] != 'r'))
    return std::nullopt;
  digit.onThread = place[0] == 't';
  if (extent.getAsInteger(10, digit.extent) || place.drop_front().getAsInteger(10, digit.stride))
    return std::nullopt;
  if (digit.extent < 1 || digit.stride < 0)
    return std::nullopt;
  return digit;
}

std::optional<DigitList> parseDigits(llvm::StringRef text) {
  DigitList digits;
  llvm::SmallVector<llvm::StringRef> words;
  text.trim().split(words, ' ', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words) {
    std::optional<Digit> digit = parseDigit(word);
    if (!digit)
      return std::nullopt;
    digits.push_back(*digit);
  }
  return digits;
}

const Layout *parseFragment(Context &context, llvm::StringRef text) {
  auto [dims, replicas] = text.split(';');
  llvm::SmallVector<DigitList> dimDigits;
  llvm::SmallVector<llvm::StringRef> dimTexts;
  dims.split(dimTexts, '|');
  for (llvm::StringRef dimText : dimTexts) {
    std::optional<DigitList> digits = parseDigits(dimText);
    if (!digits)
      return nullptr;
    dimDigits.push_back(*digits);
  }
  std::optional<DigitList> replicaDigits = parseDigits(replicas);
  if (!replicaDigits)
    return nullptr;
  return makeFragment(context, dimDigits, *replicaDigits);
}

void forEachDigit(const Layout &layout, llvm::function_ref<void(const Digit &)> visit) {
  for (llvm::ArrayRef<Digit> digits : layout.dims)
    llvm::for_each(digits, visit);
  llvm::for_each(layout.replicas, visit);
}

// Largest number a place can take, plus one.
int64_t countOf(const Layout &layout, bool onThread) {
  int64_t last = 0;
  forEachDigit(layout, [&](const Digit &digit) {
    if (digit.onThread == onThread)
      last += (digit.extent - 1) * digit.stride;
  });
  return last + 1;
}

int64_t swizzledOffset(int64_t spanBytes, int64_t rows, int64_t row, int64_t byte) {
  constexpr int64_t ChunkBytes = 16;
  int64_t panel = byte / spanBytes;
  int64_t chunk = byte % spanBytes / ChunkBytes;
  int64_t chunks = spanBytes / ChunkBytes;
  int64_t permuted = chunk ^ (row / (8 / chunks) % chunks);
  return (panel * rows + row) * spanBytes + permuted * ChunkBytes + byte % ChunkBytes;
}

} // namespace

bool operator==(const Layout &a, const Layout &b) {
  return a.kind == b.kind && a.spanBytes == b.spanBytes && a.padElements == b.padElements &&
         a.replicas == b.replicas &&
         std::equal(a.dims.begin(), a.dims.end(), b.dims.begin(), b.dims.end());
}

int64_t Layout::threadCount() const { return countOf(*this, /*onThread=*/true); }
int64_t Layout::registerCount() const { return countOf(*this, /*onThread=*/false); }

const Layout *makeRowMajor(Context &context, int64_t padElements) {
  Layout layout;
  layout.padElements = padElements;
  return context.make<Layout>(layout);
}

const Layout *makeSwizzle(Context &context, int64_t spanBytes) {
  Layout layout;
  layout.kind = LayoutKind::Swizzle;
  layout.spanBytes = spanBytes;
  return context.make<Layout>(layout);
}

const Layout *makeFragment(Context &context, llvm::ArrayRef<DigitList> dims,
                           llvm::ArrayRef<Digit> replicas) {
  llvm::SmallVector<llvm::ArrayRef<Digit>> owned;
  for (const DigitList &digits : dims)
    owned.push_back(context.copy<Digit>(digits));
  Layout layout;
  layout.kind = LayoutKind::Fragment;
  layout.dims = context.copy<llvm::ArrayRef<Digit>>(owned);
  layout.replicas = context.copy(replicas);
  return context.make<Layout>(layout);
}

std::string toString(const Layout &layout) {
  switch (layout.kind) {
  case LayoutKind::RowMajor:
    return layout.padElements ? llvm::formatv("padded({0})", layout.padElements).str()
                              : "row_major";
  case LayoutKind::Swizzle:
    return llvm::formatv("swizzle({0})", layout.spanBytes).str();
  case LayoutKind::Fragment:
    break;
  }
  std::string dims = llvm::join(llvm::map_range(layout.dims, digitsText), " | ");
  std::string replicas = layout.replicas.empty() ? "" : " ; " + digitsText(layout.replicas);
  return "fragment(" + dims + replicas + ")";
}

const Layout *parseLayout(Context &context, llvm::StringRef text) {
  if (text == "row_major")
    return makeRowMajor(context);
  auto [name, rest] = text.split('(');
  if (!rest.consume_back(")"))
    return nullptr;
  if (name == "fragment")
    return parseFragment(context, rest);
  int64_t number = 0;
  if (rest.getAsInteger(10, number) || number < 0)
    return nullptr;
  if (name == "padded")
    return makeRowMajor(context, number);
  bool isSpan = number == 32 || number == 64 || number == 128;
  return name == "swizzle" && isSpan ? makeSwizzle(context, number) : nullptr;
}

int64_t byteOffset(const Layout &layout, llvm::ArrayRef<int64_t> shape, int elementBits,
                   llvm::ArrayRef<int64_t> coordinates) {
  assert(!layout.isFragment() && "a fragment has no addresses");
  if (shape.empty())
    return 0;
  if (layout.kind == LayoutKind::Swizzle) {
    int64_t rows = shape[shape.size() - 2];
    int64_t columnBytes = shape.back() * elementBits / 8;
    int64_t tile = 0;
    for (size_t i = 0; i + 2 < shape.size(); ++i)
      tile = tile * shape[i] + coordinates[i];
    return tile * rows * columnBytes + swizzledOffset(layout.spanBytes, rows,
                                                      coordinates[shape.size() - 2],
                                                      coordinates.back() * elementBits / 8);
  }
  int64_t element = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    bool isLast = i + 1 == shape.size();
    element = element * (shape[i] + (isLast ? layout.padElements : 0)) + coordinates[i];
  }
  return element * elementBits / 8;
}

FragmentPlace placeOf(const Layout &fragment, llvm::ArrayRef<int64_t> coordinates) {
  FragmentPlace place;
  for (auto [digits, coordinate] : llvm::zip(fragment.dims, coordinates)) {
    int64_t rest = coordinate;
    for (const Digit &digit : llvm::reverse(digits)) {
      (digit.onThread ? place.thread : place.reg) += rest % digit.extent * digit.stride;
      rest /= digit.extent;
    }
  }
  return place;
}

std::optional<llvm::SmallVector<int64_t>> coordinatesOf(const Layout &fragment, int64_t thread,
                                                        int64_t reg) {
  if (thread >= fragment.threadCount() || reg >= fragment.registerCount())
    return std::nullopt;
  llvm::SmallVector<int64_t> coordinates;
  for (llvm::ArrayRef<Digit> digits : fragment.dims) {
    int64_t coordinate = 0;
    for (const Digit &digit : digits) {
      int64_t number = digit.onThread ? thread : reg;
      int64_t value = digit.stride ? number / digit.stride % digit.extent : 0;
      coordinate = coordinate * digit.extent + value;
    }
    coordinates.push_back(coordinate);
  }
  return coordinates;
}

} // namespace tilescope
