// The tile-level CPU reference: kernels given as IR text, results computed by hand here.
#include "core/exec/compare.h"
#include "core/exec/inputs.h"
#include "core/exec/numbers.h"
#include "core/exec/reference.h"
#include "ir_text.h"

#include <cmath>
#include <limits>

namespace tilescope {
namespace {

constexpr char Matmul[] = R"ir(
@T.prim_func(properties=["tile"])
def matmul(
    A: T.Tensor((m, k), "DTYPE"),
    B: T.Tensor((k, n), "DTYPE"),
    C: T.Tensor((m, n), "float32", output=True),
    m: T.int32,
    n: T.int32,
    k: T.int32,
):
    A_shared = T.alloc_shared((32, 16), "DTYPE")
    B_shared = T.alloc_shared((16, 64), "DTYPE")
    C_local = T.alloc_fragment((32, 64), "ACC")
    with T.Kernel((n + 63) // 64, (m + 31) // 32, threads=128) as (bx, by, tx):
        T.fill(C_local[0:32, 0:64], ZERO)
        for ko in T.Pipelined(0, (k + 15) // 16, num_stages=2):
            T.copy(A[by * 32:by * 32 + 32, ko * 16:ko * 16 + 16], A_shared[0:32, 0:16])
            T.copy(B[ko * 16:ko * 16 + 16, bx * 64:bx * 64 + 64], B_shared[0:16, 0:64])
            T.gemm(A_shared[0:32, 0:16], B_shared[0:16, 0:64], C_local[0:32, 0:64])
        for i, j in T.Parallel(32, 64):
            C_local[i, j] = T.max(C_local[i, j], ZERO)
        T.copy(C_local[0:32, 0:64], C[by * 32:by * 32 + 32, bx * 64:bx * 64 + 64])
)ir";

std::string replaced(std::string text, llvm::StringRef from, llvm::StringRef to) {
  for (size_t at = text.find(from.str()); at != std::string::npos;
       at = text.find(from.str(), at + to.size()))
    text.replace(at, from.size(), to.str());
  return text;
}

std::string matmulText(llvm::StringRef dtype, llvm::StringRef accumulator,
                       llvm::StringRef zero = "0.0") {
  return replaced(replaced(replaced(Matmul, "DTYPE", dtype), "ACC", accumulator), "ZERO", zero);
}

// One function with its tensors, filled from seed 1; outputs keep their NaN.
class KernelRun {
public:
  KernelRun(const std::string &text, llvm::ArrayRef<int64_t> scalars) {
    module_ = parseIr(context_, text);
    const Function &function = *module_->functions.front();
    BlockFrame host(function, memory);
    size_t next = 0;
    for (const Param &param : function.params)
      if (param.var) {
        scalars_.emplace_back(param.var, Number{.i = scalars[next++]});
        host.bind(param.var, scalars_.back().second);
      }
    for (const Param &param : function.params) {
      if (param.var)
        continue;
      const Buffer &buffer = function.buffer(param.buffer);
      llvm::SmallVector<int64_t> shape;
      for (const Expr *extent : buffer.shape)
        shape.push_back(host.evaluateInt(extent));
      Tensor tensor(buffer.dtype, shape);
      if (!param.isOutput)
        fillSeeded(tensor, 1, buffer.name);
      memory.tensors.emplace(buffer.id, std::move(tensor));
    }
  }
  const Function &function() const { return *module_->functions.front(); }
  llvm::Expected<ReferenceReport> run(const ReferenceOptions &options = {}) {
    return runReference(function(), memory, scalars_, options);
  }
  Tensor &tensor(llvm::StringRef name) {
    for (const Buffer *buffer : function().buffers)
      if (buffer->name == name)
        return memory.tensors.at(buffer->id);
    return memory.tensors.begin()->second;
  }

  GlobalMemory memory;

private:
  Context context_;
  const Module *module_;
  std::vector<std::pair<const Var *, Number>> scalars_;
};

// max(A @ B, 0) in double.
double expectedAt(KernelRun &run, int64_t row, int64_t column) {
  Tensor &a = run.tensor("A");
  Tensor &b = run.tensor("B");
  double sum = 0;
  for (int64_t k = 0; k < a.shape()[1]; ++k)
    sum += a.real(a.indexOf({row, k})) * b.real(b.indexOf({k, column}));
  return std::fmax(sum, 0);
}

void expectMatmul(KernelRun &run, double tolerance) {
  Tensor &c = run.tensor("C");
  for (int64_t index = 0; index < c.size(); ++index) {
    llvm::SmallVector<int64_t> place = c.coordinatesOf(index);
    ASSERT_NEAR(c.real(index), expectedAt(run, place[0], place[1]), tolerance) << index;
  }
}

TEST(Tensor, KeepsTheMemoryOrderOfItsLayout) {
  Context context;
  const Layout *layout = parseLayout(context, "permuted(2@32 8@4 | 2@64 4@1)");
  Tensor tensor(DType::float32(), {16, 8}, layout);
  EXPECT_EQ(tensor.indexOf({0, 0}), 0);
  EXPECT_EQ(tensor.indexOf({9, 6}), 32 + 4 + 64 + 2);
  EXPECT_EQ(tensor.indexOf({16, 0}), -1);
  for (int64_t index = 0; index < tensor.size(); ++index)
    EXPECT_EQ(tensor.indexOf(tensor.coordinatesOf(index)), index);
}

TEST(ReferenceTest, MatmulWithRaggedTails) {
  KernelRun run(matmulText("float16", "float32"), {70, 65, 37});
  llvm::Expected<ReferenceReport> report = run.run();
  ASSERT_TRUE(static_cast<bool>(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(report->blocks, 6);
  EXPECT_TRUE(report->sample.empty());
  expectMatmul(run, 1e-4);
}

TEST(ReferenceTest, Fp32OperandsLoseWhatTf32Drops) {
  KernelRun run(matmulText("float32", "float32"), {32, 64, 64});
  ASSERT_TRUE(static_cast<bool>(run.run()));
  EXPECT_NE(run.tensor("C").real(0), static_cast<float>(expectedAt(run, 0, 0)));
  expectMatmul(run, 0.1);
}

TEST(ReferenceTest, IntegersAreExact) {
  std::string text =
      replaced(matmulText("int8", "int32", "0"), "(m, n), \"float32\"", "(m, n), \"int32\"");
  KernelRun run(text, {33, 64, 48});
  ASSERT_TRUE(static_cast<bool>(run.run()));
  expectMatmul(run, 0);
}

TEST(ReferenceTest, SamplesLargeProblems) {
  KernelRun run(matmulText("float16", "float32"), {200, 300, 64});
  ReferenceOptions options;
  options.sampleAboveWork = 1000;
  options.sampleTiles = 6;
  llvm::Expected<ReferenceReport> report = run.run(options);
  ASSERT_TRUE(static_cast<bool>(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(report->blocks, 35);
  EXPECT_LE(report->executedBlocks, 6);
  EXPECT_GE(report->sample.size(), 4U);
  Tensor &c = run.tensor("C");
  Tensor right = c;
  for (int64_t index = 0; index < c.size(); ++index) {
    llvm::SmallVector<int64_t> place = c.coordinatesOf(index);
    right.set(index, Number{.f = expectedAt(run, place[0], place[1])});
  }
  BufferId output = run.function().params[2].buffer;
  TensorComparison inSample = compareTensors(right, c, 1e-2, output, report->sample);
  EXPECT_TRUE(inSample.passed()) << inSample.maxErrorOverRms;
  EXPECT_LT(inSample.compared, c.size());
  EXPECT_FALSE(compareTensors(c, right, 1e-2, output, {}).passed());
}

TEST(ReferenceTest, SplitKSamplesAllBlocksOfATile) {
  KernelRun run(R"ir(
@T.prim_func(properties=["tile"])
def splitk(
    A: T.Tensor((128, 64), "float16"),
    B: T.Tensor((64, 64), "float16"),
    C: T.Tensor((128, 64), "float32"),
):
    A_shared = T.alloc_shared((32, 16), "float16")
    B_shared = T.alloc_shared((16, 64), "float16")
    C_local = T.alloc_fragment((32, 64), "float32")
    with T.Kernel(4, 4, threads=128) as (bx, bz, tx):
        T.fill(C_local[0:32, 0:64], 0.0)
        T.copy(A[bx * 32:bx * 32 + 32, bz * 16:bz * 16 + 16], A_shared[0:32, 0:16])
        T.copy(B[bz * 16:bz * 16 + 16, 0:64], B_shared[0:16, 0:64])
        T.gemm(A_shared[0:32, 0:16], B_shared[0:16, 0:64], C_local[0:32, 0:64])
        for i, j in T.Parallel(32, 64):
            T.atomic_element(C[bx * 32 + i, j], C_local[i, j])
)ir",
                {});
  Tensor before = run.tensor("C");
  ReferenceOptions options;
  options.sampleAboveWork = 1000;
  options.sampleTiles = 1;
  ASSERT_TRUE(static_cast<bool>(run.run(options)));
  Tensor &c = run.tensor("C");
  double product = 0;
  for (int64_t k = 0; k < 64; ++k)
    product += run.tensor("A").real(k) * run.tensor("B").real(k * 64);
  EXPECT_NEAR(c.real(0) - before.real(0), product, 1e-3);
}

TEST(ReferenceTest, ReducesAndReportsWhatItCannotDo) {
  KernelRun run(R"ir(
@T.prim_func(properties=["tile"])
def rows(
    A: T.Tensor((8, 32), "float32"),
    B: T.Tensor((8,), "float32", output=True),
):
    tile = T.alloc_fragment((8, 32), "float32")
    sums = T.alloc_fragment((8,), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        T.copy(A[0:8, 0:32], tile[0:8, 0:32])
        T.reduce(tile[0:8, 0:32], sums[0:8], kind="max", dim=1)
        T.copy(sums[0:8], B[0:8])
)ir",
                {});
  ASSERT_TRUE(static_cast<bool>(run.run()));
  Tensor &a = run.tensor("A");
  for (int64_t row = 0; row < 8; ++row) {
    double largest = -2;
    for (int64_t column = 0; column < 32; ++column)
      largest = std::fmax(largest, a.real(row * 32 + column));
    EXPECT_EQ(run.tensor("B").real(row), largest);
  }
}

TEST(NumbersTest, SmallFloatsRoundTrip) {
  for (const char *name :
       {"float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "float4_e2m1fn"}) {
    DType dtype = *parseDType(name);
    for (uint64_t bits = 0; bits < uint64_t{1} << dtype.bits; ++bits) {
      double value = decodeFloat(dtype, bits);
      if (std::isnan(value) || (std::isinf(value) && name == std::string("float8_e5m2")))
        continue;
      ASSERT_EQ(encodeFloat(dtype, value), bits) << name;
      ASSERT_EQ(roundTo(dtype, value), value) << name;
    }
  }
}

TEST(NumbersTest, MemoryImagesRoundTrip) {
  for (const char *name :
       {"float16", "bfloat16", "float32", "float64", "int8", "uint16", "int64", "int4", "bool"}) {
    Tensor tensor(*parseDType(name), {3, 5});
    fillSeeded(tensor, 7, name);
    Tensor copy(tensor.dtype(), tensor.shape());
    std::vector<uint8_t> bytes = tensor.toBytes();
    EXPECT_EQ(bytes.size(), static_cast<size_t>(tensor.dtype().bytes(15)));
    copy.fromBytes(bytes);
    for (int64_t index = 0; index < 15; ++index)
      EXPECT_EQ(copy.real(index), tensor.real(index)) << name;
  }
}

TEST(NumbersTest, RoundsTiesToEven) {
  DType half = DType::float16();
  EXPECT_EQ(roundTo(half, 2049), 2048);
  EXPECT_EQ(roundTo(half, 2051), 2052);
  EXPECT_EQ(roundTo(half, 65519), 65504);
  EXPECT_TRUE(std::isinf(roundTo(half, 65520)));
  EXPECT_EQ(roundTo(half, 3e-8), std::ldexp(1, -24));
  EXPECT_EQ(roundTo(DType::bfloat16(), 257), 256);
  EXPECT_EQ(truncateToTf32(1 + 0x1p-11F), 1);
  EXPECT_EQ(wrapTo(*parseDType("int8"), 200), -56);
  EXPECT_EQ(wrapTo(*parseDType("uint4"), -1), 15);
}

TEST(NumbersTest, ConversionsSaturateAsOnTheGpu) {
  double nan = std::numeric_limits<double>::quiet_NaN();
  DType fp4 = *parseDType("float4_e2m1fn");
  EXPECT_EQ(roundTo(fp4, nan), 6);
  EXPECT_EQ(roundTo(fp4, -nan), 6);
  EXPECT_EQ(encodeFloat(fp4, -nan), 7U);
  EXPECT_EQ(roundTo(fp4, -HUGE_VAL), -6);
  EXPECT_EQ(roundTo(*parseDType("float8_e4m3fn"), HUGE_VAL), 448);
  EXPECT_EQ(roundTo(*parseDType("float8_e5m2"), -HUGE_VAL), -57344);
  EXPECT_TRUE(std::isnan(roundTo(*parseDType("float8_e4m3fn"), nan)));
  auto toInteger = [](llvm::StringRef from, llvm::StringRef to, double value) {
    return convert(*parseDType(from), *parseDType(to), Number{.f = value}).i;
  };
  EXPECT_EQ(toInteger("float32", "int32", 1e10), INT32_MAX);
  EXPECT_EQ(toInteger("float32", "int8", 1e10), -1);
  EXPECT_EQ(toInteger("float32", "int32", nan), 0);
  EXPECT_EQ(toInteger("float64", "int32", nan), INT32_MIN);
  EXPECT_EQ(toInteger("float32", "int64", nan), INT64_MIN);
  EXPECT_EQ(toInteger("float32", "uint64", -3), 0);
  EXPECT_EQ(static_cast<uint64_t>(toInteger("float32", "uint64", 0x1p63)), uint64_t{1} << 63);
}

TEST(NumbersTest, IntegersBecomeFloatsByOneRounding) {
  auto toFloat = [](llvm::StringRef from, llvm::StringRef to, int64_t value) {
    return convert(*parseDType(from), *parseDType(to), Number{.i = value}).f;
  };
  // One above a tie: through float64 it would be the tie, and go down.
  int64_t aboveTie = (int64_t{1} << 60) + (int64_t{1} << 36) + 1;
  EXPECT_EQ(toFloat("int64", "float32", aboveTie), 0x1p60 + 0x1p37);
  EXPECT_EQ(toFloat("int64", "float32", -aboveTie), -0x1p60 - 0x1p37);
  EXPECT_EQ(toFloat("int64", "float32", aboveTie - 1), 0x1p60);
  EXPECT_EQ(toFloat("uint64", "float64", -1), 0x1p64);
  EXPECT_EQ(toFloat("uint32", "float32", -1), 0x1p32);
}

TEST(Tensor, KeepsAnInfinityThatNoConversionGives) {
  Tensor tensor(*parseDType("float8_e5m2"), {2});
  tensor.fromBytes({0x7c, 0xfc});
  EXPECT_EQ(tensor.real(0), HUGE_VAL);
  EXPECT_EQ(tensor.toBytes(), (std::vector<uint8_t>{0x7c, 0xfc}));
}

TEST(ReferenceTest, OrdersUnsignedIntegersAsUnsigned) {
  KernelRun run(R"ir(
@T.prim_func(properties=["tile"])
def order(A: T.Tensor((2,), "uint64"), B: T.Tensor((3,), "uint64", output=True)):
    with T.Kernel(1, threads=32) as (bx, tx):
        B[0] = T.max(A[0], A[1])
        B[1] = A[0] // A[1]
        B[2] = T.abs(A[0])
)ir",
                {});
  run.tensor("A").set(0, Number{.i = -2});
  run.tensor("A").set(1, Number{.i = 3});
  llvm::Expected<ReferenceReport> report = run.run();
  ASSERT_TRUE(static_cast<bool>(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(run.tensor("B").get(0).i, -2);
  EXPECT_EQ(run.tensor("B").get(1).i, static_cast<int64_t>((~uint64_t{0} - 1) / 3));
  EXPECT_EQ(run.tensor("B").get(2).i, -2);
}

TEST(ReferenceTest, CountsNegativeIndicesFromTheEnd) {
  KernelRun run(R"ir(
@T.prim_func(properties=["tile"])
def last(A: T.Tensor((4,), "int32"), P: T.Tensor((1,), "int32"), B: T.Tensor((4,), "int32", output=True)):
    with T.Kernel(1, threads=32) as (bx, tx):
        B[0] = A[P[0]]
        B[P[0]] = A[0]
)ir",
                {});
  for (int64_t place = 0; place != 4; ++place)
    run.tensor("A").set(place, Number{.i = 10 + place});
  run.tensor("P").set(0, Number{.i = -1});
  llvm::Expected<ReferenceReport> report = run.run();
  ASSERT_TRUE(static_cast<bool>(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(run.tensor("B").get(0).i, 13);
  EXPECT_EQ(run.tensor("B").get(3).i, 10);
}

TEST(ReferenceTest, SumsUpToEachElement) {
  KernelRun run(R"ir(
@T.prim_func(properties=["tile"])
def sums(A: T.Tensor((2, 3), "int32"), B: T.Tensor((3, 2, 3), "int32", output=True)):
    a = T.alloc_shared((2, 3), "int32")
    b = T.alloc_shared((2, 3), "int32")
    with T.Kernel(1, threads=32) as (bx, tx):
        T.copy(A[0:2, 0:3], a[0:2, 0:3])
        T.cumsum(a[0:2, 0:3], b[0:2, 0:3], dim=1)
        T.copy(b[0:2, 0:3], B[0, 0:2, 0:3])
        T.cumsum(a[0:2, 0:3], b[0:2, 0:3], dim=1, reverse=True)
        T.copy(b[0:2, 0:3], B[1, 0:2, 0:3])
        T.cumsum(a[0:2, 0:3], a[0:2, 0:3])
        T.copy(a[0:2, 0:3], B[2, 0:2, 0:3])
)ir",
                {});
  const int64_t values[] = {1, 20, 300, 4000, 50000, 600000};
  for (auto [place, value] : llvm::enumerate(values))
    run.tensor("A").set(static_cast<int64_t>(place), Number{.i = value});
  llvm::Expected<ReferenceReport> report = run.run();
  ASSERT_TRUE(static_cast<bool>(report)) << llvm::toString(report.takeError());
  const int64_t wanted[] = {1,   21,  321, 4000,   54000,  654000, // along rows
                            321, 320, 300, 654000, 650000, 600000, // and back
                            1,   20,  300, 4001,   50020,  600300};
  for (auto [place, value] : llvm::enumerate(wanted))
    EXPECT_EQ(run.tensor("B").get(static_cast<int64_t>(place)).i, value) << place;
}

} // namespace
} // namespace tilescope
