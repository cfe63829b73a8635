// Run alone: unit_tests --gtest_filter='LayoutLock*'
#include "core/diff/layout_lock.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

LockedArena arena() {
  LockedArena result;
  result.peakBytes = 49152;
  result.blocksPerSm = 3;
  result.proof = "optimal";
  result.buffers["A"] = {0, 24576, 3, true};
  result.buffers["B"] = {24576, 24576, 3, true};
  result.buffers["C"] = {0, 32768, 1, false};
  return result;
}

// "grew: peak ..." a line.
std::string changes(const LockedArena &then, const LockedArena &now) {
  static constexpr const char *Kinds[] = {"grew: ", "shrank: ", "changed: "};
  std::string text;
  for (const LockChange &change : compareLocked({{"f", then}}, {{"f", now}}))
    text += Kinds[static_cast<size_t>(change.kind)] + change.text + "\n";
  return text;
}

std::string errorOfLock(llvm::StringRef text) {
  llvm::Expected<LayoutLock> lock = readLock(text, "l.json");
  return lock ? "" : llvm::toString(lock.takeError());
}

TEST(LayoutLockTest, IsReadBackAsWritten) {
  LayoutLock lock;
  lock.targets = {"sm_80", "sm_90a"};
  lock.files["gemm.py"]["f --set M=1"] = {{"f_kernel", arena()}};
  lock.files["gemm.py"]["f --set M=2"] = {{"f_kernel", arena()}};
  lock.files["gemm.py"]["f --set M=2"]["f_kernel"].registers = {255, 8, 1};
  lock.files["none.py"]["g"] = {};
  std::string text = writeLock(lock);
  EXPECT_EQ(llvm::cantFail(readLock(text, "l.json")), lock);
  EXPECT_EQ(writeLock(lock), text);
}

TEST(LayoutLockTest, NothingChanged) { EXPECT_EQ(changes(arena(), arena()), ""); }

TEST(LayoutLockTest, SaysWhatGrewByHowMuch) {
  LockedArena now = arena();
  now.peakBytes = 57344;
  now.blocksPerSm = 2;
  now.buffers["A"] = {0, 32768, 4, true};
  now.buffers["B"].offsetBytes = 32768;
  EXPECT_EQ(changes(arena(), now), "grew: peak 49,152 -> 57,344 bytes (+8,192)\n"
                                   "grew: 3 -> 2 blocks/SM\n"
                                   "grew: 'A' 24,576 -> 32,768 bytes (+8,192), 3 -> 4 versions\n"
                                   "changed: 1 buffer lies elsewhere\n");
  EXPECT_EQ(changes(now, arena()), "shrank: peak 57,344 -> 49,152 bytes (-8,192)\n"
                                   "shrank: 2 -> 3 blocks/SM\n"
                                   "changed: 'A' 32,768 -> 24,576 bytes (-8,192), 4 -> 3 "
                                   "versions\n"
                                   "changed: 1 buffer lies elsewhere\n");
}

TEST(LayoutLockTest, StaticBytesCount) {
  LockedArena now = arena();
  now.staticBytes = 1024;
  EXPECT_EQ(changes(arena(), now), "grew: static 0 -> 1,024 bytes (+1,024)\n");
}

TEST(LayoutLockTest, ABufferIsNewAtThePeak) {
  LockedArena now = arena();
  now.buffers["C"].atPeak = true;
  EXPECT_EQ(changes(arena(), now), "grew: 'C' is new at the peak: 32,768 bytes\n");
  now.peakBytes = 40960; // a lower peak with other members is no growth
  EXPECT_EQ(changes(arena(), now), "shrank: peak 49,152 -> 40,960 bytes (-8,192)\n"
                                   "changed: 'C' is new at the peak: 32,768 bytes\n");
}

TEST(LayoutLockTest, GrowthAwayFromThePeakIsAChange) {
  LockedArena now = arena();
  now.buffers["C"].sizeBytes = 40960;
  EXPECT_EQ(changes(arena(), now), "changed: 'C' 32,768 -> 40,960 bytes (+8,192)\n");
  now.buffers.erase("C");
  now.proof = "gap";
  EXPECT_EQ(changes(arena(), now), "changed: proof optimal -> gap\nchanged: 'C' is gone\n");
}

TEST(LayoutLockTest, RegistersCountWhereFewerBlocksFitOrMoreIsSpilled) {
  LockedArena then = arena(), now = arena();
  then.registers = {64, 0, 4};
  now.registers = {72, 0, 4};
  EXPECT_EQ(changes(then, now), "changed: 64 -> 72 registers of a thread, 4 blocks/SM with them\n");
  now.registers.blocksWithRegisters = 3;
  EXPECT_EQ(changes(then, now),
            "grew: 64 -> 72 registers of a thread, 4 -> 3 blocks/SM with them\n");
  EXPECT_EQ(changes(now, then),
            "shrank: 72 -> 64 registers of a thread, 3 -> 4 blocks/SM with them\n");
  now.registers = {64, 16, 4};
  EXPECT_EQ(changes(then, now), "grew: 64 registers of a thread, 4 blocks/SM with them, 0 -> 16 "
                                "bytes spilled\n");
  EXPECT_FALSE(haveRegistersOnOneSide({{"f", then}}, {{"f", now}}));
  now.registers = {};
  EXPECT_EQ(changes(then, now), "");
  EXPECT_TRUE(haveRegistersOnOneSide({{"f", then}}, {{"f", now}}));
}

TEST(LayoutLockTest, FunctionsComeAndGo) {
  std::vector<LockChange> come = compareLocked({}, {{"f", arena()}});
  ASSERT_EQ(come.size(), 1U);
  EXPECT_EQ(come[0].kind, LockChangeKind::Grew);
  EXPECT_EQ(come[0].function, "f");
  std::vector<LockChange> gone = compareLocked({{"f", arena()}}, {});
  ASSERT_EQ(gone.size(), 1U);
  EXPECT_EQ(gone[0].kind, LockChangeKind::Shrank);
}

TEST(LayoutLockTest, RefusesWhatIsNoLock) {
  EXPECT_EQ(errorOfLock(""), "'l.json' is no layout lock: no JSON object");
  EXPECT_EQ(errorOfLock("[1]"), "'l.json' is no layout lock: no JSON object");
  EXPECT_EQ(errorOfLock("{}"), "'l.json' is no layout lock: it has no format number");
  EXPECT_EQ(errorOfLock(R"({"format": 2})"), "'l.json' has lock format 2; this program reads 1");
  EXPECT_EQ(errorOfLock(R"({"format": 1, "files": []})"),
            "'l.json' is no layout lock: field 'files' has a wrong type or value");
  EXPECT_EQ(errorOfLock(R"({"format": 1})"), "'l.json' is no layout lock: it names no target");
  for (const char *figure : {"-1", "9223372036854775807"})
    EXPECT_EQ(
        errorOfLock(
            std::string(
                R"({"format": 1, "targets": ["sm_80"], "files": {"k.py": {"f": {"f": {"peakBytes": )") +
            figure + "}}}}}"),
        "'l.json' is no layout lock: it has a figure below zero, or one that no kernel reaches");
  std::string deep(100'000, '[');
  EXPECT_EQ(errorOfLock("{\"format\": 1, \"files\": " + deep),
            "'l.json' is no layout lock: no JSON object");
}

} // namespace
