// Run alone: unit_tests --gtest_filter='SelectTma*'
#include "core/analysis/select_tma.h"

#include "core/codegen/cuda_emitter.h"
#include "core/codegen/launch_values.h"
#include "core/ir/visit.h"
#include "ir_text.h"

namespace tilescope {
namespace {

const Target &hopper() { return *llvm::cantFail(findTarget("sm_90a")); }

// Why the first copy is not made by TMA; `tensor` is the type of A, `tile` that of a.
std::string whyNot(const std::string &tensor, const std::string &tile, const std::string &copy,
                   const Target &target = hopper(), decltype(whyNotByTma) &why = whyNotByTma) {
  Context context;
  const Module *module = parseIr(
      context, "@T.prim_func(properties=[\"tile\"])\ndef f(n: T.int32, A: T.Tensor(" + tensor +
                   ")):\n    a = T.alloc_shared(" + tile +
                   ")\n    with T.Kernel(4, threads=128) as (bx, tx):\n        " + copy + "\n");
  const OpStmt *found = nullptr;
  if (module)
    walk(module->functions[0]->body, [&](const Stmt *stmt) {
      if (const auto *op = llvm::dyn_cast<OpStmt>(stmt); op && !found)
        found = op;
      return true;
    });
  return found ? why(context, *module->functions[0], target, *found) : "no copy";
}

const std::string Tile = "(64, 32), \"float16\"";
const std::string Copy = "T.copy(A[bx * 64:bx * 64 + 64, 32:64], a[0:64, 0:32])";

TEST(SelectTma, TakesRowsOfWholeTiles) {
  EXPECT_EQ(whyNot("(256, 128), \"float16\"", Tile, Copy), "");
  EXPECT_EQ(whyNot("(n, n * 8), \"float16\"", Tile, Copy), "");
  EXPECT_EQ(whyNot("(256, 128), \"float16\", strides=(136, 1)", Tile, Copy), "");
  EXPECT_EQ(
      whyNot("(2, 64, 3, 128), \"float16\"", Tile, "T.copy(A[1, 0:64, 2, 0:32], a[0:64, 0:32])"),
      "");
}

TEST(SelectTma, TakesOneAxisAsARow) {
  const std::string tensor = "(256, 128), \"float32\"";
  const std::string row = "T.copy(A[bx, 64:128], a[0:64])";
  EXPECT_EQ(whyNot(tensor, "(64,), \"float32\"", row), "");
  EXPECT_EQ(whyNot(tensor, "(128,), \"float32\"", row),
            "'a' is not moved as a whole, of constant extent");
  EXPECT_EQ(whyNot(tensor, "(24,), \"float32\"", "T.copy(A[bx, 64:88], a[0:24])"),
            "the bytes of 'a' are no multiple of 128");
  EXPECT_EQ(whyNot(tensor, "(64,), \"float32\"", "T.copy(A[0:64, bx], a[0:64])"),
            "what it moves of 'A' are no rows of its last axis");
  EXPECT_EQ(whyNot(tensor, "(64,), \"float32\"", "T.copy(a[0:64], A[bx, 64:128])", hopper(),
                   whyNotStoredByTma),
            "'a' has one axis");
}

TEST(SelectTma, SaysWhatItDoesNotTake) {
  const std::string plain = "(256, 128), \"float16\"";
  EXPECT_EQ(whyNot(plain, Tile, Copy, *llvm::cantFail(findTarget("sm_80"))), "sm_80 has none");
  EXPECT_EQ(whyNot("(256, 100), \"float16\"", Tile, Copy),
            "the stride of 'A', 200 bytes, is no multiple of 16");
  EXPECT_EQ(whyNot("(256, n * 4), \"float16\"", Tile, Copy),
            "the stride of 'A' may be no multiple of 16 bytes");
  EXPECT_EQ(whyNot("(256, 128), \"float16\", strides=(0, 1)", Tile, Copy),
            "'A' has no map: its rows are 0 bytes apart, not 1 to 2^40 - 1");
  EXPECT_EQ(whyNot("(256, 128), \"float16\", strides=(T.int64(549755813888), 1)", Tile, Copy),
            "'A' has no map: its rows are 1099511627776 bytes apart, not 1 to 2^40 - 1");
  EXPECT_EQ(whyNot("(256, 2147483392), \"float16\"", Tile, Copy),
            "'A' has no map: it has 2147483392 elements along a dimension, not 1 to 2147483391");
  EXPECT_EQ(whyNot("(0, 128), \"float16\"", Tile, Copy),
            "'A' has no map: it has 0 elements along a dimension, not 1 to 2147483391");
  EXPECT_EQ(whyNot("(256, 128), \"float16\", strides=(1, 256)", Tile, Copy),
            "elements of a row of 'A' do not lie side by side");
  EXPECT_EQ(whyNot("(256, 128), \"float32\"", Tile, Copy),
            "it does not go between a tensor and a tile of its type");
  EXPECT_EQ(whyNot(plain, "(64, 24), \"float16\"", "T.copy(A[0:64, 0:24], a[0:64, 0:24])"),
            "'a' has no whole rows of 32 bytes, eight at a time");
  EXPECT_EQ(whyNot(plain, "(128, 32), \"float16\"", Copy),
            "'a' is not moved as a whole, a matrix of constant extents");
  EXPECT_EQ(whyNot("(64, 32, 128), \"float16\"", Tile, "T.copy(A[0:64, 0:32, 5], a[0:64, 0:32])"),
            "what it moves of 'A' are no rows of its last axis");
  EXPECT_EQ(whyNot(plain, Tile, Copy + "\n        T.copy(a[0:64, 0:32], A[0:64, 0:32])"),
            "'A' is written, too");
  EXPECT_EQ(
      whyNot(
          plain, Tile,
          "T.copy(A[bx * 64:bx * 64 + 64, 32:64], a[0:64, 0:32], prefer_instruction=\"cp_async\")"),
      "the kernel asks for another instruction");
  EXPECT_EQ(whyNot(plain, "(64, 32), \"float16\", layout=\"padded(8)\", layout_pinned=True", Copy),
            "the kernel says how 'a' lies");
}

TEST(SelectTma, StoresToTensorsThatNothingElseAccesses) {
  const std::string plain = "(256, 128), \"float16\"";
  const std::string store = "T.copy(a[0:64, 0:32], A[bx * 64:bx * 64 + 64, 32:64])";
  auto whyNotStored = [&](const std::string &tensor, const std::string &tile,
                          const std::string &copy) {
    return whyNot(tensor, tile, copy, hopper(), whyNotStoredByTma);
  };
  EXPECT_EQ(whyNotStored(plain, Tile, store), "");
  EXPECT_EQ(whyNotStored("(n, n * 8), \"float16\"", Tile, store), "");
  EXPECT_EQ(whyNotStored("(256, 100), \"float16\"", Tile, store),
            "the stride of 'A', 200 bytes, is no multiple of 16");
  EXPECT_EQ(whyNotStored("(256, 128), \"float32\"", Tile, store),
            "it does not go between a tensor and a tile of its type");
  EXPECT_EQ(whyNotStored(plain, "(128, 32), \"float16\"", store),
            "'a' is not moved as a whole, a matrix of constant extents");
  EXPECT_EQ(whyNotStored(plain, Tile, store + "\n        T.copy(A[0:64, 0:32], a[0:64, 0:32])"),
            "'A' is accessed elsewhere, too");
}

TEST(SelectTma, ReducesIntoTensorsThatNothingElseAccesses) {
  auto whyNotReduced = [&](const std::string &type, const std::string &words,
                           const std::string &other = "") {
    const std::string region = "(A[bx * 64:bx * 64 + 64, 32:64], a[0:64, 0:32]";
    return whyNot("(256, 128), \"" + type + "\"", "(64, 32), \"" + type + "\"",
                  "T.atomic_tile" + region + words + ", use_tma=True)" + other, hopper(),
                  whyNotReducedByTma);
  };
  EXPECT_EQ(whyNotReduced("float32", ""), "");
  EXPECT_EQ(whyNotReduced("int32", ""), "");
  EXPECT_EQ(whyNotReduced("int64", ""), "it has no 'add' of int64");
  EXPECT_EQ(whyNotReduced("float16", ", kind=\"max\""), "");
  EXPECT_EQ(whyNotReduced("float32", ", kind=\"max\""), "it has no 'max' of float32");
  EXPECT_EQ(whyNotReduced("int32", ", kind=\"min\""), "it has no 'min' of int32");
  EXPECT_EQ(whyNotReduced("uint32", ", kind=\"or\""), "it has no 'or' of uint32");
  EXPECT_EQ(whyNotReduced("float32", ", order=\"release\""),
            "the kernel orders other accesses by it");
  const std::string again = "\n        T.atomic_tile(A[0:64, 0:32], a[0:64, 0:32]";
  EXPECT_EQ(whyNotReduced("float32", "", again + ", use_tma=True)"), "");
  EXPECT_EQ(whyNotReduced("float32", "", again + ")"), "'A' is accessed elsewhere, too");
  EXPECT_EQ(whyNotReduced("float16", "", again + ", kind=\"max\", use_tma=True)"),
            "'A' is accessed elsewhere, too");
}

// Of the copies of a device function, each map once.
TEST(SelectTma, LaunchesAreToldOfTheirMaps) {
  Context context;
  const Module *module = parseIr(context, R"ir(
@T.prim_func(kind="device", properties=["lowered"])
def k(n: T.int32, A: T.Tensor((2, n, 128), "float16"), B: T.Tensor((n, 64), "float32", strides=(72, 1))):
    a = T.alloc_shared((64, 128), "float16", layout="aligned_swizzle(128)", offset=0)
    b = T.alloc_shared((8, 8), "float32", layout="aligned_swizzle(32)", offset=16384)
    full = T.alloc_shared((1,), "uint64", offset=20480)
    with T.Kernel(4, threads=128) as (bx, tx):
        T.mbarrier_init(full[0:1])
        T.tma_load(A[1, bx * 64:bx * 64 + 64, 0:64], a[0:64, 0:64], full[0:1])
        T.tma_load(A[1, bx * 64:bx * 64 + 64, 64:128], a[0:64, 64:128], full[0:1])
        T.tma_load(B[bx * 8:bx * 8 + 8, 0:8], b[0:8, 0:8], full[0:1])
)ir");
  ASSERT_TRUE(module);
  LaunchRecord record = computeLaunchRecord(*module->functions[0]);
  ASSERT_EQ(record.tensorMaps.size(), 2U);
  const LaunchTensorMap &first = record.tensorMaps[0];
  EXPECT_EQ(first.name, "A_map");
  EXPECT_EQ(first.tensor, "A");
  EXPECT_EQ(first.box, (std::vector<int64_t>{64, 64, 1}));
  EXPECT_EQ(first.swizzleBytes, 128);
  ScalarValues values = {{"n", 100}};
  llvm::Expected<TensorMapFields> fields = evaluateTensorMap(first, values);
  ASSERT_TRUE(bool(fields)) << llvm::toString(fields.takeError());
  EXPECT_EQ(fields->type, 6);
  EXPECT_EQ(fields->dims, (std::vector<uint64_t>{128, 100, 2}));
  EXPECT_EQ(fields->strides, (std::vector<uint64_t>{256, 25600}));
  EXPECT_EQ(fields->swizzle, 3);
  fields = evaluateTensorMap(record.tensorMaps[1], values);
  ASSERT_TRUE(bool(fields)) << llvm::toString(fields.takeError());
  EXPECT_EQ(fields->type, 7);
  EXPECT_EQ(fields->strides, (std::vector<uint64_t>{288}));
  EXPECT_EQ(fields->swizzle, 1);
  EXPECT_NE(llvm::toString(evaluateTensorMap(first, {}).takeError()), "");
  fields = evaluateTensorMap(first, {{"n", 0}});
  ASSERT_TRUE(bool(fields)) << llvm::toString(fields.takeError());
  EXPECT_TRUE(fields->isEmpty());
  EXPECT_EQ(llvm::toString(evaluateTensorMap(first, {{"n", int64_t{1} << 31}}).takeError()),
            "no copy of boxes can read 'A': it has 2147483648 elements along a dimension, not 1 to "
            "2147483391");
  EXPECT_EQ(llvm::toString(evaluateTensorMap(first, {{"n", -1}}).takeError()),
            "no copy of boxes can read 'A': it has -1 elements along a dimension, not 1 to "
            "2147483391");
}

} // namespace
} // namespace tilescope
