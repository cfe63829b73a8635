// Undo of what was asked of a live kernel, and the instances that its file offers.
#include "core/session/request_history.h"
#include "core/session/workspace.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

Requested ofStages(const char *stages) { return {{{"num_stages", stages}}, {}, "sm_80", "height"}; }

TEST(RequestHistoryTest, GoesBackAndForth) {
  RequestHistory history;
  EXPECT_EQ(history.undo(), nullptr);
  EXPECT_EQ(history.reset(), nullptr);
  EXPECT_FALSE(history.canUndo() || history.canRedo() || history.canReset());
  for (const char *stages : {"1", "2", "2", "3"})
    history.note("a.py", ofStages(stages));
  EXPECT_TRUE(history.canUndo() && !history.canRedo() && history.canReset());
  ASSERT_TRUE(history.undo());
  history.note("a.py", ofStages("2")); // it was asked
  EXPECT_TRUE(history.canUndo() && history.canRedo());
  const Requested *first = history.undo();
  ASSERT_TRUE(first);
  EXPECT_EQ(*first, ofStages("1"));
  EXPECT_EQ(history.undo(), nullptr);
  EXPECT_EQ(*history.redo(), ofStages("2"));
  EXPECT_EQ(*history.redo(), ofStages("3"));
  EXPECT_EQ(history.redo(), nullptr);
  EXPECT_EQ(*history.reset(), ofStages("1"));
  EXPECT_EQ(*history.undo(), ofStages("3"));
  // A new step drops those that were undone; another file has none.
  history.note("a.py", ofStages("4"));
  EXPECT_EQ(history.redo(), nullptr);
  history.note("b.py", ofStages("1"));
  EXPECT_EQ(history.undo(), nullptr);
}

TEST(RequestHistoryTest, AskingForAnInstanceOfTheFile) {
  Workspace workspace([] {});
  CompileRequest request;
  request.path = "kernels.py";
  request.text = "# tilescope: two --set N=128\n"
                 "# tilescope: one --set N=64 --target sm_90a\n"
                 "import tilelang.language as T\n"
                 "def one(N=32):\n"
                 "    @T.prim_func\n"
                 "    def main(A: T.Tensor((N,), 'float32')):\n"
                 "        with T.Kernel(1, threads=32) as bx:\n"
                 "            for i in T.Parallel(N):\n"
                 "                A[i] = 1.0\n"
                 "    return main\n"
                 "def two(N=32):\n"
                 "    return one(N)\n";
  request.function = "one";
  workspace.openKernel(request);
  workspace.waitForCompile();
  const Document &document = workspace.document();
  ASSERT_TRUE(document.trace);
  ASSERT_EQ(document.presets.size(), 2u);
  EXPECT_EQ(document.presets[0].label, "two --set N=128");
  EXPECT_EQ(document.presets[0].requested.target, "sm_80"); // as it is
  EXPECT_EQ(document.presets[1].label, "one --set N=64 --target sm_90a");
  workspace.request(document.presets[1].requested);
  workspace.waitForCompile();
  EXPECT_EQ(document.trace->header.target, "sm_90a");
  EXPECT_EQ(document.trace->header.parameters[0].value, "64");
  EXPECT_EQ(document.requested, document.presets[1].requested);
  workspace.request(document.presets[0].requested);
  workspace.waitForCompile();
  EXPECT_EQ(document.trace->header.function, "two");
}

std::string kernelNamed(const std::string &name, const std::string &parameters) {
  return "def " + name + "(" + parameters +
         "):\n"
         "    @T.prim_func\n"
         "    def main(A: T.Tensor((N,), 'float32')):\n"
         "        with T.Kernel(1, threads=32) as bx:\n"
         "            for i in T.Parallel(N):\n"
         "                A[i] = 1.0\n"
         "    return main\n";
}

TEST(RequestHistoryTest, ChoosingAnotherKernelOfTheFile) {
  Workspace workspace([] {});
  CompileRequest request;
  request.path = "kernels.py";
  request.text = "# tilescope: three --set N=128\nimport tilelang.language as T\n" +
                 kernelNamed("one", "N, M=2") + kernelNamed("two", "N=32") +
                 kernelNamed("three", "N=32, K=1");
  workspace.openKernel(request); // it does not say which
  workspace.waitForCompile();
  const Document &document = workspace.document();
  ASSERT_EQ(document.kernels.size(), 3u);
  EXPECT_EQ(document.kernels[1].label, "two.main");
  EXPECT_TRUE(document.kernels[1].requested.arguments.empty());
  EXPECT_EQ(document.kernels[2].requested.arguments, (Requested::Values{{"N", "128"}}));
  Requested wanted = document.kernels[0].requested;
  wanted.arguments = {{"N", "64"}, {"M", "3"}};
  workspace.request(wanted);
  workspace.waitForCompile();
  ASSERT_EQ(document.trace->header.function, "one.main");
  // What it takes stays.
  EXPECT_EQ(document.kernels[2].requested.arguments, (Requested::Values{{"N", "64"}}));
  workspace.request(document.kernels[1].requested);
  workspace.waitForCompile();
  EXPECT_EQ(document.trace->header.function, "two.main");
  EXPECT_EQ(document.trace->header.parameters[0].value, "64");
}

} // namespace
} // namespace tilescope
