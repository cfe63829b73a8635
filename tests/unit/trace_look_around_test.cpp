// Facets that are read on another thread before somebody asks for them.
// Run alone: unit_tests --gtest_filter='TraceLookAround*'
#include "tests/unit/trace_file_fixture.h"

#include <semaphore>

using namespace tilescope;
using namespace tilescope::test;

namespace {

// Facets change with passes 0, 3 and 6.
class TraceLookAroundTest : public TraceFileFixture {
protected:
  void SetUp() override {
    TraceFileFixture::SetUp();
    smallTrace();
    eager = llvm::cantFail(readTraceFile(path()));
  }

  std::vector<TraceSnapshot> look(TraceFile &file, size_t pass, bool goesBack = false) {
    return file.lookAround(pass, goesBack, [this] { woken.release(); });
  }

  Trace eager;
  std::counting_semaphore<> woken{0};
};

TEST_F(TraceLookAroundTest, GivesWhatLoadTakes) {
  auto file = open();
  llvm::cantFail(file->load(1));
  EXPECT_TRUE(look(*file, 1).empty());
  woken.acquire();
  std::vector<TraceSnapshot> ahead = look(*file, 1);
  ASSERT_EQ(ahead.size(), 1U); // the facets before the pass are its own
  EXPECT_TRUE(ahead[0].lines->empty());
  EXPECT_EQ(*ahead[0].arenas, *eager.snapshots[3].arenas);
  EXPECT_FALSE(file->isLoaded(3));
  llvm::cantFail(file->load(3));
  expectSameState(file->trace(), eager, 3);
  EXPECT_EQ(file->trace().snapshots[3].accesses, ahead[0].accesses);
  EXPECT_EQ(file->trace().snapshots[3].arenas, ahead[0].arenas);
}

TEST_F(TraceLookAroundTest, LooksToBothSidesOneAfterTheOther) {
  auto file = open();
  llvm::cantFail(file->load(4));
  look(*file, 4, /*goesBack=*/true);
  woken.acquire();
  std::vector<TraceSnapshot> ahead = look(*file, 4, /*goesBack=*/true);
  ASSERT_EQ(ahead.size(), 1U);
  EXPECT_EQ(*ahead[0].buffers, *eager.snapshots[2].buffers);
  woken.acquire();
  ahead = look(*file, 4, /*goesBack=*/true);
  ASSERT_EQ(ahead.size(), 2U);
  EXPECT_EQ(*ahead[1].buffers, *eager.snapshots[6].buffers);
  EXPECT_FALSE(woken.try_acquire());
}

TEST_F(TraceLookAroundTest, ThenReadsTheFirstAndTheLast) {
  auto file = open();
  llvm::cantFail(file->load(6));
  look(*file, 6);
  for (int state = 0; state != 2; ++state) {
    woken.acquire();
    look(*file, 6);
  }
  std::vector<TraceSnapshot> ahead = look(*file, 6);
  ASSERT_EQ(ahead.size(), 2U); // the facets after the pass are its own
  EXPECT_EQ(*ahead[0].arenas, *eager.snapshots[3].arenas);
  EXPECT_EQ(*ahead[1].buffers, *eager.snapshots[0].buffers);
  EXPECT_FALSE(woken.try_acquire());
}

TEST_F(TraceLookAroundTest, LoadWaitsForWhatIsRead) {
  for (int round = 0; round != 20; ++round) {
    auto file = open();
    llvm::cantFail(file->load(2));
    look(*file, 2);
    llvm::cantFail(file->load(3));
    expectSameState(file->trace(), eager, 3);
    look(*file, 3); // the file is closed while this is read
  }
}

TEST_F(TraceLookAroundTest, WhatMakesNoSenseIsReadOnce) {
  std::string damaged = text();
  size_t second =
      damaged.find("{\"record\":\"arenas\"", damaged.find("{\"record\":\"arenas\"") + 1);
  size_t field = damaged.find("\"heightBytes\":", second) + sizeof("\"heightBytes\":") - 1;
  ASSERT_LT(field, damaged.size());
  damaged[field] = 'x';
  write(damaged);
  auto file = open();
  llvm::cantFail(file->load(1));
  look(*file, 1);
  woken.acquire();
  EXPECT_TRUE(look(*file, 1).empty());
  woken.acquire();
  for (int frame = 0; frame != 3; ++frame) {
    std::vector<TraceSnapshot> ahead = look(*file, 1);
    ASSERT_EQ(ahead.size(), 1U);
    EXPECT_EQ(*ahead[0].buffers, *eager.snapshots[6].buffers);
  }
  EXPECT_FALSE(woken.try_acquire());
  EXPECT_TRUE(bool(llvm::errorToBool(file->load(3))));
  EXPECT_TRUE(llvm::StringRef(file->trace().recovery).contains("state 3 cannot be shown"));
}

TEST_F(TraceLookAroundTest, AFileThatIsLoadedWholeGivesNone) {
  auto file = open(TraceFileOptions());
  EXPECT_TRUE(look(*file, 1).empty());
  EXPECT_FALSE(woken.try_acquire());
}

} // namespace
