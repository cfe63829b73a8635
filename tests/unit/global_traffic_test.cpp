// Run alone: unit_tests --gtest_filter='GlobalTraffic*'
#include "core/analysis/global_traffic.h"
#include "core/analysis/lane_arithmetic.h"
#include "core/ir/visit.h"
#include "ir_text.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {
namespace {

// Runs every thread of every block by itself and adds up what it asks of global memory.
class ThreadByThread {
public:
  explicit ThreadByThread(const Function &function) : function_(function) {}

  int64_t bytes() {
    run(function_.body);
    return bits_ / 8;
  }

private:
  int64_t valueOf(const Expr *expr) {
    if (const auto *select = llvm::dyn_cast<Select>(expr))
      return valueOf(valueOf(select->condition) ? select->whenTrue : select->whenFalse);
    Lanes value = values_.evaluate(expr);
    EXPECT_EQ(value.size(), 1U);
    return value.empty() ? 0 : value[0];
  }

  void read(const Expr *expr) {
    if (const auto *select = llvm::dyn_cast<Select>(expr)) {
      read(select->condition);
      return read(valueOf(select->condition) ? select->whenTrue : select->whenFalse);
    }
    const auto *binary = llvm::dyn_cast<Binary>(expr);
    if (binary && (binary->op == BinaryOp::And || binary->op == BinaryOp::Or)) {
      read(binary->lhs);
      if ((valueOf(binary->lhs) != 0) == (binary->op == BinaryOp::And))
        read(binary->rhs);
      return;
    }
    if (const auto *load = llvm::dyn_cast<Load>(expr))
      touch(load->buffer, 1);
    forEachChild(expr, [&](const Expr *child) { read(child); });
  }

  void touch(BufferId id, int64_t elements) {
    if (function_.buffer(id).scope == Scope::Global)
      bits_ += function_.buffer(id).dtype.bits * elements;
  }

  void runOp(const OpStmt &op) {
    bool isDone =
        op.args.empty() || !op.args[0] || op.op == Op::AtomicElement || valueOf(op.args[0]) != 0;
    for (const BufferRegion &region : op.regions) {
      int64_t elements = isDone ? 1 : 0;
      for (const Range &range : region.ranges)
        elements *= valueOf(range.extent);
      touch(region.buffer, elements);
    }
  }

  void loop(const Var *var, int64_t min, int64_t extent, llvm::function_ref<void()> body) {
    for (int64_t step = 0; step < extent; ++step) {
      values_.bind(var, {min + step});
      body();
    }
  }

  void runLaunch(const Launch &launch, size_t dim) {
    if (dim != launch.blockVars.size())
      return loop(launch.blockVars[dim], 0, valueOf(launch.gridExtents[dim]),
                  [&] { runLaunch(launch, dim + 1); });
    loop(launch.threadVar, 0, launch.threads, [&] { run(launch.body); });
  }

  void run(const Stmt *stmt) {
    if (const auto *launch = llvm::dyn_cast<Launch>(stmt))
      return runLaunch(*launch, 0);
    if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
      return runOp(*op);
    forEachExpr(stmt, [&](const Expr *expr) { read(expr); });
    if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
      return values_.bind(bind->var, values_.evaluate(bind->value));
    if (const auto *store = llvm::dyn_cast<Store>(stmt))
      return touch(store->buffer, 1);
    if (const auto *nest = llvm::dyn_cast<For>(stmt))
      return loop(nest->var, valueOf(nest->min), valueOf(nest->extent), [&] { run(nest->body); });
    if (const auto *branch = llvm::dyn_cast<If>(stmt)) {
      const Stmt *side = valueOf(branch->condition) ? branch->thenBody : branch->elseBody;
      return side ? run(side) : void();
    }
    forEachChild(stmt, [&](const Stmt *child) { run(child); });
  }

  const Function &function_;
  LaneArithmetic values_;
  int64_t bits_ = 0;
};

struct Counted {
  std::optional<int64_t> bytes;
  int64_t threadByThread = -1;
};

// `body` stands in the launch, `grid` is what T.Kernel gets before the threads.
Counted count(const std::string &grid, const std::string &vars, const std::string &body,
              bool isRun = true) {
  Context context;
  const Module *module = parseIr(context, R"ir(
@T.prim_func(kind="device", properties=["lowered"])
def kernel(
    A: T.Tensor((1000, 1000), "float16"),
    B: T.Tensor((1000,), "float32"),
    I: T.Tensor((64,), "int32"),
    n: T.int32,
):
    s = T.alloc_shared((128, 64), "float16")
    x = T.alloc_local((8,), "float16")
    full = T.alloc_shared((1,), "uint64")
    with T.Kernel()ir" + grid + ", threads=32) as (" +
                                              vars + ", tx):\n" + body);
  if (!module)
    return {};
  return {computeGlobalBytes(*module), isRun ? ThreadByThread(*module->functions[0]).bytes() : -1};
}

void expectRight(const Counted &counted) {
  ASSERT_TRUE(counted.bytes);
  EXPECT_EQ(*counted.bytes, counted.threadByThread);
  EXPECT_GT(counted.threadByThread, 0);
}

TEST(GlobalTrafficTest, GridThreadsLoopsAndWidthsMultiply) {
  Counted counted = count("3, 2", "bx, by", R"ir(
        for k in T.serial(0, 5):
            for i in T.unroll(0, 4):
                T.cp_async(A[by * 32 + i, bx * 8:bx * 8 + 8], s[i, 0:8])
            B[tx] = T.float32(A[k, tx])
)ir");
  EXPECT_EQ(counted.bytes, 3 * 2 * 32 * 5 * (4 * 8 * 2 + 4 + 2));
  expectRight(counted);
}

TEST(GlobalTrafficTest, PredicatesAndConditionsAreTried) {
  expectRight(count("4, 3", "bx, by", R"ir(
        for k in T.serial(0, 7):
            if k + 2 < 7:
                row: T.int32 = tx // 4
                for i in T.unroll(0, 4):
                    T.cp_async(A[by * 32 + row + i * 8, k * 8:k * 8 + 8], s[row + i * 8, 0:8], predicate=by * 32 + row + i * 8 < 77 and (k + 2) * 8 + tx % 4 * 8 < 61 and bx * 30 < 80)
            else:
                B[tx] = 0.0
        if tx == 0:
            B[bx] = 1.0
)ir"));
}

TEST(GlobalTrafficTest, LoopsMayDependOnBlocksAndThreads) {
  expectRight(count("5", "bx", R"ir(
        for k in T.serial(0, bx * 2 + 1):
            B[k] = 0.0
            for i in T.serial(tx, T.max(40 - tx, 0)):
                B[i] = B[i] + 1.0
                if i + k < 30:
                    B[i] = 2.0
)ir"));
}

TEST(GlobalTrafficTest, OnlyTheChosenSideIsRead) {
  expectRight(count("2", "bx", R"ir(
        x[0] = A[tx, 0] if tx < 20 else T.float16(0.0)
        x[1] = A[tx, 1] if tx < 20 and bx == 0 else A[tx, 2] + A[tx, 3]
        x[2] = A[tx, 4] if tx < 8 or bx == 1 else T.float16(0.0)
)ir"));
}

TEST(GlobalTrafficTest, WhatOneThreadOfARoleCopiesCountsOnce) {
  Counted counted = count("3", "bx", R"ir(
        if tx < 16:
            B[tx] = 0.0
        with T.ws(first_thread=0, threads=32, name="copy"):
            for k in T.serial(0, 5):
                T.tma_load(A[k * 8:k * 8 + 8, bx * 64:bx * 64 + 64], s[0:8, 0:64], full[0])
)ir",
                          /*isRun=*/false);
  EXPECT_EQ(counted.bytes, 3 * (16 * 4 + 5 * 8 * 64 * 2));
}

TEST(GlobalTrafficTest, AnAtomicAdditionCountsOnce) {
  Counted counted = count("2", "bx", "        T.atomic_element(B[tx], 1.0)\n");
  EXPECT_EQ(counted.bytes, 2 * 32 * 4);
  expectRight(counted);
}

TEST(GlobalTrafficTest, WhatCannotBeCountedIsUnknown) {
  auto unknown = [](const std::string &grid, const std::string &body) {
    return !count(grid, "bx", body, /*isRun=*/false).bytes;
  };
  EXPECT_TRUE(unknown("n", "        B[tx] = 0.0\n"));
  EXPECT_TRUE(unknown("2", "        if tx < n:\n            B[tx] = 0.0\n"));
  EXPECT_TRUE(unknown("2", "        for i in T.serial(0, I[bx]):\n            B[i] = 0.0\n"));
  EXPECT_TRUE(unknown("2", "        if I[tx] > 0:\n            B[tx] = 0.0\n"));
  EXPECT_TRUE(unknown("2000000000", "        if bx * 7 % 5 == 1:\n            B[tx] = 0.0\n"));
  // No access depends on it.
  EXPECT_FALSE(unknown("2", "        if tx < n:\n            x[0] = T.float16(0.0)\n"));
  EXPECT_FALSE(unknown("2000000000", "        B[tx] = 0.0\n"));
  EXPECT_TRUE(unknown("2000000000", "        for i in T.serial(0, 2000000000):\n"
                                    "            B[tx] = 0.0\n"));
}

} // namespace
} // namespace tilescope
