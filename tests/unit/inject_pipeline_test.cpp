// Random programs with pipelined loops: after plan-pipeline and inject-pipeline every statement
// must read what it read before, in every run, and no copy may be touched before it arrived.
#include "core/ir/printer.h"
#include "ir_text.h"
#include "passes/registry.h"
#include "pipeline_interpreter.h"

#include "tests/unit/random_seeds.h"
#include "llvm/Support/FormatVariadic.h"

#include <random>

namespace tilescope {
namespace {

class NoRemarks : public RemarkSink {
public:
  bool wanted() const override { return false; }
  void take(Remark /*remark*/) override {}
};

struct Injected {
  const Module *module = nullptr; // null: an error was reported
  std::string errors;
};

Injected inject(const Module &module, bool peel) {
  Diagnostics diagnostics;
  NoRemarks remarks;
  PassContext pass{*module.context, **findTarget("sm_80"), diagnostics, remarks};
  const Module *current = &module;
  for (llvm::StringRef name : {"plan-pipeline", "inject-pipeline"}) {
    const PassInfo *info = llvm::find_if(
        allPasses(), [&](const PassInfo &candidate) { return candidate.name == name; });
    std::unique_ptr<Pass> instance = info->create();
    for (PassOption &option : instance->options())
      if (bool *const *flag = std::get_if<bool *>(&option.value))
        **flag = peel;
    current = current ? instance->run(*current, pass) : nullptr;
  }
  if (current)
    verifyModule(*current, diagnostics);
  Injected result{current, renderAll(diagnostics, SourceFiles())};
  return result;
}

// Writes programs as IR text.
class ProgramWriter {
public:
  explicit ProgramWriter(uint32_t seed) : random_(seed) {}

  std::string write() {
    text_ = "@T.prim_func(properties=[\"tile\"])\n"
            "def main(\n    A: T.Tensor((1024, 64), \"float16\"),\n"
            "    B: T.Tensor((1024, 64), \"float16\"),\n"
            "    O: T.Tensor((1024, 64), \"float16\"),\n"
            "    I: T.Tensor((64,), \"int32\"),\n"
            "    n0: T.int32,\n    n1: T.int32,\n    n2: T.int32,\n):\n"
            "    S0 = T.alloc_shared((64, 64), \"float16\")\n"
            "    S1 = T.alloc_shared((64, 64), \"float16\")\n"
            "    S2 = T.alloc_shared((64, 64), \"float16\")\n"
            "    C = T.alloc_fragment((64, 64), \"float32\")\n"
            "    with T.Kernel(4, threads=128) as (bx, tx):\n"
            "        T.fill(C[0:64, 0:64], 0.0)\n";
    block(2, 3 + below(4), /*loopDepth=*/0);
    return text_;
  }

private:
  int64_t below(int64_t bound) { return static_cast<int64_t>(random_() % bound); }
  bool chance(int percent) { return below(100) < percent; }

  void line(int indent, const std::string &what) {
    text_ += std::string(4 * static_cast<size_t>(indent), ' ') + what + "\n";
  }
  std::string shared() { return llvm::formatv("S{0}[0:64, 0:64]", below(3)); }
  // Rows of a global tensor that depend on the innermost loop.
  std::string rows(llvm::StringRef tensor) {
    std::string at = vars_.empty() ? "bx * 64" : vars_.back() + " * 64";
    if (!bind_.empty() && chance(50))
      at = bind_ + " * 64";
    return llvm::formatv("{0}[{1}:{1} + 64, 0:64]", tensor, at);
  }

  void load(int indent) {
    const char *source = chance(8) ? "O" : chance(50) ? "A" : "B";
    line(indent, llvm::formatv("T.copy({0}, {1})", rows(source), shared()));
  }

  void statement(int indent) {
    switch (below(12)) {
    case 0:
    case 1:
      return load(indent);
    case 2:
    case 3:
    case 4:
    case 5:
      return line(indent, llvm::formatv("T.gemm({0}, {1}, C[0:64, 0:64])", shared(), shared()));
    case 6:
      return line(indent, llvm::formatv("T.copy({0}, {1})", shared(), rows("O")));
    case 7:
      return line(indent, llvm::formatv("T.fill(S{0}[0:32, 0:64], T.float16(1.0))", below(3)));
    case 8:
      return line(indent, llvm::formatv("T.fill({0}, T.float16(2.0))", shared()));
    case 9:
      return line(indent, llvm::formatv("T.atomic_tile({0}, C[0:64, 0:64])", rows("O")));
    case 10:
      return line(indent, llvm::formatv("T.copy({0}, {1})", shared(), shared()));
    default:
      line(indent, llvm::formatv("if n{0} < {1}:", below(3), below(8)));
      return line(indent + 1, llvm::formatv("T.copy(C[0:64, 0:64], {0})", shared()));
    }
  }

  std::string bounds() {
    std::string trips = chance(35)   ? std::to_string(below(10))
                        : chance(10) ? "I[bx]"
                                     : llvm::formatv("n{0}", below(3)).str();
    return (chance(70) ? "0" : std::to_string(below(3) + 1)) + ", " + trips;
  }

  std::string explicitSchedule(int64_t statements) {
    std::vector<int64_t> order(statements);
    for (int64_t index = 0; index < statements; ++index)
      order[index] = index;
    if (chance(60))
      std::swap(order[below(statements)], order[below(statements)]);
    std::string orders;
    std::string stages;
    for (int64_t index = 0; index < statements; ++index) {
      orders += (index ? ", " : "") + std::to_string(order[index]);
      int64_t stage = index < 2 ? below(2) : 1 + below(2);
      stages += (index ? ", " : "") + std::to_string(stage);
    }
    return ", order=[" + orders + "], stage=[" + stages + "]";
  }

  // Evaluated again wherever it is needed, unless it reads what the loop writes.
  void bind(int indent, const std::string &var) {
    bind_ = "b" + std::to_string(names_++);
    std::string value = chance(50) ? "I[" + var + "]"
                                   : llvm::formatv("T.cast(S{0}[0, 0], \"int32\")", below(3)).str();
    line(indent, bind_ + ": T.int32 = " + value + " + " + var);
  }

  void pipelined(int indent) {
    std::string var = "k" + std::to_string(names_++);
    int64_t loads = 1 + below(3);
    int64_t others = 1 + below(4);
    bool binds = chance(20);
    bool asked = chance(30) && !binds;
    line(indent, "for " + var + " in T.Pipelined(" + bounds() +
                     ", num_stages=" + std::to_string(below(6)) +
                     (asked ? explicitSchedule(loads + others) : "") + "):");
    vars_.push_back(var);
    int64_t bindAt = binds ? below(loads + 1) : -1;
    for (int64_t index = 0; index < loads + others; ++index) {
      if (index == bindAt)
        bind(indent + 1, var);
      if (index < loads)
        load(indent + 1);
      else
        statement(indent + 1);
    }
    bind_.clear();
    vars_.pop_back();
  }

  void block(int indent, int64_t count, int loopDepth) {
    for (int64_t index = 0; index < count; ++index) {
      if (chance(45)) {
        pipelined(indent);
      } else if (chance(15) && loopDepth < 2) {
        std::string var = "s" + std::to_string(names_++);
        line(indent, "for " + var + " in T.serial(0, " + std::to_string(below(4)) + "):");
        vars_.push_back(var);
        block(indent + 1, 1 + below(3), loopDepth + 1);
        vars_.pop_back();
      } else if (chance(10) && loopDepth < 2) {
        line(indent, llvm::formatv("if n{0} < {1}:", below(3), below(8)));
        block(indent + 1, 1 + below(2), loopDepth + 1);
      } else {
        statement(indent);
      }
    }
  }

  std::mt19937 random_;
  std::string text_;
  std::vector<std::string> vars_;
  std::string bind_;
  int names_ = 0;
};

struct Coverage {
  int64_t injected = 0;
  int64_t refused = 0;
  int64_t versioned = 0;
  int64_t asyncCopies = 0;
};

void compareRuns(const Function &before, const Function &after, uint32_t seed,
                 const std::string &text, Coverage &coverage) {
  std::mt19937 random(seed);
  for (int round = 0; round < 6; ++round) {
    std::map<std::string, int64_t> scalars;
    for (const char *name : {"n0", "n1", "n2"})
      scalars[name] = round == 0 ? 0 : static_cast<int64_t>(random() % 10);
    PipelineInterpreter original(before, scalars);
    PipelineInterpreter pipelined(after, scalars);
    original.run();
    pipelined.run();
    ASSERT_EQ(original.firstFault, "") << text;
    ASSERT_EQ(pipelined.firstFault, "") << "seed " << seed << "\n" << text;
    for (const auto &[stmt, reads] : original.reads)
      ASSERT_EQ(reads, pipelined.reads[stmt])
          << "seed " << seed << " statement " << stmt.value << "\n"
          << text;
    coverage.asyncCopies += pipelined.asyncCopies;
  }
}

void checkProgram(uint32_t seed, bool peel, Coverage &coverage) {
  std::string source = ProgramWriter(seed).write();
  Context context;
  const Module *module = parseIr(context, source);
  ASSERT_TRUE(module) << source;
  Injected injected = inject(*module, peel);
  if (!injected.module) {
    // Only a schedule that the program asks for can be wrong.
    ASSERT_NE(source.find("order="), std::string::npos) << injected.errors << source;
    ++coverage.refused;
    return;
  }
  ASSERT_EQ(injected.errors, "") << source << printModule(*injected.module, true);
  ++coverage.injected;
  const Function &after = *injected.module->functions[0];
  coverage.versioned +=
      llvm::any_of(after.buffers, [](const Buffer *buffer) { return buffer->versions > 1; });
  std::string printed = printModule(*injected.module, false);
  compareRuns(*module->functions[0], after, seed, source + printed, coverage);
  Context again;
  const Module *reread = parseIr(again, printed);
  ASSERT_TRUE(reread) << printed;
  EXPECT_EQ(printModule(*reread, false), printed);
}

TEST(InjectPipelineTest, RandomProgramsReadTheSameValues) {
  Coverage coverage;
  for (uint32_t seed = 0; seed < test::seedsOf(3000) && !testing::Test::HasFatalFailure(); ++seed)
    checkProgram(seed, seed % 3 == 0, coverage);
  // The generator must not degenerate into programs that are all refused or never pipelined.
  EXPECT_GT(coverage.injected, test::ofSeeds(1000));
  EXPECT_GT(coverage.refused, test::ofSeeds(100));
  EXPECT_GT(coverage.versioned, test::ofSeeds(500));
  EXPECT_GT(coverage.asyncCopies, test::ofSeeds(10000));
}

} // namespace
} // namespace tilescope
