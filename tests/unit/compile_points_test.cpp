// Run alone: unit_tests --gtest_filter='CompilePoints*'
//
// Compiles share nothing: many at once are what they are one after the other.
#include "core/sweep/compile_points.h"
#include "tests/source_folder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

std::string kernelText(llvm::StringRef name) {
  return (*llvm::MemoryBuffer::getFile(inSourceFolder("testdata/kernels/" + name)))
      ->getBuffer()
      .str();
}

PointsRequest requestOf(llvm::StringRef file,
                        const std::vector<std::pair<std::string, std::string>> &settings,
                        unsigned threads) {
  PointsRequest request;
  request.compile.path = file.str();
  request.compile.text = kernelText(file);
  request.grid = llvm::cantFail(makeGrid(settings, {}, "sm_80,sm_90a"));
  for (uint64_t point = 0; point != request.grid.size(); ++point)
    request.points.push_back(point);
  request.threads = threads;
  return request;
}

std::vector<SweepRow> rowsOf(const PointsRequest &request) {
  std::vector<SweepRow> rows;
  llvm::cantFail(compilePoints(request, [&](SweepRow row) {
    rows.push_back(std::move(row));
    return llvm::Error::success();
  }));
  llvm::sort(rows, [](const SweepRow &a, const SweepRow &b) { return a.point < b.point; });
  return rows;
}

TEST(CompilePointsTest, ThreadsMakeNoDifference) {
  std::vector<std::pair<std::string, std::string>> settings{
      {"M", "256"}, {"N", "256"}, {"K", "256"}, {"block_M", "24,64,128"}, {"num_stages", "1..3"}};
  std::vector<SweepRow> alone = rowsOf(requestOf("gemm_relu.py", settings, 1));
  ASSERT_EQ(alone.size(), 18U);
  EXPECT_EQ(rowsOf(requestOf("gemm_relu.py", settings, 8)), alone);
  EXPECT_TRUE(llvm::StringRef(alone[0].error).starts_with("this gemm cannot be done"));
  EXPECT_EQ(alone[4].figures.peakBytes, 24576);
  EXPECT_EQ(alone[4].figures.stages, 2);
  EXPECT_EQ(alone[4].figures.blocksPerSm, 6);
}

TEST(CompilePointsTest, AssessedPointsMayFail) {
  PointsRequest request =
      requestOf("gemm_relu.py", {{"M", "256"}, {"N", "256"}, {"K", "64,128"}}, 2);
  request.askPtxas = [](const CompileResult &result) -> llvm::Expected<PtxasUsage> {
    if (result.target->name == "sm_90a")
      return llvm::createStringError("first line\nsecond");
    return PtxasUsage{{{result.cuda->launches[0].kernel, 212}}, 8};
  };
  std::vector<SweepRow> rows = rowsOf(request);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].figures.registers, 212);
  EXPECT_EQ(rows[0].figures.spillBytes, 8);
  // Three by shared memory.
  EXPECT_EQ(rows[0].figures.blocksPerSm, 2);
  EXPECT_EQ(rows[0].figures.limitedBy, std::vector<std::string>{"registers"});
  EXPECT_EQ(rows[2].error, "first line");
  EXPECT_EQ(rows[2].figures, SweepFigures());
}

TEST(CompilePointsTest, WhatCannotBeTakenEndsIt) {
  PointsRequest request =
      requestOf("gemm_relu.py", {{"M", "256"}, {"N", "256"}, {"K", "32..320+32"}}, 2);
  size_t taken = 0;
  llvm::Error error = compilePoints(request, [&](const SweepRow &) -> llvm::Error {
    if (++taken == 3)
      return llvm::createStringError("disk full");
    return llvm::Error::success();
  });
  EXPECT_EQ(llvm::toString(std::move(error)), "disk full");
  EXPECT_EQ(taken, 3U);
}

} // namespace
