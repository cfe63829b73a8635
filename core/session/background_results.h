// Something that is made on a thread and kept by what it is made of. Of what is asked for while the
// thread is busy only the latest counts.
#pragma once

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace tilescope {

template <typename Source, typename Result> class BackgroundResults {
public:
  // `make` is called on the thread, and what it returns is dropped if `stop` became true meanwhile.
  // `wake` is called there when a result can be had.
  using Make = std::function<Result(const Source &, const std::atomic<bool> &stop)>;
  BackgroundResults(Make make, std::function<void()> wake)
      : make_(std::move(make)), wake_(std::move(wake)), thread_([this] { run(); }) {}
  BackgroundResults(const BackgroundResults &) = delete;
  BackgroundResults &operator=(const BackgroundResults &) = delete;
  // Stops what is being made.
  ~BackgroundResults() {
    {
      std::lock_guard lock(mutex_);
      isClosing_ = true;
      stop_ = true;
    }
    hasWork_.notify_one();
    thread_.join();
  }

  // Null: it is being made, from now on.
  std::shared_ptr<const Result> of(const Source &source) {
    std::lock_guard lock(mutex_);
    auto found = llvm::find_if(kept_, [&](const Kept &kept) { return kept.source == source; });
    if (found != kept_.end()) {
      std::rotate(found, found + 1, kept_.end());
      return kept_.back().result;
    }
    bool isRunning = running_ && *running_ == source;
    if (isRunning && !stop_) {
      waiting_.reset();
    } else {
      stop_ = running_.has_value();
      waiting_ = source;
      hasWork_.notify_one();
    }
    return nullptr;
  }

  bool isBusy() const {
    std::lock_guard lock(mutex_);
    return running_ || waiting_;
  }

private:
  static constexpr size_t MostKept = 16;

  struct Kept {
    Source source;
    std::shared_ptr<const Result> result;
  };

  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      hasWork_.wait(lock, [&] { return isClosing_ || waiting_; });
      if (isClosing_)
        return;
      running_ = std::exchange(waiting_, std::nullopt);
      stop_ = false;
      Source source = *running_;
      lock.unlock();
      auto result = std::make_shared<const Result>(make_(source, stop_));
      lock.lock();
      running_.reset();
      if (stop_)
        continue;
      if (kept_.size() == MostKept)
        kept_.erase(kept_.begin());
      kept_.push_back({std::move(source), std::move(result)});
      wake_();
    }
  }

  Make make_;
  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable hasWork_;
  std::vector<Kept> kept_; // the last used last
  std::optional<Source> waiting_, running_;
  bool isClosing_ = false;
  std::atomic<bool> stop_ = false;
  std::thread thread_; // last: it uses all of the above
};

} // namespace tilescope
