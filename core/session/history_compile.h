// Compiles the kernel that is open at the commits that changed its file, newest first, on a thread.
#pragma once

#include "core/driver/revision_compile.h"
#include "core/views/history_model.h"

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace tilescope {

class HistoryCompile {
public:
  // `wake` is called on the other thread when more is known.
  explicit HistoryCompile(std::function<void()> wake);
  HistoryCompile(const HistoryCompile &) = delete;
  HistoryCompile &operator=(const HistoryCompile &) = delete;
  // Stops a compile that runs.
  ~HistoryCompile();

  // The history of this kernel from now on. What is known of a commit with the same arguments is
  // kept.
  void start(CompileRequest request);
  // What is left is not compiled.
  void stop();
  // Null: nothing is known yet, or nobody asked.
  std::shared_ptr<const KernelHistory> known() const;
  bool isBusy() const;

private:
  void run();
  void compileAll(const CompileRequest &request);
  bool publish(const KernelHistory &history); // false: something else is wanted

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable hasWork_;
  std::optional<CompileRequest> waiting_;
  std::shared_ptr<const KernelHistory> known_;
  bool isRunning_ = false;
  bool isClosing_ = false;
  StopToken stop_{false};
  // Of the thread alone: what was compiled, by hash, and for which request.
  CompileRequest keptFor_;
  std::map<std::string, KernelCommit> kept_;
  std::thread thread_; // last: it uses all of the above
};

} // namespace tilescope
