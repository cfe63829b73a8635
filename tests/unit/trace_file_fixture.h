// A trace file of its own for each test, and comparisons of a trace read piece by piece (lazy) with
// the same trace read as a whole (eager).
#pragma once

#include "core/json/json_value.h"
#include "core/trace/trace_fields.h"
#include "core/trace_file/trace_file.h"
#include "core/trace_file/trace_reader.h"
#include "tests/bench/synthetic_trace.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

namespace tilescope::test {

// Nothing is loaded unasked, and as little as may be is kept.
inline constexpr TraceFileOptions Lazy{.wholeBytes = 0, .keptBytes = 0};

class TraceFileFixture : public testing::Test {
protected:
  void SetUp() override {
    int file = -1;
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("tilescope", "trace", file, path_));
    llvm::raw_fd_ostream(file, /*shouldClose=*/true) << "";
  }
  void TearDown() override { (void)llvm::sys::fs::remove(path_); }

  std::string path() const { return path_.str().str(); }
  std::string text() const { return (*llvm::MemoryBuffer::getFile(path_))->getBuffer().str(); }
  // Into a new file: the disk is waited for when an older one is cut.
  void write(llvm::StringRef text) const {
    std::error_code code = llvm::sys::fs::remove(path());
    llvm::raw_fd_ostream(path(), code) << text;
    ASSERT_FALSE(code);
  }
  std::string smallTrace(uint32_t seed = 1) const {
    llvm::cantFail(writeSyntheticTrace({.passes = 7,
                                        .lines = 40,
                                        .buffers = 20,
                                        .intervals = 40,
                                        .facetsEvery = 3,
                                        .editsPerMille = 100,
                                        .seed = seed},
                                       path()));
    return text();
  }
  std::unique_ptr<TraceFile> open(const TraceFileOptions &options = Lazy) const {
    return llvm::cantFail(TraceFile::open(path(), options));
  }

private:
  llvm::SmallString<128> path_;
};

inline void expectSameState(const Trace &lazy, const Trace &eager, size_t index) {
  const TraceSnapshot &a = lazy.snapshots[index], &b = eager.snapshots[index];
  ASSERT_EQ(*a.lines, *b.lines);
  for (LineId line : *a.lines)
    ASSERT_EQ(lazy.lines[line], eager.lines[line]);
#define FACET(Type, member) ASSERT_EQ(*a.member, *b.member);
#include "core/facets/facets.def"
}

inline void expectSameOutcome(const Trace &lazy, const Trace &eager) {
  EXPECT_EQ(toJson(lazy.header), toJson(eager.header));
  EXPECT_EQ(lazy.recovery, eager.recovery);
  EXPECT_EQ(lazy.complete, eager.complete);
  EXPECT_EQ(lazy.cuda, eager.cuda);
  EXPECT_EQ(toJson(lazy.cudaMap), toJson(eager.cudaMap));
  EXPECT_EQ(toJson(lazy.launches), toJson(eager.launches));
  EXPECT_EQ(toJson(lazy.diagnostics), toJson(eager.diagnostics));
  ASSERT_EQ(lazy.passes.size(), eager.passes.size());
  ASSERT_EQ(lazy.snapshots.size(), eager.snapshots.size());
  for (size_t index = 0; index != lazy.passes.size(); ++index) {
    const TracePass &a = lazy.passes[index], &b = eager.passes[index];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.status, b.status);
    EXPECT_EQ(a.snapshot, b.snapshot);
    EXPECT_EQ(a.wallMicroseconds, b.wallMicroseconds);
    EXPECT_EQ(a.figures, b.figures);
    EXPECT_EQ(a.remarks, b.remarks);
  }
}

// From the last pass to the first, so that each text starts from a full one.
inline void expectLazyIsEager(const std::string &path) {
  Trace eager = llvm::cantFail(readTraceFile(path));
  std::unique_ptr<TraceFile> file = llvm::cantFail(TraceFile::open(path, Lazy));
  expectSameOutcome(file->trace(), eager);
  for (size_t pass = eager.passes.size(); pass-- > 0;) {
    std::string error = llvm::toString(file->load(pass));
    ASSERT_EQ(error, "");
    EXPECT_TRUE(file->isLoaded(pass));
    expectSameState(file->trace(), eager, eager.passes[pass].snapshot);
  }
}

} // namespace tilescope::test
