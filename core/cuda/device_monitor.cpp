#include "core/cuda/device_monitor.h"

#include "core/support/shared_library.h"

namespace tilescope {

namespace {

// Numbers of nvml.h, which is no part of what this tree is built with.
constexpr int SmClock = 1;        // NVML_CLOCK_SM
constexpr int GpuTemperature = 0; // NVML_TEMPERATURE_GPU
constexpr int64_t MilliwattsAWatt = 1000;

struct SlowReason {
  unsigned long long bit; // NVML_CLOCKS_THROTTLE_REASON_*
  const char *word;
};

// Without "idle": between two launches it says nothing of them.
constexpr SlowReason SlowReasons[] = {
    {0x002, "clock-setting"}, {0x004, "power-cap"},       {0x008, "hardware"},
    {0x010, "sync-boost"},    {0x020, "thermal"},         {0x040, "hardware-thermal"},
    {0x080, "power-brake"},   {0x100, "display-setting"},
};

// Entry points by the names that every driver since CUDA 11 exports; each returns 0 for success.
struct MonitorFunctions {
  int (*init)() = nullptr;
  int (*deviceByBusId)(const char *, void **) = nullptr;
  int (*clock)(void *, int, unsigned *) = nullptr;
  int (*power)(void *, unsigned *) = nullptr;
  int (*temperature)(void *, int, unsigned *) = nullptr;
  int (*slowReasons)(void *, unsigned long long *) = nullptr;
  std::string fault; // "": it can be used
};

std::string load(MonitorFunctions &functions) {
  llvm::Expected<SharedLibrary> library =
      SharedLibrary::open("NVML", {std::string("libnvidia-ml.so.1")});
  if (!library)
    return llvm::toString(library.takeError());
  llvm::Error error = llvm::Error::success();
  auto find = [&](llvm::StringRef symbol, auto *&function) {
    if (!error)
      error = library->find(symbol, function);
  };
  find("nvmlInit_v2", functions.init);
  find("nvmlDeviceGetHandleByPciBusId_v2", functions.deviceByBusId);
  find("nvmlDeviceGetClockInfo", functions.clock);
  find("nvmlDeviceGetPowerUsage", functions.power);
  find("nvmlDeviceGetTemperature", functions.temperature);
  find("nvmlDeviceGetCurrentClocksThrottleReasons", functions.slowReasons);
  if (error)
    return llvm::toString(std::move(error));
  int code = functions.init();
  return code == 0 ? "" : "NVML: nvmlInit fails with " + std::to_string(code);
}

// Loaded once a process: it stays until its end.
const MonitorFunctions &functions() {
  static const MonitorFunctions loaded = [] {
    MonitorFunctions functions;
    functions.fault = load(functions);
    return functions;
  }();
  return loaded;
}

} // namespace

llvm::Error DeviceMonitor::check() {
  return functions().fault.empty() ? llvm::Error::success()
                                   : llvm::createStringError(functions().fault);
}

llvm::Expected<DeviceMonitor> DeviceMonitor::open(llvm::StringRef busId) {
  if (llvm::Error error = check())
    return error;
  void *device = nullptr;
  if (int code = functions().deviceByBusId(busId.str().c_str(), &device))
    return llvm::createStringError("NVML knows no GPU at " + busId.str() + " (error " +
                                   std::to_string(code) + ")");
  return DeviceMonitor(device);
}

std::optional<DeviceSample> DeviceMonitor::sample() const {
  const MonitorFunctions &nvml = functions();
  unsigned mhz = 0, milliwatts = 0, celsius = 0;
  unsigned long long reasons = 0;
  if (nvml.clock(device_, SmClock, &mhz) != 0)
    return std::nullopt;
  DeviceSample sample;
  sample.smMhz = mhz;
  if (nvml.power(device_, &milliwatts) == 0)
    sample.watts = (milliwatts + MilliwattsAWatt / 2) / MilliwattsAWatt;
  if (nvml.temperature(device_, GpuTemperature, &celsius) == 0)
    sample.celsius = celsius;
  // Left without any where the call fails.
  (void)nvml.slowReasons(device_, &reasons);
  for (const SlowReason &reason : SlowReasons)
    if (reasons & reason.bit)
      sample.slowedBy.emplace_back(reason.word);
  return sample;
}

} // namespace tilescope
