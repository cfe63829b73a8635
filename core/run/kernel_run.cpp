#include "core/run/kernel_run.h"

#include "core/codegen/launch_values.h"
#include "core/exec/scalar_text.h"
#ifdef TILESCOPE_HAS_CUDA
#include "core/cuda/device.h"
#include "core/cuda/device_monitor.h"
#include "core/cuda/toolkit.h"
#endif

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <mutex>

namespace tilescope {

#ifndef TILESCOPE_HAS_CUDA

static llvm::Error cannotRun() {
  return llvm::createStringError(
      "this tilescope was built without the CUDA headers, so it cannot run kernels; "
      "./dev setup --cuda fetches them");
}

llvm::Expected<RunResult> runKernel(const CompileResult &, const Problem &, const RunOptions &) {
  return cannotRun();
}

llvm::Expected<std::vector<std::string>> gpuNames() { return cannotRun(); }

llvm::Error checkGpuState() { return cannotRun(); }

llvm::Expected<std::unique_ptr<OpenGpu>> OpenGpu::open(int) { return cannotRun(); }

#else

namespace {

// The GPU for oneself: other threads of this process wait, and as far as they ask for the same
// file, other processes: POSIX record locks, as lockf(3).
class Turn {
public:
  static llvm::Expected<std::unique_ptr<Turn>> await(const std::string &path);

private:
  Turn() : alone_(mutex()) {}
  static std::mutex &mutex() {
    static std::mutex one;
    return one;
  }

  std::lock_guard<std::mutex> alone_;
  std::unique_ptr<llvm::raw_fd_ostream> file_;
  std::optional<llvm::sys::fs::FileLocker> held_; // let go before the file is closed
};

llvm::Expected<std::unique_ptr<Turn>> Turn::await(const std::string &path) {
  std::unique_ptr<Turn> turn(new Turn());
  if (path.empty())
    return turn;
  std::error_code failed;
  turn->file_ = std::make_unique<llvm::raw_fd_ostream>(
      path, failed, llvm::sys::fs::CD_OpenAlways, llvm::sys::fs::FA_Write, llvm::sys::fs::OF_None);
  if (failed)
    return llvm::createStringError("cannot open '" + path + "': " + failed.message());
  llvm::Expected<llvm::sys::fs::FileLocker> held = turn->file_->lock();
  if (!held)
    return held.takeError();
  turn->held_.emplace(std::move(*held));
  return turn;
}

// What a GPU is like while it is timed.
class StateSamples {
public:
  explicit StateSamples(const Device &device) {
    llvm::Expected<DeviceMonitor> monitor = DeviceMonitor::open(device.busId());
    if (monitor)
      monitor_ = *monitor;
    else
      llvm::consumeError(monitor.takeError()); // checkGpuState says it
  }
  void take() {
    if (!monitor_)
      return;
    if (std::optional<DeviceSample> sample = monitor_->sample())
      samples_.push_back(std::move(*sample));
  }
  std::optional<GpuState> state() {
    if (samples_.empty())
      return std::nullopt;
    GpuState state;
    for (const DeviceSample &sample : samples_)
      for (const std::string &reason : sample.slowedBy)
        if (!llvm::is_contained(state.slowedBy, reason))
          state.slowedBy.push_back(reason);
    // Both follow the load slowly.
    state.watts = samples_.back().watts;
    state.celsius = samples_.back().celsius;
    llvm::sort(samples_, [](const auto &a, const auto &b) { return a.smMhz < b.smMhz; });
    state.smMhz = samples_[samples_.size() / 2].smMhz;
    return state;
  }

private:
  std::optional<DeviceMonitor> monitor_;
  std::vector<DeviceSample> samples_;
};

// One set of device memory: parameters and workspaces, by name.
using DeviceTensors = std::map<std::string, DeviceMemory>;

class GpuRun {
public:
  GpuRun(const CompileResult &compiled, const RunOptions &options, const Problem &problem,
         Device &device)
      : compiled_(compiled), options_(options), problem_(problem), values_(integersOf(problem)),
        device_(device) {}

  llvm::Error load(RunResult &result);
  // What takes as long as the tensors are large, and needs no GPU.
  void makeImages();
  llvm::Expected<DeviceTensors> upload();
  llvm::Error launchAll(DeviceTensors &tensors);
  llvm::Expected<std::map<BufferId, Tensor>> download(const DeviceTensors &tensors);
  llvm::Error measure(DeviceTensors first, RunResult &result);

private:
  struct Prepared {
    const LaunchRecord *record;
    LaunchShape shape;
    DeviceKernel kernel;
  };

  uint64_t scalarValue(llvm::StringRef name) const;
  llvm::Expected<Prepared> prepare(const LaunchRecord &record, RunLaunch &report);
  llvm::Expected<int64_t> elementsOf(const LaunchParam &param) const;
  llvm::Error encodeMaps(const LaunchRecord &record, const DeviceTensors &tensors,
                         std::vector<EncodedTensorMap> &maps) const;

  const CompileResult &compiled_;
  const RunOptions &options_;
  const Problem &problem_;
  ScalarValues values_; // that grids and shapes depend on
  Device &device_;
  std::vector<Prepared> launches_;
  std::optional<DeviceMemory> zeros_;               // for maps of empty tensors
  std::map<BufferId, std::vector<uint8_t>> images_; // of the parameters as they start
};

llvm::Error GpuRun::load(RunResult &result) {
  DeviceCompileRequest request;
  request.source = compiled_.cuda->text;
  request.foreign = compiled_.cuda->foreign;
  request.name = "kernel.cu";
  request.architecture = device_.architecture();
  request.fastMath = compiled_.module->fastMath;
  request.cudaPath = options_.cudaPath;
  llvm::Expected<DeviceBinary> binary = compileForDevice(request);
  if (!binary)
    return binary.takeError();
  result.device = device_.name();
  result.architecture = request.architecture;
  result.compiler = binary->compiler;
  // A module that is loaded meanwhile would show in the times of others.
  llvm::Expected<std::unique_ptr<Turn>> turn = Turn::await(options_.lockPath);
  if (!turn)
    return turn.takeError();
  if (llvm::Error error = device_.loadModule(binary->bytes))
    return error;
  constexpr uint8_t Zeros[16] = {};
  llvm::Expected<DeviceMemory> zeros = device_.allocate(sizeof Zeros);
  if (!zeros)
    return zeros.takeError();
  zeros_.emplace(std::move(*zeros));
  if (llvm::Error error = device_.write(*zeros_, Zeros))
    return error;
  for (const LaunchRecord &record : compiled_.cuda->launches) {
    result.launches.emplace_back();
    llvm::Expected<Prepared> prepared = prepare(record, result.launches.back());
    if (!prepared)
      return prepared.takeError();
    launches_.push_back(*prepared);
  }
  return llvm::Error::success();
}

llvm::Expected<GpuRun::Prepared> GpuRun::prepare(const LaunchRecord &record, RunLaunch &report) {
  Prepared prepared{&record, {}, {}};
  report.kernel = record.kernel;
  report.threads = record.threads;
  for (size_t dim = 0; dim < record.grid.size() && dim < 3; ++dim) {
    llvm::Expected<int64_t> extent = evaluateLaunchText(record.grid[dim], values_);
    if (!extent)
      return extent.takeError();
    report.grid[dim] = *extent;
    prepared.shape.grid[dim] = static_cast<unsigned>(std::max<int64_t>(*extent, 0));
  }
  llvm::Expected<int64_t> dynamicBytes = evaluateLaunchText(record.dynamicSharedBytes, values_);
  if (!dynamicBytes)
    return dynamicBytes.takeError();
  report.sharedBytes = *dynamicBytes + record.staticSharedBytes;
  // The device may have more; the answer is for the target that was asked about.
  if (report.sharedBytes > compiled_.target->sharedBytesPerBlock)
    return llvm::createStringError(record.kernel + " needs " + std::to_string(report.sharedBytes) +
                                   " bytes of shared memory, " + compiled_.target->name.str() +
                                   " has " + std::to_string(compiled_.target->sharedBytesPerBlock));
  prepared.shape.threads = static_cast<unsigned>(record.threads);
  prepared.shape.dynamicSharedBytes = static_cast<unsigned>(*dynamicBytes);
  prepared.shape.isCooperative = record.isCooperative;
  prepared.shape.beginsEarly = record.beginsEarly;
  llvm::Expected<DeviceKernel> kernel =
      device_.findKernel(record.kernel, prepared.shape.dynamicSharedBytes);
  if (!kernel)
    return kernel.takeError();
  prepared.kernel = *kernel;
  report.registers = kernel->registers;
  report.localBytes = kernel->localBytes;
  return prepared;
}

llvm::Expected<int64_t> GpuRun::elementsOf(const LaunchParam &param) const {
  int64_t elements = 1;
  for (const std::string &text : param.shape) {
    llvm::Expected<int64_t> extent = evaluateLaunchText(text, values_);
    if (!extent)
      return extent.takeError();
    elements *= *extent;
  }
  return elements;
}

void GpuRun::makeImages() {
  for (const auto &[id, tensor] : problem_.memory.tensors)
    images_.emplace(id, toMemory(problem_, id, tensor));
}

llvm::Expected<DeviceTensors> GpuRun::upload() {
  DeviceTensors tensors;
  for (const auto &[id, tensor] : problem_.memory.tensors) {
    const std::vector<uint8_t> &bytes = images_.at(id);
    llvm::Expected<DeviceMemory> memory = device_.allocate(bytes.size());
    if (!memory)
      return memory.takeError();
    if (llvm::Error error = device_.write(*memory, bytes))
      return error;
    tensors.emplace(problem_.function->buffer(id).name.str(), std::move(*memory));
  }
  for (const LaunchRecord &record : compiled_.cuda->launches)
    for (const LaunchParam &param : record.params) {
      if (param.role != "workspace" || tensors.contains(param.name))
        continue;
      llvm::Expected<int64_t> elements = elementsOf(param);
      if (!elements)
        return elements.takeError();
      auto bytes = static_cast<size_t>(parseDType(param.dtype).value_or(DType()).bytes(*elements));
      llvm::Expected<DeviceMemory> memory = device_.allocate(bytes);
      if (!memory)
        return memory.takeError();
      tensors.emplace(param.name, std::move(*memory));
    }
  return tensors;
}

uint64_t GpuRun::scalarValue(llvm::StringRef name) const {
  for (auto [var, value] : problem_.scalars)
    if (var->name == name)
      return scalarBits(var->dtype(), value);
  return 0;
}

llvm::Error GpuRun::encodeMaps(const LaunchRecord &record, const DeviceTensors &tensors,
                               std::vector<EncodedTensorMap> &maps) const {
  for (const LaunchTensorMap &map : record.tensorMaps) {
    llvm::Expected<TensorMapFields> fields = evaluateTensorMap(map, values_);
    if (!fields)
      return fields.takeError();
    llvm::Expected<EncodedTensorMap> encoded =
        device_.encode(*fields, fields->isEmpty() ? *zeros_ : tensors.at(map.tensor));
    if (!encoded)
      return encoded.takeError();
    maps.push_back(*encoded);
  }
  return llvm::Error::success();
}

llvm::Error GpuRun::launchAll(DeviceTensors &tensors) {
  for (const Prepared &launch : launches_) {
    // cuLaunchKernel wants pointers to the values: they must not move while they are collected.
    std::vector<uint64_t> values(launch.record->params.size());
    std::vector<void *> pointers;
    for (auto [param, value] : llvm::zip_equal(launch.record->params, values)) {
      if (param.role != "scalar") {
        auto memory = tensors.find(param.name);
        if (memory == tensors.end())
          return llvm::createStringError("kernel parameter '" + param.name + "' has no tensor");
        value = memory->second.address();
      } else {
        value = scalarValue(param.name);
      }
      pointers.push_back(&value);
    }
    std::vector<EncodedTensorMap> maps;
    if (llvm::Error error = encodeMaps(*launch.record, tensors, maps))
      return error;
    for (EncodedTensorMap &map : maps)
      pointers.push_back(&map);
    bool isEmpty = llvm::is_contained(launch.shape.grid, 0U);
    if (isEmpty)
      continue;
    if (llvm::Error error = device_.launch(launch.kernel, launch.shape, pointers))
      return error;
  }
  return llvm::Error::success();
}

// What the kernel wrote.
llvm::Expected<std::map<BufferId, Tensor>> GpuRun::download(const DeviceTensors &tensors) {
  std::map<BufferId, Tensor> got;
  for (BufferId id : problem_.written) {
    const Buffer &buffer = problem_.function->buffer(id);
    const DeviceMemory &memory = tensors.at(buffer.name.str());
    std::vector<uint8_t> bytes(memory.bytes());
    if (llvm::Error error = device_.read(memory, bytes))
      return error;
    Tensor tensor(buffer.dtype, problem_.memory.tensors.at(id).shape(), buffer.layout);
    fromMemory(problem_, id, bytes, tensor);
    got.emplace(id, std::move(tensor));
  }
  return got;
}

// Rotates over sets of tensors that do not fit the L2 cache together, so that no run finds its
// inputs there. A graph has the launches of one rotation: kernels of a few microseconds take what
// the GPU needs, not what the host needs to launch them.
llvm::Error GpuRun::measure(DeviceTensors first, RunResult &result) {
  constexpr int64_t MaxSets = 16;
  constexpr int Batches = 15;
  RunTimes times;
  int64_t bytes = 0;
  for (const auto &[name, memory] : first)
    bytes += static_cast<int64_t>(memory.bytes());
  times.tensorBytes = static_cast<double>(bytes);
  times.sets =
      std::clamp<int64_t>(3 * device_.cacheBytes() / std::max<int64_t>(bytes, 1) + 1, 2, MaxSets);
  std::vector<DeviceTensors> sets;
  sets.push_back(std::move(first));
  while (static_cast<int64_t>(sets.size()) < times.sets) {
    llvm::Expected<DeviceTensors> more = upload();
    if (!more)
      return more.takeError();
    sets.push_back(std::move(*more));
  }
  llvm::Expected<DeviceGraph> rotation = device_.record([&]() -> llvm::Error {
    for (DeviceTensors &tensors : sets)
      if (llvm::Error error = launchAll(tensors))
        return error;
    return llvm::Error::success();
  });
  if (!rotation)
    return rotation.takeError();
  // The first rotation warms up and says how many take about 20 ms.
  llvm::Expected<float> warm = device_.time(*rotation, 1);
  if (!warm)
    return warm.takeError();
  auto runs = static_cast<double>(times.sets);
  auto batch =
      std::clamp<int64_t>(static_cast<int64_t>(20 / std::max<float>(*warm, 1e-3F)), 1, 1000);
  StateSamples samples(device_);
  std::vector<double> milliseconds;
  for (int i = 0; i < Batches; ++i) {
    // The first batch may still run at a low clock.
    bool isCounted = i > 0;
    llvm::Expected<float> total = device_.time(*rotation, batch, [&] {
      if (isCounted)
        samples.take();
    });
    if (!total)
      return total.takeError();
    if (isCounted)
      milliseconds.push_back(*total / static_cast<double>(batch) / runs);
  }
  llvm::sort(milliseconds);
  times.state = samples.state();
  times.medianMs = milliseconds[milliseconds.size() / 2];
  times.minMs = milliseconds.front();
  times.runs = batch * times.sets * static_cast<int64_t>(milliseconds.size());
  times.gemmFlop = estimateReference(*problem_.function, problem_.scalars).flop;
  result.times = times;
  return device_.synchronize();
}

// Uploads, launches, downloads and measures: what processes with the same lock do in turn.
llvm::Error useGpu(GpuRun &run, Device &device, const Problem &problem,
                   const std::optional<Expectation> &expected, const RunOptions &options,
                   RunResult &result) {
  llvm::Expected<std::unique_ptr<Turn>> turn = Turn::await(options.lockPath);
  if (!turn)
    return turn.takeError();
  if (options.onTurn)
    options.onTurn();
  llvm::Expected<DeviceTensors> tensors = run.upload();
  if (!tensors)
    return tensors.takeError();
  if (llvm::Error error = run.launchAll(*tensors))
    return error;
  if (llvm::Error error = device.synchronize())
    return error;
  if (expected || options.keepsOutputs) {
    llvm::Expected<std::map<BufferId, Tensor>> got = run.download(*tensors);
    if (!got)
      return got.takeError();
    if (expected)
      result.checks = checkOutputs(problem, *got, *expected);
    if (options.keepsOutputs)
      result.outputs = std::move(*got);
  }
  if (options.bench)
    if (llvm::Error error = run.measure(std::move(*tensors), result))
      return error;
  return llvm::Error::success();
}

class HeldDevice : public OpenGpu {
public:
  explicit HeldDevice(std::unique_ptr<Device> device) : device_(std::move(device)) {}
  llvm::Error check() override { return device_->synchronize(); }

private:
  std::unique_ptr<Device> device_;
};

} // namespace

llvm::Expected<std::vector<std::string>> gpuNames() {
  llvm::Expected<int> count = Device::count();
  if (!count)
    return count.takeError();
  std::vector<std::string> names;
  for (int gpu = 0; gpu != *count; ++gpu) {
    llvm::Expected<std::unique_ptr<Device>> device = Device::open(gpu);
    if (!device)
      return device.takeError();
    names.push_back((*device)->name());
  }
  return names;
}

llvm::Error checkGpuState() { return DeviceMonitor::check(); }

llvm::Expected<std::unique_ptr<OpenGpu>> OpenGpu::open(int gpu) {
  llvm::Expected<std::unique_ptr<Device>> device = Device::open(gpu);
  if (!device)
    return device.takeError();
  return std::make_unique<HeldDevice>(std::move(*device));
}

llvm::Expected<RunResult> runKernel(const CompileResult &compiled, const Problem &problem,
                                    const RunOptions &options) {
  llvm::Expected<std::unique_ptr<Device>> device = Device::open(options.gpu);
  if (!device)
    return device.takeError();
  RunResult result;
  GpuRun run(compiled, options, problem, **device);
  if (llvm::Error error = run.load(result))
    return error;
  std::optional<Expectation> expected;
  if (options.check) {
    llvm::Expected<Expectation> made = expect(problem, options.seed);
    if (!made)
      return made.takeError();
    result.refusal = made->refusal;
    if (!result.refusal.empty())
      return result;
    expected = std::move(*made);
  }
  run.makeImages();
  if (llvm::Error error = useGpu(run, **device, problem, expected, options, result))
    return error;
  return result;
}

#endif

} // namespace tilescope
