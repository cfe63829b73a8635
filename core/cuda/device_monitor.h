// What a GPU is like at a moment, by NVML, which is loaded at run time.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilescope {

struct DeviceSample {
  int64_t smMhz = 0;
  std::optional<int64_t> watts; // nullopt: this GPU does not say it
  std::optional<int64_t> celsius;
  // Why the clock is lower than it can be, of a GPU that works: "power-cap", "thermal".
  std::vector<std::string> slowedBy;
};

class DeviceMonitor {
public:
  // Whether NVML is there. The error says what is missing.
  static llvm::Error check();
  // `busId`: see Device.
  static llvm::Expected<DeviceMonitor> open(llvm::StringRef busId);

  // nullopt: this GPU does not say its clock.
  std::optional<DeviceSample> sample() const;

private:
  explicit DeviceMonitor(void *device) : device_(device) {}

  void *device_; // nvmlDevice_t
};

} // namespace tilescope
