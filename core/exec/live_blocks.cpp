#include "core/exec/live_blocks.h"

#include "llvm/ADT/STLExtras.h"

#include <thread>

namespace tilescope {

void LiveBlocks::giveTurn(std::unique_lock<std::mutex> &lock, int64_t block) {
  turn_ = block;
  turned_.notify_all();
  waitForTurn(lock, Nobody);
}

void LiveBlocks::waitForTurn(std::unique_lock<std::mutex> &lock, int64_t block) {
  turned_.wait(lock, [&] { return turn_ == block; });
}

void LiveBlocks::run(int64_t count, llvm::function_ref<void(int64_t)> runBlock,
                     llvm::function_ref<void()> onMeeting) {
  hasEnded_.assign(static_cast<size_t>(count), false);
  std::vector<std::thread> threads;
  for (int64_t block = 0; block != count; ++block)
    threads.emplace_back([this, block, runBlock] {
      std::unique_lock lock(mutex_);
      waitForTurn(lock, block);
      lock.unlock();
      runBlock(block);
      lock.lock();
      hasEnded_[static_cast<size_t>(block)] = true;
      turn_ = Nobody;
      turned_.notify_all();
    });
  std::unique_lock lock(mutex_);
  while (llvm::is_contained(hasEnded_, false)) {
    for (int64_t block = 0; block != count; ++block)
      if (!hasEnded_[static_cast<size_t>(block)])
        giveTurn(lock, block);
    bool isAnyOver = llvm::is_contained(hasEnded_, true);
    isBroken_ = isAnyOver && llvm::is_contained(hasEnded_, false);
    if (!isAnyOver)
      onMeeting();
  }
  lock.unlock();
  for (std::thread &thread : threads)
    thread.join();
}

bool LiveBlocks::meet() {
  std::unique_lock lock(mutex_);
  int64_t block = turn_;
  turn_ = Nobody;
  turned_.notify_all();
  waitForTurn(lock, block);
  return !isBroken_;
}

} // namespace tilescope
