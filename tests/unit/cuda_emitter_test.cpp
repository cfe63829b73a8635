// The emitter on hand-built lowered functions; where there is a real nvcc, it compiles the text.
#include "core/codegen/prelude.h"
#include "tests/unit/emitter_fixture.h"

#include <limits>

namespace tilescope {
namespace {

// A pipelined GEMM tile: guarded cp.async into slots, ldmatrix, mma, wide stores.
class GemmTest : public EmitterTest {
protected:
  GemmTest() {
    input = declare("A", DType::float16(), {number(1024), number(512)}, Scope::Global);
    output = declare("C", DType::float16(), {number(1024), number(1024)}, Scope::Global);
    shared = declare("A_shared", DType::float16(), {number(128), number(32)}, Scope::Shared);
    shared->versions = 3;
    shared->layout = makeSwizzle(context, 64);
    shared->offsetBytes = 1024;
    staged = declare("C_shared", DType::float16(), {number(64), number(64)}, Scope::Shared);
    staged->layout = makeRowMajor(context, 8);
    staged->offsetBytes = 0;
    local = declare("A_local", DType::float16(), {number(8)}, Scope::Local);
    accumulator = declare("C_local", DType::float32(), {number(4)}, Scope::Local);
    words = declare("C_vec", DType::float16(), {number(4)}, Scope::Local);
    params = {{input->id, nullptr, false}, {output->id, nullptr, true}};
  }

  std::vector<const Stmt *> body() {
    const Var *k = b.var("k");
    const Var *v = b.var("v");
    const Expr *consumer = b.floorMod(k, number(3));
    const Expr *producer = b.floorMod(b.add(k, number(2)), number(3));
    const Expr *row = b.floorDiv(tx, number(4));
    const Expr *col = b.mul(b.floorMod(tx, number(4)), number(8));
    const Expr *from = b.add(b.mul(b.add(k, number(2)), number(32)), col);
    const Expr *valid = b.less(b.add(k, number(2)), number(16));
    const Stmt *gemm = b.op(at(2), Op::Gemm, {});
    const Expr *copyArgs[] = {valid};
    const Stmt *loop = context.make<For>(
        info(), k, number(0), number(16), ForKind::Serial,
        b.seq(info(),
              {b.op(info(), Op::WaitGroup, {}, {}, {{Attr::Pending, 1}}),
               b.op(info(), Op::Barrier, {}),
               b.op(info(), Op::CpAsync,
                    {run(*input, nullptr, {b.add(b.mul(by, number(128)), row), from}, 8),
                     run(*shared, producer, {row, col}, 8)},
                    context.copy<const Expr *>(copyArgs), {{Attr::Bytes, 16}}),
               b.op(info(), Op::CommitGroup, {}),
               b.op(b.lowered(*gemm), Op::Ldmatrix,
                    {run(*shared, consumer, {b.floorMod(tx, number(16)), number(0)}, 8),
                     run(*local, nullptr, {number(0)}, 8)},
                    {}, {{Attr::Matrices, 4}}),
               b.op(b.lowered(*gemm), Op::Mma,
                    {run(*local, nullptr, {number(0)}, 8), run(*local, nullptr, {number(4)}, 4),
                     run(*accumulator, nullptr, {number(0)}, 4)},
                    {}, {{Attr::K, 16}})}));
    const Expr *index[] = {v};
    const Expr *element[] = {b.floorDiv(tx, number(16)),
                             b.mul(b.floorMod(tx, number(16)), number(4))};
    const Stmt *convert = context.make<For>(
        info(), v, number(0), number(4), ForKind::Unrolled,
        context.make<Store>(info(), words->id, nullptr, context.copy<const Expr *>(index),
                            b.cast(DType::float16(), b.load(*accumulator, nullptr,
                                                            context.copy<const Expr *>(index)))));
    const Stmt *store = b.op(
        info(), Op::VectorCopy,
        {run(*words, nullptr, {number(0)}, 4), run(*staged, nullptr, {element[0], element[1]}, 4)},
        {}, {{Attr::Bytes, 8}});
    return {loop, convert, store};
  }

  Buffer *input, *output, *shared, *staged, *local, *accumulator, *words;
};

TEST_F(GemmTest, NamesSlotsByBufferAndCompiles) {
  CudaSource source = emit(body());
  EXPECT_TRUE(contains(source, "half *const A_shared = reinterpret_cast<half *>(arena + 1024);"))
      << source.text;
  EXPECT_TRUE(contains(source, "half *const A_shared_k = A_shared + (k % 3) * A_shared_slot;"))
      << source.text;
  EXPECT_TRUE(
      contains(source, "half *const A_shared_k2 = A_shared + ((k + 2) % 3) * A_shared_slot;"));
  EXPECT_TRUE(contains(source, "bytes [1024, 9216) [9216, 17408) [17408, 25600)")) << source.text;
  EXPECT_TRUE(contains(source, "shares bytes with C_shared"));
  EXPECT_TRUE(contains(source, "// gemm.py:2: T.gemm(A_shared, B_shared)\n"));
  EXPECT_TRUE(contains(source, "ldmatrix_x4(A_local, &A_shared_k[A_shared_at(tx % 16, 0)]);"))
      << source.text;
  EXPECT_TRUE(contains(source, "copy_vector<8>(&C_shared[tx / 16 * 72 + tx % 16 * 4], C_vec);"))
      << source.text;
  EXPECT_EQ(source.launches.at(0).dynamicSharedBytes, "25600");
  expectShortLines(source);
  expectNvrtcCompiles(source);
  expectCompiles(source);
}

TEST_F(GemmTest, WithoutAliasesCastsTheArena) {
  CudaSource source = emit(body(), {}, {}, /*aliases=*/false);
  EXPECT_FALSE(contains(source, "A_shared_k"));
  EXPECT_TRUE(contains(source, "reinterpret_cast<half *>(arena + 1024 + (k % 3) * 8192)"))
      << source.text;
  expectNvrtcCompiles(source);
}

TEST_F(GemmTest, MapsLinesToStatementsAndBuffers) {
  CudaSource source = emit(body());
  size_t gemmLines = 0;
  for (const CudaLine &line : source.lineMap)
    if (line.span.line == 2 && !line.buffers.empty()) {
      EXPECT_EQ(line.buffers, std::vector<BufferId>{shared->id});
      ++gemmLines;
    }
  EXPECT_EQ(gemmLines, 1U);
}

TEST_F(GemmTest, RasterAndSecondEmissionIsEqual) {
  std::vector<const Stmt *> stmts = body();
  CudaSource rows = emit(stmts, {}, BlockRaster{4, false});
  EXPECT_TRUE(contains(rows, "const uint2 block = raster_rows<4>();"));
  EXPECT_EQ(rows.text, emit(stmts, {}, BlockRaster{4, false}).text);
  expectNvrtcCompiles(rows);
  expectNvrtcCompiles(emit(stmts, {}, BlockRaster{4, true}));
}

// What a predicate keeps within 32 bits is cut to them in the address, not in the predicate.
TEST_F(EmitterTest, AddressesCutWhatTheirPredicateKeepsNarrow) {
  const Var *start = b.var("start");
  Buffer *x = declare("X", DType::float32(), {number(4096), number(64)}, Scope::Global);
  Buffer *words = declare("words", DType::float32(), {number(4)}, Scope::Local);
  params = {{x->id, nullptr, true}, {BufferId(), start, false}};
  const Expr *row = b.add(start, tx);
  const Expr *inside[] = {
      b.logicalAnd(b.binary(BinaryOp::GreaterEqual, row, number(0)), b.less(row, number(4096)))};
  const Expr *notBelow[] = {b.binary(BinaryOp::GreaterEqual, row, number(0))};
  auto copy = [&](llvm::ArrayRef<const Expr *> predicate) {
    return b.op(info(), Op::VectorCopy,
                {run(*x, nullptr, {row, number(0)}, 4), run(*words, nullptr, {number(0)}, 4)},
                context.copy<const Expr *>(predicate), {{Attr::Bytes, 16}});
  };
  CudaSource source = emit({copy(inside), copy(notBelow)});
  EXPECT_TRUE(contains(source, "(words, &X[i64(int(i64(start) + tx)) * 64], "
                               "i64(start) + tx >= 0 && i64(start) + tx < 4096);"))
      << source.text;
  EXPECT_TRUE(contains(source, "(words, &X[(i64(start) + tx) * 64], i64(start) + tx >= 0);"))
      << source.text;
  expectNvrtcCompiles(source);
}

TEST_F(EmitterTest, DynamicShapesUse64BitsOnlyWhereNeeded) {
  const Var *m = b.var("M");
  Buffer *x = declare("X", DType::float32(), {m, number(1 << 20)}, Scope::Global);
  params = {{x->id, nullptr, true}, {BufferId(), m, false}};
  const Expr *row = b.add(b.mul(by, number(128)), tx);
  const Expr *indices[] = {row, bx};
  const Stmt *store =
      context.make<Store>(info(), x->id, nullptr, context.copy<const Expr *>(indices),
                          b.floating(-std::numeric_limits<double>::infinity()));
  const Stmt *guarded = context.make<If>(info(), b.less(row, m), store, nullptr);
  CudaSource source = emit({guarded}, {number(64), b.floorDiv(b.add(m, number(127)), number(128))});
  EXPECT_TRUE(contains(source, "if (by * 128 + tx < M) {")) << source.text;
  EXPECT_TRUE(contains(source, "X[i64(by * 128 + tx) * 1048576 + bx] = ")) << source.text;
  EXPECT_TRUE(contains(source, "const i64 grid_y = (i64(M) + 127) / 128;")) << source.text;
  EXPECT_EQ(source.launches.at(0).params.at(1).role, "scalar");
  expectCompiles(source);
}

TEST_F(EmitterTest, FloorsWhatMayBeNegativeAndRenamesKeywords) {
  Buffer *x = declare("int", DType::int32(), {number(64)}, Scope::Global);
  params = {{x->id, nullptr, true}};
  const Var *i = b.var("for");
  const Expr *shifted = b.sub(i, number(3));
  const Expr *indices[] = {b.floorMod(shifted, number(8))};
  const Stmt *store = context.make<Store>(
      info(), x->id, nullptr, context.copy<const Expr *>(indices), b.floorDiv(shifted, number(2)));
  const Stmt *loop = context.make<For>(info(), i, number(0), number(8), ForKind::Unrolled, store);
  CudaSource source = emit({loop});
  EXPECT_TRUE(contains(source, "#pragma unroll\n  for (int for_1 = 0; for_1 < 8; ++for_1) {"))
      << source.text;
  EXPECT_TRUE(contains(source, "int_1[floor_mod(for_1 - 3, 8)] = floor_div(for_1 - 3, 2);"))
      << source.text;
  expectNvrtcCompiles(source);
}

TEST_F(EmitterTest, ConvertsTypes) {
  Buffer *x = declare("x", DType::bfloat16(), {number(64)}, Scope::Global);
  Buffer *y = declare("y", DType::float16(), {number(64)}, Scope::Global);
  Buffer *z = declare("z", *parseDType("int4"), {number(64)}, Scope::Global);
  params = {{x->id, nullptr, true}, {y->id, nullptr, false}, {z->id, nullptr, true}};
  const Expr *here[] = {tx};
  ExprList indices = context.copy<const Expr *>(here);
  const Expr *half = b.load(*y, nullptr, indices);
  const Expr *args[] = {b.binary(BinaryOp::Max, half, b.floating(0.5, DType::float16()))};
  const Expr *value =
      b.cast(DType::bfloat16(), b.math(MathFn::Exp, context.copy<const Expr *>(args)));
  const Stmt *first = context.make<Store>(info(), x->id, nullptr, indices, value);
  const Stmt *second = context.make<Store>(info(), z->id, nullptr, indices, b.cast(z->dtype, half));
  const Expr *amount[] = {half};
  const Stmt *atomic = b.op(info(), Op::AtomicElement, {run(*y, nullptr, {tx}, 1)},
                            context.copy<const Expr *>(amount));
  CudaSource source = emit({first, second, atomic});
  EXPECT_TRUE(
      contains(source, "x[tx] = bfloat16(float(half(expf(float(__hmax(y[tx], half(0.5f)))))));"))
      << source.text;
  EXPECT_TRUE(contains(source, "store_4(z, tx, int(float(y[tx])));")) << source.text;
  expectCompiles(source);
}

// Stored, a value is encoded once; kept in an expression, it is a number that the type has.
TEST_F(EmitterTest, EncodesFourBitElements) {
  Buffer *x = declare("x", DType::float32(), {number(64)}, Scope::Global);
  Buffer *f = declare("f", *parseDType("float4_e2m1fn"), {number(64)}, Scope::Global);
  Buffer *q = declare("q", *parseDType("int4"), {number(64)}, Scope::Global);
  params = {{x->id, nullptr, true}, {f->id, nullptr, true}, {q->id, nullptr, true}};
  const Expr *here[] = {tx};
  ExprList indices = context.copy<const Expr *>(here);
  auto store = [&](const Buffer &target, const Expr *value) {
    return context.make<Store>(info(), target.id, nullptr, indices, value);
  };
  auto load = [&](const Buffer &source) { return b.load(source, nullptr, indices); };
  CudaSource source =
      emit({store(*f, b.cast(f->dtype, load(*x))), store(*f, b.floating(0.5, f->dtype)),
            store(*f, b.add(load(*f), load(*f))), store(*f, b.cast(f->dtype, load(*q))),
            store(*x, b.cast(x->dtype, b.cast(f->dtype, load(*x)))),
            store(*x, b.cast(x->dtype, b.cast(q->dtype, load(*x))))});
  EXPECT_TRUE(contains(source, "store_4(f, tx, encode_f4(x[tx]));")) << source.text;
  EXPECT_TRUE(contains(source, "store_4(f, tx, encode_f4(0.5f));")) << source.text;
  EXPECT_TRUE(contains(
      source, "store_4(f, tx, encode_f4(decode_f4(encode_f4(load_f4(f, tx) + load_f4(f, tx)))));"))
      << source.text;
  EXPECT_TRUE(contains(source, "store_4(f, tx, encode_f4(float(load_i4(q, tx))));"));
  EXPECT_TRUE(contains(source, "x[tx] = float(decode_f4(encode_f4(x[tx])));")) << source.text;
  EXPECT_TRUE(contains(source, "x[tx] = float(wrap_i4(int(x[tx])));")) << source.text;
  expectCompiles(source);
}

TEST_F(EmitterTest, BreaksLongLines) {
  Buffer *x =
      declare("a_buffer_with_a_rather_long_name", DType::float32(), {number(64)}, Scope::Global);
  params = {{x->id, nullptr, true}};
  const Expr *here[] = {tx};
  ExprList indices = context.copy<const Expr *>(here);
  const Expr *sum = b.load(*x, nullptr, indices);
  for (int i = 0; i < 12; ++i)
    sum = b.add(sum, b.load(*x, nullptr, indices));
  CudaSource source = emit({context.make<Store>(info(), x->id, nullptr, indices, sum)});
  expectShortLines(source);
  expectNvrtcCompiles(source);
}

TEST_F(EmitterTest, OneBufferEmptyBufferAndFourBitElements) {
  Buffer *out = declare("out", DType::float32(), {number(64)}, Scope::Global);
  Buffer *tile =
      declare("tile", *parseDType("float4_e2m1fn"), {number(2), number(64)}, Scope::Shared);
  Buffer *none = declare("none", DType::float32(), {number(0)}, Scope::Shared);
  tile->offsetBytes = none->offsetBytes = 0;
  params = {{out->id, nullptr, true}};
  const Expr *here[] = {tx};
  const Expr *second[] = {number(1), tx};
  const Expr *value =
      b.cast(DType::float32(), b.load(*tile, nullptr, context.copy<const Expr *>(second)));
  CudaSource source = emit(
      {context.make<Store>(info(), out->id, nullptr, context.copy<const Expr *>(here), value)});
  EXPECT_TRUE(contains(source, "out[tx] = float(load_f4(tile, 64 + tx));")) << source.text;
  EXPECT_TRUE(contains(source, "[[maybe_unused]] float *const none = ")) << source.text;
  EXPECT_EQ(source.launches.at(0).dynamicSharedBytes, "64");
  expectCompiles(source);
}

// The helper's text, compiled for this machine, against the layout that the passes plan with.
TEST(SwizzleHelperTest, AgreesWithTheLayout) {
  llvm::ErrorOr<std::string> compiler = llvm::sys::findProgramByName("c++");
  if (!compiler)
    GTEST_SKIP() << "no C++ compiler on this machine";
  Context context;
  std::string program = "#define __device__\n#define __forceinline__ inline\n" +
                        textOf(Helper::Swizzle).str() + "int main() {\n";
  llvm::raw_string_ostream out(program);
  for (int64_t span : {32, 64, 128})
    for (int64_t columns : {span / 2, span}) {
      const Layout *layout = makeSwizzle(context, span);
      for (int64_t row = 0; row < 16; ++row)
        for (int64_t column = 0; column < columns; column += 4)
          out << "  if (swizzle<" << span << ", 16, " << columns << ", 16>(" << row << ", "
              << column << ") != " << byteOffset(*layout, {16, columns}, 16, {row, column}) / 2
              << ") return 1;\n";
    }
  out << "}\n";
  llvm::SmallString<128> source;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("swizzle", "cpp", source));
  std::string binary = source.str().str() + ".out";
  std::error_code error;
  llvm::raw_fd_ostream(source, error) << program;
  EXPECT_EQ(llvm::sys::ExecuteAndWait(*compiler, {*compiler, "-std=c++17", source, "-o", binary}),
            0);
  EXPECT_EQ(llvm::sys::ExecuteAndWait(binary, {binary}), 0);
  (void)llvm::sys::fs::remove(source);
  (void)llvm::sys::fs::remove(binary);
}

} // namespace
} // namespace tilescope
