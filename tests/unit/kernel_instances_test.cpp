// Run alone: unit_tests --gtest_filter='KernelInstances*'
#include "core/driver/kernel_instances.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

std::string errorOf(llvm::StringRef line) {
  llvm::Expected<std::vector<KernelInstance>> instances = instancesOfKernel(line, "k.py");
  return instances ? "" : llvm::toString(instances.takeError());
}

TEST(KernelInstances, ReadsCommentLines) {
  auto instances = llvm::cantFail(
      instancesOfKernel("import tilelang\n"
                        "# tilescope: matmul --set M=1024 --set \"shape=(8, 128)\"\r\n"
                        "  # tilescope: indented --set M=1\n"
                        "# tilescope: a.b --set=N=x=y --target sm_90a\n",
                        "dir/k.py"));
  ASSERT_EQ(instances.size(), 2U);
  EXPECT_EQ(instances[0].path, "dir/k.py");
  EXPECT_EQ(instances[0].function, "matmul");
  EXPECT_EQ(instances[0].arguments[1], (std::pair<std::string, std::string>("shape", "(8, 128)")));
  EXPECT_EQ(instances[0].target, "");
  EXPECT_EQ(instances[1].function, "a.b");
  EXPECT_EQ(instances[1].arguments[0], (std::pair<std::string, std::string>("N", "x=y")));
  EXPECT_EQ(instances[1].target, "sm_90a");
}

TEST(KernelInstances, ListsNameFilesFromTheirFolder) {
  auto instances = llvm::cantFail(instancesOfList("# all of them\n\n"
                                                  "gemm.py:matmul --set M=1\n"
                                                  "/abs/add.py --target sm_89\n",
                                                  "lists/all.txt"));
  ASSERT_EQ(instances.size(), 2U);
  EXPECT_EQ(instances[0].path, "lists/gemm.py");
  EXPECT_EQ(instances[0].function, "matmul");
  EXPECT_EQ(instances[1].path, "/abs/add.py");
  EXPECT_EQ(instances[1].function, "");
}

TEST(KernelInstances, ErrorsNameTheLine) {
  EXPECT_EQ(errorOf("\n# tilescope: f --dim m=3\n"),
            "k.py:2: an instance has --set, --pass-option and --target, not '--dim'");
  EXPECT_EQ(errorOf("# tilescope: f --set\n"), "k.py:1: nothing follows '--set'");
  EXPECT_EQ(errorOf("# tilescope: f --set M\n"), "k.py:1: --set wants NAME=VALUE, not 'M'");
  EXPECT_EQ(errorOf("# tilescope: f --pass-option p.o\n"),
            "k.py:1: --pass-option wants PASS.NAME=VALUE, not 'p.o'");
  EXPECT_EQ(errorOf("# tilescope:\n"), "k.py:1: no kernel function");
}

TEST(KernelInstances, LabelsDoNotDependOnTheOrderOfArguments) {
  EXPECT_EQ(labelOf({"k.py", "f", {{"N", "2"}, {"K", "1"}}, "sm_80"}),
            "f --set K=1 --set N=2 --target sm_80");
  EXPECT_EQ(labelOf({"k.py", "", {}, "sm_80"}), "--target sm_80");
  EXPECT_EQ(labelOf({"k.py", "f", {{"N", "2"}}, "sm_80", {{"p.o", "1"}}}),
            "f --set N=2 --pass-option p.o=1 --target sm_80");
}

TEST(KernelInstances, LinesAreReadBack) {
  KernelInstance instance{"k.py",
                          "f",
                          {{"shape", "(8, 128)"}, {"text", R"x("a\b" 'c')x"}, {"n", "1"}},
                          "sm_90a",
                          {{"inject-pipeline.roles", "true"}, {"simplify#2.o", ""}}};
  auto read = llvm::cantFail(instancesOfKernel(lineOf(instance), "k.py"));
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].function, instance.function);
  EXPECT_EQ(read[0].arguments, instance.arguments);
  EXPECT_EQ(read[0].passOptions, instance.passOptions);
  EXPECT_EQ(read[0].target, instance.target);
  EXPECT_EQ(read[0].line, 1U);
  EXPECT_EQ(lineOf({"", "f", {{"n", "1"}}, ""}), "# tilescope: f --set n=1");
}

TEST(KernelInstances, LinesAreWrittenWhereOthersStand) {
  std::string line = "# tilescope: g";
  EXPECT_EQ(withLine("", line, 0), "# tilescope: g\n");
  EXPECT_EQ(withLine("import a\n", line, 0), "# tilescope: g\nimport a\n");
  EXPECT_EQ(withLine("#!python\n# text\n\nimport a", line, 0),
            "#!python\n# text\n# tilescope: g\n\nimport a");
  EXPECT_EQ(withLine("'Text.'\n# tilescope: f\n# note\n", line, 0),
            "'Text.'\n# tilescope: f\n# tilescope: g\n# note\n");
  EXPECT_EQ(withLine("# tilescope: f", line, 0), "# tilescope: f\n# tilescope: g\n");
  EXPECT_EQ(withLine("a\r\n# tilescope: f\r\nb\r\n", line, 0),
            "a\r\n# tilescope: f\r\n# tilescope: g\r\nb\r\n");
  EXPECT_EQ(withLine("a\r\n# tilescope: f\r\nb", line, 2), "a\r\n# tilescope: g\r\nb");
  EXPECT_EQ(withLine("a\n# tilescope: f", line, 2), "a\n# tilescope: g");
}

TEST(KernelInstances, WithoutThemTheKernelIsTheSame) {
  std::string text = "a\n  # tilescope: f\nb\n";
  EXPECT_EQ(withoutInstances(withLine(text, "# tilescope: g", 0)), text);
  EXPECT_EQ(withoutInstances("# tilescope: f"), "");
}

} // namespace
