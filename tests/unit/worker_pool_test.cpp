// Run alone: unit_tests --gtest_filter='WorkerPool*'
//
// What a point does to its process is said of that point alone. The processes are real.
#include "core/sweep/worker_pool.h"

#include <gtest/gtest.h>

#include <csignal>
#include <map>
#include <poll.h>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tilescope;

namespace {

constexpr std::chrono::milliseconds Long(600'000), Short(50);

using Rows = std::map<uint64_t, SweepRow>;
using OnPoint = std::function<void(uint64_t point, PoolLine &line)>;

SweepRow rowOf(uint64_t point, std::string error = "") {
  SweepRow row{point, std::move(error), "", {}};
  row.figures.medianNs = static_cast<int64_t>(point);
  return row;
}

// Each of its `atOnce` threads takes points; so many processes run.
PoolRequest requestOf(uint64_t points, size_t workers, size_t atOnce, const OnPoint &onPoint) {
  PoolRequest request;
  for (uint64_t point = 0; point != points; ++point)
    request.points.push_back(point);
  request.workers = workers;
  request.atOnce = atOnce;
  request.limit = Long;
  request.work = [=](size_t /*worker*/, PoolLine &line) {
    std::vector<std::thread> threads;
    for (size_t i = 0; i != atOnce; ++i)
      threads.emplace_back([&] {
        while (std::optional<uint64_t> point = line.next())
          onPoint(*point, line);
      });
    for (std::thread &thread : threads)
      thread.join();
  };
  return request;
}

// Each point has one row.
Rows rowsOf(const PoolRequest &request) {
  Rows rows;
  llvm::cantFail(runPool(request, [&](SweepRow row) {
    EXPECT_TRUE(rows.emplace(row.point, row).second) << row.point;
    return llvm::Error::success();
  }));
  EXPECT_EQ(rows.size(), request.points.size());
  return rows;
}

std::set<uint64_t> failedOf(const Rows &rows) {
  std::set<uint64_t> failed;
  for (const auto &[point, row] : rows)
    if (!row.error.empty())
      failed.insert(point);
  return failed;
}

TEST(WorkerPoolTest, EveryWorkerHasAProcess) {
  PoolRequest request = requestOf(40, 3, 2, {});
  request.work = [](size_t worker, PoolLine &line) {
    while (std::optional<uint64_t> point = line.next()) {
      SweepRow row = rowOf(*point);
      row.figures.barriers = static_cast<int64_t>(worker);
      row.figures.registers = getpid();
      line.finish(row, /*isSpoiled=*/false);
    }
  };
  std::set<int64_t> workers, processes{getpid()};
  for (const auto &[point, row] : rowsOf(request)) {
    EXPECT_EQ(row.figures.medianNs, static_cast<int64_t>(point));
    workers.insert(row.figures.barriers);
    processes.insert(*row.figures.registers);
  }
  EXPECT_EQ(workers, (std::set<int64_t>{0, 1, 2}));
  EXPECT_EQ(processes.size(), 4U);
}

TEST(WorkerPoolTest, ACrashIsTheErrorOfItsPoint) {
  for (size_t atOnce : {1, 4}) {
    Rows rows = rowsOf(requestOf(20, 2, atOnce, [](uint64_t point, PoolLine &line) {
      if (point == 7)
        kill(getpid(), SIGKILL);
      if (point == 13)
        _exit(3);
      line.finish(rowOf(point), /*isSpoiled=*/false);
    }));
    EXPECT_EQ(failedOf(rows), (std::set<uint64_t>{7, 13})) << atOnce;
    EXPECT_EQ(rows.at(7).error, "its process was ended by signal 9 (Killed)");
    EXPECT_EQ(rows.at(13).error, "its process ended, with exit code 3");
  }
}

TEST(WorkerPoolTest, OnlyThePointThatHasTheGpuIsTooLate) {
  PoolRequest request = requestOf(12, 2, 3, [](uint64_t point, PoolLine &line) {
    static std::atomic<bool> hangs = false; // in this process, and others of its points with it
    if (point == 5) {
      hangs = true;
      line.begin(point);
    }
    if (hangs)
      pause();
    line.finish(rowOf(point), /*isSpoiled=*/false);
  });
  request.limit = Short;
  request.late = "too late";
  Rows rows = rowsOf(request);
  EXPECT_EQ(failedOf(rows), std::set<uint64_t>{5});
  EXPECT_EQ(rows.at(5).error, "too late");
}

// Who comes behind it may need longer, as compiles do.
TEST(WorkerPoolTest, ThePointThatIsFinishedIsNotLate) {
  constexpr std::chrono::seconds Limit(2);
  PoolRequest request = requestOf(2, 1, 1, [=](uint64_t point, PoolLine &line) {
    if (point == 0)
      line.begin(point);
    else
      std::this_thread::sleep_for(Limit + std::chrono::milliseconds(500));
    line.finish(rowOf(point), /*isSpoiled=*/false);
  });
  request.limit = Limit;
  EXPECT_EQ(failedOf(rowsOf(request)), std::set<uint64_t>{});
}

// After a fault of one, a process says it of all others, too.
TEST(WorkerPoolTest, AFaultIsNotSaidOfOthers) {
  for (size_t atOnce : {1, 4}) {
    Rows rows = rowsOf(requestOf(20, 1, atOnce, [](uint64_t point, PoolLine &line) {
      static std::atomic<bool> isSpoiled = false;
      if (point == 9)
        isSpoiled = true;
      bool isNow = isSpoiled;
      line.finish(rowOf(point, isNow ? "illegal address" : ""), isNow);
    }));
    EXPECT_EQ(failedOf(rows), std::set<uint64_t>{9}) << atOnce;
    EXPECT_EQ(rows.at(9).error, "illegal address");
  }
}

TEST(WorkerPoolTest, WhatCannotBeTakenEndsIt) {
  PoolRequest request = requestOf(20, 2, 1, [](uint64_t point, PoolLine &line) {
    line.finish(rowOf(point), /*isSpoiled=*/false);
  });
  size_t taken = 0;
  llvm::Error error = runPool(request, [&](const SweepRow &) -> llvm::Error {
    return ++taken == 3 ? llvm::createStringError("disk full") : llvm::Error::success();
  });
  EXPECT_EQ(llvm::toString(std::move(error)), "disk full");
  EXPECT_EQ(taken, 3U);
}

// Its processes are gone when it returns, whatever they did.
TEST(WorkerPoolTest, AStopEndsItsProcesses) {
  std::atomic<bool> stop = false;
  PoolRequest request = requestOf(4, 2, 1, [](uint64_t point, PoolLine &line) {
    if (point != 0)
      pause();
    SweepRow row = rowOf(point);
    row.figures.registers = getpid();
    line.finish(row, /*isSpoiled=*/false);
  });
  request.stop = &stop;
  pid_t process = 0;
  llvm::Error error = runPool(request, [&](const SweepRow &row) {
    process = static_cast<pid_t>(*row.figures.registers);
    stop = true;
    return llvm::Error::success();
  });
  EXPECT_EQ(llvm::toString(std::move(error)), "stopped");
  ASSERT_NE(process, 0);
  EXPECT_EQ(kill(process, 0), -1);
}

// So they are where nobody could end them.
TEST(WorkerPoolTest, AKilledPoolLeavesNoProcess) {
  int toTest[2];
  ASSERT_EQ(pipe(toTest), 0);
  pid_t pool = fork();
  ASSERT_GE(pool, 0);
  if (pool == 0) {
    PoolRequest request = requestOf(1, 1, 1, [&](uint64_t, PoolLine &) {
      pid_t self = getpid();
      (void)!write(toTest[1], &self, sizeof self);
      pause();
    });
    llvm::consumeError(runPool(request, [](const SweepRow &) { return llvm::Error::success(); }));
    _exit(0);
  }
  close(toTest[1]);
  pid_t process = 0;
  EXPECT_EQ(read(toTest[0], &process, sizeof process), static_cast<ssize_t>(sizeof process));
  kill(pool, SIGKILL);
  EXPECT_EQ(waitpid(pool, nullptr, 0), pool);
  // Who lives holds the other end.
  pollfd end{toTest[0], 0, 0}; // POLLHUP
  bool isGone = poll(&end, 1, /*timeout=*/30'000) == 1;
  EXPECT_TRUE(isGone);
  if (!isGone)
    kill(process, SIGKILL);
  close(toTest[0]);
}

TEST(WorkerPoolTest, AProcessAnswers) {
  std::string text(100'000, 'x');
  pid_t self = getpid();
  EXPECT_EQ(llvm::cantFail(askProcess([&] { return getpid() == self ? "" : text; })), text);
  llvm::Expected<std::string> none = askProcess([]() -> std::string { _exit(4); });
  ASSERT_FALSE(none);
  EXPECT_EQ(llvm::toString(none.takeError()), "its process ended, with exit code 4");
}

} // namespace
