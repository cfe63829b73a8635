#include "core/session/device_listings.h"

#include "core/toolkit/list_device_code.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr size_t MostKept = 16;

} // namespace

DeviceListings::DeviceListings(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this] { run(); }) {}

DeviceListings::~DeviceListings() {
  {
    std::lock_guard lock(mutex_);
    isClosing_ = true;
    stop_ = true;
  }
  hasWork_.notify_one();
  thread_.join();
}

std::shared_ptr<const DeviceListing> DeviceListings::of(const std::string &cuda,
                                                        const std::string &target) {
  std::lock_guard lock(mutex_);
  auto found = llvm::find_if(kept_, [&](const Kept &kept) {
    return kept.source.cuda == cuda && kept.source.target == target;
  });
  if (found != kept_.end()) {
    std::rotate(found, found + 1, kept_.end());
    return kept_.back().listing;
  }
  Source source{cuda, target};
  if (running_ != source) {
    stop_ = running_.has_value();
    waiting_ = std::move(source);
    hasWork_.notify_one();
  } else if (waiting_) { // back to the one that runs
    waiting_ = stop_ ? running_ : std::nullopt;
  }
  return nullptr;
}

bool DeviceListings::isBusy() const {
  std::lock_guard lock(mutex_);
  return running_ || waiting_;
}

void DeviceListings::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    hasWork_.wait(lock, [&] { return isClosing_ || waiting_; });
    if (isClosing_)
      return;
    running_ = std::exchange(waiting_, std::nullopt);
    stop_ = false;
    Source source = *running_;
    lock.unlock();
    auto listing = std::make_shared<const DeviceListing>(
        listDeviceCode({source.cuda, source.target, "", &stop_}));
    lock.lock();
    running_.reset();
    if (stop_)
      continue;
    if (kept_.size() == MostKept)
      kept_.erase(kept_.begin());
    kept_.push_back({std::move(source), std::move(listing)});
    wake_();
  }
}

} // namespace tilescope
