#include "core/exec/block_queue.h"

#include <algorithm>
#include <thread>

namespace tilescope {

std::vector<int64_t> chooseBlocks(int64_t all, int64_t wanted) {
  int64_t count = wanted == 0 ? all : std::min(wanted, all);
  std::vector<int64_t> blocks;
  blocks.reserve(static_cast<size_t>(count));
  // From the first to the last: at * (all - 1) / (count - 1), which may be no 64 bits in between.
  int64_t steps = std::max<int64_t>(count - 1, 1);
  int64_t whole = (all - 1) / steps, rest = (all - 1) % steps;
  for (int64_t at = 0; at < count; ++at)
    blocks.push_back(at * whole + at * rest / steps);
  return blocks;
}

BlockQueue::BlockQueue(std::vector<int64_t> blocks, const BlockOptions &options)
    : blocks_(std::move(blocks)), options_(options) {
  size_t wanted = options.threads ? options.threads : std::thread::hardware_concurrency();
  threads_ = static_cast<unsigned>(std::max<size_t>(std::min(wanted, blocks_.size()), 1));
}

void BlockQueue::run(unsigned threads, llvm::function_ref<void(uint32_t thread)> work) {
  next_ = 0;
  done_ = 0;
  std::vector<std::thread> others;
  for (uint32_t thread = 1; thread < threads; ++thread)
    others.emplace_back(work, thread);
  work(0);
  for (std::thread &thread : others)
    thread.join();
}

std::optional<int64_t> BlockQueue::next() {
  std::lock_guard lock(mutex_);
  if (next_ == blocks_.size())
    return std::nullopt;
  return blocks_[next_++];
}

void BlockQueue::finish() {
  std::lock_guard lock(mutex_);
  ++done_;
  if (options_.onBlock)
    options_.onBlock(done_, size());
}

void BlockQueue::stop() {
  std::lock_guard lock(mutex_);
  next_ = blocks_.size();
}

} // namespace tilescope
