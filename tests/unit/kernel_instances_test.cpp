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
            "k.py:2: an instance has --set and --target, not '--dim'");
  EXPECT_EQ(errorOf("# tilescope: f --set\n"), "k.py:1: nothing follows '--set'");
  EXPECT_EQ(errorOf("# tilescope: f --set M\n"), "k.py:1: --set wants NAME=VALUE, not 'M'");
  EXPECT_EQ(errorOf("# tilescope:\n"), "k.py:1: no kernel function");
}

TEST(KernelInstances, LabelsDoNotDependOnTheOrderOfArguments) {
  EXPECT_EQ(labelOf({"k.py", "f", {{"N", "2"}, {"K", "1"}}, "sm_80"}),
            "f --set K=1 --set N=2 --target sm_80");
  EXPECT_EQ(labelOf({"k.py", "", {}, "sm_80"}), "--target sm_80");
}

} // namespace
