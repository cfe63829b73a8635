// Run alone: unit_tests --gtest_filter='Shadow.*'
#include "core/exec/shadow.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

const Seq First({StmtId(1), {}, {}, {}}, {});
const Seq Second({StmtId(2), {}, {}, {}}, {});
const BufferId Tile(1), OtherTile(2);

// What threads do, one after the other, with their barriers counted.
class Watched {
public:
  explicit Watched(bool isWritten = false) : shadow_(8, isWritten) {}

  // The threads that act from here on come through one more barrier first.
  void blockBarrier() { now_ = {now_.block + 1, now_.warp + 1}; }
  void warpBarrier() { ++now_.warp; }
  void setBlock(int64_t block) { block_ = block; }

  std::string write(uint32_t thread, UnitRange units = {0, 4}, bool changes = true) {
    return text(shadow_.write(units, actor(thread, First, Tile), changes), thread);
  }
  std::string read(uint32_t thread, UnitRange units = {0, 4}, BufferId buffer = Tile) {
    return text(shadow_.read(units, actor(thread, Second, buffer)), thread);
  }
  std::string update(uint32_t thread) {
    return text(shadow_.access(AtomicAccess::Update, {0, 4}, actor(thread, First, Tile)), thread);
  }
  std::string beginCopy(uint32_t thread) {
    return text(shadow_.beginCopy({0, 4}, actor(thread, First, Tile)), thread);
  }
  void endCounted(uint32_t counter, uint32_t phase) {
    shadow_.endCounted({0, 4}, {counter, phase}, now_, block_);
  }
  // Those that act from here on know of so many phases.
  void learnOf(uint32_t counter, uint32_t phases) { phases_[counter] = phases; }
  void endCopy(uint32_t thread) { shadow_.endCopy({0, 4}, actor(thread, First, Tile)); }

  Shadow &shadow() { return shadow_; }

private:
  Actor actor(uint32_t thread, const Stmt &stmt, BufferId buffer) const {
    return {block_, thread, now_, &stmt, buffer, nullptr, nullptr, nullptr, &phases_};
  }

  // "": no conflict.
  std::string text(const std::optional<Shadow::Conflict> &conflict, uint32_t thread) const {
    if (!conflict)
      return "";
    std::string key = keyOf(conflict->kind).str();
    return conflict->kind == FindingKind::Race
               ? key + " of " + conflict->text(actor(thread, First, Tile))
               : key;
  }

  Shadow shadow_;
  Moment now_;
  int64_t block_ = 0;
  PhaseCounts phases_ = {};
};

TEST(Shadow, ReadOfWhatNobodyWrote) {
  Watched memory;
  EXPECT_EQ(memory.read(0), "uninitialised-read");
  EXPECT_EQ(Watched(/*isWritten=*/true).read(0), "");
}

TEST(Shadow, CopyThatAnMbarrierCounts) {
  Watched memory;
  EXPECT_EQ(memory.beginCopy(0), "");
  EXPECT_EQ(memory.read(64), "read-in-flight");
  memory.endCounted(3, 2);
  memory.learnOf(4, 2);
  memory.learnOf(3, 1);
  EXPECT_EQ(memory.read(0), "read-in-flight");
  EXPECT_EQ(memory.write(64, {0, 4}, /*changes=*/false), "");
  EXPECT_EQ(memory.read(0), "read-in-flight");
  memory.learnOf(3, 2);
  EXPECT_EQ(memory.read(0), "");
  EXPECT_EQ(memory.read(64), "");
}

TEST(Shadow, WriteOverACopyThatAnMbarrierCounts) {
  Watched memory;
  EXPECT_EQ(memory.beginCopy(0), "");
  memory.endCounted(0, 1);
  EXPECT_EQ(memory.write(64), "write-in-flight");
}

TEST(Shadow, BarrierBehindTheWaitForACopy) {
  Watched memory;
  EXPECT_EQ(memory.beginCopy(0), "");
  memory.endCounted(0, 1);
  EXPECT_EQ(memory.read(64), "read-in-flight");
  memory.blockBarrier();
  EXPECT_EQ(memory.read(64), "");
}

TEST(Shadow, OneUnitOfManyIsEnough) {
  Watched memory;
  EXPECT_EQ(memory.write(0, {0, 3}), "");
  EXPECT_EQ(memory.read(0, {0, 3}), "");
  EXPECT_EQ(memory.read(0, {2, 4}), "uninitialised-read");
}

TEST(Shadow, AThreadIsInOrderWithItself) {
  Watched memory;
  EXPECT_EQ(memory.write(3), "");
  EXPECT_EQ(memory.read(3), "");
  EXPECT_EQ(memory.write(3), "");
}

TEST(Shadow, ReadAfterWriteOfAnotherThread) {
  Watched memory;
  memory.write(0);
  EXPECT_EQ(memory.read(1), "race of threads 0 and 1");
  memory.blockBarrier();
  EXPECT_EQ(memory.read(1), "");
  EXPECT_EQ(memory.read(40), "");
}

TEST(Shadow, WriteAfterReadOfAnotherThread) {
  Watched memory(/*isWritten=*/true);
  memory.read(0);
  EXPECT_EQ(memory.write(1), "race of threads 0 and 1");
  memory.blockBarrier();
  memory.read(0);
  memory.blockBarrier();
  EXPECT_EQ(memory.write(1), "");
}

TEST(Shadow, WriteAfterWriteOfAnotherThread) {
  Watched memory;
  memory.write(0);
  EXPECT_EQ(memory.write(1), "race of threads 0 and 1");
  memory.blockBarrier();
  EXPECT_EQ(memory.write(0), "");
}

TEST(Shadow, WritesOfTheSameValueDoNotRace) {
  Watched memory;
  memory.write(0);
  EXPECT_EQ(memory.write(1, {0, 4}, /*changes=*/false), "");
}

// Of warps that have come through different numbers of their own barriers.
TEST(Shadow, ABarrierOfTheWarpOrdersItsThreadsAlone) {
  Watched memory;
  memory.write(0);
  memory.warpBarrier();
  EXPECT_EQ(memory.read(31), "");
  EXPECT_EQ(memory.read(32), "race of threads 0 and 32");
}

TEST(Shadow, AWriteMustComeAfterEachOfSeveralReaders) {
  Watched memory(/*isWritten=*/true);
  memory.read(0);
  memory.read(1);
  EXPECT_EQ(memory.write(1), "race of threads 0, 1 and others");
}

TEST(Shadow, SeveralReadersOfOneWarpAreOrderedByItsBarrier) {
  Watched memory(/*isWritten=*/true);
  memory.read(0);
  memory.read(1);
  memory.warpBarrier();
  EXPECT_EQ(memory.write(2), "");
}

TEST(Shadow, ReadersOfSeveralWarpsAreNotOrderedByABarrierOfOne) {
  Watched memory(/*isWritten=*/true);
  memory.read(0);
  memory.read(32);
  memory.warpBarrier();
  EXPECT_EQ(memory.write(32), "race of threads 0, 32 and others");
  memory.blockBarrier();
  EXPECT_EQ(memory.write(0), "");
}

TEST(Shadow, ReadersBeforeABarrierAreForgotten) {
  Watched memory(/*isWritten=*/true);
  memory.read(0);
  memory.read(40);
  memory.blockBarrier();
  memory.read(7);
  EXPECT_EQ(memory.write(7), "");
}

TEST(Shadow, BlocksAreNeverInOrder) {
  Watched memory(/*isWritten=*/true);
  memory.write(0);
  memory.blockBarrier();
  memory.setBlock(1);
  EXPECT_EQ(memory.read(0), "race of thread 0 of block 0 and thread 0 of block 1");
}

TEST(Shadow, ReadersOfSeveralBlocksAreAllRemembered) {
  Watched memory(/*isWritten=*/true);
  memory.read(3);
  memory.setBlock(1);
  EXPECT_EQ(memory.read(4), "");
  EXPECT_EQ(memory.write(4), "race of thread 3 of block 0, thread 4 of block 1 and others");
}

TEST(Shadow, AtomicUpdatesDoNotRaceWithEachOther) {
  Watched memory(/*isWritten=*/true);
  EXPECT_EQ(memory.update(0), "");
  EXPECT_EQ(memory.update(40), "");
  memory.setBlock(1);
  EXPECT_EQ(memory.update(0), "");
}

TEST(Shadow, AtomicUpdatesRaceWithReadsAndWrites) {
  Watched read(/*isWritten=*/true);
  read.update(0);
  EXPECT_EQ(read.read(1), "race of threads 0 and 1");

  Watched readBefore(/*isWritten=*/true);
  readBefore.read(0);
  EXPECT_EQ(readBefore.update(1), "race of threads 0 and 1");

  Watched written(/*isWritten=*/true);
  written.write(0);
  EXPECT_EQ(written.update(1), "race of threads 0 and 1");

  Watched writtenAfter(/*isWritten=*/true);
  writtenAfter.update(0);
  EXPECT_EQ(writtenAfter.write(1), "race of threads 0 and 1");
}

TEST(Shadow, AnAtomicUpdateReads) {
  Watched memory;
  EXPECT_EQ(memory.update(0), "uninitialised-read");
}

TEST(Shadow, AccessesWhileACopyIsInFlight) {
  Watched memory;
  EXPECT_EQ(memory.beginCopy(0), "");
  memory.blockBarrier();
  EXPECT_EQ(memory.read(0), "read-in-flight");
  EXPECT_EQ(memory.update(0), "read-in-flight");
  EXPECT_EQ(memory.beginCopy(0), "write-in-flight");
  memory.endCopy(0);
  memory.blockBarrier();
  EXPECT_EQ(memory.read(1), "");
  EXPECT_EQ(memory.write(1), "");
}

TEST(Shadow, AWriteOverACopyInFlight) {
  Watched memory;
  memory.beginCopy(0);
  EXPECT_EQ(memory.write(0), "write-in-flight");
}

// It is its own thread that waits, so others meet it behind that wait.
TEST(Shadow, AnEndedCopyIsAWriteOfTheMomentOfItsWait) {
  Watched memory;
  memory.beginCopy(0);
  memory.blockBarrier();
  memory.endCopy(0);
  EXPECT_EQ(memory.read(0), "");
  EXPECT_EQ(memory.read(1), "race of threads 0 and 1");
}

TEST(Shadow, ACopyOverWhatIsStillRead) {
  Watched memory(/*isWritten=*/true);
  memory.read(1);
  EXPECT_EQ(memory.beginCopy(0), "race of threads 1 and 0");
}

TEST(Shadow, BytesOfAnotherBuffer) {
  Watched memory;
  memory.write(0);
  memory.blockBarrier();
  EXPECT_EQ(memory.read(0, {0, 4}, OtherTile), "other-buffer");
  EXPECT_EQ(memory.read(0), "");
}

TEST(Shadow, UpdatesOfManyComeBehindTheWriteBefore) {
  Watched memory;
  memory.write(0);
  EXPECT_EQ(memory.update(0), "");
  EXPECT_EQ(memory.update(1), "race of threads 0 and 1");
}

TEST(Shadow, AReadAmongUpdatesOfMany) {
  Watched memory;
  memory.write(0);
  memory.blockBarrier();
  EXPECT_EQ(memory.update(0), "");
  EXPECT_EQ(memory.update(40), "");
  EXPECT_EQ(memory.read(40), "race of threads 0, 40 and others");
  memory.blockBarrier();
  EXPECT_EQ(memory.read(40), "");
}

TEST(Shadow, AWriteThatKeepsTheValueHidesNobody) {
  Watched memory;
  memory.write(0);
  EXPECT_EQ(memory.write(1, {0, 4}, /*changes=*/false), "");
  EXPECT_EQ(memory.write(1), "race of threads 0, 1 and others");
  memory.blockBarrier();
  memory.read(0);
  EXPECT_EQ(memory.write(1, {0, 4}, /*changes=*/false), "");
  EXPECT_EQ(memory.write(1), "race of threads 0 and 1");
}

TEST(Shadow, BlocksOfAnyNumberAreTold) {
  Watched memory;
  memory.write(0);
  memory.setBlock(int64_t{1} << 32);
  EXPECT_EQ(memory.write(0), "race of thread 0 of block 0 and thread 0 of block 4294967296");
}

TEST(Shadow, KnowsWhoWroteLast) {
  Watched memory;
  EXPECT_EQ(memory.shadow().writerOf(0), nullptr);
  memory.write(0, {0, 1});
  EXPECT_EQ(memory.shadow().writerOf(0), &First);
  EXPECT_EQ(memory.shadow().writerOf(1), nullptr);
}

} // namespace
