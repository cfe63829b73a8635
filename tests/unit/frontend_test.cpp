#include "core/frontend/frontend.h"

#include "core/ir/build.h"
#include "core/ir/verifier.h"
#include "core/syntax/parser.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

const char *const Gemm = R"(
import tilelang
import tilelang.language as T

# tilescope: matmul --set M=64 --set N=64 --set K=64
size = 32


@tilelang.jit(out_idx=[-1], pass_configs={tilelang.PassConfigKey.TL_ENABLE_FAST_MATH: True})
def matmul(M, N, K, block=size * 2, dtype: T.dtype = T.float16, shape=(1, 2)):
    @T.prim_func
    def main(A: T.Tensor((M, K), dtype), C: T.Tensor((M, N), dtype)):
        with T.Kernel(T.ceildiv(M, block), threads=128) as bx:
            for k in T.Pipelined(2, num_stages=2):
                S = T.alloc_shared((block, size), dtype)
                T.copy(A[bx * block, k * size], S)
            S = T.alloc_shared((4, 4), dtype)
            T.clear(S)

    return main


def factory(n):
    def inner():
        @T.prim_func
        def kernel(x: T.int32):
            with T.Kernel(x) as bx:
                T.sync_threads()
        return kernel
    return inner


@tilelang.jit
def eager(A, B, block_M: int = 64):
    M, K = T.const("M, K")
    A: T.Tensor((M, K), "float16")
    B: T.Tensor[[K], "float32"]
    C = T.empty((M,), "float16")
    D = T.empty(M, K, dtype="float32")
    with T.Kernel(1) as _:
        T.sync_threads()
    return D, C


if __name__ == "__main__":
    undefined.call()
)";

struct Elaboration {
  Context context;
  SourceFiles files;
  Diagnostics diagnostics;
  Elaborated result;

  Elaboration(const std::string &text, const std::string &function,
              const std::vector<std::pair<std::string, std::string>> &arguments = {},
              const std::atomic<bool> *stop = nullptr) {
    ElaborateRequest request;
    request.file = files.add("k.py", text);
    request.function = function;
    request.arguments = arguments;
    request.stop = stop;
    result = elaborate(context, request, files, diagnostics);
  }
  const Function &function() const { return *result.module->functions[0]; }
  const Buffer &named(llvm::StringRef name) const {
    return **llvm::find_if(function().buffers,
                           [&](const Buffer *buffer) { return buffer->name == name; });
  }
};

using Arguments = std::vector<std::pair<std::string, std::string>>;
const Arguments Sizes = {{"M", "128"}, {"N", "64"}, {"K", "64"}};

TEST(Frontend, ListsKernelsWithTheirParameters) {
  SourceFiles files;
  Diagnostics diagnostics;
  FileId file = files.add("k.py", Gemm);
  std::unique_ptr<ast::Module> module = parseModule(file, files, diagnostics);
  std::vector<KernelInfo> kernels = listKernels(*module, files);
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_EQ(kernels[0].path, "matmul");
  EXPECT_EQ(kernels[0].style, KernelStyle::Lazy);
  ASSERT_EQ(kernels[0].parameters.size(), 6u);
  EXPECT_EQ(kernels[0].parameters[3].defaultText, "size * 2");
  EXPECT_EQ(kernels[0].parameters[4].annotation, "T.dtype");
  EXPECT_EQ(kernels[1].path, "factory.inner.kernel");
  ASSERT_EQ(kernels[1].parameters.size(), 1u);
  EXPECT_EQ(kernels[2].path, "eager");
  EXPECT_EQ(kernels[2].style, KernelStyle::Eager);
  ASSERT_EQ(kernels[2].parameters.size(), 3u);
  EXPECT_EQ(kernels[2].parameters[0].name, "M");
  EXPECT_TRUE(kernels[2].parameters[0].isConst);
  EXPECT_EQ(kernels[2].parameters[2].name, "block_M");
}

TEST(Frontend, ElaboratesALazyKernel) {
  Elaboration run(Gemm, "matmul", Sizes);
  ASSERT_NE(run.result.module, nullptr);
  EXPECT_TRUE(verifyModule(*run.result.module, run.diagnostics));
  EXPECT_EQ(run.result.function, "matmul");
  EXPECT_EQ(run.function().name, "matmul");
  EXPECT_TRUE(run.result.module->fastMath);
  ASSERT_EQ(run.result.passConfigs.size(), 1u);
  EXPECT_EQ(run.result.passConfigs[0].first, "TL_ENABLE_FAST_MATH");
  ASSERT_EQ(run.function().params.size(), 2u);
  EXPECT_FALSE(run.function().params[0].isOutput);
  EXPECT_TRUE(run.function().params[1].isOutput);
}

TEST(Frontend, TellsParametersAsTheyWereUsed) {
  Elaboration run(Gemm, "matmul", {{"M", "8"}, {"N", "8"}, {"K", "8"}, {"shape", "(3, 'x')"}});
  ASSERT_NE(run.result.module, nullptr);
  const std::vector<ElaboratedParameter> &used = run.result.parameters;
  ASSERT_EQ(used.size(), 6u);
  EXPECT_EQ(used[0].type + " " + used[0].value, "int 8");
  EXPECT_EQ(used[3].type + " " + used[3].value + " " + used[3].defaultValue, "int 64 size * 2");
  EXPECT_EQ(used[4].type + " " + used[4].value, "dtype 'float16'");
  EXPECT_EQ(used[5].type + " " + used[5].value, "tuple (3, 'x')");
}

TEST(Frontend, ReadsArgumentValues) {
  const char *text = R"(
import tilelang
import tilelang.language as T
@tilelang.jit
def f(a, b, c, d, e, g):
    assert a is True and b is None and c == "word" and d == (-1, [2.5]) and e == "q r" and g == "x"
    @T.prim_func
    def main():
        with T.Kernel(1) as bx:
            T.sync_threads()
    return main
)";
  Elaboration run(text, "",
                  {{"a", "true"},
                   {"b", "none"},
                   {"c", "first"},
                   {"d", "(-1, [2.5])"},
                   {"e", "'q r'"},
                   {"g", "T.x"},
                   {"c", "word"}});
  EXPECT_EQ(run.diagnostics.errorCount(), 0u);
  EXPECT_NE(run.result.module, nullptr);
}

TEST(Frontend, NamesBuffersByTheirFirstAssignment) {
  Elaboration run(Gemm, "matmul", Sizes);
  ASSERT_NE(run.result.module, nullptr);
  EXPECT_EQ(run.named("S").ordinal, 0);
  EXPECT_EQ(run.named("S_1").ordinal, 1);
  EXPECT_EQ(run.named("S_1").sourceName, "S");
  EXPECT_EQ(run.named("S_1").scope, Scope::Shared);
  EXPECT_EQ(run.named("S").span.line, 15u);
}

TEST(Frontend, GivesStatementsTheLineOfTheKernel) {
  Elaboration run(Gemm, "matmul", Sizes);
  ASSERT_NE(run.result.module, nullptr);
  const auto &launch = *llvm::cast<Launch>(run.function().body);
  EXPECT_EQ(launch.span(), (Span{FileId(0), 13, 9, 13, 62}));
  const auto &body = *llvm::cast<Seq>(launch.body);
  EXPECT_EQ(body.stmts[0]->span(), (Span{FileId(0), 14, 13, 14, 50}));
  const auto &loop = *llvm::cast<For>(body.stmts[0]);
  EXPECT_EQ(loop.body->span(), (Span{FileId(0), 16, 17, 16, 51}));
  EXPECT_EQ(loop.pipeline->numStages, 2);
}

TEST(Frontend, ElaboratesAnEagerKernel) {
  Elaboration run(Gemm, "eager", {{"M", "16"}, {"K", "8"}});
  ASSERT_NE(run.result.module, nullptr);
  EXPECT_TRUE(verifyModule(*run.result.module, run.diagnostics));
  std::string names;
  for (const Param &param : run.function().params)
    names += run.function().buffer(param.buffer).name.str() + (param.isOutput ? "! " : " ");
  EXPECT_EQ(names, "A B C! D! ");
}

TEST(Frontend, ElaboratesANestedKernelByItsPath) {
  Elaboration run(Gemm, "factory.inner.kernel", {{"n", "3"}});
  ASSERT_NE(run.result.module, nullptr);
  EXPECT_EQ(run.function().name, "kernel");
  ASSERT_NE(run.function().params[0].var, nullptr);
  EXPECT_EQ(run.function().params[0].var->name, "x");
}

TEST(Frontend, AddsSymbolicDimensionsAsParameters) {
  Elaboration run(R"(
import tilelang.language as T
m, n = T.dynamic("m, n")
@T.prim_func
def f(A: T.Tensor((n, m * 2), "float32"), B: T.StridedTensor((m,), (2,), "float32")):
    with T.Kernel(T.ceildiv(m, 4)) as bx:
        T.sync_threads()
)",
                  "");
  ASSERT_NE(run.result.module, nullptr);
  ASSERT_EQ(run.function().params.size(), 4u);
  EXPECT_EQ(run.function().params[2].var->name, "n");
  EXPECT_EQ(run.function().params[3].var->name, "m");
  EXPECT_EQ(run.named("B").strides.size(), 1u);
}

TEST(Frontend, RunsTheTopLevelOnlyAsFarAsItIsNeeded) {
  Elaboration run(R"(
import torch
import tilelang.language as T
from missing import *

block = 4
block = block * 2
other = torch.cuda.get(block)
block += 1
torch.manual_seed(0)
try:
    import math as m
except ImportError:
    m = None
for broken in undefined:
    pass


@T.prim_func
def f(A: T.Tensor((block, m.gcd(4, 6)), "float32")):
    with T.Kernel(1) as bx:
        T.sync_threads()
)",
                  "");
  ASSERT_NE(run.result.module, nullptr);
  EXPECT_EQ(constantValue(run.named("A").shape[0]), 9);
  EXPECT_EQ(constantValue(run.named("A").shape[1]), 2);
}

TEST(Frontend, StopsWhenAskedTo) {
  std::atomic<bool> stop = true;
  Elaboration run(Gemm, "matmul", Sizes, &stop);
  EXPECT_EQ(run.result.module, nullptr);
  EXPECT_EQ(run.diagnostics.all().back().id, DiagId::EvaluationStopped);
}

TEST(Frontend, SurvivesContainersThatHoldThemselves) {
  Elaboration run(R"(
import tilelang.language as T
def tangle():
    a = []
    a.append(a)
    b = {}
    b["x"] = [b, a]
    assert str(a) == "[[...]]" and str(b) and a == a and a != [a, a] and not ({} == b)
@T.prim_func
def f(n: T.int32):
    tangle()
    with T.Kernel(n) as bx:
        T.sync_threads()
)",
                  "");
  EXPECT_EQ(run.diagnostics.errorCount(), 0u);
}

} // namespace
} // namespace tilescope
