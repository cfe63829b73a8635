#include "core/session/pass_search.h"

namespace tilescope {

namespace {

// The strip fills up in steps that one can see.
constexpr std::chrono::milliseconds BetweenReports(50);

} // namespace

PassSearch::PassSearch(std::function<void()> wake)
    : worker_(
          [this](const Request &request, const Worker::Task &task) { return count(request, task); },
          std::move(wake)) {}

void PassSearch::search(const Request &request) {
  if (request == request_)
    return;
  request_ = request;
  worker_.ask(request);
}

std::shared_ptr<const CountedHits> PassSearch::take() { return worker_.take().value_or(nullptr); }

PassSearch::Counted PassSearch::count(const Request &request, const Worker::Task &task) {
  if (request.query.empty()) {
    file_.reset();
    return nullptr;
  }
  HitCounts hits(request.query);
  if (!hits.query().error().empty())
    return nullptr;
  CountedHits counted{request.query, request.revision, {}, ""};
  if (!openFile(request, counted))
    return std::make_shared<const CountedHits>(std::move(counted));
  const Trace &trace = file_->trace();
  counted.ofSnapshot.resize(trace.snapshots.size());
  auto reported = std::chrono::steady_clock::now();
  for (size_t pass = 0; pass != trace.passes.size() && !task.stop; ++pass) {
    std::optional<TextHits> &text = counted.ofSnapshot[trace.passes[pass].snapshot];
    if (text)
      continue;
    if (llvm::Expected<SharedPart<LineId>> lines = file_->loadText(pass))
      text = hits.ofText(trace, **lines);
    else
      counted.problem = llvm::toString(lines.takeError());
    if (std::chrono::steady_clock::now() - reported < BetweenReports)
      continue;
    task.publish(std::make_shared<const CountedHits>(counted));
    reported = std::chrono::steady_clock::now();
  }
  return std::make_shared<const CountedHits>(std::move(counted));
}

// What is open from the search before has its lines.
bool PassSearch::openFile(const Request &request, CountedHits &counted) {
  if (file_ && file_->path() == request.path) {
    file_->follow();
    return true;
  }
  llvm::Expected<std::unique_ptr<TraceFile>> file = TraceFile::open(request.path);
  if (!file) {
    file_.reset();
    counted.problem = llvm::toString(file.takeError());
    return false;
  }
  file_ = std::move(*file);
  return true;
}

} // namespace tilescope
