// A trace file that changes while it is open.
// Run alone: unit_tests --gtest_filter='TraceFollow*'
#include "tests/unit/trace_file_fixture.h"

#include <unistd.h>

using namespace tilescope;
using namespace tilescope::test;
using Change = TraceFile::Change;

namespace {

class TraceFollowTest : public TraceFileFixture {};

TEST_F(TraceFollowTest, FollowsAWriterPassByPass) {
  auto writer = llvm::cantFail(TraceWriter::open(path()));
  SyntheticTraceMaker maker({.lines = 40, .buffers = 20, .intervals = 40, .facetsEvery = 2});
  writer->writeHeader(maker.trace().header);
  auto file = llvm::cantFail(TraceFile::open(writer->growingPath(), Lazy));
  EXPECT_EQ(file->trace().passes.size(), 0U);
  for (size_t pass = 0; pass != 5; ++pass) {
    maker.addPass();
    writer->writePass(maker.trace(), pass);
    EXPECT_EQ(file->follow(), Change::Grown);
    EXPECT_EQ(file->follow(), Change::None);
    ASSERT_EQ(file->trace().passes.size(), pass + 1);
    EXPECT_FALSE(file->trace().complete);
    llvm::cantFail(file->load(pass));
    EXPECT_EQ(*file->trace().snapshots[pass].lines, *maker.trace().snapshots[pass].lines);
    EXPECT_EQ(*file->trace().snapshots[pass].arenas, *maker.trace().snapshots[pass].arenas);
  }
  maker.finish();
  llvm::cantFail(writer->close(maker.trace()));
  auto whole = open();
  EXPECT_TRUE(whole->trace().complete);
  EXPECT_EQ(whole->trace().recovery, "");
}

// Whatever the writer has flushed, down to a single byte.
TEST_F(TraceFollowTest, FollowsByteByByte) {
  std::string whole = smallTrace();
  Trace eager = llvm::cantFail(readTrace(whole, path()));
  size_t length = whole.find('\n') + 1;
  write(llvm::StringRef(whole).take_front(length));
  auto file = open(TraceFileOptions());
  while (length < whole.size()) {
    bool isNearEnd = whole.find('\n', length) - length < 3 || whole[length - 1] == '\n';
    size_t next = isNearEnd ? length + 1 : std::min(length + 97, whole.find('\n', length) - 1);
    std::error_code code;
    llvm::raw_fd_ostream(path(), code, llvm::sys::fs::OF_Append)
        << llvm::StringRef(whole).slice(length, next);
    length = next;
    EXPECT_NE(file->follow(), Change::Replaced) << length;
  }
  ASSERT_EQ(file->trace().passes.size(), eager.passes.size());
  EXPECT_EQ(file->trace().recovery, "");
  EXPECT_TRUE(file->trace().complete);
  for (size_t pass = 0; pass != eager.passes.size(); ++pass)
    expectSameState(file->trace(), eager, pass);
}

TEST_F(TraceFollowTest, NoticesAFileThatIsReplaced) {
  uint64_t size = smallTrace(1).size();
  auto file = open();
  llvm::cantFail(file->load(6));
  // Cut to one byte, as a compile does first: the trace stays.
  ASSERT_EQ(::truncate(path().c_str(), 1), 0);
  EXPECT_EQ(file->follow(), Change::None);
  EXPECT_EQ(file->trace().passes.size(), 7U);
  EXPECT_TRUE(file->isLoaded(6));
  // The next compile has grown beyond the size of the one before.
  SyntheticTrace next{.passes = 9, .lines = 40, .buffers = 20, .intervals = 40, .seed = 2};
  llvm::cantFail(writeSyntheticTrace(next, path(), size + 1));
  EXPECT_EQ(file->follow(), Change::Replaced);
  EXPECT_EQ(file->follow(), Change::None);
  Trace eager = llvm::cantFail(readTraceFile(path()));
  ASSERT_GE(eager.passes.size(), 9U);
  ASSERT_EQ(file->trace().passes.size(), eager.passes.size());
  EXPECT_FALSE(file->isLoaded(6));
  llvm::cantFail(file->load(6));
  expectSameState(file->trace(), eager, 6);
  // Another file of that name.
  std::string other = path() + ".new";
  llvm::cantFail(writeSyntheticTrace({.passes = 3, .lines = 40, .buffers = 20}, other));
  ASSERT_FALSE(llvm::sys::fs::rename(other, path()));
  EXPECT_EQ(file->follow(), Change::Replaced);
  EXPECT_EQ(file->trace().passes.size(), 3U);
}

TEST_F(TraceFollowTest, AFileThatWasCutIsNotLoaded) {
  smallTrace();
  auto file = open();
  ASSERT_EQ(::truncate(path().c_str(), 1), 0);
  std::string error = llvm::toString(file->load(3));
  EXPECT_TRUE(llvm::StringRef(error).contains("is cut off")) << error;
  EXPECT_FALSE(file->isLoaded(3));
  ASSERT_FALSE(llvm::sys::fs::remove(path()));
  EXPECT_EQ(file->follow(), Change::None);
}

} // namespace
