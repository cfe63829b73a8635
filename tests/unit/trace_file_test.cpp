// A trace read piece by piece is the trace read as a whole.
// Run alone: unit_tests --gtest_filter='TraceFile*'
#include "core/driver/kernel_instances.h"
#include "core/trace_file/trace_recorder.h"
#include "tests/source_folder.h"
#include "tests/unit/trace_file_fixture.h"

using namespace tilescope;
using namespace tilescope::test;

namespace {

class TraceFileTest : public TraceFileFixture {};

std::vector<std::string> filesOf(const std::string &folder, llvm::StringRef extension) {
  std::vector<std::string> paths;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator at(folder, code), end; !code && at != end;
       at.increment(code))
    if (llvm::StringRef(at->path()).ends_with(extension))
      paths.push_back(at->path());
  llvm::sort(paths);
  return paths;
}

// ---- Lazy is eager ------------------------------------------------------------------------------

TEST_F(TraceFileTest, GoldenTraces) {
  std::vector<std::string> paths = filesOf(inSourceFolder("testdata/traces"), ".trace");
  ASSERT_GE(paths.size(), 2U);
  for (const std::string &golden : paths) {
    SCOPED_TRACE(golden);
    expectLazyIsEager(golden);
  }
}

TEST_F(TraceFileTest, TracesOfEveryKernel) {
  size_t count = 0;
  for (const std::string &kernel : filesOf(inSourceFolder("testdata/kernels"), ".py")) {
    std::string source = (*llvm::MemoryBuffer::getFile(kernel))->getBuffer().str();
    auto instances = llvm::cantFail(instancesOfKernel(source, kernel));
    if (instances.empty())
      continue;
    SCOPED_TRACE(kernel);
    CompileRequest request;
    request.path = kernel;
    request.text = source;
    request.function = instances[0].function;
    request.arguments = instances[0].arguments;
    if (!instances[0].target.empty())
      request.target = instances[0].target;
    auto writer = llvm::cantFail(TraceWriter::open(path()));
    TraceRecorder recorder(writer.get());
    compile(request, Observers{&recorder, {}});
    writer.reset();
    expectLazyIsEager(path());
    ++count;
  }
  EXPECT_GE(count, 5U);
}

TEST_F(TraceFileTest, SyntheticTraceIsAsAskedFor) {
  smallTrace();
  expectLazyIsEager(path());
  Trace trace = llvm::cantFail(readTraceFile(path()));
  EXPECT_EQ(trace.recovery, "");
  ASSERT_EQ(trace.passes.size(), 7U);
  const TraceSnapshot &last = trace.snapshots.back();
  EXPECT_EQ(last.lines->size(), 40U);
  EXPECT_EQ(last.buffers->size(), 20U);
  EXPECT_NE(trace.snapshots[2].arenas, last.arenas);
  const ArenaRecord &arena = last.arenas->front();
  size_t intervals = 0;
  for (size_t i = 0; i != arena.problem.buffers.size(); ++i)
    for (size_t j = 0; j != i; ++j) {
      const Placement &a = arena.plan.placements[i], &b = arena.plan.placements[j];
      bool share = a.offsetBytes < b.offsetBytes + b.sizeBytes &&
                   b.offsetBytes < a.offsetBytes + a.sizeBytes;
      for (const LiveInterval &live : arena.problem.buffers[i].live)
        for (const LiveInterval &other : arena.problem.buffers[j].live)
          EXPECT_FALSE(share && live.begin < other.end && other.begin < live.end);
    }
  for (const BufferLifetime &lifetime : last.accesses->front().lifetimes.buffers)
    intervals += lifetime.intervals.size();
  EXPECT_EQ(intervals, 40U);
}

TEST_F(TraceFileTest, ASmallFileIsLoadedWhole) {
  smallTrace();
  auto file = open(TraceFileOptions());
  Trace eager = llvm::cantFail(readTraceFile(path()));
  for (size_t pass = 0; pass != eager.passes.size(); ++pass) {
    EXPECT_TRUE(file->isLoaded(pass));
    expectSameState(file->trace(), eager, eager.passes[pass].snapshot);
  }
}

// 130 edits of no lines stand for 17 million.
TEST_F(TraceFileTest, ASmallFileOfHugeSnapshotsIsNotLoadedWhole) {
  std::string text = "{\"record\":\"trace\",\"major\":1}\n"
                     "{\"record\":\"lines\",\"lines\":[[\"x\",0,0,null]]}\n"
                     "{\"record\":\"snapshot\",\"full\":[0";
  for (int i = 1; i != 1 << 17; ++i)
    text += ",0";
  text += "]}\n{\"record\":\"passEnd\"}\n";
  for (int i = 0; i != 130; ++i)
    text += "{\"record\":\"snapshot\",\"edits\":[]}\n{\"record\":\"passEnd\"}\n";
  write(text);
  std::unique_ptr<TraceFile> file = llvm::cantFail(TraceFile::open(path()));
  size_t last = file->trace().passes.size() - 1;
  EXPECT_EQ(last, 130U);
  EXPECT_FALSE(file->isLoaded(last));
  llvm::cantFail(file->load(last));
  EXPECT_EQ(file->trace().snapshots[last].lines->size(), size_t(1) << 17);
}

TEST_F(TraceFileTest, OldSnapshotsAreDroppedButNotThoseInUse) {
  smallTrace();
  auto file = open();
  EXPECT_FALSE(file->isLoaded(0));
  EXPECT_TRUE(file->trace().lines[0].text.empty());
  for (size_t pass : {1, 0, 2, 3, 4, 5})
    llvm::cantFail(file->load(pass));
  auto kept = file->trace().snapshots[1].buffers;
  llvm::cantFail(file->load(1));
  llvm::cantFail(file->load(6));
  EXPECT_FALSE(file->isLoaded(0));
  for (size_t pass : {1, 2, 3, 4, 5, 6})
    EXPECT_TRUE(file->isLoaded(pass)) << pass;
  EXPECT_TRUE(file->trace().snapshots[0].lines->empty());
  EXPECT_FALSE(file->trace().lines[0].text.empty());
  EXPECT_EQ(kept->size(), 20U);
  EXPECT_EQ(file->trace().snapshots[3].buffers, file->trace().snapshots[5].buffers); // shared
}

TEST_F(TraceFileTest, WhatIsKeptDoesNotGrowWithThePasses) {
  llvm::cantFail(writeSyntheticTrace(
      {.passes = 24, .lines = 40, .buffers = 20, .intervals = 40, .facetsEvery = 1}, path()));
  auto file = open();
  size_t loaded = 0;
  for (size_t pass = 0; pass != 24; ++pass)
    llvm::cantFail(file->load(pass));
  for (size_t pass = 0; pass != 24; ++pass)
    loaded += file->isLoaded(pass);
  EXPECT_EQ(loaded, 6U);
}

TEST_F(TraceFileTest, TextIsLoadedWithoutFacets) {
  smallTrace();
  Trace eager = llvm::cantFail(readTraceFile(path()));
  auto file = open();
  for (size_t pass : {0, 1, 2, 3, 4, 5, 6, 2, 5}) {
    SharedPart<LineId> lines = llvm::cantFail(file->loadText(pass));
    ASSERT_EQ(*lines, *eager.snapshots[pass].lines);
    for (LineId line : *lines)
      ASSERT_EQ(file->trace().lines[line], eager.lines[line]);
    EXPECT_FALSE(file->isLoaded(pass));
  }
  llvm::cantFail(file->load(4)); // from the text of 2 or 5, or from the first
  expectSameState(file->trace(), eager, 4);
  EXPECT_EQ(llvm::cantFail(file->loadText(4)), file->trace().snapshots[4].lines);
}

TEST_F(TraceFileTest, OpeningDoesNotReadTheSnapshots) {
  llvm::cantFail(writeSyntheticTrace(
      {.passes = 20, .lines = 400, .buffers = 200, .intervals = 2000, .facetsEvery = 2}, path()));
  uint64_t size = text().size();
  EXPECT_LT(open()->bytesRead(), size / 10);
}

// ---- Damage -------------------------------------------------------------------------------------

TEST_F(TraceFileTest, TornAtEveryByte) {
  llvm::cantFail(writeSyntheticTrace(
      {.passes = 3, .lines = 4, .buffers = 1, .intervals = 1, .facetsEvery = 2}, path()));
  std::string whole = text();
  for (size_t length = whole.find('\n') + 1; length < whole.size(); ++length) {
    write(llvm::StringRef(whole).take_front(length));
    SCOPED_TRACE(length);
    expectLazyIsEager(path());
    if (HasFailure())
      return;
  }
}

TEST_F(TraceFileTest, TracesOfFormat10AreScanned) {
  std::string whole = smallTrace();
  auto drop = [&](const std::string &from, const std::string &to) {
    size_t begin = whole.find(from);
    ASSERT_NE(begin, std::string::npos);
    whole.replace(begin, whole.find(to, begin) - begin, "");
  };
  drop(",\"records\":[", "}\n");
  for (int record = 0; record != 7; ++record)
    drop("\"count\":", "\"lines\":[[");
  whole.replace(whole.find("\"minor\":9"), 9, "\"minor\":0");
  write(whole);
  expectLazyIsEager(path());
  EXPECT_EQ(open()->trace().recovery, "");
}

TEST_F(TraceFileTest, ANewerMinorVersionIsOpenedAndSaid) {
  std::string whole = smallTrace();
  whole.replace(whole.find("\"minor\":9"), 9, "\"minor\":10");
  whole.erase(whole.find("synthetic.py"), 1); // the index counts bytes
  write(whole);
  expectLazyIsEager(path());
  EXPECT_EQ(
      open()->trace().recovery,
      "the trace has format 1.10, and this program reads 1.9: what is newer in it is left out");
}

TEST_F(TraceFileTest, ANewerMajorVersionIsRefused) {
  write("{\"record\":\"trace\",\"major\":2,\"minor\":3}\n");
  llvm::Expected<std::unique_ptr<TraceFile>> file = TraceFile::open(path());
  ASSERT_FALSE(file);
  EXPECT_EQ(llvm::toString(file.takeError()),
            "'" + path() + "' has trace format 2.3; this program reads up to 1.x");
}

// The trace is what it was; only the index lies.
TEST_F(TraceFileTest, AnIndexThatLiesIsLeftAside) {
  std::string whole = smallTrace();
  size_t records = whole.find("\"records\":");
  auto planted = [&](const std::string &from, const std::string &to) {
    std::string text = whole;
    size_t at = text.find(from, records);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    return text;
  };
  Trace eager = llvm::cantFail(readTrace(whole, path()));
  for (const std::string &text :
       {planted("[\"trace\",", "[\"lines\","), planted("[\"time\",", "[\"weather\",9"),
        planted("[\"trace\",", "[\"trace\",9"), planted("[\"passEnd\",", "[\"time\","),
        planted("[\"lines\",", "[\"lines\",99999999999999999999"),
        planted("[\"time\",", "[\"passEnd\","), planted("[\"lines\",", "[\"lines\",-"),
        planted("[\"time\",", "[\"time\",0,0],[\"time\",")}) {
    if (text == whole)
      continue;
    write(text);
    auto file = open();
    ASSERT_EQ(file->trace().passes.size(), eager.passes.size()) << text.substr(records);
    EXPECT_TRUE(llvm::StringRef(file->trace().recovery).contains("index")) << text.substr(records);
    for (size_t pass = 0; pass != eager.passes.size(); ++pass) {
      llvm::cantFail(file->load(pass));
      expectSameState(file->trace(), eager, eager.passes[pass].snapshot);
    }
  }
}

TEST_F(TraceFileTest, ALieThatIsFoundLateIsSaid) {
  std::string whole = smallTrace();
  size_t lines = whole.find("[\"lines\",", whole.find("\"records\":"));
  size_t count = whole.find(",40]", lines);
  ASSERT_NE(count, std::string::npos);
  whole.replace(count, 4, ",41]");
  write(whole);
  auto file = open();
  std::string error = llvm::toString(file->load(0));
  EXPECT_TRUE(llvm::StringRef(error).contains("does not bring as many lines")) << error;
  EXPECT_FALSE(file->isLoaded(0));
  EXPECT_TRUE(llvm::StringRef(file->trace().recovery).contains("as many lines"));
  // A small file is loaded at once, so the lie is found in time.
  auto small = open(TraceFileOptions());
  EXPECT_TRUE(llvm::StringRef(small->trace().recovery).contains("so it was scanned"));
  EXPECT_TRUE(small->isLoaded(0));
}

TEST_F(TraceFileTest, SurvivesChangedBytes) {
  std::string whole = smallTrace();
  std::mt19937 random(11);
  for (int round = 0; round != 600; ++round) {
    std::string text = whole;
    for (unsigned changes = 1 + random() % 3; changes != 0; --changes)
      text[random() % text.size()] = "0919\"{}[],:\n\xff-e"[random() % 15];
    if (round % 5 == 0)
      text.resize(random() % text.size());
    write(text);
    llvm::Expected<std::unique_ptr<TraceFile>> file = TraceFile::open(path(), Lazy);
    if (!file) {
      llvm::consumeError(file.takeError());
      continue;
    }
    for (size_t pass = 0; pass != (*file)->trace().passes.size(); ++pass)
      llvm::consumeError((*file)->load(pass));
  }
}

TEST_F(TraceFileTest, SaysWhyNothingCanBeOpened) {
  auto errorOf = [](const std::string &path) {
    llvm::Expected<std::unique_ptr<TraceFile>> file = TraceFile::open(path);
    return file ? "" : llvm::toString(file.takeError());
  };
  EXPECT_EQ(errorOf("/nowhere/t"), "cannot read '/nowhere/t': No such file or directory");
  EXPECT_EQ(errorOf("/tmp"), "cannot read '/tmp': Is a directory");
  EXPECT_EQ(errorOf(path()), "'" + path() + "' is not a Tilescope trace");
}

} // namespace
