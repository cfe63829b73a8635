// Blocks that wait for each other, each on a thread of the CPU of its own, of which one runs at a
// time:
//
//     block 0   runs to the barrier |                    runs on ...
//     block 1                       | runs to the barrier            runs on ...
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

namespace tilescope {

class LiveBlocks {
public:
  static constexpr int64_t Most = 1024;

  // Calls `runBlock` for each number below `count`; `onMeeting` whenever all have met.
  void run(int64_t count, llvm::function_ref<void(int64_t block)> runBlock,
           llvm::function_ref<void()> onMeeting);
  // In the block that runs: until all are here. False: others have ended, and will not come.
  bool meet() {
    giveUpTurn(State::Meets);
    return !isBroken_;
  }
  // In the block that runs: others run until it can go on. False: none of them can.
  bool await(llvm::function_ref<bool()> canGoOn);

private:
  static constexpr int64_t Nobody = -1;
  enum class State : uint8_t { Runs, Waits, Meets, Ended };

  void giveTurn(std::unique_lock<std::mutex> &lock, int64_t block);
  void giveUpTurn(State state);
  void waitForTurn(std::unique_lock<std::mutex> &lock, int64_t block);
  void endRound(llvm::function_ref<void()> onMeeting);

  std::mutex mutex_;
  std::condition_variable turned_;
  int64_t turn_ = Nobody; // the block that runs; Nobody: who gives turns
  std::vector<State> states_;
  bool isBroken_ = false;   // some have ended while others met
  bool haveGoneOn_ = false; // some, in this round of turns
  bool isStuck_ = false;    // none has in the last one
};

} // namespace tilescope
