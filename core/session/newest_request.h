// A thread that answers the newest request: of those that come while it is busy only the last
// counts.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace tilescope {

// All but the answer is called on one thread, the owner's.
template <typename Request, typename Result> class NewestRequest {
public:
  // What an answer stands in while it is made.
  struct Task {
    const std::atomic<bool> &stop;              // true: nobody waits for it any more
    const std::function<void(Result)> &publish; // what is known so far
  };
  // Called on the thread; what it returns or publishes is dropped if it was stopped meanwhile.
  using Answer = std::function<Result(const Request &, const Task &)>;

  // `wake` is called on the thread when there is something to take. A newer request stops one that
  // has been answered for as long as `patience`.
  NewestRequest(Answer answer, std::function<void()> wake,
                std::chrono::milliseconds patience = std::chrono::milliseconds(0))
      : answer_(std::move(answer)), wake_(std::move(wake)), patience_(patience),
        thread_([this] { run(); }) {}
  NewestRequest(const NewestRequest &) = delete;
  NewestRequest &operator=(const NewestRequest &) = delete;
  // Stops what is being answered.
  ~NewestRequest() {
    {
      std::lock_guard lock(mutex_);
      isClosing_ = true;
      stop_ = true;
    }
    hasWork_.notify_one();
    thread_.join();
  }

  void ask(Request request) {
    {
      std::lock_guard lock(mutex_);
      waiting_ = std::move(request);
      if (std::chrono::steady_clock::now() - startTime_ >= patience_)
        forget();
    }
    hasWork_.notify_one();
  }

  // Nothing is asked any more.
  void drop() {
    std::lock_guard lock(mutex_);
    waiting_.reset();
    forget();
  }

  // The last that came since the last call.
  std::optional<Result> take() {
    std::lock_guard lock(mutex_);
    return std::exchange(result_, std::nullopt);
  }

  bool isBusy() const {
    std::lock_guard lock(mutex_);
    return isRunning_ || waiting_;
  }

private:
  void forget() {
    stop_ = true;
    result_.reset();
  }

  void publish(Result result) {
    {
      std::lock_guard lock(mutex_);
      if (stop_)
        return;
      result_ = std::move(result);
    }
    wake_();
  }

  void run() {
    const std::function<void(Result)> publishing = [this](Result result) {
      publish(std::move(result));
    };
    std::unique_lock lock(mutex_);
    while (true) {
      hasWork_.wait(lock, [&] { return isClosing_ || waiting_; });
      if (isClosing_)
        return;
      Request request = std::move(*waiting_);
      waiting_.reset();
      stop_ = false;
      isRunning_ = true;
      startTime_ = std::chrono::steady_clock::now();
      lock.unlock();
      Result result = answer_(request, Task{stop_, publishing});
      lock.lock();
      isRunning_ = false;
      if (stop_)
        continue;
      result_ = std::move(result);
      wake_();
    }
  }

  Answer answer_;
  std::function<void()> wake_;
  std::chrono::milliseconds patience_;
  mutable std::mutex mutex_;
  std::condition_variable hasWork_;
  std::optional<Request> waiting_;
  std::optional<Result> result_;
  bool isRunning_ = false;
  bool isClosing_ = false;
  std::chrono::steady_clock::time_point startTime_;
  std::atomic<bool> stop_{false};
  std::thread thread_; // last: it uses all of the above
};

} // namespace tilescope
