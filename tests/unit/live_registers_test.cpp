// From which statement to which registers are held, against lives told by hand.
#include "core/analysis/live_registers.h"

#include "core/ir/visit.h"
#include "tests/unit/ir_text.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

struct Life {
  int64_t registers;
  // Numbers of statements in the order of the text, from 0: the launch, its body, ...
  size_t first, last;
  friend bool operator==(const Life &, const Life &) = default;
};

// Of the only buffer in registers.
std::vector<Life> livesOf(const std::string &declaration, const std::string &statements) {
  Context context;
  const Module *module = parseIr(
      context, "# tilescope-ir 1\n@T.prim_func(properties=[\"lowered\"])\n"
               "def f(A: T.Tensor((4096,), \"float32\"), n: T.int32):\n    r = " +
                   declaration + "\n    with T.Kernel(1, threads=32) as (bx, tx):\n" + statements);
  std::vector<const Stmt *> order;
  walk(module->functions[0]->body, [&](const Stmt *stmt) {
    order.push_back(stmt);
    return true;
  });
  auto numberOf = [&](const Stmt *stmt) {
    return static_cast<size_t>(llvm::find(order, stmt) - order.begin());
  };
  std::vector<Life> lives;
  for (const RegisterLife &life : computeRegisterLives(context, *module->functions[0]))
    lives.push_back({life.registers, numberOf(life.first), numberOf(life.last)});
  return lives;
}

const char *const Array = "T.alloc_local((6,), \"float32\")";

} // namespace

// Statements: launch 0, sequence 1, then those of the text.
TEST(LiveRegisters, FromTheFirstTouchToTheLast) {
  EXPECT_EQ(livesOf(Array, "        A[0] = 1.0\n        r[0] = 2.0\n        A[1] = r[0]\n"
                           "        A[2] = 3.0\n"),
            (std::vector<Life>{{6, 3, 4}}));
}

TEST(LiveRegisters, ALoopAfterTheFirstTouchKeepsItToItsEnd) {
  EXPECT_EQ(livesOf(Array, "        r[0] = 2.0\n        for k in T.serial(4):\n"
                           "            A[k] = r[0]\n            A[k + 8] = 1.0\n"
                           "        A[30] = 3.0\n"),
            (std::vector<Life>{{6, 2, 6}}));
}

TEST(LiveRegisters, WhatALoopReadsFirstIsHeldInAllOfIt) {
  EXPECT_EQ(livesOf(Array, "        for k in T.serial(4):\n            A[k] = 1.0\n"
                           "            A[k + 8] = r[0]\n            r[0] = 2.0\n"
                           "            A[k + 16] = 4.0\n        A[30] = 3.0\n"),
            (std::vector<Life>{{6, 4, 7}}));
}

TEST(LiveRegisters, WhatALoopWritesFirstIsHeldFromThereOn) {
  EXPECT_EQ(livesOf(Array, "        for k in T.serial(4):\n            A[k] = 1.0\n"
                           "            r[0] = 2.0\n            A[k + 8] = r[0]\n"
                           "            A[k + 16] = 4.0\n        A[30] = 3.0\n"),
            (std::vector<Life>{{6, 5, 6}}));
}

TEST(LiveRegisters, RegistersOfElements) {
  const char *use = "        r[0] = 2.0\n        A[1] = 1.0\n";
  EXPECT_EQ(livesOf("T.alloc_local((6,), \"float16\")", "        r[0] = T.float16(2.0)\n"
                                                        "        A[1] = 1.0\n"),
            (std::vector<Life>{{3, 2, 2}}));
  EXPECT_EQ(livesOf("T.alloc_local((6,), \"float64\")", "        r[0] = T.float64(2.0)\n"
                                                        "        A[1] = 1.0\n"),
            (std::vector<Life>{{12, 2, 2}}));
  EXPECT_EQ(livesOf(Array, "        A[1] = 1.0\n        A[2] = 1.0\n"), std::vector<Life>{});
  EXPECT_EQ(livesOf(Array, use), (std::vector<Life>{{6, 2, 2}}));
}
