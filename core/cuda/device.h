// The GPU through the CUDA driver, which is loaded at run time. Errors name the call and what the
// driver says.
#pragma once

#include "core/codegen/launch_values.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tilescope {

struct DriverFunctions;

// Bytes on the device, freed with the object. The device must outlive it.
class DeviceMemory {
public:
  DeviceMemory(const DriverFunctions &driver, uint64_t address, size_t bytes)
      : driver_(&driver), address_(address), bytes_(bytes) {}
  DeviceMemory(DeviceMemory &&other) noexcept;
  DeviceMemory &operator=(DeviceMemory &&other) noexcept;
  ~DeviceMemory();

  uint64_t address() const { return address_; }
  size_t bytes() const { return bytes_; }

private:
  const DriverFunctions *driver_;
  uint64_t address_;
  size_t bytes_;
};

// Launches that were recorded, to be repeated at what the GPU needs for them alone. The device must
// outlive it.
class DeviceGraph {
public:
  DeviceGraph(const DriverFunctions &driver, void *executable)
      : driver_(&driver), executable_(executable) {}
  DeviceGraph(DeviceGraph &&other) noexcept;
  DeviceGraph &operator=(DeviceGraph &&other) noexcept;
  ~DeviceGraph();

private:
  friend class Device;
  const DriverFunctions *driver_;
  void *executable_; // CUgraphExec
};

struct LaunchShape {
  unsigned grid[3] = {1, 1, 1};
  unsigned threads = 1;
  unsigned dynamicSharedBytes = 0;
  bool isCooperative = false; // all blocks run at the same time, or it is an error
  bool beginsEarly = false;   // before the launches before it have ended
};

// What a kernel is given of a tensor.
struct alignas(64) EncodedTensorMap {
  uint64_t words[16] = {};
};

// A kernel of a loaded module.
struct DeviceKernel {
  void *function = nullptr; // CUfunction
  int registers = 0;        // a thread
  int localBytes = 0;       // a thread: spills and arrays that are no registers
};

class Device {
public:
  // How many the driver shows. Error: no driver, or no GPU.
  static llvm::Expected<int> count();
  // One of them, from 0.
  static llvm::Expected<std::unique_ptr<Device>> open(int ordinal = 0);
  ~Device();

  const std::string &name() const { return name_; }
  // "sm_90a" for a Hopper: the architecture-specific one where there is one.
  const std::string &architecture() const { return architecture_; }
  int64_t sharedBytesPerBlock() const { return sharedBytesPerBlock_; }
  int64_t cacheBytes() const { return cacheBytes_; } // L2
  // Where it is plugged in, as NVML finds it: "0000:18:00.0".
  const std::string &busId() const { return busId_; }

  llvm::Expected<DeviceMemory> allocate(size_t bytes);
  llvm::Error write(const DeviceMemory &memory, llvm::ArrayRef<uint8_t> bytes);
  llvm::Error read(const DeviceMemory &memory, llvm::MutableArrayRef<uint8_t> bytes);

  // `binary`: a cubin, or PTX with a zero at its end. Modules stay until the device is closed.
  llvm::Error loadModule(llvm::ArrayRef<char> binary);
  // Looks in the modules loaded last first; allows `dynamicSharedBytes` for it.
  llvm::Expected<DeviceKernel> findKernel(llvm::StringRef name, unsigned dynamicSharedBytes);

  // `tensor`: 16 bytes that are zero, of an empty one.
  llvm::Expected<EncodedTensorMap> encode(const TensorMapFields &map,
                                          const DeviceMemory &tensor) const;

  // `arguments`: one pointer to each value. Returns without waiting.
  llvm::Error launch(const DeviceKernel &kernel, const LaunchShape &shape,
                     llvm::ArrayRef<void *> arguments);
  // Waits for everything; reports what a kernel did wrong.
  llvm::Error synchronize();
  // What `work` launches, which does not run by this.
  llvm::Expected<DeviceGraph> record(llvm::function_ref<llvm::Error()> work);
  // Milliseconds between two events around `times` repetitions. `meanwhile` is called while they
  // run.
  llvm::Expected<float>
  time(const DeviceGraph &graph, int64_t times, llvm::function_ref<void()> meanwhile = [] {});

private:
  explicit Device(std::unique_ptr<DriverFunctions> driver);
  llvm::Error initialise(int ordinal);
  llvm::Error launchEarly(const DeviceKernel &kernel, const LaunchShape &shape,
                          std::vector<void *> &arguments);

  std::unique_ptr<DriverFunctions> driver_;
  int ordinal_ = 0;
  void *context_ = nullptr;     // CUcontext; null: not retained
  void *stream_ = nullptr;      // CUstream, of all launches: the default one cannot be recorded
  std::vector<void *> modules_; // CUmodule
  std::string name_;
  std::string busId_;
  std::string architecture_;
  int64_t sharedBytesPerBlock_ = 0;
  int64_t cacheBytes_ = 0;
};

} // namespace tilescope
