// A thread that answers the newest request.
// Run alone: unit_tests --gtest_filter='NewestRequestTest.*'
#include "core/session/newest_request.h"

#include <gtest/gtest.h>

#include <semaphore>

namespace tilescope {
namespace {

// Answers a number with its square. The number 2 first publishes 3, then waits until it may go on.
class NewestRequestTest : public testing::Test {
protected:
  using Squares = NewestRequest<int, int>;

  Squares::Answer answer() {
    return [this](const int &number, const Squares::Task &task) {
      if (number == 2) {
        task.publish(3);
        isHeld.release();
        mayGoOn.acquire();
        task.publish(-3);
        wasStopped = task.stop.load();
      }
      return number * number;
    };
  }

  static void waitFor(const Squares &squares) {
    while (squares.isBusy())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  std::binary_semaphore isHeld{0}, mayGoOn{0};
  std::atomic<bool> wasStopped = false;
  std::atomic<int> wakes = 0;
};

TEST_F(NewestRequestTest, OnlyTheNewestIsAnswered) {
  Squares squares(answer(), [&] { ++wakes; });
  EXPECT_FALSE(squares.isBusy());
  EXPECT_EQ(squares.take(), std::nullopt);
  squares.ask(2);
  isHeld.acquire();
  // What is known so far can be had, once.
  EXPECT_TRUE(squares.isBusy());
  EXPECT_EQ(squares.take(), 3);
  EXPECT_EQ(squares.take(), std::nullopt);
  for (int number : {4, 5, 6})
    squares.ask(number);
  mayGoOn.release();
  waitFor(squares);
  EXPECT_TRUE(wasStopped);
  EXPECT_EQ(squares.take(), 36);
  EXPECT_EQ(wakes, 2);
}

TEST_F(NewestRequestTest, WhatIsDroppedLeavesNothing) {
  Squares squares(answer(), [&] { ++wakes; });
  squares.ask(2);
  isHeld.acquire();
  squares.ask(4);
  squares.drop();
  mayGoOn.release();
  waitFor(squares);
  EXPECT_TRUE(wasStopped);
  EXPECT_EQ(squares.take(), std::nullopt);
  EXPECT_EQ(wakes, 1);
}

TEST_F(NewestRequestTest, WithPatienceWhatIsBegunIsAnsweredToo) {
  Squares squares(answer(), [&] { ++wakes; }, std::chrono::hours(1));
  squares.ask(2);
  isHeld.acquire();
  squares.ask(4);
  squares.ask(5);
  mayGoOn.release();
  waitFor(squares);
  EXPECT_FALSE(wasStopped);
  EXPECT_EQ(squares.take(), 25);
  EXPECT_EQ(wakes, 4); // 3, -3, 4 and 25
}

} // namespace
} // namespace tilescope
