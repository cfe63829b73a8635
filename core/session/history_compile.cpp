#include "core/session/history_compile.h"

namespace tilescope {

namespace {

// Whether a commit is compiled alike for both.
bool isAlike(const CompileRequest &a, const CompileRequest &b) {
  auto asked = [](const CompileRequest &request) {
    return std::tie(request.path, request.function, request.arguments, request.target,
                    request.passes, request.passOptions, request.stopAfter, request.allowHazards,
                    request.aliases, request.plan.forOccupancy);
  };
  return asked(a) == asked(b);
}

} // namespace

HistoryCompile::HistoryCompile(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this] { run(); }) {}

HistoryCompile::~HistoryCompile() {
  {
    std::lock_guard lock(mutex_);
    isClosing_ = true;
    stop_ = true;
  }
  hasWork_.notify_one();
  thread_.join();
}

void HistoryCompile::start(CompileRequest request) {
  {
    std::lock_guard lock(mutex_);
    waiting_ = std::move(request);
    known_ = nullptr;
    stop_ = true;
  }
  hasWork_.notify_one();
}

void HistoryCompile::stop() {
  std::lock_guard lock(mutex_);
  waiting_.reset();
  stop_ = true;
}

std::shared_ptr<const KernelHistory> HistoryCompile::known() const {
  std::lock_guard lock(mutex_);
  return known_;
}

bool HistoryCompile::isBusy() const {
  std::lock_guard lock(mutex_);
  return isRunning_ || waiting_;
}

void HistoryCompile::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    hasWork_.wait(lock, [&] { return isClosing_ || waiting_; });
    if (isClosing_)
      return;
    CompileRequest request = std::move(*waiting_);
    waiting_.reset();
    request.stop = &stop_;
    stop_ = false;
    isRunning_ = true;
    lock.unlock();
    compileAll(request);
    lock.lock();
    isRunning_ = false;
    wake_();
  }
}

void HistoryCompile::compileAll(const CompileRequest &request) {
  if (!isAlike(request, keptFor_))
    kept_.clear();
  keptFor_ = request;
  KernelHistory history;
  llvm::Expected<std::vector<GitCommit>> commits = commitsOf(request, MostCommits);
  if (!commits)
    history.missing = llvm::toString(commits.takeError());
  else
    for (const GitCommit &commit : *commits) {
      auto found = kept_.find(commit.hash);
      history.commits.push_back(found != kept_.end()
                                    ? found->second
                                    : KernelCommit{.hash = commit.hash, .title = commit.subject});
    }
  for (size_t i = history.commits.size(); publish(history) && i-- > 0;) {
    KernelCommit &commit = history.commits[i];
    if (commit.isCompiled)
      continue;
    KernelCommit done = compiledCommit(commit, compileAtRevision(request, commit.hash));
    if (stop_)
      return;
    commit = kept_[done.hash] = std::move(done);
  }
}

bool HistoryCompile::publish(const KernelHistory &history) {
  std::lock_guard lock(mutex_);
  if (stop_)
    return false;
  known_ = std::make_shared<const KernelHistory>(history);
  wake_();
  return true;
}

} // namespace tilescope
