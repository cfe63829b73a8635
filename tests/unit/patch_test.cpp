// Run alone: unit_tests --gtest_filter='Patch.*'
#include "core/driver/compile.h"
#include "core/ir/printer.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

const char *const Kernel = R"(
import tilelang.language as T


@T.prim_func
def kernel(A: T.Tensor((256, 64), "float16"), B: T.Tensor((256, 64), "float16")):
    with T.Kernel(4, threads=128) as bx:
        S = T.alloc_shared((64, 64), "float16")
        T.copy(A[bx * 64, 0], S)
        T.copy(S, B[bx * 64, 0])
)";

CompileRequest requestFor(std::vector<Patch> patches = {}) {
  CompileRequest request;
  request.path = "k.py";
  request.text = Kernel;
  request.patches = std::move(patches);
  return request;
}

std::string replaced(std::string text, llvm::StringRef from, llvm::StringRef to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from.str();
  return text.replace(at, from.size(), to);
}

// At `place`, on top of what `request` has there.
Patch editOf(const CompileRequest &request, const std::string &place, llvm::StringRef from,
             llvm::StringRef to) {
  std::string before = llvm::cantFail(taggedTextAfter(request, place));
  return {place + ".patch", makePatchText(place, before, replaced(before, from, to))};
}

std::string firstErrorOf(const CompileRequest &request) {
  CompileResult result = compile(request);
  for (const Diagnostic &diagnostic : result.diagnostics.all())
    if (diagnostic.severity == Severity::Error) {
      const Span &span = diagnostic.span;
      std::string file = span.isValid() ? result.files.get(span.file).path : "";
      return file + ":" + std::to_string(span.line) + ":" + std::to_string(span.column) + ": " +
             diagnostic.text;
    }
  return "";
}

TEST(Patch, IsAPassOfItsOwn) {
  CompileRequest request = requestFor();
  request.patches.push_back(editOf(request, "merge-shared-memory", "offset=0", "offset=1024"));
  request.patches.push_back(editOf(request, "merge-shared-memory", "offset=1024", "offset=2048"));
  TraceRecorder recorder;
  CompileResult result = compile(request, {&recorder, {}});
  ASSERT_TRUE(result.succeeded());
  const Trace &trace = recorder.trace();
  auto first =
      llvm::find_if(trace.passes, [](const TracePass &pass) { return pass.name == "patch"; });
  ASSERT_NE(first, trace.passes.end());
  EXPECT_EQ((first - 1)->name, "merge-shared-memory");
  EXPECT_EQ(first->options, "merge-shared-memory.patch");
  EXPECT_EQ(first->status, PassStatus::Changed);
  EXPECT_EQ(first->verdicts.arenaSound, Verdict::Yes);
  EXPECT_EQ((first + 1)->name, "patch");
  auto offsetAfter = [&](const TracePass &pass) {
    for (const BufferRecord &buffer : *trace.snapshots[pass.snapshot].buffers)
      if (buffer.name == "S")
        return buffer.offsetBytes;
    return std::optional<int64_t>();
  };
  EXPECT_EQ(offsetAfter(*(first - 1)), 0);
  EXPECT_EQ(offsetAfter(*first), 1024);
  EXPECT_EQ(offsetAfter(trace.passes.back()), 2048);
  EXPECT_EQ(trace.header.patches.size(), 2U);
}

TEST(Patch, OfNothingChangesNothing) {
  std::string before = llvm::cantFail(taggedTextAfter(requestFor(), "simplify"));
  EXPECT_EQ(makePatchText("simplify", before, before), "");
  CompileRequest request = requestFor();
  request.patches.push_back({"p", "--- after simplify\n+++ after simplify\n@@ -1 +1 @@\n"
                                  " # tilescope-ir 1\n"});
  EXPECT_EQ(compile(request).cuda->text, compile(requestFor()).cuda->text);
}

TEST(Patch, PlacesAreNamedAsTheTraceHasThem) {
  CompileRequest request = requestFor();
  request.passes = "simplify,tidy(legalize-indices,simplify)";
  request.emitCuda = false;
  for (const char *place : {"elaborate", "simplify", "legalize-indices", "simplify#2", "tidy"})
    request.patches.push_back({place, std::string("--- after ") + place + "\n+++ after " + place +
                                          "\n@@ -1 +1 @@\n # tilescope-ir 1\n"});
  TraceRecorder recorder;
  ASSERT_TRUE(compile(request, {&recorder, {}}).succeeded());
  std::string shown;
  for (size_t index = 0; index < recorder.trace().passes.size(); ++index) {
    const TracePass &pass = recorder.trace().passes[index];
    shown += std::string(static_cast<size_t>(pass.depth), ' ') + pass.name + " " + pass.options +
             "@" + patchPlaceOf(recorder.trace(), index) + "\n";
  }
  EXPECT_EQ(shown, "elaborate @elaborate\npatch elaborate@elaborate\n"
                   "simplify @simplify\npatch simplify@simplify\n"
                   " legalize-indices @legalize-indices\n patch legalize-indices@legalize-indices\n"
                   " simplify @simplify#2\n patch simplify#2@simplify#2\n"
                   "tidy @tidy\npatch tidy@tidy\n");
}

TEST(Patch, StopsAfterAPlaceAndItsPatches) {
  CompileRequest request = requestFor();
  request.passes = "simplify,tidy(legalize-indices,simplify),plan-pipeline";
  request.patches.push_back(editOf(request, "legalize-indices", "threads=128", "threads=64"));
  request.stopAfter = "legalize-indices";
  TraceRecorder recorder;
  CompileResult result = compile(request, {&recorder, {}});
  ASSERT_TRUE(result.succeeded());
  EXPECT_FALSE(result.cuda);
  EXPECT_EQ(recorder.trace().passes.size(), 5U);
  EXPECT_NE(printModule(*result.module, true).find("threads=64"), std::string::npos);
}

TEST(Patch, ErrorsPointIntoThePatchOrTheTextThatItMade) {
  auto errorOf = [](llvm::StringRef from, llvm::StringRef to) {
    return firstErrorOf(requestFor({editOf(requestFor(), "simplify", from, to)}));
  };
  std::string text = llvm::cantFail(taggedTextAfter(requestFor(), "simplify"));
  size_t line = 1 + llvm::StringRef(text).take_front(text.find("T.copy(A")).count('\n');
  EXPECT_EQ(errorOf("T.copy(A", "T.cope(A"),
            "after simplify, patched:" + std::to_string(line) + ":9: 'T.cope' means nothing here");
  EXPECT_EQ(firstErrorOf(requestFor({{"p", "\n--- after nothing\n+++ after nothing\n@@ -1 +1 @@\n"
                                           "-a\n+b\n"}}))
                .substr(0, 47),
            "p:2:1: no pass 'nothing' runs here to patch the");
  EXPECT_EQ(firstErrorOf(requestFor({{"p", "--- a/k.py\n+++ b/k.py\n@@ -1 +1 @@\n-a\n+b\n"}})),
            "p:1:1: patch cannot be read: both file names of a diff are 'after PASS', not 'a/k.py' "
            "and 'b/k.py'");
}

TEST(Patch, IsRefusedWhenTheChecksFail) {
  CompileRequest request = requestFor();
  request.patches.push_back(editOf(request, "merge-shared-memory", "offset=0", "offset=8"));
  CompileResult result = compile(request);
  EXPECT_FALSE(result.succeeded());
  EXPECT_EQ(result.diagnostics.all().back().text, "a check fails after pass 'patch'");
}

// What nobody wrote in the kernel has no place there, though the text that it was read from has.
TEST(Patch, NewStatementsHaveNoPlaceInTheKernel) {
  CompileRequest request = requestFor();
  std::string before = llvm::cantFail(taggedTextAfter(request, "insert-barriers"));
  std::string after = before;
  after.insert(after.find('\n', after.find("T.Kernel")), "\n        T.barrier()");
  request.patches.push_back({"p", makePatchText("insert-barriers", before, after)});
  TraceRecorder recorder;
  ASSERT_TRUE(compile(request, {&recorder, {}}).succeeded());
  bool isFound = false;
  for (const TraceLine &line : recorder.trace().lines) {
    isFound |= line.text == "        T.barrier()" && !line.span.isValid();
    EXPECT_LE(line.span.endLine, 11U) << line.text;
  }
  EXPECT_TRUE(isFound);
}

} // namespace
