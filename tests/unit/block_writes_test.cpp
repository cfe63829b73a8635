// Random launches against all their blocks and threads: where nothing is found, no two blocks are
// at odds about an element, and none reads what another one writes. And kernels of which something
// is known that a random one seldom has. Run alone: unit_tests --gtest_filter='BlockWrites*'
#include "core/analysis/block_writes.h"
#include "core/ir/visit.h"
#include "integer_operators.h"
#include "ir_text.h"

#include "tests/unit/random_seeds.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>
#include <random>
#include <set>

namespace tilescope {
namespace {

constexpr int64_t Threads = 4;

const char *const Head = "@T.prim_func(properties=[\"lowered\"])\n"
                         "def f(A: T.Tensor((32,), \"int32\"), n: T.int32,\n"
                         "      W: T.Tensor((900, 900), \"int32\")):\n";

class RandomLaunch {
public:
  explicit RandomLaunch(unsigned seed) : random_(seed) {}

  std::string text() {
    std::string text = Head;
    text += llvm::formatv("    with T.Kernel({0}, {1}, {2}, threads=4) as (bx, by, bz, tx):\n",
                          extent(), extent(), pick({"1", "1", "2"}));
    text += "        t: T.int32 = bx + by * " + pick({"2", "3", "n"}) + "\n";
    std::string rows = index();
    std::string columns = index();
    for (int count = 1 + below(2); count-- > 0;) {
      bool isAlike = below(3) != 0;
      text += statement(isAlike ? rows : index(), isAlike ? columns : index());
    }
    return text;
  }

private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  std::string pick(std::initializer_list<const char *> choices) {
    return choices.begin()[below(static_cast<int>(choices.size()))];
  }

  std::string extent() { return pick({"1", "2", "3", "4", "n", "n + 1"}); }
  std::string block() {
    return pick({"bx", "bx", "by", "by", "bz", "t", "bx // 2", "bx % 2", "t // 3", "t % 3",
                 "t // 2", "t % 2", "t % n", "t // n", "(bx ^ 1)", "T.min(bx, 2)", "A[bx]"});
  }
  std::string ofThread() {
    return pick({"tx", "tx", "tx // 2", "tx % 2", "i", "i", "2 * i", "0", "0", "1", "A[tx]"});
  }
  std::string index() {
    std::string text = ofThread();
    for (int count = below(3); count-- > 0;)
      text += " + " + pick({"1", "2", "3", "4", "8", "n"}) + " * " + block();
    return below(8) == 0 ? "(" + text + ") " + pick({"% 4", "// 2"}) : text;
  }

  std::string statement(const std::string &row, const std::string &column) {
    std::string text = "        for i in T.serial(" + pick({"1", "2", "3", "bx + 1", "n"}) + "):\n";
    std::string indent(12, ' ');
    if (below(3) == 0) {
      text += indent + "if " +
              pick({"bx == 0", "by == n - 1", "bx < 1", "i < 2", "tx < 2", "tx + i < 3",
                    "bx % 2 == 0", "A[bx] > 1", "t == 0"}) +
              ":\n";
      indent += "    ";
    }
    std::string value = pick({"7", "7", "tx", "bx", "by + i", "A[i]", "t"});
    switch (below(6)) {
    case 5:
      return text + indent + "x: T.int32 = W[" + row + ", " + column + "]\n";
    case 0:
      return text + indent + "T.atomic_element(W[" + row + ", " + column + "], " + value + ")\n";
    case 1:
      return text + indent + "c: T.int32 = " + column + "\n" + indent + "T.vector_copy(A[0:2], W[" +
             row + ", c:c + 2], bytes=8)\n";
    default:
      return text + indent + "W[" + row + ", " + column + "] = " + value + "\n";
    }
  }

  std::mt19937 random_;
};

// All writes of all blocks, one thread after the other.
class Blocks {
public:
  Blocks(Context &context, const Function &function, int64_t n, int64_t step)
      : context_(context), function_(function), step_(step) {
    for (const Param &param : function.params)
      if (param.var)
        values_[param.var] = n;
    const Stmt *root = function.body;
    while (const auto *seq = llvm::dyn_cast<Seq>(root))
      root = seq->stmts.back();
    runAll(*llvm::cast<Launch>(root), 0);
  }

  // Whether what is in an element may depend on which block comes last.
  bool areAtOdds() const {
    return llvm::any_of(elements_, [](const auto &element) { return isAtOdds(element.second); });
  }

  // Whether a block reads what another one writes.
  bool readOthers() const {
    return llvm::any_of(readers_, [&](const auto &element) {
      auto written = elements_.find(element.first);
      return written != elements_.end() && llvm::any_of(element.second, [&](int64_t reader) {
               return written->second.size() > 1 || !written->second.contains(reader);
             });
    });
  }

private:
  // By block.
  using Readers = std::set<int64_t>;
  // By block: whether an atomic one, and the value.
  using Writes = std::map<int64_t, std::vector<std::pair<bool, int64_t>>>;

  static bool isAtOdds(const Writes &byBlock) {
    bool isPlain = false;
    bool isOneValue = true;
    bool isAlike = true;
    auto first = byBlock.begin()->second.front();
    for (const auto &[block, writes] : byBlock) {
      for (auto write : writes) {
        isPlain |= !write.first;
        isOneValue &= write == first;
      }
      isAlike &= writes == byBlock.begin()->second &&
                 llvm::none_of(writes, [](auto write) { return write.first; });
    }
    return byBlock.size() > 1 && isPlain && !isOneValue && !isAlike;
  }

  void runAll(const Launch &launch, size_t axis) {
    if (axis != launch.blockVars.size()) {
      for (int64_t at = 0, end = evaluate(launch.gridExtents[axis]); at < end; ++at) {
        values_[launch.blockVars[axis]] = at;
        runAll(launch, axis + 1);
      }
      return;
    }
    ++block_;
    for (int64_t thread = 0; thread != Threads; ++thread) {
      values_[launch.threadVar] = thread;
      run(launch.body);
    }
  }

  void run(const Stmt *stmt) {
    if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
      values_[bind->var] = evaluate(bind->value);
    if (const auto *seq = llvm::dyn_cast<Seq>(stmt))
      for (const Stmt *child : seq->stmts)
        run(child);
    if (const auto *branch = llvm::dyn_cast<If>(stmt); branch && evaluate(branch->condition))
      run(branch->thenBody);
    if (const auto *loop = llvm::dyn_cast<For>(stmt))
      for (int64_t at = 0, end = evaluate(loop->extent); at < end; ++at) {
        values_[loop->var] = at;
        run(loop->body);
      }
    for (const BufferAccess &access : accessesOf(context_, stmt))
      if (access.effect != Effect::Read)
        write(stmt, access);
      else if (function_.buffer(access.buffer).name == "W")
        readers_[{evaluate(access.ranges[0].min), evaluate(access.ranges[1].min)}].insert(block_);
  }

  void write(const Stmt *stmt, const BufferAccess &access) {
    const auto *store = llvm::dyn_cast<Store>(stmt);
    // What a copy copies is another's in each block.
    int64_t value = store ? evaluate(store->value) : -block_;
    int64_t row = evaluate(access.ranges[0].min);
    int64_t column = evaluate(access.ranges[1].min);
    for (int64_t i = 0, end = evaluate(access.ranges[1].extent); i != end; ++i)
      elements_[{row, column + i}][block_].push_back({access.isAtomic(), value});
  }

  int64_t evaluate(const Expr *expr) {
    if (const auto *number = llvm::dyn_cast<IntImm>(expr))
      return number->value;
    if (const auto *var = llvm::dyn_cast<Var>(expr))
      return values_.at(var);
    if (const auto *load = llvm::dyn_cast<Load>(expr))
      return evaluate(load->indices[0]) * step_ % 4;
    const auto *binary = llvm::cast<Binary>(expr);
    return test::computeInteger(binary->op, evaluate(binary->lhs), evaluate(binary->rhs));
  }

  Context &context_;
  const Function &function_;
  int64_t step_; // of the numbers in A
  int64_t block_ = 0;
  std::map<const Var *, int64_t> values_;
  std::map<std::pair<int64_t, int64_t>, Writes> elements_;
  std::map<std::pair<int64_t, int64_t>, Readers> readers_;
};

TEST(BlockWrites, FindsNothingOnlyWhereBlocksAreNotAtOdds) {
  int apart = 0;
  int shown = 0;
  int others = 0;
  int found = 0;
  for (unsigned seed = 0; seed != test::seedsOf(1200); ++seed) {
    Context context;
    std::string text = RandomLaunch(seed).text();
    const Module *module = parseIr(context, text);
    ASSERT_TRUE(module) << text;
    const Function &function = *module->functions.front();
    bool isShown = computeBlockWrites(context, function).empty();
    bool areAtOdds = false;
    bool readOthers = false;
    for (int64_t n : {1, 2, 3, 5})
      for (int64_t step : {0, 1, 3}) {
        Blocks blocks(context, function, n, step);
        areAtOdds |= blocks.areAtOdds();
        readOthers |= blocks.readOthers();
      }
    ASSERT_FALSE(isShown && areAtOdds) << "seed " << seed << "\n" << text;
    bool areOwn = findBlockReads(context, function).empty();
    ASSERT_FALSE(areOwn && readOthers) << "seed " << seed << "\n" << text;
    others += readOthers;
    found += !areOwn;
    apart += !areAtOdds;
    shown += isShown;
  }
  // Most of what is so is shown to be so.
  EXPECT_GT(apart, test::ofSeeds(300));
  EXPECT_GT(shown * 3, apart * 2);
  EXPECT_GT(others, test::ofSeeds(20));
  EXPECT_LT(found, others * 2);
}

size_t countFound(const std::string &launch) {
  Context context;
  const Module *module = parseIr(context, Head + launch);
  return module ? computeBlockWrites(context, *module->functions.front()).size() : 99;
}

TEST(BlockWrites, PersistentBlocksTakeTheirTilesApart) {
  EXPECT_EQ(countFound(R"(
    with T.Kernel(132, threads=128) as (bx, tx):
        for wave in T.serial(4):
            t: T.int32 = bx + wave * 132
            if t < 512:
                W[t // 16 * 8 + tx // 16, t % 16 * 16 + tx % 16] = bx
)"),
            0U);
}

TEST(BlockWrites, WavesThatAreTooShortOverlap) {
  EXPECT_EQ(countFound(R"(
    with T.Kernel(132, threads=128) as (bx, tx):
        for wave in T.serial(4):
            t: T.int32 = bx + wave * 131
            W[t // 16 * 8 + tx // 16, t % 16 * 16 + tx % 16] = bx
)"),
            1U);
}

TEST(BlockWrites, ASymbolicNumberOfTilesIsADigit) {
  EXPECT_EQ(countFound(R"(
    with T.Kernel(n * 8, threads=128) as (bx, tx):
        W[bx // n * 8 + tx // 16, bx % n * 16 + tx % 16] = bx
)"),
            0U);
}

TEST(BlockWrites, AConditionOnThreadsNarrowsTheTile) {
  std::string launch = R"(
    with T.Kernel(8, threads=128) as (bx, tx):
        if tx < 32:
            W[0, bx * 32 + tx] = bx
)";
  EXPECT_EQ(countFound(launch), 0U);
  EXPECT_EQ(countFound(launch.replace(launch.find("< 32"), 4, "< 33")), 1U);
}

TEST(BlockWrites, StatementsOfOneBufferCountTogether) {
  EXPECT_EQ(countFound(R"(
    with T.Kernel(8, threads=32) as (bx, tx):
        W[0, bx * 64 + tx] = bx
        W[0, bx * 64 + 32 + tx] = bx + 1
)"),
            0U);
  EXPECT_EQ(countFound(R"(
    with T.Kernel(8, threads=32) as (bx, tx):
        W[0, bx * 32 + tx] = bx
        W[0, (7 - bx) * 32 + tx] = bx + 1
)"),
            1U);
}

TEST(BlockWrites, StatementsMayPartTheBlocksInTheirOwnWays) {
  std::string launch = R"(
    with T.Kernel(8, threads=32) as (bx, tx):
        W[0, tx] = A[tx]
        W[1 + tx, bx] = bx
        W[40 + bx, tx] = bx
)";
  EXPECT_EQ(countFound(launch), 0U);
  EXPECT_EQ(countFound(launch.replace(launch.find("40 +"), 4, "30 +")), 1U);
}

TEST(BlockWrites, TheOtherSideOfTwoIsTheOtherBlock) {
  std::string launch = R"(
    with T.Kernel(8, 2, threads=32) as (bx, by, tx):
        if by == 0:
            W[0, bx * 32 + tx] = bx + by
        else:
            W[1, bx * 32 + tx] = bx + by
)";
  EXPECT_EQ(countFound(launch), 0U);
  EXPECT_EQ(countFound(launch.replace(launch.find("8, 2"), 4, "8, 3")), 1U);
}

TEST(BlockWrites, WhoAddsToWhatOneBlockClearsMayComeFirst) {
  EXPECT_EQ(countFound(R"(
    with T.Kernel(8, threads=32) as (bx, tx):
        if bx == 0:
            W[0, tx] = 0
        T.atomic_element(W[0, tx], 1)
)"),
            1U);
}

TEST(BlockWrites, LoadedRowsAreNotKnownToBeApart) {
  EXPECT_EQ(countFound(R"(
    with T.Kernel(8, threads=32) as (bx, tx):
        row: T.int32 = A[bx]
        W[row, tx] = bx
)"),
            1U);
  EXPECT_EQ(countFound(R"(
    with T.Kernel(8, 8, threads=32) as (bx, by, tx):
        row: T.int32 = A[bx]
        W[row + by, bx * 32 + tx] = bx
)"),
            0U);
}

TEST(BlockWrites, TilesDealtInGroupsHaveOneBlock) {
  auto countDealt = [](const char *column) {
    return countFound("    with T.Kernel(6, threads=32) as (bx, tx):\n"
                      "        for wave in T.serial(0, 3):\n"
                      "            t: T.int32 = wave * 6 + bx\n"
                      "            W[t // 2 % 4, (" +
                      std::string(column) + ") * 32 + tx] = bx\n");
  };
  EXPECT_EQ(countDealt("t // 8 * 2 + t % 2"), 0U);
  EXPECT_EQ(countDealt("t // 8"), 1U); // tiles 0 and 1 are one, and of two blocks
}

TEST(BlockWrites, StridesSayWhatOneBlockWrites) {
  auto countStrided = [](const char *strides) {
    Context context;
    const Module *module = parseIr(context, llvm::formatv(R"(
@T.prim_func(properties=["lowered"])
def f(W: T.Tensor((8, 32), "int32", strides={0})):
    with T.Kernel(8, threads=32) as (bx, tx):
        W[bx, tx] = bx
)",
                                                          strides));
    return module ? computeBlockWrites(context, *module->functions.front()).size() : 99;
  };
  EXPECT_EQ(countStrided("[40, 1]"), 0U);
  EXPECT_EQ(countStrided("[16, 1]"), 1U);
}

TEST(BlockWrites, WhatTheFunctionItselfWritesMayBeAnotherValue) {
  EXPECT_EQ(countFound(R"(
    with T.Kernel(8, threads=32) as (bx, tx):
        W[0, tx] = A[tx]
)"),
            0U);
  EXPECT_EQ(countFound(R"(
    with T.Kernel(8, threads=32) as (bx, tx):
        W[0, tx] = W[0, tx] + 1
)"),
            1U);
  EXPECT_EQ(countFound(R"(
    with T.Kernel(8, threads=32) as (bx, tx):
        if bx < 4:
            W[0, tx] = 1
        else:
            W[0, tx] = 2
)"),
            1U);
}

} // namespace
} // namespace tilescope
