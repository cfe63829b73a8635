// A value that is made on a thread of its own.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <type_traits>
#include <utility>

namespace tilescope {

template <typename T> struct MadeApart {
  std::future<T> value;
  std::future<void> thread; // whoever drops it waits for the thread

  bool isReady() const {
    return value.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }
};

// `wake` is called on the thread when the value can be had.
template <typename Make>
MadeApart<std::invoke_result_t<Make>> makeApart(Make make, std::function<void()> wake) {
  auto promise = std::make_shared<std::promise<std::invoke_result_t<Make>>>();
  auto value = promise->get_future();
  auto thread = std::async(std::launch::async,
                           [promise, make = std::move(make), wake = std::move(wake)]() mutable {
                             promise->set_value(make());
                             wake();
                           });
  return {std::move(value), std::move(thread)};
}

// One that is known.
template <typename T> MadeApart<T> madeAlready(T value) {
  std::promise<T> promise;
  promise.set_value(std::move(value));
  return {promise.get_future(), {}};
}

} // namespace tilescope
