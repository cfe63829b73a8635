#include "core/cuda/device.h"

#include "core/support/shared_library.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cuda.h>

#include <utility>

namespace tilescope {

// Entry points of libcuda by the names that every driver since CUDA 11.4 exports.
struct DriverFunctions {
  CUresult (*init)(unsigned) = nullptr;
  CUresult (*deviceGetCount)(int *) = nullptr;
  CUresult (*deviceGet)(CUdevice *, int) = nullptr;
  CUresult (*deviceGetName)(char *, int, CUdevice) = nullptr;
  CUresult (*deviceGetBusId)(char *, int, CUdevice) = nullptr;
  CUresult (*deviceGetAttribute)(int *, CUdevice_attribute, CUdevice) = nullptr;
  CUresult (*retainContext)(CUcontext *, CUdevice) = nullptr;
  CUresult (*releaseContext)(CUdevice) = nullptr;
  CUresult (*setCurrent)(CUcontext) = nullptr;
  CUresult (*synchronize)() = nullptr;
  CUresult (*loadModule)(CUmodule *, const void *) = nullptr;
  CUresult (*unloadModule)(CUmodule) = nullptr;
  CUresult (*getFunction)(CUfunction *, CUmodule, const char *) = nullptr;
  CUresult (*getFunctionAttribute)(int *, CUfunction_attribute, CUfunction) = nullptr;
  CUresult (*setFunctionAttribute)(CUfunction, CUfunction_attribute, int) = nullptr;
  CUresult (*allocate)(CUdeviceptr *, size_t) = nullptr;
  CUresult (*free)(CUdeviceptr) = nullptr;
  CUresult (*copyToDevice)(CUdeviceptr, const void *, size_t) = nullptr;
  CUresult (*copyToHost)(void *, CUdeviceptr, size_t) = nullptr;
  CUresult (*launch)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                     unsigned, CUstream, void **, void **) = nullptr;
  CUresult (*launchCooperative)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned,
                                unsigned, unsigned, CUstream, void **) = nullptr;
  // Null: the driver is older than attributes of launches.
  CUresult (*launchWith)(const CUlaunchConfig *, CUfunction, void **, void **) = nullptr;
  CUresult (*createStream)(CUstream *, unsigned) = nullptr;
  CUresult (*destroyStream)(CUstream) = nullptr;
  CUresult (*beginCapture)(CUstream, CUstreamCaptureMode) = nullptr;
  CUresult (*endCapture)(CUstream, CUgraph *) = nullptr;
  CUresult (*instantiateGraph)(CUgraphExec *, CUgraph, unsigned long long) = nullptr;
  CUresult (*launchGraph)(CUgraphExec, CUstream) = nullptr;
  CUresult (*destroyGraph)(CUgraph) = nullptr;
  CUresult (*destroyExecutable)(CUgraphExec) = nullptr;
  CUresult (*createEvent)(CUevent *, unsigned) = nullptr;
  CUresult (*destroyEvent)(CUevent) = nullptr;
  CUresult (*recordEvent)(CUevent, CUstream) = nullptr;
  CUresult (*synchronizeEvent)(CUevent) = nullptr;
  CUresult (*elapsed)(float *, CUevent, CUevent) = nullptr;
  // Null: the driver is older than tensor maps.
  CUresult (*encodeTiled)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                          const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                          const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                          CUtensorMapL2promotion, CUtensorMapFloatOOBfill) = nullptr;
  CUresult (*errorName)(CUresult, const char **) = nullptr;
  CUresult (*errorText)(CUresult, const char **) = nullptr;

  llvm::Error check(CUresult result, llvm::StringRef call) const {
    if (result == CUDA_SUCCESS)
      return llvm::Error::success();
    const char *name = nullptr;
    const char *text = nullptr;
    errorName(result, &name);
    errorText(result, &text);
    return llvm::createStringError("CUDA driver: " + call.str() + ": " +
                                   (name ? name : "unknown error") +
                                   (text ? std::string(" (") + text + ")" : ""));
  }
};

namespace {

llvm::Error loadFunctions(const SharedLibrary &library, DriverFunctions &driver) {
  llvm::Error error = llvm::Error::success();
  auto find = [&](llvm::StringRef symbol, auto *&function) {
    if (!error)
      error = library.find(symbol, function);
  };
  find("cuInit", driver.init);
  find("cuDeviceGetCount", driver.deviceGetCount);
  find("cuDeviceGet", driver.deviceGet);
  find("cuDeviceGetName", driver.deviceGetName);
  find("cuDeviceGetPCIBusId", driver.deviceGetBusId);
  find("cuDeviceGetAttribute", driver.deviceGetAttribute);
  find("cuDevicePrimaryCtxRetain", driver.retainContext);
  find("cuDevicePrimaryCtxRelease_v2", driver.releaseContext);
  find("cuCtxSetCurrent", driver.setCurrent);
  find("cuCtxSynchronize", driver.synchronize);
  find("cuModuleLoadData", driver.loadModule);
  find("cuModuleUnload", driver.unloadModule);
  find("cuModuleGetFunction", driver.getFunction);
  find("cuFuncGetAttribute", driver.getFunctionAttribute);
  find("cuFuncSetAttribute", driver.setFunctionAttribute);
  find("cuMemAlloc_v2", driver.allocate);
  find("cuMemFree_v2", driver.free);
  find("cuMemcpyHtoD_v2", driver.copyToDevice);
  find("cuMemcpyDtoH_v2", driver.copyToHost);
  find("cuLaunchKernel", driver.launch);
  find("cuLaunchCooperativeKernel", driver.launchCooperative);
  find("cuStreamCreate", driver.createStream);
  find("cuStreamDestroy_v2", driver.destroyStream);
  find("cuStreamBeginCapture_v2", driver.beginCapture);
  find("cuStreamEndCapture", driver.endCapture);
  find("cuGraphInstantiateWithFlags", driver.instantiateGraph);
  find("cuGraphLaunch", driver.launchGraph);
  find("cuGraphDestroy", driver.destroyGraph);
  find("cuGraphExecDestroy", driver.destroyExecutable);
  find("cuEventCreate", driver.createEvent);
  find("cuEventDestroy_v2", driver.destroyEvent);
  find("cuEventRecord", driver.recordEvent);
  find("cuEventSynchronize", driver.synchronizeEvent);
  find("cuEventElapsedTime", driver.elapsed);
  find("cuGetErrorName", driver.errorName);
  find("cuGetErrorString", driver.errorText);
  llvm::consumeError(library.find("cuTensorMapEncodeTiled", driver.encodeTiled));
  llvm::consumeError(library.find("cuLaunchKernelEx", driver.launchWith));
  return error;
}

llvm::Expected<std::unique_ptr<DriverFunctions>> loadDriver() {
  llvm::Expected<SharedLibrary> library =
      SharedLibrary::open("CUDA driver", {std::string("libcuda.so.1")});
  if (!library)
    return library.takeError();
  auto driver = std::make_unique<DriverFunctions>();
  if (llvm::Error error = loadFunctions(*library, *driver))
    return error;
  if (llvm::Error error = driver->check(driver->init(0), "cuInit"))
    return error;
  return driver;
}

llvm::Expected<int> countDevices(const DriverFunctions &driver) {
  int count = 0;
  if (llvm::Error error = driver.check(driver.deviceGetCount(&count), "cuDeviceGetCount"))
    return error;
  if (count == 0)
    return llvm::createStringError("no GPU on this machine: the CUDA driver reports none");
  return count;
}

} // namespace

DeviceMemory::DeviceMemory(DeviceMemory &&other) noexcept
    : driver_(other.driver_), address_(std::exchange(other.address_, 0)), bytes_(other.bytes_) {}

DeviceMemory &DeviceMemory::operator=(DeviceMemory &&other) noexcept {
  std::swap(driver_, other.driver_);
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

DeviceMemory::~DeviceMemory() {
  if (address_)
    driver_->free(address_);
}

DeviceGraph::DeviceGraph(DeviceGraph &&other) noexcept
    : driver_(other.driver_), executable_(std::exchange(other.executable_, nullptr)) {}

DeviceGraph &DeviceGraph::operator=(DeviceGraph &&other) noexcept {
  std::swap(driver_, other.driver_);
  std::swap(executable_, other.executable_);
  return *this;
}

DeviceGraph::~DeviceGraph() {
  if (executable_)
    driver_->destroyExecutable(static_cast<CUgraphExec>(executable_));
}

Device::Device(std::unique_ptr<DriverFunctions> driver) : driver_(std::move(driver)) {}

Device::~Device() {
  for (void *module : modules_)
    driver_->unloadModule(static_cast<CUmodule>(module));
  if (stream_)
    driver_->destroyStream(static_cast<CUstream>(stream_));
  if (context_)
    driver_->releaseContext(ordinal_);
}

llvm::Expected<int> Device::count() {
  llvm::Expected<std::unique_ptr<DriverFunctions>> driver = loadDriver();
  if (!driver)
    return driver.takeError();
  return countDevices(**driver);
}

llvm::Expected<std::unique_ptr<Device>> Device::open(int ordinal) {
  llvm::Expected<std::unique_ptr<DriverFunctions>> driver = loadDriver();
  if (!driver)
    return driver.takeError();
  std::unique_ptr<Device> device(new Device(std::move(*driver)));
  if (llvm::Error error = device->initialise(ordinal))
    return error;
  return device;
}

llvm::Error Device::initialise(int ordinal) {
  if (llvm::Expected<int> count = countDevices(*driver_); !count)
    return count.takeError();
  CUdevice device = 0;
  if (llvm::Error error = driver_->check(driver_->deviceGet(&device, ordinal), "cuDeviceGet"))
    return error;
  ordinal_ = device;
  CUcontext context = nullptr;
  if (llvm::Error error =
          driver_->check(driver_->retainContext(&context, device), "cuDevicePrimaryCtxRetain"))
    return error;
  context_ = context;
  if (llvm::Error error = driver_->check(driver_->setCurrent(context), "cuCtxSetCurrent"))
    return error;
  CUstream stream = nullptr;
  if (llvm::Error error =
          driver_->check(driver_->createStream(&stream, CU_STREAM_DEFAULT), "cuStreamCreate"))
    return error;
  stream_ = stream;
  char name[256] = "";
  driver_->deviceGetName(name, sizeof name - 1, device);
  name_ = name;
  char busId[32] = "";
  driver_->deviceGetBusId(busId, sizeof busId - 1, device);
  busId_ = busId;
  auto attribute = [&](CUdevice_attribute which) {
    int value = 0;
    driver_->deviceGetAttribute(&value, which, device);
    return value;
  };
  int major = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  int minor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  architecture_ = "sm_" + std::to_string(major) + std::to_string(minor) + (major >= 9 ? "a" : "");
  sharedBytesPerBlock_ = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  cacheBytes_ = attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  return llvm::Error::success();
}

llvm::Expected<DeviceMemory> Device::allocate(size_t bytes) {
  CUdeviceptr address = 0;
  // Nothing can be allocated with no bytes, but a kernel may take an empty tensor.
  size_t wanted = std::max<size_t>(bytes, 16);
  if (llvm::Error error = driver_->check(driver_->allocate(&address, wanted), "cuMemAlloc"))
    return error;
  return DeviceMemory(*driver_, address, bytes);
}

llvm::Error Device::write(const DeviceMemory &memory, llvm::ArrayRef<uint8_t> bytes) {
  if (bytes.empty())
    return llvm::Error::success();
  return driver_->check(driver_->copyToDevice(memory.address(), bytes.data(), bytes.size()),
                        "cuMemcpyHtoD");
}

llvm::Error Device::read(const DeviceMemory &memory, llvm::MutableArrayRef<uint8_t> bytes) {
  if (bytes.empty())
    return llvm::Error::success();
  return driver_->check(driver_->copyToHost(bytes.data(), memory.address(), bytes.size()),
                        "cuMemcpyDtoH");
}

llvm::Error Device::loadModule(llvm::ArrayRef<char> binary) {
  CUmodule module = nullptr;
  if (llvm::Error error =
          driver_->check(driver_->loadModule(&module, binary.data()), "cuModuleLoadData"))
    return error;
  modules_.push_back(module);
  return llvm::Error::success();
}

llvm::Expected<DeviceKernel> Device::findKernel(llvm::StringRef name, unsigned dynamicSharedBytes) {
  CUfunction function = nullptr;
  for (void *module : llvm::reverse(modules_))
    if (driver_->getFunction(&function, static_cast<CUmodule>(module), name.str().c_str()) ==
        CUDA_SUCCESS)
      break;
  if (!function)
    return llvm::createStringError("no kernel '" + name.str() + "' in the loaded modules");
  CUresult allowed =
      driver_->setFunctionAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                    static_cast<int>(dynamicSharedBytes));
  if (llvm::Error error =
          driver_->check(allowed, "cuFuncSetAttribute(" + std::to_string(dynamicSharedBytes) +
                                      " bytes of shared memory)"))
    return error;
  DeviceKernel kernel;
  kernel.function = function;
  driver_->getFunctionAttribute(&kernel.registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function);
  driver_->getFunctionAttribute(&kernel.localBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, function);
  return kernel;
}

llvm::Expected<EncodedTensorMap> Device::encode(const TensorMapFields &map,
                                                const DeviceMemory &tensor) const {
  constexpr llvm::StringLiteral Call = "cuTensorMapEncodeTiled";
  if (!driver_->encodeTiled)
    return llvm::createStringError("the driver has no " + Call.str());
  static_assert(sizeof(CUtensorMap) == sizeof(EncodedTensorMap));
  EncodedTensorMap encoded;
  std::vector<cuuint32_t> box(map.box), steps(map.box.size(), 1);
  std::vector<cuuint64_t> sizes(map.dims), strides(map.strides);
  if (map.isEmpty()) {
    constexpr cuuint64_t AnyStride = 16;
    sizes.assign(sizes.size(), 1);
    strides.assign(strides.size(), AnyStride);
  }
  CUresult result = driver_->encodeTiled(
      reinterpret_cast<CUtensorMap *>(&encoded), static_cast<CUtensorMapDataType>(map.type),
      static_cast<cuuint32_t>(box.size()), reinterpret_cast<void *>(tensor.address()), // NOLINT
      sizes.data(), strides.data(), box.data(), steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE,
      static_cast<CUtensorMapSwizzle>(map.swizzle), CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (llvm::Error error = driver_->check(result, Call))
    return error;
  return encoded;
}

llvm::Error Device::launch(const DeviceKernel &kernel, const LaunchShape &shape,
                           llvm::ArrayRef<void *> arguments) {
  std::vector<void *> values(arguments);
  if (shape.isCooperative)
    return driver_->check(
        driver_->launchCooperative(static_cast<CUfunction>(kernel.function), shape.grid[0],
                                   shape.grid[1], shape.grid[2], shape.threads, 1, 1,
                                   shape.dynamicSharedBytes, static_cast<CUstream>(stream_),
                                   values.data()),
        "cuLaunchCooperativeKernel, which takes as many blocks as run at the same time");
  if (shape.beginsEarly && driver_->launchWith)
    return launchEarly(kernel, shape, values);
  CUresult result =
      driver_->launch(static_cast<CUfunction>(kernel.function), shape.grid[0], shape.grid[1],
                      shape.grid[2], shape.threads, 1, 1, shape.dynamicSharedBytes,
                      static_cast<CUstream>(stream_), values.data(), nullptr);
  return driver_->check(result, "cuLaunchKernel");
}

// A driver that cannot starts it when those before have ended, which is later.
llvm::Error Device::launchEarly(const DeviceKernel &kernel, const LaunchShape &shape,
                                std::vector<void *> &arguments) {
  CUlaunchAttribute early = {};
  early.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  early.value.programmaticStreamSerializationAllowed = 1;
  CUlaunchConfig config = {};
  config.gridDimX = shape.grid[0];
  config.gridDimY = shape.grid[1];
  config.gridDimZ = shape.grid[2];
  config.blockDimX = shape.threads;
  config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = shape.dynamicSharedBytes;
  config.hStream = static_cast<CUstream>(stream_);
  config.attrs = &early;
  config.numAttrs = 1;
  CUresult result = driver_->launchWith(&config, static_cast<CUfunction>(kernel.function),
                                        arguments.data(), nullptr);
  return driver_->check(result, "cuLaunchKernelEx");
}

llvm::Error Device::synchronize() {
  // It may have been opened by another thread.
  if (llvm::Error error =
          driver_->check(driver_->setCurrent(static_cast<CUcontext>(context_)), "cuCtxSetCurrent"))
    return error;
  return driver_->check(driver_->synchronize(), "cuCtxSynchronize");
}

llvm::Expected<DeviceGraph> Device::record(llvm::function_ref<llvm::Error()> work) {
  auto *stream = static_cast<CUstream>(stream_);
  if (llvm::Error error =
          driver_->check(driver_->beginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
                         "cuStreamBeginCapture"))
    return error;
  llvm::Error error = work();
  CUgraph graph = nullptr;
  CUresult ended = driver_->endCapture(stream, &graph);
  if (!error)
    error = driver_->check(ended, "cuStreamEndCapture");
  CUgraphExec executable = nullptr;
  if (!error)
    error = driver_->check(driver_->instantiateGraph(&executable, graph, 0),
                           "cuGraphInstantiateWithFlags");
  if (graph)
    driver_->destroyGraph(graph);
  if (error)
    return error;
  return DeviceGraph(*driver_, executable);
}

llvm::Expected<float> Device::time(const DeviceGraph &graph, int64_t times,
                                   llvm::function_ref<void()> meanwhile) {
  auto *stream = static_cast<CUstream>(stream_);
  CUevent events[2] = {nullptr, nullptr};
  llvm::Error error = llvm::Error::success();
  auto step = [&](CUresult result, llvm::StringRef call) {
    if (!error)
      error = driver_->check(result, call);
  };
  for (CUevent &event : events)
    step(driver_->createEvent(&event, CU_EVENT_DEFAULT), "cuEventCreate");
  float milliseconds = 0;
  if (!error) {
    step(driver_->recordEvent(events[0], stream), "cuEventRecord");
    for (int64_t i = 0; i != times && !error; ++i)
      step(driver_->launchGraph(static_cast<CUgraphExec>(graph.executable_), stream),
           "cuGraphLaunch");
    step(driver_->recordEvent(events[1], stream), "cuEventRecord");
    if (!error)
      meanwhile();
    step(driver_->synchronizeEvent(events[1]), "cuEventSynchronize");
    step(driver_->elapsed(&milliseconds, events[0], events[1]), "cuEventElapsedTime");
  }
  for (CUevent event : events)
    if (event)
      driver_->destroyEvent(event);
  if (error)
    return error;
  return milliseconds;
}

} // namespace tilescope
