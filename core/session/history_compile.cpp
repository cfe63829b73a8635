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
    : worker_([this](const CompileRequest &request,
                     const Worker::Task &task) { return compileAll(request, task); },
              std::move(wake)) {}

void HistoryCompile::start(CompileRequest request) {
  known_ = nullptr;
  worker_.ask(std::move(request));
}

std::shared_ptr<const KernelHistory> HistoryCompile::known() {
  if (std::optional<KernelHistory> more = worker_.take())
    known_ = std::make_shared<const KernelHistory>(std::move(*more));
  return known_;
}

KernelHistory HistoryCompile::compileAll(CompileRequest request, const Worker::Task &task) {
  request.stop = &task.stop;
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
  for (KernelCommit &commit : llvm::reverse(history.commits)) {
    if (commit.isCompiled)
      continue;
    task.publish(history);
    KernelCommit done = compiledCommit(commit, compileAtRevision(request, commit.hash));
    if (task.stop)
      return history;
    commit = kept_[done.hash] = std::move(done);
  }
  return history;
}

} // namespace tilescope
