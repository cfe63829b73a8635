// Run alone: unit_tests --gtest_filter='NestDecision*'
#include "core/analysis/nest_decision.h"
#include "core/ir/printer.h"
#include "integer_operators.h"
#include "ir_text.h"

#include <random>

namespace tilescope {
namespace {

// Of the choice that the only nest of the kernel stores.
struct StoredChoice {
  const Module *module = nullptr;
  const Parallel *nest = nullptr;
  const Expr *condition = nullptr;
};

StoredChoice choiceOf(Context &context, const std::string &condition) {
  StoredChoice found;
  found.module = parseIr(context, R"ir(
@T.prim_func(properties=["tile"])
def nest(n: T.int32, m: T.int32, p: T.Tensor((64,), "int32")):
    S = T.alloc_fragment((4, 6), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.serial(0, n):
            for i, j in T.Parallel(4, 6):
                row: T.int32 = bx * 4 + i
                col: T.int32 = k * 6 + j
                S[i, j] = 0.0 if )ir" +
                                      condition + " else 1.0\n");
  if (!found.module)
    return found;
  walk(found.module->functions[0]->body, [&](const Stmt *stmt) {
    if (const auto *nest = llvm::dyn_cast<Parallel>(stmt))
      found.nest = nest;
    if (const auto *store = llvm::dyn_cast<Store>(stmt))
      found.condition = llvm::cast<Select>(store->value)->condition;
    return true;
  });
  return found;
}

std::string decision(const std::string &condition, bool value) {
  Context context;
  StoredChoice choice = choiceOf(context, condition);
  if (!choice.condition)
    return "no choice";
  const Function &function = *choice.module->functions[0];
  IrAffine affine(context, function);
  const Expr *holds = NestDecision(affine, *choice.nest).everywhere(choice.condition, value);
  return holds ? printExpr(function, *holds) : "unknown";
}

TEST(NestDecisionTest, AComparisonIsDecidedAtOneCorner) {
  EXPECT_EQ(decision("row >= col", true), "bx * 4 >= k * 6 + 5");
  EXPECT_EQ(decision("row >= col", false), "bx * 4 + 3 < k * 6");
  EXPECT_EQ(decision("row < n", true), "bx * 4 + 3 < n");
  EXPECT_EQ(decision("not row < n", true), "bx * 4 >= n");
  EXPECT_EQ(decision("m - row > j // 2", true), "m - (bx * 4 + 3) > 2");
  EXPECT_EQ(decision("T.min(row, m) > -2 * j", false), "T.min(bx * 4 + 3, m) <= -10");
  EXPECT_EQ(decision("col < p[bx]", true), "k * 6 + 5 < p[bx]");
}

TEST(NestDecisionTest, WhatIterationsShareIsTakenAsItIs) {
  EXPECT_EQ(decision("k % 2 == 0 and i < m", true), "k % 2 == 0 and 3 < m");
  EXPECT_EQ(decision("k % 2 == 0 and i < m", false), "k % 2 != 0 or 0 >= m");
  EXPECT_EQ(decision("k < 3 or col < m", true), "k < 3 or k * 6 + 5 < m");
}

TEST(NestDecisionTest, OneSideIsEnoughIfItIsTheFirst) {
  EXPECT_EQ(decision("row < n or i == j", true), "bx * 4 + 3 < n");
  EXPECT_EQ(decision("i == j or row < n", true), "unknown");
  EXPECT_EQ(decision("row < n and i == j", true), "unknown");
}

TEST(NestDecisionTest, WhatGoesUpAndDownIsNotDecided) {
  for (const char *condition : {"i == j", "row % 3 < k", "i * j < k", "p[i] < k", "i - i // 2 < k",
                                "(k if i < j else m) < n", "j * m < n"})
    for (bool value : {false, true})
      EXPECT_EQ(decision(condition, value), "unknown") << condition;
}

// The value of an integer or boolean expression of variables.
int64_t valueOf(const Expr *expr, const std::map<std::string, int64_t> &values) {
  if (const auto *imm = llvm::dyn_cast<IntImm>(expr))
    return imm->value;
  if (const auto *var = llvm::dyn_cast<Var>(expr))
    return values.at(var->name.str());
  if (const auto *unary = llvm::dyn_cast<Unary>(expr)) {
    int64_t operand = valueOf(unary->operand, values);
    return unary->op == UnaryOp::Not ? int64_t{operand == 0} : -operand;
  }
  const auto *binary = llvm::cast<Binary>(expr);
  return test::computeInteger(binary->op, valueOf(binary->lhs, values),
                              valueOf(binary->rhs, values));
}

std::string randomSum(std::mt19937 &random) {
  const char *parts[] = {"i", "j",      "row",           "col",          "m",
                         "n", "i // 2", "T.min(row, m)", "T.max(col, n)"};
  std::string text = std::to_string(int(random() % 9) - 4);
  for (int count = 0; count != 2; ++count)
    text += " + " + std::to_string(int(random() % 5) - 2) + " * (" + parts[random() % 9] + ")";
  return text;
}

std::string randomComparison(std::mt19937 &random) {
  const char *comparisons[] = {" < ", " <= ", " > ", " >= "};
  return randomSum(random) + comparisons[random() % 4] + randomSum(random);
}

using Values = std::map<std::string, int64_t>;

Values randomValues(std::mt19937 &random) {
  Values values = {
      {"bx", random() % 8}, {"n", 1 + random() % 8}, {"m", int64_t(random() % 33) - 16}};
  values["k"] = int64_t(random()) % values["n"];
  return values;
}

bool isInAllIterations(const Expr *condition, bool value, Values values) {
  bool isEverywhere = true;
  for (int64_t iteration = 0; iteration != 24; ++iteration) {
    values["i"] = iteration / 6;
    values["j"] = iteration % 6;
    values["row"] = values["bx"] * 4 + values["i"];
    values["col"] = values["k"] * 6 + values["j"];
    isEverywhere &= (valueOf(condition, values) != 0) == value;
  }
  return isEverywhere;
}

// Whether something was said of the condition; exact: what is said of it is needed too.
bool agrees(const std::string &text, bool value, bool isExact, std::mt19937 &random) {
  Context context;
  StoredChoice choice = choiceOf(context, text);
  if (!choice.condition)
    return false;
  IrAffine affine(context, *choice.module->functions[0]);
  const Expr *holds = NestDecision(affine, *choice.nest).everywhere(choice.condition, value);
  for (int sample = 0; holds && sample != 40; ++sample) {
    Values values = randomValues(random);
    bool isEverywhere = isInAllIterations(choice.condition, value, values);
    bool claims = valueOf(holds, values) != 0;
    EXPECT_TRUE(isExact ? claims == isEverywhere : isEverywhere || !claims) << text;
  }
  return holds != nullptr;
}

TEST(NestDecisionTest, AgreesWithAllIterations) {
  std::mt19937 random(7);
  int decided = 0;
  for (int round = 0; round != 200; ++round) {
    std::string one = randomComparison(random), other = randomComparison(random);
    for (bool value : {false, true}) {
      decided += int{agrees(one, value, true, random)};
      decided += int{agrees((llvm::Twine(one) + " and " + other).str(), value, false, random)};
      decided += int{agrees((llvm::Twine(one) + " or " + other).str(), value, false, random)};
    }
  }
  EXPECT_GT(decided, 600);
}

} // namespace
} // namespace tilescope
