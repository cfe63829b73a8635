// What roles have written before others read it. Run alone: unit_tests --gtest_filter='RoleWrites*'
#include "core/analysis/role_writes.h"
#include "core/ir/visit.h"
#include "ir_text.h"

#include "llvm/ADT/StringRef.h"

namespace tilescope {
namespace {

// One role copies halves of s and writes all of t in each of three rounds, another reads them.
struct Handing {
  const char *reads = "T.copy(s[0:64, k * 32:k * 32 + 32], a)"; // behind the wait for that half
  const char *parity = "0";
  const char *behind = "T.copy(s, b)"; // the waits for both halves
  const char *scales = "T.mbarrier_wait(ready[0], r % 2)";
  const char *copied = "j * 32:j * 32 + 32";
  const char *writers = "64";
};

std::string textOf(const Handing &of) {
  return std::string(R"ir(
@T.prim_func(properties=["tile"])
def handing(
    A: T.Tensor((64, 64), "float16"),
    B: T.Tensor((64,), "float32", output=True),
):
    s = T.alloc_shared((64, 64), "float16")
    t = T.alloc_shared((64,), "float32")
    full = T.alloc_shared((2,), "uint64")
    ready = T.alloc_shared((1,), "uint64")
    taken = T.alloc_shared((1,), "uint64")
    a = T.alloc_fragment((64, 32), "float16")
    b = T.alloc_fragment((64, 64), "float16")
    with T.Kernel(1, threads=256) as (bx, tx):
        T.mbarrier_init(full[0], arrivals=128)
        T.mbarrier_init(full[1], arrivals=128)
        T.mbarrier_init(ready[0], arrivals=128)
        T.mbarrier_init(taken[0], arrivals=128)
        T.barrier()
        with T.ws(0):
            for k in T.unroll(0, 2):
                T.mbarrier_wait(full[k], )ir") +
         of.parity + R"ir()
                )ir" +
         of.reads + R"ir(
            )ir" +
         of.behind + R"ir(
            for r in T.serial(0, 3):
                )ir" +
         of.scales + R"ir(
                T.copy(t, B)
                T.mbarrier_arrive(taken[0])
        with T.ws(1):
            for j in T.unroll(0, 2):
                T.mbarrier_expect(full[j], bytes=4096)
                T.tma_copy(A[0:64, )ir" +
         of.copied + R"ir(], s[0:64, )ir" + of.copied + R"ir(], full[j])
                T.mbarrier_arrive(full[j])
            for r in T.serial(0, 3):
                T.mbarrier_wait(taken[0], (r + 1) % 2)
                for i in T.Parallel()ir" +
         of.writers + R"ir():
                    t[i] = 1.0
                T.mbarrier_arrive(ready[0])
)ir";
}

// Of all reads of shared memory by the first role.
bool areAllBefore(const Handing &of) {
  Context context;
  const Module *module = parseIr(context, textOf(of));
  if (!module)
    return false;
  const Function &function = *module->functions[0];
  RoleWrites writes(context, function);
  bool areBefore = true;
  int reads = 0;
  walk(function.body, [&](const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(context, stmt)) {
      llvm::StringRef name = function.buffer(access.buffer).name;
      if ((name != "s" && name != "t") || access.effect != Effect::Read)
        continue;
      areBefore &= writes.areBefore(stmt, access.buffer);
      ++reads;
    }
    return true;
  });
  EXPECT_EQ(reads, 3);
  return areBefore;
}

TEST(RoleWrites, AreBeforeWhatWaitsForThem) { EXPECT_TRUE(areAllBefore({})); }

TEST(RoleWrites, AreNotBeforeWhatWaitsForLess) {
  EXPECT_FALSE(areAllBefore({.reads = "T.copy(s[0:64, 32 - k * 32:64 - k * 32], a)"}));
  EXPECT_FALSE(areAllBefore({.reads = "T.copy(s[0:64, k * 32 + 1:k * 32 + 33], a)"}));
  EXPECT_FALSE(areAllBefore({.parity = "1"}));
  EXPECT_FALSE(areAllBefore({.scales = "T.mbarrier_wait(ready[0], (r + 1) % 2)"}));
}

TEST(RoleWrites, AreNotBeforeWhereTheyLeaveSomething) {
  EXPECT_FALSE(areAllBefore({.copied = "0:32"}));
  EXPECT_FALSE(areAllBefore({.writers = "63"}));
}

} // namespace
} // namespace tilescope
