// Which blocks of a launch are run, and by which threads of the CPU.
#pragma once

#include "core/access/block_steps.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

namespace tilescope {

// What one block of each launch does to shared memory.
struct StepRecording {
  int64_t block = 0;              // that is recorded, in its grid
  std::vector<BlockSteps> blocks; // of each launch that has such a block, where it ran first
};

struct BlockOptions {
  int64_t blocks = 0;   // of each launch; 0: all
  unsigned threads = 0; // of the CPU; 0: as many as it has cores
  // Hears of each block that has been run, by one thread at a time.
  std::function<void(int64_t done, int64_t all)> onBlock;
  StepRecording *steps = nullptr; // of a lowered function; null: they are not recorded
};

// Of all launches.
struct BlockCounts {
  int64_t executed = 0;
  int64_t all = 0;

  void add(const BlockCounts &more) {
    executed += more.executed;
    all += more.all;
  }
};

// In even steps, with the first and the last: 4 of 10 are 0, 3, 6 and 9. Of one it is the first.
std::vector<int64_t> chooseBlocks(int64_t all, int64_t wanted);

// Gives blocks to threads in ascending order, so that all before one that has been given out are
// run to their ends.
class BlockQueue {
public:
  BlockQueue(std::vector<int64_t> blocks, const BlockOptions &options);

  int64_t size() const { return static_cast<int64_t>(blocks_.size()); }
  unsigned threads() const { return threads_; } // no more than blocks, but one
  // Calls `work` once on each of so many threads; the blocks are given out anew.
  void run(unsigned threads, llvm::function_ref<void(uint32_t thread)> work);

  // Nothing: none is left.
  std::optional<int64_t> next();
  // One that was given out has been run.
  void finish();
  // No more are given out.
  void stop();

private:
  std::vector<int64_t> blocks_;
  const BlockOptions &options_;
  unsigned threads_;
  std::mutex mutex_; // of what follows
  size_t next_ = 0;
  int64_t done_ = 0;
};

} // namespace tilescope
