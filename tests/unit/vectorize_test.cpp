// Random loops of lowered code: after vectorize every element of memory and registers must be what
// it was without, one thread after another and all in step.
// Run alone: unit_tests --gtest_filter='Vectorize*'
#include "core/ir/printer.h"
#include "ir_text.h"
#include "passes/registry.h"
#include "thread_interpreter.h"

#include "tests/unit/random_seeds.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>
#include <random>

namespace tilescope {
namespace {

constexpr int64_t Threads = 8;

class CountedRemarks : public RemarkSink {
public:
  bool wanted() const override { return true; }
  void take(Remark remark) override { ++counts[remark.id]; }

  std::map<RemarkId, int64_t> counts;
};

const Module *vectorized(const Module &module, RemarkSink &remarks) {
  Diagnostics diagnostics;
  PassContext pass{*module.context, **findTarget("sm_80"), diagnostics, remarks};
  const PassInfo *info = llvm::find_if(
      allPasses(), [](const PassInfo &candidate) { return candidate.name == "vectorize"; });
  const Module *changed = info->create()->run(module, pass);
  verifyModule(*changed, diagnostics);
  EXPECT_EQ(renderAll(diagnostics, SourceFiles()), "");
  return changed;
}

// Writes programs as IR text: some loops over few elements, with bindings, then stores.
class ProgramWriter {
public:
  explicit ProgramWriter(uint32_t seed) : random_(seed) {}

  std::string write() {
    text_ = "@T.prim_func(properties=[\"lowered\"])\n"
            "def main(\n    G: T.Tensor((256,), \"int32\"),\n    H: T.Tensor((8, 32), \"int32\"),\n"
            "    I: T.Tensor((64,), \"int32\"),\n):\n"
            "    S = T.alloc_shared((256,), \"int32\", layout=\"row_major\")\n"
            "    U = T.alloc_shared((8, 32), \"int32\", layout=\"row_major\")\n"
            "    V = T.alloc_shared((128,), \"int32\", layout=\"row_major\", versions=2)\n"
            "    R = T.alloc_local((32,), \"int32\")\n"
            "    Q = T.alloc_local((32,), \"int32\")\n"
            "    n = T.alloc_local((1,), \"int32\")\n"
            "    with T.Kernel(1, threads=8) as (bx, tx):\n";
    line(2, "start: T.int32 = tx * 8");
    for (int64_t count = 1 + below(2); count-- > 0;)
      loop();
    return text_;
  }

private:
  int64_t below(int64_t bound) { return static_cast<int64_t>(random_() % bound); }
  bool chance(int percent) { return below(100) < percent; }
  template <typename... Choices> std::string oneOf(const Choices &...choices) {
    std::string all[] = {choices...};
    return all[below(sizeof...(choices))];
  }

  void line(int indent, const std::string &what) {
    text_ += std::string(4 * static_cast<size_t>(indent), ' ') + what + "\n";
  }

  // What is added to an aligned place.
  std::string lane() {
    if (chance(80))
      return "v" + number_;
    return oneOf("v" + number_ + " + 1", "v" + number_ + " * 2", "v" + number_ + " // 2 * 2",
                 std::to_string(extent_ - 1) + " - v" + number_, "0", "1");
  }

  // Within [0, 32).
  std::string column() {
    if (!columns_.empty() && chance(40))
      return columns_[below(static_cast<int64_t>(columns_.size()))];
    std::string base = oneOf("0", "8", "tx % 2 * 8", "tx // 4 * " + std::to_string(extent_));
    return base + " + " + lane();
  }
  // Within [0, 256).
  std::string place() {
    if (!places_.empty() && chance(50))
      return places_[below(static_cast<int64_t>(places_.size()))];
    std::string width = std::to_string(extent_);
    std::string base =
        oneOf("tx * " + width, "tx * 8", "start", "(7 - tx) * 8", "start + 64", "start + 4", "8",
              "I[tx] % 8 * 8", "n[0] % 8 * " + width, "S[start] % 8 * 8");
    return base + " + " + lane();
  }
  std::string row() { return oneOf("tx", "tx", "0", "7 - tx", "I[tx] % 8"); }

  std::string memory() {
    switch (below(6)) {
    case 0:
      return "G[" + place() + "]";
    case 1:
      return "H[" + row() + ", " + column() + "]";
    case 2:
      return "U[" + row() + ", " + column() + "]";
    case 3:
      return "V[" + oneOf("0", "1", "tx % 2", "v" + number_ + " % 2") + ", start + " + lane() + "]";
    default:
      return "S[" + place() + "]";
    }
  }
  std::string element() {
    if (chance(8))
      return "n[0]";
    if (chance(60))
      return memory();
    std::string base = oneOf("0", "0", "8", "n[0] % 4 * " + std::to_string(extent_));
    return oneOf("R", "Q") + "[" + (chance(75) ? base + " + " + lane() : column()) + "]";
  }

  std::string condition() {
    std::string left = oneOf("tx", "start + " + lane(), element(), element(), "n[0]", "I[0]");
    return left + " < " + std::to_string(4 * below(16));
  }
  std::string value() {
    if (!values_.empty() && chance(25))
      return values_[below(static_cast<int64_t>(values_.size()))] + " + " + element();
    switch (below(6)) {
    case 0:
      return element() + " + " + element();
    case 1:
      return element() + " * 3 + 1";
    case 2:
      return "(" + element() + " if " + condition() + " else 0)";
    case 3:
      return std::to_string(below(50));
    default:
      return element();
    }
  }

  void bind(int indent) {
    std::string name = "b" + std::to_string(names_++);
    switch (below(4)) {
    case 0:
      line(indent, name + ": T.int32 = " + place());
      return places_.push_back(name);
    case 1:
      line(indent, name + ": T.int32 = " + column());
      return columns_.push_back(name);
    default:
      line(indent, name + ": T.int32 = " + value());
      return values_.push_back(name);
    }
  }

  void store(int indent) { line(indent, element() + " = " + value()); }

  void statement(int indent, int depth) {
    if (depth == 2 || chance(70))
      return store(indent);
    line(indent, "if " + condition() + ":");
    for (int64_t count = 1 + below(2); count-- > 0;)
      statement(indent + 1, depth + 1);
  }

  void loop() {
    extent_ = int64_t{2} << below(3);
    number_ = std::to_string(names_++);
    line(2, llvm::formatv("for v{0} in T.{1}(0, {2}):", number_, oneOf("unroll", "vectorized"),
                          extent_));
    for (int64_t count = below(3); count-- > 0;)
      bind(3);
    for (int64_t count = 1 + below(3); count-- > 0;)
      statement(3, 0);
    places_.clear();
    columns_.clear();
    values_.clear();
  }

  std::mt19937 random_;
  std::string text_;
  std::string number_; // of the loop variable
  int64_t extent_ = 0;
  int names_ = 0;
  std::vector<std::string> places_, columns_, values_;
};

std::vector<ThreadInterpreter::Team> teamsOf(bool inStep) {
  std::vector<int64_t> all(Threads);
  std::iota(all.begin(), all.end(), 0);
  if (inStep)
    return {all};
  std::vector<ThreadInterpreter::Team> teams;
  teams.reserve(all.size());
  for (int64_t thread : all)
    teams.push_back({thread});
  return teams;
}

ThreadInterpreter ran(const Function &function, bool inStep, unsigned seed) {
  ThreadInterpreter interpreter(function, seed);
  for (const ThreadInterpreter::Team &team : teamsOf(inStep))
    interpreter.run(team);
  return interpreter;
}

struct Coverage {
  int64_t compared = 0;
  int64_t wide = 0;
  std::map<RemarkId, int64_t> remarks;
};

void checkProgram(uint32_t seed, Coverage &coverage) {
  std::string source = ProgramWriter(seed).write();
  Context context;
  const Module *module = parseIr(context, source);
  ASSERT_TRUE(module) << source;
  CountedRemarks remarks;
  const Module *changed = vectorized(*module, remarks);
  for (auto [id, count] : remarks.counts)
    coverage.remarks[id] += count;
  const Function &before = *module->functions[0];
  const Function &after = *changed->functions[0];
  for (bool inStep : {false, true}) {
    ThreadInterpreter original = ran(before, inStep, seed);
    // What a program may do wrong by itself: leave a tensor.
    if (!original.firstFault.empty())
      return;
    ThreadInterpreter wide = ran(after, inStep, seed);
    std::string text = source + printModule(*changed, false);
    ASSERT_EQ(wide.firstFault, "") << "seed " << seed << "\n" << text;
    ASSERT_EQ(original.memoryOf(before, Threads), wide.memoryOf(before, Threads))
        << "seed " << seed << "\n"
        << text;
    coverage.wide += wide.vectorCopies > 0;
    ++coverage.compared;
  }
}

TEST(VectorizeTest, RandomLoopsLeaveTheSameMemory) {
  Coverage coverage;
  for (uint32_t seed = 0; seed < test::seedsOf(5000) && !testing::Test::HasFatalFailure(); ++seed)
    checkProgram(seed, coverage);
  // The generator must not degenerate into programs that are never wide or never refused.
  EXPECT_GT(coverage.compared, test::ofSeeds(7000));
  EXPECT_GT(coverage.wide, test::ofSeeds(2500));
  EXPECT_GT(coverage.remarks[RemarkId::AccessNotVectorized], test::ofSeeds(800));
  EXPECT_GT(coverage.remarks[RemarkId::LoopNotVectorized], test::ofSeeds(150));
}

// What the comparison must see: accesses in another order.
TEST(VectorizeTest, ComparisonFindsAnotherOrder) {
  static constexpr const char *Head =
      "@T.prim_func(properties=[\"lowered\"])\n"
      "def main(B: T.Tensor((32,), \"int32\")):\n"
      "    s = T.alloc_shared((32,), \"int32\", layout=\"row_major\")\n"
      "    f = T.alloc_local((4,), \"int32\")\n"
      "    with T.Kernel(1, threads=8) as (bx, tx):\n";
  constexpr const char *Store = "            s[tx * 4 + v] = s[tx * 4 + v] * 3 + 1\n";
  constexpr const char *Use = "            B[tx * 4 + v] = s[tx * 4 + v]\n";
  constexpr const char *Loop = "        for v in T.unroll(0, 4):\n";
  constexpr const char *Wide = "        T.vector_copy(s[tx * 4:tx * 4 + 4], f[0:4], bytes=16)\n";
  constexpr const char *UseWide = "            B[tx * 4 + v] = f[v]\n";
  auto memory = [&](const std::string &body) {
    Context context;
    const Module *module = parseIr(context, Head + body);
    return ran(*module->functions[0], true, 1).memoryOf(*module->functions[0], Threads);
  };
  auto original = memory(std::string(Loop) + Store + Use)["B of 0"];
  auto tooEarly = memory(std::string(Wide) + Loop + Store + UseWide)["B of 0"];
  auto inTime = memory(std::string(Loop) + Store + Wide + Loop + UseWide)["B of 0"];
  EXPECT_NE(original, tooEarly);
  EXPECT_EQ(original, inTime);
}

} // namespace
} // namespace tilescope
