// What kernels start from: scalars of every type, and inputs that are indices.
#include "core/exec/index_inputs.h"
#include "core/exec/inputs.h"
#include "core/exec/npy.h"
#include "core/exec/scalar_text.h"
#include "kernel_problem.h"

#include <cmath>
#include <set>

namespace tilescope {
namespace {

std::string scalarError(const char *dtype, const char *text) {
  llvm::Expected<Number> value = parseScalar("s", *parseDType(dtype), text);
  return value ? "" : llvm::toString(value.takeError());
}

Number scalar(const char *dtype, const char *text) {
  return llvm::cantFail(parseScalar("s", *parseDType(dtype), text));
}

TEST(ScalarTextTest, LiteralsOfEveryType) {
  for (DType dtype : allDTypes()) {
    Number one = scalar(dtype.name().c_str(), "1");
    EXPECT_EQ(dtype.isFloat() ? one.f : static_cast<double>(one.i), 1) << dtype.name();
  }
  EXPECT_EQ(scalar("float32", "0.1").f, 0.1F);
  EXPECT_EQ(scalar("float64", "-1e-3").f, -1e-3);
  EXPECT_EQ(scalar("float16", "2049").f, 2048);
  EXPECT_TRUE(std::isinf(scalar("float32", "inf").f));
  EXPECT_TRUE(std::isnan(scalar("float32", "nan").f));
  EXPECT_EQ(scalar("int32", "-7").i, -7);
  EXPECT_EQ(scalar("uint8", "0xff").i, 255);
  EXPECT_EQ(scalar("uint64", "18446744073709551615").i, -1);
  EXPECT_EQ(scalar("bool", "True").i, 1);
  EXPECT_EQ(scalar("bool", "false").i, 0);
}

TEST(ScalarTextTest, WhatATypeDoesNotHoldIsRefused) {
  EXPECT_EQ(scalarError("int32", "0.1"), "'s' is int32, which wants an integer, not '0.1'");
  EXPECT_EQ(scalarError("int8", "128"), "'s' is int8, which holds -128 to 127, not '128'");
  EXPECT_EQ(scalarError("uint16", "-1"), "'s' is uint16, which holds 0 to 65535, not '-1'");
  EXPECT_EQ(scalarError("float32", "x"), "'s' is float32, which wants a number, not 'x'");
  EXPECT_EQ(scalarError("bool", "2"), "'s' is bool, which wants true or false, not '2'");
}

TEST(ScalarTextTest, BitsAreThoseOfTheType) {
  EXPECT_EQ(scalarBits(DType::float32(), Number{.f = 1}), 0x3f800000U);
  EXPECT_EQ(scalarBits(DType::float16(), Number{.f = 1}), 0x3c00U);
  EXPECT_EQ(scalarBits(*parseDType("float64"), Number{.f = 1}), 0x3ff0000000000000U);
  EXPECT_EQ(scalarBits(DType::int32(), Number{.i = -1}) & 0xffffffffU, 0xffffffffU);
}

// A file of format 1.0, as numpy.save writes it.
std::string npy(llvm::StringRef descriptor, llvm::StringRef shape, llvm::StringRef data) {
  std::string header =
      ("{'descr': '" + descriptor + "', 'fortran_order': False, 'shape': " + shape + ", }\n").str();
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(header.size());
  text += '\0';
  return text + header + data.str();
}

std::string readError(Tensor tensor, const std::string &file) {
  return llvm::toString(readNpy(tensor, file));
}

TEST(NpyTest, NumbersAreConvertedWhereTheyFit) {
  Tensor integers(DType::int32(), {2});
  std::string eightBytes("\x05\0\0\0\0\0\0\0\xfe\xff\xff\xff\xff\xff\xff\xff", 16);
  llvm::cantFail(readNpy(integers, npy("<i8", "(2,)", eightBytes)));
  EXPECT_EQ(integers.get(0).i, 5);
  EXPECT_EQ(integers.get(1).i, -2);
  Tensor floats(DType::float32(), {1});
  llvm::cantFail(readNpy(floats, npy("<f2", "(1,)", llvm::StringRef("\x00\x3c", 2))));
  EXPECT_EQ(floats.get(0).f, 1);
  EXPECT_EQ(readError(Tensor(*parseDType("uint8"), {2}), npy("<i8", "(2,)", eightBytes)),
            "uint8 does not hold -2");
  EXPECT_EQ(readError(integers, npy("<f4", "(2,)", eightBytes)),
            "it holds floats, the tensor int32");
}

TEST(NpyTest, WhatIsWrittenIsReadAgain) {
  for (DType dtype : allDTypes()) {
    Tensor tensor(dtype, {2, 4});
    fillSeeded(tensor, 1, "tensor");
    Tensor again(dtype, {2, 4});
    llvm::cantFail(readNpy(again, npyOf(tensor)));
    EXPECT_EQ(again.toBytes(), tensor.toBytes()) << dtype.name();
  }
}

TEST(NpyTest, WhatIsNoSuchFileIsRefused) {
  Tensor tensor(DType::float32(), {1});
  EXPECT_EQ(readError(tensor, ""), "it is no file of numpy, or not a whole one");
  EXPECT_EQ(readError(tensor, npy("<f4", "(1,)", "")), "it ends before its last element");
  EXPECT_EQ(readError(tensor, npy("<f4", "(4611686018427387904, 4)", "four")),
            "it ends before its last element");
  EXPECT_EQ(readError(tensor, npy(">f4", "(1,)", "four")),
            "'>f4' in that order is not read: little endian, row major");
  EXPECT_EQ(readError(tensor, npy("<f4", "(-1,)", "four")),
            "it is no file of numpy, or not a whole one");
}

constexpr char Scaled[] = R"ir(
@T.prim_func(properties=["tile"])
def scaled(A: T.Tensor((n,), "float32"), s: T.float32, n: T.int32):
    with T.Kernel(1, threads=32) as (bx, tx):
        for i in T.Parallel(32):
            A[i] = A[i] + s
)ir";

TEST(ProblemTest, FloatScalarsAreFloats) {
  ProblemOptions options;
  options.scalars = {{"s", "0.25"}, {"n", "32"}};
  KernelProblem k(Scaled, options);
  ASSERT_EQ(k.failure(), "");
  ASSERT_EQ(k.run(), "");
  EXPECT_EQ(k.output("A").real(3), static_cast<float>(k.input("A").real(3) + 0.25));
}

TEST(ProblemTest, ChoosesScalarsThatAreLeftOut) {
  KernelProblem k(Scaled);
  ASSERT_EQ(k.failure(), "");
  EXPECT_EQ(k.problem().chosen, "s=0.5, n=100");
}

TEST(ProblemTest, TakesScalarsOutOfRanges) {
  ProblemOptions options;
  options.scalars = {{"s", "1"}, {"n", "40..42"}};
  for (uint64_t seed = 0; seed != 20; ++seed) {
    options.seed = seed;
    KernelProblem k(Scaled, options);
    ASSERT_EQ(k.failure(), "");
    int64_t n = integersOf(k.problem()).at("n");
    EXPECT_TRUE(n >= 40 && n <= 42) << n;
    EXPECT_EQ(k.problem().chosen, "n=" + std::to_string(n));
  }
  for (const char *wrong : {"9..1", "1..", "..2", "1..x"}) {
    options.scalars["n"] = wrong;
    EXPECT_NE(KernelProblem(Scaled, options).failure(), "") << wrong;
  }
  options.scalars = {{"m", "1"}};
  EXPECT_EQ(KernelProblem(Scaled, options).failure(), "the kernel has no scalar 'm'");
}

// Eight blocks: what a table says is read and, with `slot`, written.
constexpr char Indexed[] = R"ir(
@T.prim_func(properties=["tile"])
def indexed(
    expert: T.Tensor((8,), "int32"),
    table: T.Tensor((8,), "int32"),
    slot: T.Tensor((2, 4), "int32"),
    count: T.Tensor((8,), "int32"),
    W: T.Tensor((5, 16), "float32"),
    P: T.Tensor((64, 16), "float32"),
    C: T.Tensor((12, 16), "float32", output=True),
):
    tile = T.alloc_fragment((4, 16), "float32")
    slots = T.alloc_shared((4,), "int32")
    with T.Kernel(8, threads=32) as (bx, tx):
        e: T.int32 = expert[bx]
        T.copy(P[table[bx] * 4:table[bx] * 4 + 4, 0:16], tile[0:4, 0:16])
        T.copy(slot[bx // 4, 0:4], slots[0:4])
        for k in T.serial(0, count[bx]):
            tile[0, 0] = tile[0, 0] + 1.0
        for j in T.Parallel(16):
            C[slots[bx % 4], j] = tile[1, j] + W[e, j]
)ir";

TEST(ProblemTest, IndicesAreInTheRangeThatTheKernelShows) {
  KernelProblem k(Indexed);
  ASSERT_EQ(k.failure(), "");
  std::set<double> experts;
  std::set<double> pages;
  for (int64_t i = 0; i < 8; ++i) {
    experts.insert(k.input("expert").real(i));
    pages.insert(k.input("table").real(i));
  }
  EXPECT_GT(experts.size(), 2U);
  EXPECT_GE(*experts.begin(), 0);
  EXPECT_LT(*experts.rbegin(), 5);
  EXPECT_GT(pages.size(), 2U);
  EXPECT_LT(*pages.rbegin(), 16);
  EXPECT_GT(*pages.rbegin(), 4); // 64 rows by 4: more than the dimension of W
}

TEST(ProblemTest, IndicesThatAreWrittenWithAreDistinct) {
  KernelProblem k(Indexed);
  std::set<double> slots;
  for (int64_t i = 0; i < 8; ++i)
    slots.insert(k.input("slot").real(i));
  EXPECT_EQ(slots.size(), 8U);
  EXPECT_LT(*slots.rbegin(), 12);
  EXPECT_EQ(k.run(), "");
}

TEST(ProblemTest, BoundsWithoutARangeAreZero) {
  KernelProblem k(Indexed);
  for (int64_t i = 0; i < 8; ++i)
    EXPECT_EQ(k.input("count").real(i), 0);
}

TEST(ProblemTest, FillsComeFirst) {
  ProblemOptions options;
  options.fills = {{"slot", "arange"}, {"count", "3"}};
  KernelProblem k(Indexed, options);
  EXPECT_EQ(k.input("slot").real(5), 5);
  EXPECT_EQ(k.input("count").real(5), 3);
  options.fills = {{"nothing", "ones"}};
  EXPECT_EQ(KernelProblem(Indexed, options).failure(),
            "the kernel has no tensor 'nothing' to fill");
}

TEST(ProblemTest, InputsDependOnTheSeed) {
  ProblemOptions other;
  other.seed = 1;
  KernelProblem a(Indexed);
  KernelProblem b(Indexed);
  KernelProblem c(Indexed, other);
  bool differs = false;
  for (int64_t i = 0; i < 8; ++i) {
    EXPECT_EQ(a.input("slot").real(i), b.input("slot").real(i));
    differs |= a.input("slot").real(i) != c.input("slot").real(i);
  }
  EXPECT_TRUE(differs);
}

TEST(IndexInputsTest, RowsAreDistinctWhereTheWholeCannotBe) {
  Tensor tensor(DType::int32(), {6, 4});
  fillIndices(tensor, {5, /*isWrittenWith=*/true, /*isBound=*/false}, 0, "slot");
  for (int64_t row = 0; row < 6; ++row) {
    std::set<double> values;
    for (int64_t i = 0; i < 4; ++i)
      values.insert(tensor.real(row * 4 + i));
    EXPECT_EQ(values.size(), 4U) << row;
  }
}

TEST(IndexInputsTest, OffsetsAscend) {
  Tensor tensor(DType::int32(), {9});
  fillIndices(tensor, {100, /*isWrittenWith=*/false, /*isBound=*/true}, 0, "offsets");
  for (int64_t i = 1; i < 9; ++i)
    EXPECT_LE(tensor.real(i - 1), tensor.real(i));
}

} // namespace
} // namespace tilescope
