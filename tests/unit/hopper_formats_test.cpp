// What TMA writes, what Layout::Swizzle says and what wgmma reads are the same bytes.
#include "core/hopper/tensor_map.h"
#include "core/hopper/wgmma_descriptor.h"
#include "core/ir/layout.h"

#include <gtest/gtest.h>

#include <set>

namespace tilescope {
namespace {

constexpr Swizzle Swizzles[] = {Swizzle::Bytes32, Swizzle::Bytes64, Swizzle::Bytes128};
constexpr int64_t Start = 4096; // a multiple of every pattern

// A tensor of rows of float16, copied by boxes as wide as the span.
TensorMap mapOf(int64_t rows, int64_t columns, Swizzle swizzle) {
  return {.dtype = DType::float16(),
          .dims = {columns, rows},
          .strides = {columns * 2},
          .box = {spanOf(swizzle) / 2, rows},
          .swizzle = swizzle};
}

// Where TMA leaves an element of a tile of such panels.
int64_t imageOffset(const TensorMap &panel, int64_t row, int64_t column) {
  int64_t width = panel.box[0];
  return column / width * boxBytes(panel) + boxOffset(panel, {column % width, row});
}

TEST(Swizzle, IsItsOwnInverseAndStaysInItsRow) {
  for (Swizzle swizzle : {Swizzle::None, Swizzle::Bytes32, Swizzle::Bytes64, Swizzle::Bytes128}) {
    std::set<uint64_t> places;
    auto pattern = static_cast<uint64_t>(patternBytes(swizzle));
    auto span = static_cast<uint64_t>(spanOf(swizzle));
    for (uint64_t address = 0; address != 2 * pattern; ++address) {
      uint64_t place = swizzledAddress(address, swizzle);
      EXPECT_TRUE(places.insert(place).second);
      EXPECT_EQ(swizzledAddress(place, swizzle), address);
      EXPECT_EQ(place / span, address / span);
      EXPECT_EQ(place % 16, address % 16);
      EXPECT_EQ(swizzledAddress(address + pattern, swizzle), place + pattern);
    }
  }
  EXPECT_EQ(swizzleOfSpan(128), Swizzle::Bytes128);
  EXPECT_EQ(swizzleOfSpan(16), std::nullopt);
  EXPECT_EQ(patternBytes(Swizzle::Bytes128), 1024);
}

TEST(TensorMap, BoxesLieAsTheSwizzleLayoutSays) {
  Context context;
  for (Swizzle swizzle : Swizzles)
    for (int64_t rows : {8, 64, 128}) {
      const Layout *layout = makeSwizzle(context, spanOf(swizzle));
      TensorMap map = mapOf(rows, 128, swizzle);
      EXPECT_EQ(tensorMapRefusal(map), std::nullopt);
      for (int64_t row = 0; row != rows; ++row)
        for (int64_t column = 0; column != 128; ++column)
          EXPECT_EQ(imageOffset(map, row, column),
                    byteOffset(*layout, {rows, 128}, 16, {row, column}));
    }
}

TEST(TensorMap, BoxesWithoutSwizzleLieRowByRow) {
  TensorMap map = mapOf(16, 8, Swizzle::None);
  EXPECT_EQ(boxBytes(map), 256);
  for (int64_t row = 0; row != 16; ++row)
    for (int64_t column = 0; column != 8; ++column)
      EXPECT_EQ(boxOffset(map, {column, row}), row * 16 + column * 2);
}

// One copy of all panels: the tensor seen as panels of 64 columns.
TEST(TensorMap, PanelsOfOneBoxFollowOneAnother) {
  TensorMap panel = mapOf(64, 256, Swizzle::Bytes128);
  TensorMap all = {.dtype = DType::float16(),
                   .dims = {64, 64, 4},
                   .strides = {512, 128},
                   .box = {64, 64, 4},
                   .swizzle = Swizzle::Bytes128};
  EXPECT_EQ(tensorMapRefusal(all), std::nullopt);
  EXPECT_EQ(boxBytes(all), 4 * boxBytes(panel));
  for (int64_t row = 0; row != 64; ++row)
    for (int64_t column = 0; column != 256; ++column)
      EXPECT_EQ(boxOffset(all, {column % 64, row, column / 64}), imageOffset(panel, row, column));
}

void expectRefusal(const TensorMap &map, const char *reason) {
  EXPECT_EQ(tensorMapRefusal(map).value_or("none"), reason);
}

TEST(TensorMap, RefusalsSayWhy) {
  TensorMap map = mapOf(64, 64, Swizzle::Bytes128);
  auto with = [&](auto change) {
    TensorMap changed = map;
    change(changed);
    return changed;
  };
  expectRefusal(with([](TensorMap &m) { m.strides[0] = 130; }),
                "its rows are 130 bytes apart, which is no multiple of 16");
  expectRefusal(with([](TensorMap &m) { m.strides[0] = 0; }),
                "its rows are 0 bytes apart, not 1 to 2^40 - 1");
  expectRefusal(with([](TensorMap &m) { m.strides[0] = int64_t{1} << 40; }),
                "its rows are 1099511627776 bytes apart, not 1 to 2^40 - 1");
  expectRefusal(with([](TensorMap &m) { m.dims[1] = 0; }),
                "it has 0 elements along a dimension, not 1 to 2147483391");
  expectRefusal(with([](TensorMap &m) { m.dims[1] = TensorMapMaxDim + 1; }),
                "it has 2147483392 elements along a dimension, not 1 to 2147483391");
  expectRefusal(with([](TensorMap &m) { m.box[1] = 257; }),
                "the box has 257 elements along a dimension, not 1 to 256");
  expectRefusal(with([](TensorMap &m) { m.box[1] = 0; }),
                "the box has 0 elements along a dimension, not 1 to 256");
  expectRefusal(with([](TensorMap &m) { m.box[0] = 4; }),
                "a row of the box has 8 bytes, which is no multiple of 16");
  expectRefusal(with([](TensorMap &m) { m.box[0] = 128; }),
                "a row of the box has 256 bytes, not the 128 of the swizzle");
  expectRefusal(with([](TensorMap &m) { m.box[0] = 32; }),
                "a row of the box has 64 bytes, not the 128 of the swizzle");
  expectRefusal(with([](TensorMap &m) { m.dtype = {DTypeKind::Int, 4}; }),
                "its elements are int4, smaller than a byte");
  expectRefusal({.dtype = DType::float16()}, "it has 0 dimensions, not 1 to 5");
  expectRefusal({.dtype = DType::float16(), .dims = {1, 1, 1, 1, 1, 1}},
                "it has 6 dimensions, not 1 to 5");
  EXPECT_EQ(tensorMapRefusal(with([](TensorMap &m) { m.dims[1] = TensorMapMaxDim; })),
            std::nullopt);
}

TEST(TensorMap, EveryTypeOfAByteOrMoreHasANumber) {
  EXPECT_EQ(tensorMapTypeCode(DType::float16()), 6);
  EXPECT_EQ(tensorMapTypeCode(DType::bfloat16()), 9);
  EXPECT_EQ(tensorMapTypeCode(DType::float32()), 7);
  EXPECT_EQ(tensorMapTypeCode({DTypeKind::TFloat, 32}), 7);
  EXPECT_EQ(tensorMapTypeCode({DTypeKind::Float, 64}), 8);
  EXPECT_EQ(tensorMapTypeCode(DType::int32()), 3);
  EXPECT_EQ(tensorMapTypeCode(DType::int64()), 5);
  EXPECT_EQ(tensorMapTypeCode(DType::uint32()), 2);
  EXPECT_EQ(tensorMapTypeCode(DType::uint64()), 4);
  EXPECT_EQ(tensorMapTypeCode({DTypeKind::Float8E4M3, 8}), 0);
  EXPECT_EQ(tensorMapTypeCode({DTypeKind::Int, 16}), 1);
  for (DType dtype : allDTypes())
    EXPECT_EQ(tensorMapTypeCode(dtype).has_value(), dtype.bits >= 8) << dtype.name();
}

TEST(WgmmaDescriptor, BitsAreThoseOfTheTable) {
  // A of 128 x 64 along K at 1024; B of 64 x 256 along N; V of 176 keys.
  WgmmaTile a{.major = OperandMajor::K, .rows = 128};
  WgmmaTile b{.major = OperandMajor::MN, .rows = 64};
  WgmmaTile v{.major = OperandMajor::MN, .rows = 176};
  auto bits = [](uint64_t swizzle, uint64_t stride, uint64_t leading, uint64_t start) {
    return swizzle << 62 | stride << 32 | leading << 16 | start;
  };
  EXPECT_EQ(encodeWgmmaDescriptor(wgmmaTileDescriptor(a, 1024)), bits(1, 64, 1, 64));
  EXPECT_EQ(encodeWgmmaDescriptor(wgmmaTileDescriptor(b, 0)), bits(1, 64, 512, 0));
  EXPECT_EQ(encodeWgmmaDescriptor(wgmmaTileDescriptor(v, 0)), bits(1, 64, 1408, 0));
  EXPECT_EQ(encodeWgmmaDescriptor({0, 0, 512, Swizzle::Bytes64}), bits(2, 32, 0, 0));
  EXPECT_EQ(encodeWgmmaDescriptor({0, 0, 256, Swizzle::Bytes32}), bits(3, 16, 0, 0));
  EXPECT_EQ(encodeWgmmaDescriptor({16, 128, 256, Swizzle::None}), bits(0, 16, 8, 1));
  EXPECT_EQ(wgmmaTileOffset(a, 64, 48), 8192 + 96);
  EXPECT_EQ(wgmmaTileOffset(b, 64, 32), 8192 + 4096);
  WgmmaTile deep{.major = OperandMajor::K, .rows = 128};
  EXPECT_EQ(wgmmaTileOffset(deep, 0, 64), 128 * 128); // the next box
}

TEST(WgmmaDescriptor, DecodesWhatItEncodes) {
  for (Swizzle swizzle : {Swizzle::None, Swizzle::Bytes32, Swizzle::Bytes64, Swizzle::Bytes128})
    for (int64_t bytes : {0, 16, 1024, 262128}) {
      WgmmaDescriptor descriptor{bytes, 262128 - bytes, bytes, swizzle};
      EXPECT_EQ(decodeWgmmaDescriptor(encodeWgmmaDescriptor(descriptor)), descriptor);
    }
  EXPECT_TRUE(fitsWgmmaDescriptor(262128));
  for (int64_t bytes : {-16, 8, 262144})
    EXPECT_FALSE(fitsWgmmaDescriptor(bytes));
  EXPECT_EQ(decodeWgmmaDescriptor(uint64_t{1} << 49), std::nullopt); // a base offset
}

// Every MMA of a tile reads the bytes that the layout, and so TMA, gives to its elements.
void expectReadsTile(const WgmmaTile &tile, int64_t columns) {
  Context context;
  const Layout *layout = makeSwizzle(context, spanOf(tile.swizzle));
  bool isKMajor = tile.major == OperandMajor::K;
  int64_t mnExtent = isKMajor ? tile.rows : columns, kExtent = isKMajor ? columns : tile.rows;
  int64_t depth = 32 / tile.elementBytes;
  int64_t mnStep = isKMajor ? 64 : spanOf(tile.swizzle) / tile.elementBytes;
  for (int64_t mn = 0; mn != mnExtent; ++mn)
    for (int64_t k = 0; k != kExtent; ++k) {
      int64_t firstMN = mn / mnStep * mnStep, firstK = k / depth * depth;
      WgmmaDescriptor descriptor = wgmmaTileDescriptor(tile, Start);
      descriptor.start += wgmmaTileOffset(tile, firstMN, firstK);
      ASSERT_TRUE(fitsWgmmaDescriptor(descriptor.start));
      int64_t address =
          wgmmaElementAddress(descriptor, tile.major, tile.elementBytes, mn - firstMN, k - firstK);
      int64_t row = isKMajor ? mn : k, column = isKMajor ? k : mn;
      EXPECT_EQ(address - Start,
                byteOffset(*layout, {tile.rows, columns}, tile.elementBytes * 8, {row, column}));
    }
}

TEST(WgmmaDescriptor, ReadsKMajorTiles) {
  for (Swizzle swizzle : Swizzles)
    for (int elementBytes : {1, 2, 4})
      expectReadsTile({OperandMajor::K, swizzle, elementBytes, 128}, 256 / elementBytes);
}

TEST(WgmmaDescriptor, ReadsMNMajorTiles) {
  for (Swizzle swizzle : Swizzles)
    for (int64_t depth : {16, 64, 176})
      expectReadsTile({OperandMajor::MN, swizzle, 2, depth}, 256);
}

// One MMA may take all columns of a tile: panels are `leading` apart.
TEST(WgmmaDescriptor, OneMmaCrossesPanels) {
  Context context;
  for (Swizzle swizzle : Swizzles) {
    WgmmaTile tile{OperandMajor::MN, swizzle, 2, 64};
    WgmmaDescriptor descriptor = wgmmaTileDescriptor(tile, Start);
    descriptor.start += wgmmaTileOffset(tile, 0, 16);
    const Layout *layout = makeSwizzle(context, spanOf(swizzle));
    for (int64_t n = 0; n != 256; ++n)
      for (int64_t k = 0; k != 16; ++k)
        EXPECT_EQ(wgmmaElementAddress(descriptor, OperandMajor::MN, 2, n, k) - Start,
                  byteOffset(*layout, {64, 256}, 16, {16 + k, n}));
  }
}

// Without a swizzle: core matrices of 8 rows by 16 bytes, 128 bytes each, in any order.
TEST(WgmmaDescriptor, ReadsCoreMatrices) {
  WgmmaDescriptor kMajor{.start = Start, .leading = 128, .stride = 256};
  WgmmaDescriptor mnMajor{.start = Start, .leading = 1024, .stride = 128};
  for (int64_t mn = 0; mn != 64; ++mn)
    for (int64_t k = 0; k != 16; ++k) {
      EXPECT_EQ(wgmmaElementAddress(kMajor, OperandMajor::K, 2, mn, k),
                Start + mn / 8 * 256 + k / 8 * 128 + mn % 8 * 16 + k % 8 * 2);
      EXPECT_EQ(wgmmaElementAddress(mnMajor, OperandMajor::MN, 2, mn, k),
                Start + mn / 8 * 128 + k / 8 * 1024 + k % 8 * 16 + mn % 8 * 2);
    }
}

} // namespace
} // namespace tilescope
