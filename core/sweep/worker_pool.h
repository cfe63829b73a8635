// Processes that time points, each on a GPU of its own.
//
// What a point does to its process is said of that point alone: a kernel that never comes to its
// end, a fault after which the GPU does nothing more for the process, a crash. A new process goes
// on with the others. Where a process had several points when it ended, each is tried again by
// itself, so that the one is found that ends it.
//
// Processes are forks of the caller, who has one thread and has not asked for a GPU.
#pragma once

#include "core/sweep/sweep_row.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>

namespace tilescope {

// The line of a process to the pool. Several threads may use it.
class PoolLine {
public:
  explicit PoolLine(int socket) : socket_(socket) {}

  // Waits for a point to work on. nullopt: there are no more.
  std::optional<uint64_t> next();
  // The point has the GPU from now on: its time is limited.
  void begin(uint64_t point);
  // `isSpoiled`: a point did something to the process that would be said of later ones.
  void finish(const SweepRow &row, bool isSpoiled);

private:
  void send(const std::string &line);

  int socket_;
  std::mutex reading_;
  std::mutex writing_;
};

struct PoolRequest {
  std::vector<uint64_t> points;
  size_t workers = 1;
  size_t atOnce = 1;                       // points that a worker has at a time
  std::chrono::milliseconds limit;         // for a point that has the GPU
  std::string late = {};                   // the error of one that needs longer
  const std::atomic<bool> *stop = nullptr; // true: end
  // What a process does, until its line gives no more points. Workers are numbered from 0.
  std::function<void(size_t worker, PoolLine &line)> work;
};

// `take` gets each row as it is finished, in any order. An error of it ends everything, and is
// returned; so does `stop`, with an error that says no more than that.
llvm::Error runPool(const PoolRequest &request, llvm::function_ref<llvm::Error(SweepRow)> take);

// What `answer` gives in a process of its own, so that nothing that it opens is open in this one.
llvm::Expected<std::string> askProcess(llvm::function_ref<std::string()> answer);

} // namespace tilescope
