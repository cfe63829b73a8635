#include "core/session/pass_search.h"

namespace tilescope {

namespace {

// The strip fills up in steps that one can see.
constexpr std::chrono::milliseconds BetweenReports(50);

} // namespace

PassSearch::PassSearch(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this] { run(); }) {}

PassSearch::~PassSearch() {
  {
    std::lock_guard lock(mutex_);
    isClosing_ = true;
    ++wanted_;
  }
  hasWork_.notify_one();
  thread_.join();
}

void PassSearch::search(const Request &request) {
  {
    std::lock_guard lock(mutex_);
    if (request == request_)
      return;
    request_ = request;
    counted_.reset();
    ++wanted_;
  }
  hasWork_.notify_one();
}

std::shared_ptr<const CountedHits> PassSearch::take() {
  std::lock_guard lock(mutex_);
  return std::exchange(counted_, nullptr);
}

bool PassSearch::isBusy() const {
  std::lock_guard lock(mutex_);
  return isRunning_ || taken_ != wanted_;
}

void PassSearch::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    hasWork_.wait(lock, [&] { return isClosing_ || taken_ != wanted_; });
    if (isClosing_)
      return;
    taken_ = wanted_;
    isRunning_ = true;
    Request request = request_;
    uint64_t number = taken_;
    lock.unlock();
    if (request.query.empty())
      file_.reset();
    else
      count(request, number);
    lock.lock();
    isRunning_ = false;
  }
}

void PassSearch::count(const Request &request, uint64_t number) {
  HitCounts hits(request.query);
  if (!hits.query().error().empty())
    return;
  CountedHits counted{request.query, request.revision, {}, ""};
  if (!openFile(request, counted))
    return publish(counted, number);
  const Trace &trace = file_->trace();
  counted.ofSnapshot.resize(trace.snapshots.size());
  auto reported = std::chrono::steady_clock::now();
  for (size_t pass = 0; pass != trace.passes.size() && number == wanted_; ++pass) {
    std::optional<TextHits> &text = counted.ofSnapshot[trace.passes[pass].snapshot];
    if (text)
      continue;
    if (llvm::Expected<SharedPart<LineId>> lines = file_->loadText(pass))
      text = hits.ofText(trace, **lines);
    else
      counted.problem = llvm::toString(lines.takeError());
    if (std::chrono::steady_clock::now() - reported < BetweenReports)
      continue;
    publish(counted, number);
    reported = std::chrono::steady_clock::now();
  }
  publish(counted, number);
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

void PassSearch::publish(const CountedHits &counted, uint64_t number) {
  {
    std::lock_guard lock(mutex_);
    if (number != wanted_)
      return;
    counted_ = std::make_shared<const CountedHits>(counted);
  }
  wake_();
}

} // namespace tilescope
