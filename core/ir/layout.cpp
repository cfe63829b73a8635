#include "core/ir/layout.h"

#include "core/ir/aligned_rows.h"
#include "core/ir/text_form.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>

namespace tilescope {

namespace {

using DigitList = llvm::SmallVector<Digit>;

std::string digitsText(llvm::ArrayRef<Digit> digits, LayoutKind kind) {
  std::string text;
  for (const Digit &digit : digits) {
    text += (text.empty() ? "" : " ") + std::to_string(digit.extent) + "@";
    if (kind != LayoutKind::Permuted)
      text += digit.onThread ? "t" : "r";
    text += std::to_string(digit.stride);
  }
  return text;
}

// "16@t4": extent, place, stride; "16@4" in memory.
std::optional<Digit> parseDigit(llvm::StringRef text, LayoutKind kind) {
  auto [extent, stride] = text.split('@');
  Digit digit;
  if (kind == LayoutKind::Fragment) {
    if (!stride.starts_with("t") && !stride.starts_with("r"))
      return std::nullopt;
    digit.onThread = stride[0] == 't';
    stride = stride.drop_front();
  }
  if (extent.getAsInteger(10, digit.extent) || stride.getAsInteger(10, digit.stride))
    return std::nullopt;
  if (digit.extent < 1 || digit.stride < 0)
    return std::nullopt;
  return digit;
}

std::optional<DigitList> parseDigits(llvm::StringRef text, LayoutKind kind) {
  DigitList digits;
  llvm::SmallVector<llvm::StringRef> words;
  text.trim().split(words, ' ', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words) {
    std::optional<Digit> digit = parseDigit(word, kind);
    if (!digit)
      return std::nullopt;
    digits.push_back(*digit);
  }
  return digits;
}

// A fragment or a memory order.
const Layout *parseDigitLayout(Context &context, llvm::StringRef text, LayoutKind kind) {
  auto [dims, replicas] = text.split(';');
  if (kind == LayoutKind::Permuted)
    dims = text;
  llvm::SmallVector<DigitList> dimDigits;
  llvm::SmallVector<llvm::StringRef> dimTexts;
  dims.split(dimTexts, '|');
  for (llvm::StringRef dimText : dimTexts) {
    std::optional<DigitList> digits = parseDigits(dimText, kind);
    if (!digits)
      return nullptr;
    dimDigits.push_back(*digits);
  }
  if (kind == LayoutKind::Permuted)
    return makePermuted(context, dimDigits);
  std::optional<DigitList> replicaDigits = parseDigits(replicas, kind);
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
  return a.kind == b.kind && a.spanBytes == b.spanBytes && a.isAligned == b.isAligned &&
         a.padElements == b.padElements && a.replicas == b.replicas &&
         std::equal(a.dims.begin(), a.dims.end(), b.dims.begin(), b.dims.end());
}

int64_t Layout::threadCount() const { return countOf(*this, /*onThread=*/true); }
int64_t Layout::registerCount() const { return countOf(*this, /*onThread=*/false); }

const Layout *makeRowMajor(Context &context, int64_t padElements) {
  Layout layout;
  layout.padElements = padElements;
  return context.make<Layout>(layout);
}

const Layout *makeAlignedRows(Context &context) {
  Layout layout;
  layout.spanBytes = 16;
  layout.isAligned = true;
  return context.make<Layout>(layout);
}

const Layout *makeSwizzle(Context &context, int64_t spanBytes, bool isAligned) {
  Layout layout;
  layout.kind = LayoutKind::Swizzle;
  layout.spanBytes = spanBytes;
  layout.isAligned = isAligned;
  return context.make<Layout>(layout);
}

static Layout layoutOfDigits(Context &context, LayoutKind kind, llvm::ArrayRef<DigitList> dims) {
  llvm::SmallVector<llvm::ArrayRef<Digit>> owned;
  for (const DigitList &digits : dims)
    owned.push_back(context.copy<Digit>(digits));
  Layout layout;
  layout.kind = kind;
  layout.dims = context.copy<llvm::ArrayRef<Digit>>(owned);
  return layout;
}

const Layout *makeFragment(Context &context, llvm::ArrayRef<DigitList> dims,
                           llvm::ArrayRef<Digit> replicas) {
  Layout layout = layoutOfDigits(context, LayoutKind::Fragment, dims);
  layout.replicas = context.copy(replicas);
  return context.make<Layout>(layout);
}

const Layout *makePermuted(Context &context, llvm::ArrayRef<DigitList> dims) {
  return context.make<Layout>(layoutOfDigits(context, LayoutKind::Permuted, dims));
}

bool isPermutation(llvm::ArrayRef<llvm::ArrayRef<Digit>> dims, llvm::ArrayRef<int64_t> shape) {
  if (dims.size() != shape.size())
    return false;
  DigitList all;
  for (auto [digits, extent] : llvm::zip_equal(dims, shape)) {
    int64_t product = 1;
    for (const Digit &digit : digits)
      if (digit.onThread || __builtin_mul_overflow(product, digit.extent, &product))
        return false;
    if (product != extent)
      return false;
    llvm::copy_if(digits, std::back_inserter(all), [](const Digit &d) { return d.extent != 1; });
  }
  llvm::sort(all, [](const Digit &a, const Digit &b) { return a.stride < b.stride; });
  int64_t next = 1;
  for (const Digit &digit : all)
    if (digit.stride != next || __builtin_mul_overflow(next, digit.extent, &next))
      return false;
  return true;
}

int64_t adjacentElements(const Layout &permuted) {
  if (permuted.dims.empty() || permuted.dims.back().empty())
    return 1;
  int64_t run = 0;
  for (llvm::ArrayRef<Digit> digits : permuted.dims)
    for (const Digit &digit : digits) {
      bool isInnermost = &digit == &permuted.dims.back().back();
      if (isInnermost && digit.stride != 1)
        return 1;
      if (digit.extent != 1)
        run = std::gcd(run, isInnermost ? digit.extent : digit.stride);
    }
  return std::max<int64_t>(run & -run, 1);
}

std::string toString(const Layout &layout) {
  switch (layout.kind) {
  case LayoutKind::RowMajor:
    if (layout.padElements)
      return llvm::formatv("padded({0})", layout.padElements).str();
    return layout.isAligned ? "aligned_row_major" : "row_major";
  case LayoutKind::Swizzle:
    return llvm::formatv("{0}swizzle({1})", layout.isAligned ? "aligned_" : "", layout.spanBytes)
        .str();
  case LayoutKind::Fragment:
  case LayoutKind::Permuted:
    break;
  }
  auto textOf = [&](llvm::ArrayRef<Digit> digits) { return digitsText(digits, layout.kind); };
  std::string dims = joinTexts(layout.dims, textOf, " | ");
  if (layout.kind == LayoutKind::Permuted)
    return "permuted(" + dims + ")";
  std::string replicas = layout.replicas.empty() ? "" : " ; " + textOf(layout.replicas);
  return "fragment(" + dims + replicas + ")";
}

const Layout *parseLayout(Context &context, llvm::StringRef text) {
  if (text == "row_major")
    return makeRowMajor(context);
  if (text == "aligned_row_major")
    return makeAlignedRows(context);
  auto [name, rest] = text.split('(');
  if (!rest.consume_back(")"))
    return nullptr;
  if (name == "fragment" || name == "permuted")
    return parseDigitLayout(context, rest,
                            name == "fragment" ? LayoutKind::Fragment : LayoutKind::Permuted);
  int64_t number = 0;
  if (rest.getAsInteger(10, number) || number < 0)
    return nullptr;
  if (name == "padded")
    return makeRowMajor(context, number);
  bool isSpan = number == 32 || number == 64 || number == 128;
  bool isAligned = name.consume_front("aligned_");
  return name == "swizzle" && isSpan ? makeSwizzle(context, number, isAligned) : nullptr;
}

int64_t byteOffset(const Layout &layout, llvm::ArrayRef<int64_t> shape, int elementBits,
                   llvm::ArrayRef<int64_t> coordinates) {
  assert(!layout.isFragment() && "a fragment has no addresses");
  if (shape.empty())
    return 0;
  if (layout.kind == LayoutKind::Permuted)
    return placeOf(layout, coordinates).reg * elementBits / 8;
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
