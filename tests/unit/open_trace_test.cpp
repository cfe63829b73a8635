// Run alone: unit_tests --gtest_filter='OpenTraceTest.*'
#include "core/session/open_trace.h"
#include "tests/unit/trace_file_fixture.h"

namespace tilescope::test {
namespace {

class OpenTraceTest : public TraceFileFixture {};

// CUDA is of the last pass, so it is asked for before each frame.
TEST_F(OpenTraceTest, WhatIsAskedForEachTimeIsReadOnce) {
  llvm::cantFail(writeSyntheticTrace(
      {.passes = 12, .lines = 40, .buffers = 20, .intervals = 40, .facetsEvery = 1}, path()));
  auto open = llvm::cantFail(OpenTrace::ofFile(path(), Lazy));
  llvm::cantFail(open->load(11));
  SharedPart<BufferRecord> last = open->trace().snapshots[11].buffers;
  for (size_t pass = 0; pass != 10; ++pass) {
    llvm::cantFail(open->load(11));
    llvm::cantFail(open->load(pass));
    EXPECT_EQ(open->trace().snapshots[11].buffers, last) << pass;
  }
}

} // namespace
} // namespace tilescope::test
