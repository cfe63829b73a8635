// Run alone: unit_tests --gtest_filter='Stop.*'
//
// A compile that is told to stop from another thread ends with a diagnostic that says so.
#include "core/analysis/shared_bytes.h"
#include "core/check/verify_memory.h"
#include "core/driver/compile.h"
#include "core/driver/kernel_instances.h"
#include "core/plan/arena_problem.h"
#include "core/plan/barrier_plan.h"
#include "tests/source_folder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

#include <thread>

using namespace tilescope;

namespace {

const char *const Kernel = R"(
import tilelang.language as T


@T.prim_func
def kernel(A: T.Tensor((256, 256), "float16"), B: T.Tensor((256, 256), "float16")):
    with T.Kernel(4, threads=128) as bx:
        for i in range(8):
            S = T.alloc_shared((64, 64), "float16")
            R = T.alloc_shared((32, 64), "float16")
            for k in T.Pipelined(4, num_stages=2):
                T.copy(A[bx * 64, k * 64], S)
                T.copy(S, B[bx * 64, k * 64])
            T.copy(A[bx * 64, i * 32], R)
            T.copy(R, B[bx * 64, i * 32])
)";

// The host counts on and on, before the launch: what is in a launch is the device's to repeat.
const char *const Endless = R"(
import tilelang.language as T


@T.prim_func
def kernel(A: T.Tensor((256,), "float16")):
    i = 0
    while True:
        i = i + 1
    with T.Kernel(4, threads=128) as bx:
        A[bx] = i
)";

CompileRequest requestFor(const char *text, const StopToken &stop) {
  CompileRequest request;
  request.path = "k.py";
  request.text = text;
  request.stop = &stop;
  return request;
}

bool has(const CompileResult &result, DiagId id) {
  return llvm::any_of(result.diagnostics.all(),
                      [&](const Diagnostic &diagnostic) { return diagnostic.id == id; });
}

// Sets the token, from a thread of its own, when the pass with this number begins or ends.
class StopAt : public PassObserver {
public:
  StopAt(StopToken &stop, size_t pass, bool atEnd) : stop_(stop), pass_(pass), atEnd_(atEnd) {}

  void beforePass(const PassExecution &execution, const Module & /*module*/) override {
    if (!atEnd_)
      count(execution);
  }
  void afterPass(const PassExecution &execution, const Module & /*module*/,
                 bool /*changed*/) override {
    if (atEnd_)
      count(execution);
  }

  size_t passes() const { return seen_; }
  const std::string &name() const { return name_; }

private:
  void count(const PassExecution &execution) {
    if (seen_++ != pass_)
      return;
    name_ = execution.name.str();
    std::thread([&] { stop_ = true; }).join();
  }

  StopToken &stop_;
  size_t pass_;
  bool atEnd_;
  size_t seen_ = 0;
  std::string name_;
};

TEST(Stop, EndsAnEvaluation) {
  StopToken stop = false;
  CompileRequest request = requestFor(Endless, stop);
  request.limits.steps = UINT64_MAX;
  std::thread setter([&] { stop = true; });
  CompileResult result = compile(request);
  setter.join();
  EXPECT_TRUE(has(result, DiagId::EvaluationStopped));
  EXPECT_FALSE(result.succeeded());
}

TEST(Stop, EndsEveryPass) {
  StopToken never = false;
  StopAt counter(never, SIZE_MAX, false);
  PassObserver *observer = &counter;
  ASSERT_TRUE(compile(requestFor(Kernel, never), {nullptr, observer}).succeeded());
  ASSERT_GT(counter.passes(), 5U);
  for (size_t pass = 0; pass < counter.passes(); ++pass) {
    StopToken stop = false;
    StopAt stopper(stop, pass, /*atEnd=*/false);
    observer = &stopper;
    TraceRecorder recorder;
    CompileResult result = compile(requestFor(Kernel, stop), {&recorder, observer});
    EXPECT_FALSE(result.cuda);
    ASSERT_EQ(result.diagnostics.errorCount(), 1U);
    const Diagnostic &last = result.diagnostics.all().back();
    EXPECT_EQ(last.id, DiagId::CompileStopped);
    EXPECT_EQ(last.text, "stopped before pass '" + stopper.name() + "'");
    EXPECT_EQ(recorder.trace().passes.size(), pass + 2);
    EXPECT_EQ(recorder.trace().passes.back().status, PassStatus::Failed);
    EXPECT_EQ(recorder.trace().passes.back().verdicts.verified, Verdict::NotEstablished);
  }
}

TEST(Stop, ComesBeforeTheNextPassAndTheEmitter) {
  StopToken never = false;
  StopAt counter(never, SIZE_MAX, false);
  PassObserver *observer = &counter;
  ASSERT_TRUE(compile(requestFor(Kernel, never), {nullptr, observer}).succeeded());
  for (size_t pass = 0; pass < counter.passes(); ++pass) {
    StopToken stop = false;
    StopAt stopper(stop, pass, /*atEnd=*/true);
    observer = &stopper;
    CompileResult result = compile(requestFor(Kernel, stop), {nullptr, observer});
    EXPECT_FALSE(result.cuda);
    EXPECT_EQ(stopper.passes(), pass + 1);
    EXPECT_TRUE(has(result, DiagId::CompileStopped));
  }
}

// Many buffers and loops: the pass takes long enough for the token to be set while it runs.
std::string largeKernel() {
  std::string text = "import tilelang.language as T\n\n\n@T.prim_func\n"
                     "def kernel(A: T.Tensor((256, 4096), \"float16\"),\n"
                     "           B: T.Tensor((256, 4096), \"float16\")):\n"
                     "    with T.Kernel(4, threads=128) as bx:\n";
  for (int i = 0; i < 40; ++i)
    text += llvm::formatv("        S{0} = T.alloc_shared((64, {1}), \"float16\")\n"
                          "        for k in T.Pipelined(4, num_stages=2):\n"
                          "            T.copy(A[bx * 64, k * 64], S{0})\n"
                          "            T.copy(S{0}, B[bx * 64, k * 64])\n",
                          i, 16 + 8 * (i % 5));
  return text;
}

// Sets the token from another thread while a pass runs.
class StopDuring : public PassObserver {
public:
  StopDuring(StopToken &stop, llvm::StringRef pass) : stop_(stop), pass_(pass) {}

  void beforePass(const PassExecution &execution, const Module & /*module*/) override {
    if (execution.name == pass_ && !stop_)
      setter_ = std::thread([this] { stop_ = true; });
  }
  void afterPass(const PassExecution & /*execution*/, const Module & /*module*/,
                 bool /*changed*/) override {
    join();
  }
  void passFailed(const PassExecution & /*execution*/, const Module & /*module*/,
                  const Diagnostics & /*diagnostics*/) override {
    join();
  }

private:
  void join() {
    if (setter_.joinable())
      setter_.join();
  }

  StopToken &stop_;
  llvm::StringRef pass_;
  std::thread setter_;
};

TEST(Stop, EndsALargeCompileInTheMiddleOfAPass) {
  std::string text = largeKernel();
  for (const char *pass :
       {"plan-pipeline", "lower-tile-ops", "insert-barriers", "merge-shared-memory"}) {
    StopToken stop = false;
    StopDuring stopper(stop, pass);
    PassObserver *observer = &stopper;
    CompileResult result = compile(requestFor(text.c_str(), stop), {nullptr, observer});
    EXPECT_FALSE(result.cuda) << pass;
    ASSERT_EQ(result.diagnostics.errorCount(), 1U) << pass;
    EXPECT_TRUE(has(result, DiagId::CompileStopped)) << pass;
  }
}

// The kernel of 54 buffers, as the passes leave it; with a function that counts how often it is
// asked, and stops what asks it for the `last` time.
class StopByCount : public testing::Test {
protected:
  StopByCount() {
    CompileRequest request;
    request.path = inSourceFolder("testdata/kernels/chunk_inverse.py");
    request.text = (*llvm::MemoryBuffer::getFile(request.path))->getBuffer().str();
    KernelInstance instance = llvm::cantFail(instancesOfKernel(request.text, request.path)).front();
    request.function = instance.function;
    request.arguments = instance.arguments;
    result = compile(request);
    EXPECT_TRUE(result.succeeded());
    function = result.module->functions.front();
    for (const Function *candidate : result.module->functions)
      if (candidate->properties.has(Property::ArenaPlanned) && !candidate->buffers.empty())
        function = candidate;
  }

  std::function<bool()> stopAt(size_t last) {
    polls = 0;
    return [this, last] { return ++polls >= last; };
  }

  // Whatever the number, nobody goes on after being told to stop.
  void expectStops(llvm::function_ref<void(const std::function<bool()> &)> work) {
    work(stopAt(SIZE_MAX));
    size_t all = polls;
    ASSERT_GT(all, 50U);
    for (size_t last : {size_t(1), size_t(2), all / 2, all - 1, all}) {
      work(stopAt(last));
      EXPECT_EQ(polls, last) << "of " << all;
    }
  }

  CompileResult result;
  const Function *function = nullptr;
  size_t polls = 0;
};

TEST_F(StopByCount, BarrierPlanner) {
  const AccessTree &tree = computeAccessTree(*result.context, *function, AccessDetail::Statements);
  expectStops([&](const std::function<bool()> &stop) {
    planBarriers(tree.program, bufferBytesOf(*function), stop);
  });
}

TEST_F(StopByCount, ArenaChecker) {
  expectStops([&](const std::function<bool()> &stop) {
    Diagnostics diagnostics;
    EXPECT_TRUE(verifyArena(*result.context, *function, diagnostics, stop));
  });
}

TEST_F(StopByCount, HazardChecker) {
  expectStops([&](const std::function<bool()> &stop) {
    Diagnostics diagnostics;
    EXPECT_EQ(verifyHazards(*result.context, *function, diagnostics, HazardSeverity::Error, stop),
              HazardVerdict::Free);
  });
}

} // namespace
