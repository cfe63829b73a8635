// Run alone: unit_tests --gtest_filter='ThreadOwnership*'
#include "core/access/access_program.h"
#include "core/analysis/access_builder.h"
#include "core/analysis/access_group.h"
#include "ir_text.h"

#include "llvm/Support/FormatVariadic.h"

#include <map>
#include <random>
#include <set>

namespace tilescope {
namespace {

// Values of tx, bx, the loop of constant trips, and the loop of unknown trips.
enum Variable : uint8_t { Tx, Bx, I, K };
using Values = std::array<int64_t, 4>;

struct Term {
  char op = 'v'; // 'v': a variable, 'c': a constant; else the operator
  int64_t number = 0;
  std::vector<Term> parts;

  std::string text(int statement) const {
    static const char *const Names[] = {"tx", "bx", "i", "k"};
    if (op == 'c')
      return std::to_string(number);
    if (op == 'v')
      return Names[number] + (number < I ? "" : std::to_string(statement));
    const char *name = op == '/' ? "//" : op == '%' ? "%" : op == '*' ? "*" : op == '-' ? "-" : "+";
    return "(" + parts[0].text(statement) + " " + name + " " + parts[1].text(statement) + ")";
  }

  int64_t value(const Values &values) const {
    if (op == 'c')
      return number;
    if (op == 'v')
      return values[number];
    int64_t a = parts[0].value(values), b = parts[1].value(values);
    int64_t remainder = op == '/' || op == '%' ? (a % b + b) % b : 0;
    switch (op) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '%':
      return remainder;
    default:
      return (a - remainder) / b;
    }
  }
};

struct Statement {
  bool hasLoop = false;    // over i, four times
  bool hasUnknown = false; // over k, n times
  int64_t threads = 64;    // that run it
  bool isBound = false;    // the index is a variable of its own
  int kind = 0;            // 0: store, 1: load, 2: four elements are loaded
  Term index;
};

class RandomKernel {
public:
  explicit RandomKernel(unsigned seed) : random_(seed) {
    for (int count = 2 + below(3); count-- > 0;)
      statements.push_back(statement());
  }

  std::string text() const {
    std::string text = "@T.prim_func(properties=[\"lowered\"])\n"
                       "def f(A: T.Tensor((64,), \"float32\"), n: T.int32):\n"
                       "    s = T.alloc_shared((512,), \"float32\")\n"
                       "    r = T.alloc_local((4,), \"float32\")\n"
                       "    with T.Kernel(2, threads=64) as (bx, tx):\n";
    for (size_t at = 0; at != statements.size(); ++at)
      text += textOf(statements[at], static_cast<int>(at));
    return text;
  }

  std::vector<Statement> statements;

private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  Statement statement() {
    Statement made;
    made.hasLoop = below(2) == 0;
    made.hasUnknown = below(3) == 0;
    made.threads = below(3) == 0 ? 16 : 64;
    made.isBound = below(3) == 0;
    made.kind = below(3);
    made.index = below(3) != 0 ? usual(made) : term(made, 3);
    return made;
  }

  Term variable(const Statement &statement) {
    for (;;) {
      int64_t which = below(4);
      if ((which != I || statement.hasLoop) && (which != K || statement.hasUnknown))
        return {'v', which, {}};
    }
  }

  Term constant() { return {'c', int64_t(1) << below(8), {}}; }

  // What lowering makes.
  Term usual(const Statement &statement) {
    Term index{'*', 0, {{'v', Tx, {}}, {'c', below(3) == 0 ? 4 : 1, {}}}};
    if (statement.hasLoop)
      index = {'+', 0, {index, {'*', 0, {{'v', I, {}}, {'c', 64 << below(3), {}}}}}};
    if (statement.hasUnknown)
      index = {'+', 0, {index, {'*', 0, {{'v', K, {}}, {'c', 64 << below(3), {}}}}}};
    return index;
  }

  Term term(const Statement &statement, int depth) {
    if (depth == 0 || below(4) == 0)
      return below(4) == 0 ? constant() : variable(statement);
    switch (below(5)) {
    case 0:
      return {'*', 0, {term(statement, depth - 1), constant()}};
    case 1:
      return {'/', 0, {term(statement, depth - 1), constant()}};
    case 2:
      return {'%', 0, {term(statement, depth - 1), constant()}};
    case 3:
      return {'-', 0, {term(statement, depth - 1), term(statement, depth - 1)}};
    default:
      return {'+', 0, {term(statement, depth - 1), term(statement, depth - 1)}};
    }
  }

  static std::string textOf(const Statement &statement, int number) {
    std::string text, indent(8, ' ');
    auto line = [&](const std::string &what) { text += indent + what + "\n"; };
    auto open = [&](const std::string &what) {
      line(what);
      indent += "    ";
    };
    if (statement.hasUnknown)
      open(llvm::formatv("for k{0} in T.serial(0, n):", number));
    if (statement.hasLoop)
      open(llvm::formatv("for i{0} in T.serial(0, 4):", number));
    if (statement.threads != 64)
      open(llvm::formatv("if tx < {0} and {1} < n:", statement.threads,
                         statement.hasUnknown ? "k" + std::to_string(number) : "bx"));
    std::string index = statement.index.text(number);
    if (statement.isBound) {
      line(llvm::formatv("c{0}: T.int32 = {1}", number, index));
      index = "c" + std::to_string(number);
    }
    if (statement.kind == 0)
      line("s[" + index + "] = 0.0");
    else if (statement.kind == 1)
      line("A[tx] = s[" + index + "]");
    else
      line("T.vector_copy(s[" + index + ":" + index + " + 4], r[0:4])");
    return text + "        T.barrier()\n"; // or several would be one leaf
  }

  std::mt19937 random_;
};

// Per element the threads that touch it, in one block.
std::map<int64_t, std::set<int64_t>> touchedBy(const Statement &statement, int64_t block,
                                               int64_t trips) {
  std::map<int64_t, std::set<int64_t>> touched;
  for (int64_t k = 0; k != (statement.hasUnknown ? trips : 1); ++k)
    for (int64_t i = 0; i != (statement.hasLoop ? 4 : 1); ++i)
      for (int64_t tx = 0; tx != statement.threads; ++tx) {
        int64_t first = statement.index.value({tx, block, i, k});
        for (int64_t element = first; element != first + (statement.kind == 2 ? 4 : 1); ++element)
          touched[element].insert(tx);
      }
  return touched;
}

bool areOfOneThread(const Statement &a, const Statement &b) {
  for (int64_t block : {0, 1})
    for (int64_t trips : {1, 2, 5}) {
      std::map<int64_t, std::set<int64_t>> touched = touchedBy(a, block, trips);
      for (const auto &[element, threads] : touchedBy(b, block, trips))
        touched[element].insert(threads.begin(), threads.end());
      for (const auto &[element, threads] : touched)
        if (threads.size() > 1)
          return false;
    }
  return true;
}

std::vector<uint32_t> tokensOf(Context &context, const std::string &text) {
  const Module *module = parseIr(context, text);
  if (!module)
    return {};
  const AccessProgram &program =
      computeAccessTree(context, *module->functions[0], AccessDetail::Statements).program;
  std::vector<uint32_t> tokens; // of shared memory, numbered as they come
  std::map<uint32_t, uint32_t> numbers = {{0, 0}};
  for (uint32_t leaf : leavesInOrder(program))
    for (const Access &access : program.nodes[leaf].accesses)
      if (isShared(module->functions[0]->buffer(access.buffer).scope))
        tokens.push_back(
            numbers.try_emplace(access.sameThreadToken, static_cast<uint32_t>(numbers.size()))
                .first->second);
  return tokens;
}

TEST(ThreadOwnershipTest, EqualTokensMeanOneThreadAnElement) {
  int pairs = 0, known = 0;
  for (unsigned seed = 0; seed != 2000; ++seed) {
    RandomKernel kernel(seed);
    Context context;
    std::vector<uint32_t> tokens = tokensOf(context, kernel.text());
    ASSERT_EQ(tokens.size(), kernel.statements.size()) << kernel.text();
    for (size_t a = 0; a != tokens.size(); ++a)
      for (size_t b = a; b != tokens.size(); ++b) {
        if (tokens[a] == 0 || tokens[a] != tokens[b])
          continue;
        ++(a == b ? known : pairs);
        ASSERT_TRUE(areOfOneThread(kernel.statements[a], kernel.statements[b]))
            << "seed " << seed << ", statements " << a << " and " << b << "\n"
            << kernel.text();
      }
  }
  EXPECT_GT(known, 1000);
  EXPECT_GT(pairs, 200);
}

std::vector<uint32_t> tokensOfBody(const std::string &body) {
  Context context;
  return tokensOf(context, "@T.prim_func(properties=[\"lowered\"])\n"
                           "def f(A: T.Tensor((4096,), \"float32\"), n: T.int32):\n"
                           "    s = T.alloc_shared((256,), \"float32\")\n"
                           "    v = T.alloc_shared((256,), \"float32\", versions=2)\n"
                           "    q = T.alloc_shared((256,), \"int4\")\n"
                           "    with T.Kernel(2, threads=64) as (bx, tx):\n" +
                               body);
}

using Tokens = std::vector<uint32_t>;

TEST(ThreadOwnershipTest, VectorsAndConditionsAreFollowed) {
  EXPECT_EQ(tokensOfBody(R"ir(
        T.vector_copy(A[tx * 4:tx * 4 + 4], s[tx * 4:tx * 4 + 4])
        for j in T.unroll(0, 4):
            s[tx * 4 + j] = 1.0
        if tx < 16:
            for j in T.unroll(0, 4):
                T.vector_copy(s[tx * 16 + j * 4:tx * 16 + j * 4 + 4], A[tx * 4:tx * 4 + 4])
        for j in T.unroll(0, 4):
            A[tx] = s[tx + j * 64]
)ir"),
            (Tokens{1, 1, 2, 3}));
}

// All that an access ever does counts, so it does not matter which slot it does it to.
TEST(ThreadOwnershipTest, SlotsShareOwners) {
  EXPECT_EQ(tokensOfBody(R"ir(
        for k in T.serial(0, n):
            v[k % 2, tx] = 1.0
            A[tx] = v[(k + 1) % 2, tx]
            A[tx] = v[k % 2, 63 - tx]
)ir"),
            (Tokens{1, 1, 2}));
}

TEST(ThreadOwnershipTest, WhatIsNoPlainAccessOfOneThreadHasNone) {
  EXPECT_EQ(tokensOfBody(R"ir(
        T.atomic_element(s[tx], A[tx])
        s[tx // 2] = 1.0
        A[tx] = s[n]
        q[tx] = T.int4(1)
)ir"),
            (Tokens{0, 0, 0, 0, 0}));
}

// Who starts a copy must wait for it, but needs no barrier.
TEST(ThreadOwnershipTest, AsynchronousCopiesAreOfTheThreadThatStartsThem) {
  EXPECT_EQ(tokensOfBody(R"ir(
        T.cp_async(A[tx * 4:tx * 4 + 4], s[tx * 4:tx * 4 + 4])
        A[tx] = s[tx * 4]
        A[tx] = s[tx]
)ir"),
            (Tokens{1, 1, 2}));
}

TEST(ThreadOwnershipTest, LaunchesDoNotShareOwners) {
  Context context;
  EXPECT_EQ(tokensOf(context, R"ir(
@T.prim_func(properties=["lowered"])
def f(A: T.Tensor((64,), "float32")):
    s = T.alloc_shared((64,), "float32")
    with T.Kernel(2, threads=64) as (bx, tx):
        s[tx] = 1.0
    with T.Kernel(2, threads=64) as (by, ty):
        s[ty] = 1.0
)ir"),
            (Tokens{1, 2}));
}

} // namespace
} // namespace tilescope
