// Compiles the kernel that is open at the commits that changed its file, newest first, on a thread.
#pragma once

#include "core/driver/revision_compile.h"
#include "core/session/newest_request.h"
#include "core/views/history_model.h"

#include <map>
#include <memory>

namespace tilescope {

class HistoryCompile {
public:
  // `wake` is called on the other thread when more is known.
  explicit HistoryCompile(std::function<void()> wake);

  // The history of this kernel from now on. What is known of a commit with the same arguments is
  // kept.
  void start(CompileRequest request);
  // What is left is not compiled.
  void stop() { worker_.drop(); }
  // Null: nothing is known yet, or nobody asked.
  std::shared_ptr<const KernelHistory> known();
  bool isBusy() const { return worker_.isBusy(); }

private:
  using Worker = NewestRequest<CompileRequest, KernelHistory>;

  KernelHistory compileAll(CompileRequest request, const Worker::Task &task);

  std::shared_ptr<const KernelHistory> known_;
  // Of the thread alone: what was compiled, by hash, and for which request.
  CompileRequest keptFor_;
  std::map<std::string, KernelCommit> kept_;
  Worker worker_; // last: its thread uses what is kept
};

} // namespace tilescope
