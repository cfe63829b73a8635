// Run alone: unit_tests --gtest_filter='KernelName*'
#include "core/driver/kernel_name.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

TEST(KernelNameTest, ALineHoldsWhatAKernelIsCompiledWith) {
  CompileRequest request;
  request.path = "some folder/gemm.py";
  request.function = "matmul";
  EXPECT_EQ(kernelLine(request), "some folder/gemm.py:matmul");
  request.arguments = {{"M", "1024"}, {"shape", "(1, 2)"}};
  request.target = "sm_90a";
  request.passOptions = {{"inject-pipeline.peel-epilogue", "true"}};
  request.plan.forOccupancy = true;
  std::string line = kernelLine(request);
  EXPECT_EQ(line, "some folder/gemm.py:matmul --set M=1024 --set shape=(1, 2) --target sm_90a "
                  "--pass-option inject-pipeline.peel-epilogue=true --plan-for occupancy");
  llvm::Expected<CompileRequest> back = requestOfLine(line);
  ASSERT_TRUE(bool(back));
  EXPECT_EQ(back->path, request.path);
  EXPECT_EQ(back->function, request.function);
  EXPECT_EQ(back->arguments, request.arguments);
  EXPECT_EQ(back->target, request.target);
  EXPECT_EQ(back->passOptions, request.passOptions);
  EXPECT_TRUE(back->plan.forOccupancy);
}

TEST(KernelNameTest, WhatIsNoOptionIsTold) {
  for (const char *line : {"a.py --colour red", "a.py --set M", "a.py --target", "a.py --"}) {
    llvm::Expected<CompileRequest> request = requestOfLine(line);
    ASSERT_FALSE(bool(request)) << line;
    EXPECT_NE(llvm::toString(request.takeError()).find("is not understood"), std::string::npos);
  }
}

} // namespace
