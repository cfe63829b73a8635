// PTX and SASS of CUDA that is shown, made by nvcc and nvdisasm and kept by the text of the CUDA.
#pragma once

#include "core/session/background_results.h"
#include "core/toolkit/list_device_code.h"

namespace tilescope {

struct ListedSource {
  std::string cuda, target;

  friend bool operator==(const ListedSource &, const ListedSource &) = default;
};

class DeviceListings : public BackgroundResults<ListedSource, DeviceListing> {
public:
  explicit DeviceListings(std::function<void()> wake)
      : BackgroundResults(
            [](const ListedSource &source, const std::atomic<bool> &stop) {
              return listDeviceCode({source.cuda, source.target, "", &stop});
            },
            std::move(wake)) {}
};

} // namespace tilescope
