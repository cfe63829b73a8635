// How large a page may be with PTX and SASS. What the page shows is tested in a browser
// (tests/tools/check_page.py).
// Run alone: unit_tests --gtest_filter='HtmlPageTest.*'
#include "core/page/html_page.h"

#include "core/driver/compile.h"
#include "core/driver/judge_trace.h"
#include "core/json/json_value.h"
#include "tests/source_folder.h"

#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

Trace compiled() {
  CompileRequest request;
  request.path = inSourceFolder("testdata/kernels/gemm_relu.py");
  request.text = llvm::cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(request.path)))
                     ->getBuffer()
                     .str();
  request.function = "matmul";
  request.arguments = {{"M", "128"}, {"N", "128"}, {"K", "64"}};
  TraceRecorder recorder;
  compile(request, {&recorder, {}});
  return recorder.takeTrace();
}

HtmlPage pageWith(const std::string &ptx, size_t maxBytes) {
  Trace trace = compiled();
  DeviceListing listing;
  listing.ptx = ptx;
  listing.noSass = "nobody asked";
  HtmlPageWriter writer("gemm");
  writer.add(instanceRowOf(trace, "gemm"), trace, judgeTrace(trace), &listing);
  return llvm::cantFail(writer.take(maxBytes));
}

std::string instructions(size_t count) {
  std::string ptx = ".visible .entry matmul_kernel()\n{\n";
  for (size_t i = 0; i != count; ++i)
    ptx += "\tadd.s32 \t%r" + std::to_string(i) + ", %r0, 1;\n";
  return ptx + "}\n";
}

TEST(HtmlPageTest, LeavesOutListingsThatMakeItLarge) {
  HtmlPage small = pageWith(instructions(100), MostBytesWithListings * 4);
  EXPECT_TRUE(small.leftOut.empty());
  EXPECT_NE(small.text.find("add.s32   %r99,"), std::string::npos);
  EXPECT_NE(small.text.find("nobody asked"), std::string::npos);
  HtmlPage large = pageWith(instructions(100'000), MostBytesWithListings * 4);
  EXPECT_EQ(large.leftOut, std::vector<std::string>{"ptx"});
  EXPECT_EQ(large.text.find("add.s32"), std::string::npos);
  EXPECT_NE(large.text.find("\"leftOut\":[\"ptx\"]"), std::string::npos);
  EXPECT_LT(large.text.size(), MostBytesWithListings);
}

} // namespace
} // namespace tilescope
