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
  bool meet();

private:
  static constexpr int64_t Nobody = -1;

  void giveTurn(std::unique_lock<std::mutex> &lock, int64_t block);
  void waitForTurn(std::unique_lock<std::mutex> &lock, int64_t block);

  std::mutex mutex_;
  std::condition_variable turned_;
  int64_t turn_ = Nobody; // the block that runs; Nobody: who gives turns
  std::vector<bool> hasEnded_;
  bool isBroken_ = false; // some have ended while others waited
};

} // namespace tilescope
