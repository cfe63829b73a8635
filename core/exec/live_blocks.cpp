#include "core/exec/live_blocks.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
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
  states_.assign(static_cast<size_t>(count), State::Runs);
  std::vector<std::thread> threads;
  for (int64_t block = 0; block != count; ++block)
    threads.emplace_back([this, block, runBlock] {
      std::unique_lock lock(mutex_);
      waitForTurn(lock, block);
      lock.unlock();
      runBlock(block);
      lock.lock();
      states_[static_cast<size_t>(block)] = State::Ended;
      haveGoneOn_ = true;
      turn_ = Nobody;
      turned_.notify_all();
    });
  std::unique_lock lock(mutex_);
  while (llvm::any_of(states_, [](State state) { return state != State::Ended; })) {
    haveGoneOn_ = false;
    for (int64_t block = 0; block != count; ++block) {
      State state = states_[static_cast<size_t>(block)];
      if (state == State::Runs || state == State::Waits)
        giveTurn(lock, block);
    }
    endRound(onMeeting);
  }
  lock.unlock();
  for (std::thread &thread : threads)
    thread.join();
}

// Those that meet go on when all others do, or have ended.
void LiveBlocks::endRound(llvm::function_ref<void()> onMeeting) {
  isStuck_ = !haveGoneOn_;
  if (llvm::is_contained(states_, State::Waits) || !llvm::is_contained(states_, State::Meets))
    return;
  isBroken_ = llvm::is_contained(states_, State::Ended);
  if (!isBroken_)
    onMeeting();
  std::replace(states_.begin(), states_.end(), State::Meets, State::Runs);
}

void LiveBlocks::giveUpTurn(State state) {
  std::unique_lock lock(mutex_);
  int64_t block = turn_;
  State &own = states_[static_cast<size_t>(block)];
  haveGoneOn_ |= state != State::Waits || own != State::Waits;
  own = state;
  turn_ = Nobody;
  turned_.notify_all();
  waitForTurn(lock, block);
}

bool LiveBlocks::await(llvm::function_ref<bool()> canGoOn) {
  auto block = static_cast<size_t>(turn_);
  while (!canGoOn()) {
    if (isStuck_)
      return false;
    giveUpTurn(State::Waits);
  }
  haveGoneOn_ = true;
  states_[block] = State::Runs;
  return true;
}

} // namespace tilescope
