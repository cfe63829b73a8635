// PTX and SASS of CUDA that is shown, made by nvcc and nvdisasm on a thread and kept by the text of
// the CUDA. Of texts that are asked for while nvcc runs only the latest counts.
#pragma once

#include "core/target/device_listing.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace tilescope {

class DeviceListings {
public:
  // `wake` is called on the other thread when a listing is there.
  explicit DeviceListings(std::function<void()> wake);
  DeviceListings(const DeviceListings &) = delete;
  DeviceListings &operator=(const DeviceListings &) = delete;
  // Stops nvcc.
  ~DeviceListings();

  // Null: it is being made, from now on.
  std::shared_ptr<const DeviceListing> of(const std::string &cuda, const std::string &target);
  bool isBusy() const;

private:
  struct Source {
    std::string cuda, target;

    friend bool operator==(const Source &, const Source &) = default;
  };
  struct Kept {
    Source source;
    std::shared_ptr<const DeviceListing> listing;
  };
  void run();

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
