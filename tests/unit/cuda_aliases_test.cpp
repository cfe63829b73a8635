// The names that shared buffers have in CUDA, case by case. Run alone: unit_tests
// --gtest_filter='CudaAliases*'
#include "tests/unit/emitter_fixture.h"

namespace tilescope {
namespace {

class CudaAliasesTest : public EmitterTest {
protected:
  Buffer *shared(llvm::StringRef name, DType dtype, int64_t elements, int64_t offsetBytes,
                 int64_t versions = 1) {
    Buffer *buffer = declare(name, dtype, {number(elements)}, Scope::Shared);
    buffer->offsetBytes = offsetBytes;
    buffer->versions = versions;
    return buffer;
  }
  ExprList at(const Expr *index) {
    const Expr *indices[] = {index};
    return context.copy<const Expr *>(indices);
  }
  const Stmt *store(const Buffer &buffer, const Expr *slot, const Expr *value) {
    return context.make<Store>(info(), buffer.id, slot, at(tx), value);
  }
  const Expr *load(const Buffer &buffer, const Expr *slot = nullptr) {
    return b.load(buffer, slot, at(tx));
  }
  const Expr *one(DType dtype) { return b.cast(dtype, b.floating(1.0)); }

  static size_t count(const CudaSource &source, llvm::StringRef text) {
    return llvm::StringRef(source.text).count(text);
  }
};

TEST_F(CudaAliasesTest, OffsetsAreBytesWhateverTheElement) {
  Buffer *bytes = shared("bytes", *parseDType("int8"), 16, 0);
  Buffer *wide = shared("wide", *parseDType("float64"), 128, 16);
  Buffer *half = shared("half_tile", DType::float16(), 128, 1040);
  CudaSource source =
      emit({store(*bytes, nullptr, b.integer(1, *parseDType("int8"))),
            store(*wide, nullptr, one(wide->dtype)), store(*half, nullptr, one(half->dtype))});
  EXPECT_TRUE(contains(source, "extern __shared__ __align__(1024) unsigned char arena[];"));
  EXPECT_TRUE(contains(source, "i8 *const bytes = reinterpret_cast<i8 *>(arena + 0);"));
  EXPECT_TRUE(contains(source, "double *const wide = reinterpret_cast<double *>(arena + 16);"));
  EXPECT_TRUE(contains(source, "half *const half_tile = reinterpret_cast<half *>(arena + 1040);"));
  EXPECT_EQ(source.launches.at(0).dynamicSharedBytes, "1296");
  expectNvrtcCompiles(source);
}

// Versions begin at multiples of 16 bytes, also where a version's bytes are no such multiple.
TEST_F(CudaAliasesTest, StagesKeepTheirStrideWhereBytesAreNoMultiple) {
  Buffer *odd = shared("odd", DType::float32(), 3, 0, 3);
  Buffer *packed = shared("packed", *parseDType("int4"), 33, 48, 2);
  Buffer *halves = shared("halves", DType::float16(), 5, 112, 2);
  const Var *k = b.var("k");
  const Expr *slot = b.floorMod(k, number(3));
  const Stmt *body[] = {store(*odd, slot, one(odd->dtype)), store(*odd, number(2), one(odd->dtype)),
                        store(*packed, b.floorMod(k, number(2)), b.cast(packed->dtype, number(1))),
                        store(*halves, number(1), one(halves->dtype))};
  CudaSource source = emit(
      {context.make<For>(info(), k, number(0), number(9), ForKind::Serial, b.seq(info(), body))});
  EXPECT_TRUE(contains(source, "odd: float32[3], row_major, 3 versions, "
                               "bytes [0, 12) [16, 28) [32, 44)"))
      << source.text;
  EXPECT_TRUE(contains(source, "constexpr int odd_slot = 4;"));
  EXPECT_TRUE(contains(source, "float *const odd_k = odd + (k % 3) * odd_slot;"));
  EXPECT_TRUE(contains(source, "float *const odd_v2 = odd + 2 * odd_slot;"));
  EXPECT_TRUE(contains(source, "odd_v2[tx] = "));
  EXPECT_TRUE(contains(source, "packed: int4[33], row_major, 2 versions, bytes [48, 65) [80, 97)"));
  EXPECT_TRUE(contains(source, "constexpr int packed_slot = 32;"));
  EXPECT_TRUE(contains(source, "constexpr int halves_slot = 8;"));
  EXPECT_TRUE(contains(source, "half *const halves_v1 = halves + 1 * halves_slot;"));
  EXPECT_EQ(source.launches.at(0).dynamicSharedBytes, "144");
  expectNvrtcCompiles(source);
}

TEST_F(CudaAliasesTest, AStrideThatNothingReadsIsNotDeclared) {
  Buffer *tile = shared("tile", DType::float16(), 128, 0, 2);
  CudaSource source = emit({store(*tile, number(0), one(tile->dtype))});
  EXPECT_TRUE(contains(source, "half *const tile_v0 = tile;")) << source.text;
  EXPECT_FALSE(contains(source, "tile_slot")) << source.text;
  expectNvrtcCompiles(source);
}

TEST_F(CudaAliasesTest, SizeZeroHasANameAndNoBytes) {
  Buffer *none = shared("none", DType::float16(), 0, 0, 2);
  Buffer *some = shared("some", DType::float16(), 128, 0);
  CudaSource source = emit({store(*some, nullptr, one(some->dtype))});
  EXPECT_TRUE(contains(source, "none: float16[0], row_major, 2 versions, bytes [0, 0) [0, 0)"))
      << source.text;
  EXPECT_TRUE(contains(source, "[[maybe_unused]] half *const none = "));
  EXPECT_FALSE(contains(source, "shares bytes"));
  EXPECT_EQ(source.launches.at(0).dynamicSharedBytes, "256");
  EXPECT_EQ(none->versions, 2);
  expectNvrtcCompiles(source);
}

// Same type, same bytes: still two names, and each access has that of its own buffer.
TEST_F(CudaAliasesTest, BuffersOfOneAddressKeepTheirNames) {
  Buffer *query = shared("Q_shared", DType::float16(), 128, 0);
  Buffer *output = shared("O_shared", DType::float16(), 128, 0);
  Buffer *other = shared("S", DType::float16(), 128, 256);
  CudaSource source =
      emit({store(*query, nullptr, one(query->dtype)), store(*other, nullptr, load(*query)),
            store(*output, nullptr, load(*other))});
  for (llvm::StringRef name : {"Q_shared", "O_shared"})
    EXPECT_EQ(
        count(source, ("half *const " + name + " = reinterpret_cast<half *>(arena + 0);").str()),
        1U);
  EXPECT_TRUE(contains(source, "shares bytes with O_shared"));
  EXPECT_TRUE(contains(source, "shares bytes with Q_shared"));
  EXPECT_EQ(count(source, "  Q_shared[tx] = "), 1U) << source.text;
  EXPECT_EQ(count(source, "  S[tx] = Q_shared[tx];"), 1U);
  EXPECT_EQ(count(source, "  O_shared[tx] = S[tx];"), 1U);
  for (const CudaLine &line : source.lineMap)
    EXPECT_LE(line.buffers.size(), 2U);
  expectNvrtcCompiles(source);
}

// The first that asks gets the name; what a slot pointer or stride would be called counts too.
TEST_F(CudaAliasesTest, ClashesGetSuffixesTheSameEachTime) {
  Buffer *first = shared("tile", DType::float32(), 128, 0, 2);
  Buffer *second = shared("tile", DType::float32(), 128, 1024);
  Buffer *slotLike = shared("tile_v1", DType::float32(), 128, 1536);
  Buffer *spaced = shared("my tile", DType::float32(), 128, 2048);
  Buffer *strideLike = shared("tile_slot", DType::float32(), 128, 2560);
  std::vector<const Stmt *> body = {
      store(*first, number(1), one(first->dtype)), store(*second, nullptr, one(first->dtype)),
      store(*slotLike, nullptr, one(first->dtype)), store(*spaced, nullptr, one(first->dtype)),
      store(*strideLike, nullptr, one(first->dtype))};
  CudaSource source = emit(body);
  EXPECT_TRUE(contains(source, "float *const tile = reinterpret_cast<float *>(arena + 0);"));
  EXPECT_TRUE(contains(source, "float *const tile_1 = reinterpret_cast<float *>(arena + 1024);"));
  EXPECT_TRUE(contains(source, "float *const tile_v1 = reinterpret_cast<float *>(arena + 1536);"));
  EXPECT_TRUE(contains(source, "float *const tile_v1_1 = tile + 1 * tile_slot_1;")) << source.text;
  EXPECT_TRUE(contains(source, "constexpr int tile_slot_1 = 128;"));
  EXPECT_TRUE(
      contains(source, "float *const tile_slot = reinterpret_cast<float *>(arena + 2560);"));
  EXPECT_TRUE(contains(source, "float *const my_tile = reinterpret_cast<float *>(arena + 2048);"));
  EXPECT_TRUE(contains(source, "  tile_v1_1[tx] = "));
  EXPECT_TRUE(contains(source, "  tile_1[tx] = "));
  EXPECT_EQ(source.text, emit(body).text);
  expectNvrtcCompiles(source);
}

TEST_F(CudaAliasesTest, ReservedWordsGetSuffixes) {
  std::vector<const Stmt *> body;
  int64_t offset = 0;
  for (llvm::StringRef name : {"float", "arena", "template", "threadIdx", "half", "this", "swizzle",
                               "copy_vector", "char8_t", "asm", "NULL", "M_PI", "INFINITY",
                               "static_cast", "__shared__", "_Bool", "128"}) {
    Buffer *buffer = shared(name, DType::float32(), 128, offset);
    body.push_back(store(*buffer, nullptr, one(buffer->dtype)));
    offset += 512;
  }
  CudaSource source = emit(body);
  EXPECT_TRUE(contains(source, "float *const float_1 = ")) << source.text;
  EXPECT_TRUE(contains(source, "float *const arena_1 = "));
  EXPECT_TRUE(contains(source, "float *const template_1 = "));
  EXPECT_TRUE(contains(source, "float *const threadIdx_1 = "));
  expectNvrtcCompiles(source);
}

TEST_F(CudaAliasesTest, SizesKnownAtLaunchAreSaidInParameters) {
  const Var *n = b.var("n");
  Buffer *out = declare("out", DType::float32(), {n, number(4)}, Scope::Global);
  out->strides = context.copy<const Expr *>({b.mul(n, number(2)), number(1)});
  params = {{out->id, nullptr, true}, {BufferId(), n, false}};
  Buffer *rows = declare("rows", DType::float32(), {n, number(3)}, Scope::Shared);
  rows->versions = 2;
  Buffer *fixed = shared("fixed", DType::float32(), 100, 0);
  const Var *k = b.var("k");
  const Expr *place[] = {tx, number(1)};
  ExprList indices = context.copy<const Expr *>(place);
  const Stmt *fill =
      context.make<Store>(info(), rows->id, b.floorMod(k, number(2)), indices, load(*fixed));
  const Stmt *copy =
      context.make<Store>(info(), out->id, nullptr, indices, b.load(*rows, number(1), indices));
  const Stmt *loop = context.make<For>(info(), k, number(0), number(2), ForKind::Serial, fill);
  CudaSource source = emit({loop, copy});
  EXPECT_TRUE(
      contains(source, "rows: float32[n, 3], row_major, 2 versions, its size is known at launch"))
      << source.text;
  EXPECT_TRUE(contains(source, "float *const rows = reinterpret_cast<float *>(arena + 400);"));
  EXPECT_TRUE(contains(source, "const i64 rows_slot = (i64(n) * 3 * 4 + 15) / 16 * 16 / 4;"));
  EXPECT_TRUE(contains(source, "float *const rows_k = rows + (k % 2) * rows_slot;"));
  EXPECT_TRUE(contains(source, "float *const rows_v1 = rows + 1 * rows_slot;"));
  EXPECT_TRUE(contains(source, "out[tx * (i64(n) * 2) + 1] = rows_v1[tx * 3 + 1];")) << source.text;
  expectCompiles(source);
}

TEST_F(CudaAliasesTest, WithoutAliasesEveryAccessCastsItsBytes) {
  Buffer *tile = shared("tile", DType::float16(), 100, 0, 2);
  Buffer *packed = shared("packed", *parseDType("int4"), 64, 416);
  const Var *k = b.var("k");
  const Stmt *body[] = {store(*tile, b.floorMod(k, number(2)), one(tile->dtype)),
                        store(*tile, number(1), one(tile->dtype)),
                        store(*packed, nullptr, b.cast(packed->dtype, number(1)))};
  CudaSource source = emit(
      {context.make<For>(info(), k, number(0), number(4), ForKind::Serial, b.seq(info(), body))},
      {}, {}, /*aliases=*/false);
  EXPECT_TRUE(contains(source, "reinterpret_cast<half *>(arena + 0 + (k % 2) * 208)[tx] = "))
      << source.text;
  EXPECT_TRUE(contains(source, "reinterpret_cast<half *>(arena + 0 + (1) * 208)[tx] = "));
  EXPECT_TRUE(contains(source, "store_4(reinterpret_cast<u8 *>(arena + 416), tx, "));
  EXPECT_FALSE(contains(source, "*const tile"));
  expectNvrtcCompiles(source);
}

} // namespace
} // namespace tilescope
