#include "core/session/live_compile.h"

namespace tilescope {

namespace {

// While a slider is dragged each compile may end; one that takes longer gives way.
constexpr std::chrono::milliseconds Patience(250);

LiveCompile::Finished compileNow(const CompileRequest &request) {
  TraceRecorder recorder;
  CompileResult result = compile(request, Observers{&recorder, {}});
  LiveCompile::Finished finished;
  finished.succeeded = result.succeeded();
  llvm::raw_string_ostream out(finished.diagnostics);
  for (const Diagnostic &diagnostic : result.diagnostics.all())
    render(diagnostic, result.files, out, /*colors=*/false);
  finished.trace = recorder.takeTrace();
  return finished;
}

} // namespace

LiveCompile::LiveCompile(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this] { run(); }) {}

LiveCompile::~LiveCompile() {
  {
    std::lock_guard lock(mutex_);
    isClosing_ = true;
    stop_ = true;
  }
  hasWork_.notify_one();
  thread_.join();
}

void LiveCompile::start(CompileRequest request) {
  {
    std::lock_guard lock(mutex_);
    waiting_ = std::move(request);
    if (isRunning_ && std::chrono::steady_clock::now() - startTime_ > Patience)
      stop_ = true;
  }
  hasWork_.notify_one();
}

std::optional<LiveCompile::Finished> LiveCompile::take() {
  std::lock_guard lock(mutex_);
  return std::exchange(finished_, std::nullopt);
}

bool LiveCompile::isBusy() const {
  std::lock_guard lock(mutex_);
  return isRunning_ || waiting_;
}

void LiveCompile::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    hasWork_.wait(lock, [&] { return isClosing_ || waiting_; });
    if (isClosing_)
      return;
    CompileRequest request = std::move(*waiting_);
    waiting_.reset();
    request.stop = &stop_;
    request.keepsTaggedPlaces = true; // an edit becomes a patch
    stop_ = false;
    isRunning_ = true;
    startTime_ = std::chrono::steady_clock::now();
    lock.unlock();
    Finished finished = compileNow(request);
    lock.lock();
    isRunning_ = false;
    if (!stop_)
      finished_ = std::move(finished);
    wake_();
  }
}

} // namespace tilescope
