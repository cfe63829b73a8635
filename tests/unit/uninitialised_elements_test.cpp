// Random kernels against plain execution: a read without a finding finds what somebody wrote, on
// every path; a certain finding is met in every run that gets to it.
// Run alone: unit_tests --gtest_filter='UninitialisedElements*'
#include "core/analysis/uninitialised_elements.h"
#include "ir_text.h"
#include "tile_interpreter.h"

#include "tests/unit/random_seeds.h"
#include "llvm/Support/FormatVariadic.h"

#include <random>
#include <set>

using namespace tilescope;
using namespace tilescope::test;

namespace {

class RandomTiles {
public:
  explicit RandomTiles(unsigned seed) : random_(seed) {}

  std::string text() {
    std::string text = "@T.prim_func(properties=[\"tile\"])\n"
                       "def f(A: T.Tensor((4,), \"int32\"), C: T.Tensor((8,), \"int32\"),\n"
                       "      n: T.int32):\n"
                       "    s = T.alloc_shared((4,), \"int32\")\n"
                       "    t = T.alloc_shared((2, 3), \"int32\")\n"
                       "    x = T.alloc_fragment((4,), \"int32\")\n"
                       "    v = T.alloc_local((2,), \"int32\")\n"
                       "    with T.Kernel(2, threads=3) as (bx, tx):\n";
    for (int count = 2 + below(5); count-- != 0;)
      text += statement(8, {"bx", "n"}, Where::Block);
    return text;
  }

private:
  enum class Where : uint8_t { Block, Threads, Nest };
  using Names = std::vector<std::string>;

  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  std::string pick(const Names &choices) {
    return choices[static_cast<size_t>(below(static_cast<int>(choices.size())))];
  }

  std::string statement(int depth, Names names, Where where) {
    std::string indent(static_cast<size_t>(depth), ' ');
    int kind = depth > 20 ? 4 + below(4) : below(8);
    if (kind == 0) {
      std::string var = "k" + std::to_string(++count_);
      std::string trips = pick({"1", "2", "3", "n", "n", "n + 1", "bx + 1"});
      if (where != Where::Block && below(2) == 0)
        trips = where == Where::Threads ? "tx" : names.back();
      names.push_back(var);
      return indent + "for " + var + " in T." + pick({"serial(0, ", "serial(0, ", "unroll(1, "}) +
             trips + "):\n" + body(depth + 4, names, where);
    }
    if (kind == 1) {
      std::string text = indent + "if " + condition(names, where) + ":\n";
      text += body(depth + 4, names, where);
      return below(2) == 0 ? text : text + indent + "else:\n" + body(depth + 4, names, where);
    }
    if ((kind == 2 || kind == 3) && where == Where::Block)
      return nest(depth, names);
    if (kind == 4 && where == Where::Block)
      return indent +
             pick({"T.fill(s[0:4], 0)\n", "T.fill(s[0:2], 0)\n", "T.fill(t[n % 2, 0:3], 0)\n",
                   "T.fill(t[bx, 0:3], 0)\n", "T.fill(x[1:4], 0)\n", "T.fill(x[0:4], 0)\n",
                   "T.fill(t[0:2, 0:3], 0)\n"});
    if (kind == 6 && below(2) == 0) {
      std::string name = "b" + std::to_string(++count_);
      std::string value =
          pick({pick(names) + " + 1", "s[" + pick({"0", "1"}) + "] % 4",
                "A[" + pick(names) + " % 4]", "T.int32(T.uint8(" + pick(names) + " - 1)) % 4"});
      names.insert(names.end(), {name, name, name});
      return indent + name + ": T.int32 = " + value + "\n" + statement(depth, names, where) +
             statement(depth, names, where);
    }
    if (kind == 5 && where == Where::Block)
      return indent + "if tx " + pick({"< 2", "> 0", "== 1"}) + ":\n" +
             body(depth + 4, withThread(names), Where::Threads);
    return indent + place(names, where, true) + " = " + value(names, where) + "\n";
  }

  static Names withThread(Names names) {
    names.insert(names.end(), {"tx", "tx", "tx"});
    return names;
  }

  std::string nest(int depth, Names names) {
    std::string indent(static_cast<size_t>(depth), ' ');
    std::string i = "i" + std::to_string(++count_), j = "j" + std::to_string(count_);
    names.insert(names.end(), {i, i, i});
    if (below(3) != 0)
      return indent + "for " + i + " in T.Parallel(" + pick({"4", "4", "2", "3"}) + "):\n" +
             body(depth + 4, names, Where::Nest);
    names.insert(names.end(), {j, j});
    return indent + "for " + i + ", " + j + " in T.Parallel(2, 3):\n" +
           body(depth + 4, names, Where::Nest);
  }

  std::string body(int depth, const Names &names, Where where) {
    std::string text;
    for (int count = 1 + below(2); count-- != 0;)
      text += statement(depth, names, where);
    return text;
  }

  std::string condition(const Names &names, Where where) {
    std::string name = where == Where::Threads ? pick(withThread(names)) : pick(names);
    std::string text = pick({name, name, name, "n", "A[" + pick({"0", "1"}) + "]"});
    if (below(6) == 0)
      return name + " + 1 < n";
    // Tile operations stand only where all threads come.
    if (below(8) == 0)
      text = where == Where::Block ? "s[" + index(names) + "]" : place(names, where, false);
    return text + pick({" < ", " > ", " == "}) + pick({"0", "1", "2", "3"});
  }

  std::string index(const Names &names) {
    std::string name = pick(names);
    return pick({name, name, name, name + " + 1", name + " % 2", "(" + name + " + 1) % 2",
                 "3 - " + name, name + " // 2", "0", "1", "A[" + name + " % 4]"});
  }

  std::string place(const Names &names, Where where, bool isWritten) {
    Names all = where == Where::Nest && below(6) != 0 ? names : withThread(names);
    switch (below(isWritten ? 5 : 4)) {
    case 0:
      return "t[" + index(all) + ", " + index(all) + "]";
    case 1:
      return "x[" + index(all) + "]";
    case 2:
      return "v[" + pick({"0", "1"}) + "]";
    case 4:
      return "C[" + pick(all) + " % 8]";
    default:
      return "s[" + index(all) + "]";
    }
  }

  std::string value(const Names &names, Where where) {
    if (below(3) == 0)
      return "1";
    std::string read = place(names, where, false);
    return below(4) == 0 ? read + " if " + condition(names, where) + " else 0" : read + " + 1";
  }

  std::mt19937 random_;
  int count_ = 0;
};

// Over all runs: which reads met something unwritten, and which, in some run, only what was
// written.
class Observed {
public:
  explicit Observed(const Function &function) : function_(function) {
    for (int64_t n = -1; n != 7; ++n)
      for (int64_t block : {0, 1}) {
        run(n, block, {0, 3, 1, 2});
        run(n, block, {2, 0, 0, 1});
      }
  }

  std::set<TileInterpreter::Place> unwritten;
  std::set<TileInterpreter::Place> fine;

private:
  void run(int64_t n, int64_t block, const std::vector<int64_t> &argument) {
    const auto &launch = *llvm::cast<Launch>(function_.body->kind() == StmtKind::Seq
                                                 ? llvm::cast<Seq>(function_.body)->stmts[0]
                                                 : function_.body);
    for (bool isUpwards : {true, false}) {
      TileInterpreter run(function_, argument, isUpwards);
      run.run(launch, {{function_.params.back().var, n}, {launch.blockVars[0], block}});
      unwritten.insert(run.unwritten.begin(), run.unwritten.end());
      for (const TileInterpreter::Place &place : run.read)
        if (!run.unwritten.count(place) && !run.outside.count(place))
          fine.insert(place);
    }
  }

  const Function &function_;
};

// What the analysis said of a kernel, beside what happens.
struct Compared {
  size_t certain = 0;
  size_t doubts = 0;
  size_t needless = 0; // doubts about reads that always find a value
  size_t shown = 0;

  void add(Context &context, const Function &function) {
    Observed observed(function);
    std::set<TileInterpreter::Place> found;
    for (const UninitialisedElement &one : computeUninitialisedElements(context, function)) {
      TileInterpreter::Place place{one.stmt->id(), one.buffer.value};
      found.insert(place);
      ++(one.isCertain ? certain : doubts);
      needless += !one.isCertain && !observed.unwritten.count(place);
      EXPECT_FALSE(one.isCertain && observed.fine.count(place))
          << function.buffer(one.buffer).name.str() << " in line " << one.stmt->span().line;
    }
    for (const TileInterpreter::Place &place : observed.unwritten)
      EXPECT_TRUE(found.count(place))
          << function.buffer(BufferId(place.second)).name.str() << " in s" << place.first.value;
    for (const TileInterpreter::Place &place : observed.fine)
      shown += !found.count(place);
  }
};

TEST(UninitialisedElementsRandomTest, RandomKernelsAgreeWithExecution) {
  Compared compared;
  for (unsigned seed = 0; seed != seedsOf(4000) && !HasFailure(); ++seed) {
    std::string text = RandomTiles(seed).text();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    Context context;
    const Module *module = parseIr(context, text);
    ASSERT_TRUE(module);
    compared.add(context, *module->functions[0]);
  }
  EXPECT_GT(compared.certain, ofSeeds(5000U));
  EXPECT_GT(compared.doubts - compared.needless, ofSeeds(4000U));
  EXPECT_GT(compared.shown, ofSeeds(1000U));
}

class UninitialisedElementsTest : public testing::Test {
protected:
  // "s[3] in line 5", or "s[3]? in line 5" of what is not certain.
  std::vector<std::string> found(const std::string &body, const char *threads = "4") {
    std::string text = "@T.prim_func(properties=[\"tile\"])\n"
                       "def f(C: T.Tensor((8,), \"int32\"), n: T.int32):\n"
                       "    s = T.alloc_shared((4,), \"int32\")\n"
                       "    with T.Kernel(1, threads=" +
                       std::string(threads) + ") as (bx, tx):\n" + body;
    const Module *module = parseIr(context, text);
    std::vector<std::string> lines;
    if (module)
      for (const UninitialisedElement &one :
           computeUninitialisedElements(context, *module->functions[0]))
        lines.push_back(llvm::formatv("s[{0}]{1} in line {2}", one.element[0],
                                      one.isCertain ? "" : "?", one.stmt->span().line - 5));
    return lines;
  }

  Context context;
};

using FoundLines = std::vector<std::string>;

// The lane whose turn comes first finds what it wrote itself, and nothing else.
TEST_F(UninitialisedElementsTest, LaneOfANestHasItsOwnWritesOnly) {
  EXPECT_EQ(found("        for i in T.Parallel(4):\n"
                  "            s[i] = 1\n"
                  "            C[i] = s[i]\n"),
            FoundLines());
  EXPECT_EQ(found("        for i in T.Parallel(4):\n"
                  "            s[i] = 1\n"
                  "            C[i] = s[3 - i]\n"),
            FoundLines({"s[3]? in line 3"}));
  EXPECT_EQ(found("        for i in T.Parallel(4):\n"
                  "            if n > 0:\n"
                  "                s[i] = 1\n"
                  "            if n > 0:\n"
                  "                C[i] = s[1]\n"),
            FoundLines({"s[1]? in line 5"}));
}

// All iterations of a nest are run by the threads of the role, but not by some of them.
TEST_F(UninitialisedElementsTest, ThreadsOfARoleRunAllOfANest) {
  std::string reads = "            for i in T.Parallel(4):\n"
                      "                C[i] = s[3 - i]\n";
  EXPECT_EQ(found("        with T.ws(first_thread=0, threads=32):\n"
                  "            for i in T.Parallel(4):\n"
                  "                s[i] = 1\n" +
                      reads,
                  "64"),
            FoundLines());
  EXPECT_EQ(found("        with T.ws(first_thread=0, threads=32):\n"
                  "            if tx < 1:\n"
                  "                for i in T.Parallel(4):\n"
                  "                    s[i] = 1\n" +
                      reads,
                  "64"),
            FoundLines({"s[3]? in line 6"}));
}

TEST_F(UninitialisedElementsTest, ConditionsThatHoldAreKnown) {
  EXPECT_EQ(found("        if n > 4:\n"
                  "            T.fill(s[0:4], 0)\n"
                  "        if n > 5:\n"
                  "            C[0] = s[0]\n"),
            FoundLines());
  EXPECT_EQ(found("        if n > 4:\n"
                  "            T.fill(s[0:4], 0)\n"
                  "        if n > 3:\n"
                  "            C[0] = s[0]\n"),
            FoundLines({"s[0]? in line 4"}));
  // The condition was another one when it was asked before.
  EXPECT_EQ(found("        s[0] = n\n"
                  "        if s[0] > 4:\n"
                  "            s[1] = 1\n"
                  "        s[0] = 5\n"
                  "        if s[0] > 4:\n"
                  "            C[0] = s[1]\n"),
            FoundLines({"s[1]? in line 6"}));
}

TEST_F(UninitialisedElementsTest, MaskedWritesAreFoundUnderTheirMask) {
  std::string write = "        for i in T.Parallel(4):\n"
                      "            if i < n:\n"
                      "                s[i] = 1\n"
                      "        for j in T.Parallel(4):\n";
  EXPECT_EQ(found(write + "            if j < n:\n                C[j] = s[j]\n"), FoundLines());
  EXPECT_EQ(found(write + "            if j <= n:\n                C[j] = s[j]\n"),
            FoundLines({"s[0]? in line 6"}));
}

// What a name or a number of iterations was for one lane, or earlier, it need not be now.
TEST_F(UninitialisedElementsTest, NothingIsTakenOverToOtherValues) {
  EXPECT_EQ(found("        for i in T.Parallel(4):\n"
                  "            for k in T.serial(0, i):\n"
                  "                s[n % 4] = 1\n"
                  "            C[i] = s[n % 4]\n"),
            FoundLines({"s[0]? in line 4"}));
  EXPECT_EQ(found("        for k in T.serial(0, n):\n"
                  "            b: T.int32 = C[k] % 4\n"
                  "            if k > 0:\n"
                  "                C[0] = s[b]\n"
                  "            s[b] = 1\n"),
            FoundLines({"s[0]? in line 4"}));
  EXPECT_EQ(found("        for i in T.Parallel(4):\n"
                  "            s[tx] = 1\n"
                  "        C[tx] = s[tx]\n"),
            FoundLines({"s[0]? in line 3"}));
  EXPECT_EQ(found("        if T.uint32(tx - 1) < T.uint32(8):\n"
                  "            s[tx] = 1\n"
                  "        C[tx] = s[tx]\n"),
            FoundLines({"s[0]? in line 3"}));
}

// Of two slots, and of four of which two are filled ahead.
TEST_F(UninitialisedElementsTest, RingsAreFilledAheadOfTheirReads) {
  auto ring = [&](const std::string &prologue, const std::string &ahead, const std::string &slots) {
    return found(prologue + "        for k in T.serial(0, n):\n            if k + " + ahead +
                 " < n:\n                s[(k + " + ahead + ") % " + slots +
                 "] = 1\n            C[0] = s[k % " + slots + "]\n");
  };
  std::string first = "        s[0] = 1\n", second = "        if 1 < n:\n            s[1] = 1\n";
  EXPECT_EQ(ring(first, "1", "2"), FoundLines());
  EXPECT_EQ(ring(first + second, "2", "3"), FoundLines());
  EXPECT_EQ(ring(first, "2", "3"), FoundLines({"s[1]? in line 5"}));
  EXPECT_EQ(ring("", "1", "2"), FoundLines({"s[0] in line 4"}));
}

TEST_F(UninitialisedElementsTest, IterationsTogetherWriteWhatEachOfThemDoes) {
  EXPECT_EQ(found("        for k in T.serial(0, n):\n"
                  "            s[k % 4] = 1\n"
                  "            C[0] = s[k % 4]\n"),
            FoundLines());
  EXPECT_EQ(found("        for k in T.serial(0, 4):\n"
                  "            s[k] = 1\n"
                  "        C[0] = s[n % 4]\n"),
            FoundLines());
  EXPECT_EQ(found("        for k in T.serial(0, 4):\n"
                  "            C[0] = s[(k + 1) % 4]\n"
                  "            s[k] = 1\n"),
            FoundLines({"s[1] in line 2"}));
}

} // namespace
