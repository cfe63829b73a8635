// PTX and SASS of CUDA that is shown, made by nvcc and nvdisasm and kept by the text of the CUDA
// and by what is recorded of it.
#pragma once

#include "core/session/background_results.h"
#include "core/toolkit/list_device_code.h"

namespace tilescope {

struct ListedSource {
  std::string cuda, target;
  std::shared_ptr<const DeviceListing> recorded; // as of ListingRequest

  friend bool operator==(const ListedSource &, const ListedSource &) = default;
};

class DeviceListings : public BackgroundResults<ListedSource, DeviceListing> {
public:
  explicit DeviceListings(std::function<void()> wake)
      : BackgroundResults(
            [](const ListedSource &source, const std::atomic<bool> &stop) {
              return listDeviceCode({source.cuda, source.target, "", &stop, source.recorded});
            },
            std::move(wake)) {}
};

} // namespace tilescope
