// Compiles on a thread of its own, so that the window keeps responding. Of requests that come while
// it is busy only the latest counts.
#pragma once

#include "core/driver/compile.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace tilescope {

class LiveCompile {
public:
  struct Finished {
    Trace trace;             // as far as the compile came; may have no pass
    std::string diagnostics; // as printed; "": none
    bool succeeded = false;
  };

  // `wake` is called on the other thread when something is finished.
  explicit LiveCompile(std::function<void()> wake);
  LiveCompile(const LiveCompile &) = delete;
  LiveCompile &operator=(const LiveCompile &) = delete;
  // Stops a compile that runs.
  ~LiveCompile();

  // A compile that has run for a while is stopped: its result would be stale.
  void start(CompileRequest request);
  // What finished since the last call.
  std::optional<Finished> take();
  bool isBusy() const;

private:
  void run();

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable hasWork_;
  std::optional<CompileRequest> waiting_;
  std::optional<Finished> finished_;
  bool isRunning_ = false;
  bool isClosing_ = false;
  std::chrono::steady_clock::time_point startTime_;
  StopToken stop_{false};
  std::thread thread_; // last: it uses all of the above
};

} // namespace tilescope
