// What operations declare to clear against what they do.
#include "core/ir/op_facts.h"

#include "ir_text.h"
#include "kernel_problem.h"

#include <map>

namespace tilescope {
namespace {

// Null: the operation clears nothing.
const OperandInfo *clearedOperand(Op op) {
  for (const OperandInfo &operand : infoOf(op).operands)
    if (operand.clearedByAttr || operand.clearedByArg)
      return &operand;
  return nullptr;
}

// One statement per operation that may clear what it accumulates in.
const std::map<std::string, std::string> Accumulations = {
    {"gemm", "T.gemm(a[0:16, 0:16], a[0:16, 0:16], c[0:16, 0:16], clear_accum=CLEARS)"},
    {"gemm_sparse", "T.gemm_sparse(a[0:16, 0:16], w[0:32, 0:16], c[0:16, 0:16], e[0:16, 0:2], "
                    "clear_accum=CLEARS)"},
    {"reduce", "T.reduce(a[0:16, 0:16], c[0:16, 0:1], dim=1, clear=CLEARS)"},
    {"wgmma", "T.wgmma(a[0:64, 0:16], b[0:16, 0:64], c[0:32], clear_accum=CLEARS)"},
};

// Of tiles.
constexpr const char *TileProgram = R"ir(
@T.prim_func(properties=["tile"])
def k(
    A: T.Tensor((16, 16), "float16"),
    C: T.Tensor((16, 16), "float32", output=True),
):
    a = T.alloc_shared((16, 16), "float16")
    c = T.alloc_fragment((16, 16), "float32")
    w = T.alloc_shared((32, 16), "float16")
    e = T.alloc_shared((16, 2), "int16")
    with T.Kernel(1, threads=32) as (bx, tx):
        T.copy(A[0:16, 0:16], a[0:16, 0:16])
        T.fill(w[0:32, 0:16], T.float16(1.0))
        T.fill(e[0:16, 0:2], T.int16(17476))
        T.fill(c[0:16, 0:16], START)
        STATEMENT
        T.copy(c[0:16, 0:1], C[0:16, 0:1])
)ir";

// Of what a thread does.
constexpr const char *LoweredProgram = R"ir(
@T.prim_func(properties=["lowered"])
def k(C: T.Tensor((128,), "float32", output=True)):
    a = T.alloc_shared((128, 16), "float16", layout="aligned_swizzle(32)")
    b = T.alloc_shared((16, 64), "float16", layout="aligned_swizzle(128)")
    c = T.alloc_local((32,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        for i in T.serial(16):
            a[tx, i] = T.float16(1.0)
        for i in T.serial(8):
            b[tx // 64 * 8 + i, tx % 64] = T.float16(2.0)
        for i in T.serial(32):
            c[i] = START
        T.proxy_fence()
        T.barrier()
        T.wgmma_fence(c[0:32])
        STATEMENT
        T.wgmma_commit()
        T.wgmma_wait()
        C[tx] = c[0]
)ir";

// c holds `start` before the statement.
std::string accumulation(const std::string &name, const std::string &clears,
                         const std::string &start) {
  std::string text = name == "wgmma" ? LoweredProgram : TileProgram;
  text.replace(text.find("START"), 5, start);
  text.replace(text.find("STATEMENT"), 9, Accumulations.at(name));
  text.replace(text.find("CLEARS"), 6, clears);
  return text;
}

// The one that may clear.
const OpStmt &accumulatingOf(const Module &module) {
  const OpStmt *found = nullptr;
  walk(module.functions.front()->body, [&](const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    found = op && clearedOperand(op->op) ? op : found;
    return true;
  });
  return *found;
}

double firstResult(const std::string &text) {
  KernelProblem problem(text);
  EXPECT_EQ(problem.run(), "") << text;
  return problem.output("C").real(0);
}

TEST(OpClearing, WhatIsClearedDoesNotDependOnItsOldValue) {
  constexpr Op Ops[] = {
#define OP(Name, printed, level) Op::Name,
#include "core/ops/ops.def"
  };
  for (Op op : Ops) {
    const OperandInfo *cleared = clearedOperand(op);
    if (!cleared)
      continue;
    SCOPED_TRACE(nameOf(op).str());
    const std::string name = nameOf(op).str();
    ASSERT_TRUE(Accumulations.contains(name)) << "an operation that clears needs its line above";
    for (const auto &[clears, wanted] :
         {std::pair("True", Clearing::Always), {"False", Clearing::Never}}) {
      std::string text = accumulation(name, clears, "0.0");
      Context context;
      const Module *module = parseIr(context, text);
      ASSERT_TRUE(module);
      EXPECT_EQ(clearingOf(accumulatingOf(*module), *cleared), wanted);
      double fromGarbage = firstResult(accumulation(name, clears, "4096.0"));
      EXPECT_EQ(fromGarbage == firstResult(text), wanted == Clearing::Always);
    }
  }
}

TEST(OpClearing, AValueMayDecideWhetherAnOperationClears) {
  Context context;
  const Module *module = parseIr(context, accumulation("gemm", "bx == 0", "0.0"));
  ASSERT_TRUE(module);
  const OpStmt &gemm = accumulatingOf(*module);
  EXPECT_EQ(clearingOf(gemm, gemm.opInfo().operands[2]), Clearing::OnCondition);
  EXPECT_EQ(clearingOf(gemm, gemm.opInfo().operands[0]), Clearing::Never);
}

} // namespace
} // namespace tilescope
