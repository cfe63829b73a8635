// Random nests against plain execution: where no dependence is found no iteration reads what
// another one writes, and one that is certain is met whenever the nest is run. Run alone:
// unit_tests --gtest_filter='NestDependences*'
#include "core/analysis/lane_arithmetic.h"
#include "core/analysis/nest_dependences.h"
#include "core/ir/visit.h"
#include "ir_text.h"

#include "tests/unit/random_seeds.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <random>
#include <set>

using namespace tilescope;

namespace {

// Executes the nests of a kernel iteration by iteration and notes who touches which element.
class NestInterpreter {
public:
  NestInterpreter(Context &context, const Function &function, std::vector<int64_t> argument)
      : context_(context), function_(function), argument_(std::move(argument)) {}

  // Of each buffer: whether some run of a nest had a dependence, and whether some had none.
  std::map<uint32_t, std::pair<bool, bool>> observed;

  void run(const Stmt *stmt, std::map<const Var *, int64_t> values) {
    values_ = std::move(values);
    execute(stmt);
  }

private:
  struct Touch {
    const Stmt *stmt;
    uint32_t buffer;
    std::vector<int64_t> element;
    int64_t iteration;
    bool isWrite;
  };

  void execute(const Stmt *stmt) {
    if (const auto *nest = llvm::dyn_cast<Parallel>(stmt))
      return executeNest(*nest);
    if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
      values_[bind->var] = evaluate(bind->value);
    if (const auto *loop = llvm::dyn_cast<For>(stmt)) {
      int64_t min = evaluate(loop->min), extent = evaluate(loop->extent);
      for (int64_t step = 0; step < extent; ++step) {
        values_[loop->var] = min + step;
        execute(loop->body);
      }
      return;
    }
    if (const auto *branch = llvm::dyn_cast<If>(stmt)) {
      const Stmt *side = evaluate(branch->condition, stmt) ? branch->thenBody : branch->elseBody;
      if (side)
        execute(side);
      return;
    }
    if (const auto *store = llvm::dyn_cast<Store>(stmt)) {
      evaluate(store->value, stmt);
      touch(stmt, store->buffer, store->indices, true);
    }
    if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
      for (const BufferAccess &access : accessesOf(context_, op))
        if (access.isAtomic() && access.effect != Effect::Read) {
          llvm::SmallVector<const Expr *> indices;
          for (const Range &range : access.ranges)
            indices.push_back(range.min);
          touch(stmt, access.buffer, indices, true);
        }
    forEachChild(stmt, [&](const Stmt *child) { execute(child); });
  }

  void executeNest(const Parallel &nest) {
    touched_.clear();
    int64_t count = 1;
    for (const Expr *extent : nest.extents)
      count *= evaluate(extent);
    for (iteration_ = 0; iteration_ != count; ++iteration_) {
      int64_t rest = iteration_;
      for (size_t axis = nest.vars.size(); axis-- != 0;) {
        int64_t extent = evaluate(nest.extents[axis]);
        values_[nest.vars[axis]] = rest % extent;
        rest /= extent;
      }
      execute(nest.body);
    }
    std::set<uint32_t> dependent;
    for (const Touch &read : touched_)
      for (const Touch &write : touched_)
        if (!read.isWrite && write.isWrite && read.buffer == write.buffer &&
            read.iteration != write.iteration && read.element == write.element &&
            (read.stmt != write.stmt || !isMemory(function_.buffer(BufferId(read.buffer)).scope)))
          dependent.insert(read.buffer);
    for (const Buffer *buffer : function_.buffers) {
      auto &[some, none] = observed[buffer->id.value];
      (dependent.count(buffer->id.value) ? some : none) = true;
    }
  }

  void touch(const Stmt *stmt, BufferId buffer, ExprList indices, bool isWrite) {
    Touch made{stmt, buffer.value, {}, iteration_, isWrite};
    for (const Expr *index : indices)
      made.element.push_back(evaluate(index));
    touched_.push_back(std::move(made));
  }

  // `stmt`: whose loads are noted.
  int64_t evaluate(const Expr *expr, const Stmt *stmt = nullptr) {
    if (const auto *imm = llvm::dyn_cast<IntImm>(expr))
      return imm->value;
    if (const auto *var = llvm::dyn_cast<Var>(expr))
      return values_.at(var);
    if (const auto *select = llvm::dyn_cast<Select>(expr))
      return evaluate(evaluate(select->condition, stmt) ? select->whenTrue : select->whenFalse,
                      stmt);
    if (const auto *load = llvm::dyn_cast<Load>(expr)) {
      if (stmt)
        touch(stmt, load->buffer, load->indices, false);
      int64_t at = evaluate(load->indices[0]), size = static_cast<int64_t>(argument_.size());
      return argument_[static_cast<size_t>((at % size + size) % size)];
    }
    const auto &binary = *llvm::cast<Binary>(expr);
    int64_t a = evaluate(binary.lhs, stmt), b = evaluate(binary.rhs, stmt);
    LaneArithmetic lanes;
    return lanes.combine(binary.op, {a}, {b}).at(0);
  }

  Context &context_;
  const Function &function_;
  std::vector<int64_t> argument_;
  std::map<const Var *, int64_t> values_;
  std::vector<Touch> touched_;
  int64_t iteration_ = 0;
};

class RandomNests {
public:
  explicit RandomNests(unsigned seed) : random_(seed) {}

  std::string text() {
    std::string text = "@T.prim_func(properties=[\"tile\"])\n"
                       "def f(A: T.Tensor((4,), \"int32\"), C: T.Tensor((64,), \"int32\"),\n"
                       "      n: T.int32):\n"
                       "    s = T.alloc_shared((16,), \"int32\")\n"
                       "    t = T.alloc_shared((8, 8), \"int32\")\n"
                       "    x = T.alloc_fragment((16,), \"int32\")\n"
                       "    with T.Kernel(2, threads=4) as (bx, tx):\n";
    std::vector<std::string> names = {"bx", "n"};
    int depth = 8;
    if (below(2) == 0) {
      text += "        for k in T.serial(0, " + pick({"2", "3", "n", "3"}) + "):\n";
      names.insert(names.end(), {"k", "k"});
      depth += 4;
      if (below(3) == 0) {
        text += std::string(static_cast<size_t>(depth), ' ') + "o: T.int32 = k % 2 + n\n";
        names.push_back("o");
      }
    }
    std::string indent(static_cast<size_t>(depth), ' ');
    names.insert(names.end(), {"i", "i", "i", "i"});
    if (below(2) == 0) {
      text += indent + "for i in T.Parallel(" + pick({"4", "3", "n", "1"}) + "):\n";
    } else {
      text += indent + "for i, j in T.Parallel(" + pick({"2", "n"}) + ", 3):\n";
      names.insert(names.end(), {"j", "j", "j", "j"});
    }
    return text + body(depth + 4, names);
  }

private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  std::string pick(const std::vector<std::string> &choices) {
    return choices[static_cast<size_t>(below(static_cast<int>(choices.size())))];
  }

  std::string body(int depth, const std::vector<std::string> &names) {
    std::string text;
    for (int count = 1 + below(3); count-- != 0;)
      text += statement(depth, names);
    return text;
  }

  std::string statement(int depth, std::vector<std::string> names) {
    std::string indent(static_cast<size_t>(depth), ' ');
    int kind = depth > 20 ? 9 : below(10);
    if (kind == 0) {
      names.push_back("m" + std::to_string(++count_));
      return indent + "for " + names.back() + " in T.serial(0, " + pick({"2", "n"}) + "):\n" +
             body(depth + 4, names);
    }
    if (kind == 1)
      return indent + "if " + condition(names) + ":\n" + body(depth + 4, names);
    if (kind == 2) {
      std::string name = "b" + std::to_string(++count_);
      std::string text = indent + name + ": T.int32 = " + index(names) + "\n";
      names.insert(names.end(), {name, name, name});
      return text + statement(depth, names) + statement(depth, names);
    }
    if (kind == 3)
      return indent + "T.atomic_element(s[" + index(names) + "], 1)\n";
    return indent + place(names) + " = " + value(names) + "\n";
  }

  std::string condition(const std::vector<std::string> &names) {
    return pick({pick(names), "A[" + pick(names) + " % 4]"}) + pick({" < ", " > ", " == "}) +
           pick({"0", "1", "2", pick(names)});
  }

  std::string index(const std::vector<std::string> &names) {
    std::string name = pick(names), other = pick(names);
    return pick({name, name, name, name, name + " + 1", "3 - " + name, name + " // 2",
                 name + " % 2", name + " * 3 + " + other, name + " + " + other, "0", name + " ^ 1",
                 "A[" + name + " % 4]", "n * 4 + " + name, "(" + name + " + " + other + ") % 3"});
  }

  std::string place(const std::vector<std::string> &names) {
    switch (below(4)) {
    case 0:
      return "t[" + index(names) + ", " + index(names) + "]";
    case 1:
      return "x[" + index(names) + "]";
    case 2:
      return "C[" + index(names) + "]";
    default:
      return "s[" + index(names) + "]";
    }
  }

  std::string value(const std::vector<std::string> &names) {
    if (below(4) == 0)
      return "1";
    std::string read = place(names);
    return below(4) == 0 ? read + " if " + condition(names) + " else 0" : read + " + 1";
  }

  std::mt19937 random_;
  int count_ = 0;
};

struct Compared {
  unsigned certain = 0, doubts = 0, needless = 0, shown = 0;

  void add(Context &context, const Function &function) {
    std::map<uint32_t, bool> found; // by buffer: whether certain
    for (const NestDependence &one : findNestDependences(context, function))
      found[one.buffer.value] |= one.isCertain;
    std::map<uint32_t, std::pair<bool, bool>> observed = observe(context, function);
    for (auto [buffer, seen] : observed) {
      auto [some, none] = seen;
      auto known = found.find(buffer);
      bool isFound = known != found.end(), isCertain = isFound && known->second;
      llvm::StringRef name = function.buffer(BufferId(buffer)).name;
      EXPECT_TRUE(isFound || !some) << name.str() << ": a dependence was not found";
      EXPECT_FALSE(isCertain && none) << name.str() << ": there is none in some run";
      certain += isCertain;
      doubts += isFound && !isCertain;
      needless += isFound && !isCertain && !some;
      shown += !isFound;
    }
  }

  static std::map<uint32_t, std::pair<bool, bool>> observe(Context &context,
                                                           const Function &function) {
    const Launch *launch = nullptr;
    walk(function.body, [&](const Stmt *stmt) {
      launch = launch ? launch : llvm::dyn_cast<Launch>(stmt);
      return true;
    });
    std::map<uint32_t, std::pair<bool, bool>> all;
    for (const std::vector<int64_t> &argument :
         {std::vector<int64_t>{0, 1, 2, 3}, {0, 0, 0, 0}, {2, 1, 1, 0}})
      for (int64_t n = 1; n != 4; ++n)
        for (int64_t block : {0, 1}) {
          NestInterpreter interpreter(context, function, argument);
          interpreter.run(launch->body,
                          {{function.params[2].var, n}, {launch->blockVars[0], block}});
          for (auto [buffer, seen] : interpreter.observed) {
            all[buffer].first |= seen.first;
            all[buffer].second |= seen.second;
          }
        }
    return all;
  }
};

TEST(NestDependencesRandomTest, RandomNestsAgreeWithExecution) {
  Compared compared;
  for (unsigned seed = 0; seed != test::seedsOf(6000) && !HasFailure(); ++seed) {
    std::string text = RandomNests(seed).text();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    Context context;
    const Module *module = parseIr(context, text);
    ASSERT_TRUE(module);
    compared.add(context, *module->functions[0]);
  }
  EXPECT_GT(compared.certain, test::ofSeeds(250U));
  EXPECT_GT(compared.doubts - compared.needless, test::ofSeeds(2500U));
  EXPECT_LT(compared.needless, 1500U);
  EXPECT_GT(compared.shown, test::ofSeeds(20000U));
}

class NestDependencesTest : public testing::Test {
protected:
  // "s in line 3", or "s? in line 3" of what is not certain.
  std::vector<std::string> found(const std::string &body) {
    std::string text =
        "@T.prim_func(properties=[\"tile\"])\n"
        "def f(P: T.Tensor((64,), \"int32\"), C: T.Tensor((n, 64), \"int32\"), n: T.int32):\n"
        "    s = T.alloc_shared((64,), \"int32\")\n"
        "    x = T.alloc_fragment((64,), \"int32\")\n"
        "    v = T.alloc_local((2,), \"int32\")\n"
        "    with T.Kernel(1, threads=32) as (bx, tx):\n" +
        body;
    const Module *module = parseIr(context, text);
    std::vector<std::string> lines;
    if (module)
      for (const NestDependence &one : findNestDependences(context, *module->functions[0]))
        lines.push_back(module->functions[0]->buffer(one.buffer).name.str() +
                        (one.isCertain ? "" : "?") + " in line " +
                        std::to_string(one.read->span().line - 7));
    return lines;
  }

  Context context;
};

using Answers = std::vector<std::string>;

TEST_F(NestDependencesTest, OwnElementsAreNoDependence) {
  EXPECT_EQ(found("        for i in T.Parallel(64):\n"
                  "            s[i] = P[i]\n"
                  "            x[i] = s[i] + x[i]\n"
                  "            v[0] = x[i]\n"
                  "            C[bx, i] = v[0]\n"),
            Answers());
  EXPECT_EQ(found("        for i, j in T.Parallel(16, 64):\n"
                  "            C[i, j] = P[j]\n"
                  "            C[i, j] = C[i, j] + 1\n"),
            Answers());
}

TEST_F(NestDependencesTest, OtherElementsAreOne) {
  EXPECT_EQ(found("        for i in T.Parallel(64):\n"
                  "            s[i] = P[i]\n"
                  "            C[bx, i] = s[63 - i]\n"),
            Answers({"s in line 3"}));
  EXPECT_EQ(found("        for i in T.Parallel(64):\n"
                  "            T.atomic_element(s[0], P[i])\n"
                  "            C[bx, i] = s[0]\n"),
            Answers({"s in line 3"}));
  EXPECT_EQ(found("        for i in T.Parallel(64):\n"
                  "            s[i] = P[i]\n"
                  "            C[bx, i] = s[P[i]]\n"),
            Answers({"s? in line 3"}));
  // Which thread runs which iteration is not decided.
  EXPECT_EQ(found("        for i in T.Parallel(64):\n"
                  "            s[tx] = P[i]\n"
                  "            C[bx, i] = s[tx]\n"),
            Answers({"s? in line 3"}));
}

TEST_F(NestDependencesTest, ConditionsPartIterations) {
  EXPECT_EQ(found("        for i in T.Parallel(64):\n"
                  "            if i < 32:\n"
                  "                s[i] = P[i]\n"
                  "            C[bx, i] = s[i + 1] if i > 30 else 0\n"),
            Answers());
  EXPECT_EQ(found("        for i in T.Parallel(64):\n"
                  "            if i < 33:\n"
                  "                s[i] = P[i]\n"
                  "            C[bx, i] = s[i + 1] if i > 30 else 0\n"),
            Answers({"s in line 4"}));
}

// A step of a bitonic sort: the smaller of two partners swaps both.
TEST_F(NestDependencesTest, LoopsAroundAreRun) {
  EXPECT_EQ(found("        for k in T.serial(0, 6):\n"
                  "            for i in T.Parallel(64):\n"
                  "                j: T.int32 = i ^ 1 << k\n"
                  "                if i < j:\n"
                  "                    a: T.int32 = s[i]\n"
                  "                    s[i] = s[j]\n"
                  "                    s[j] = a\n"),
            Answers());
  EXPECT_EQ(found("        for k in T.serial(0, 6):\n"
                  "            for i in T.Parallel(64):\n"
                  "                j: T.int32 = i ^ 1 << k\n"
                  "                a: T.int32 = s[i]\n"
                  "                s[i] = s[j]\n"
                  "                s[j] = a\n"),
            Answers({"s? in line 4"}));
}

} // namespace
