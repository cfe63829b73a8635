#include "cli/kernel_run.h"

#include "core/codegen/launch_values.h"
#include "core/exec/inputs.h"
#include "core/exec/reference.h"
#include "core/ir/visit.h"
#ifdef TILESCOPE_HAS_CUDA
#include "core/cuda/device.h"
#include "core/cuda/toolkit.h"
#endif

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tilescope {

bool RunResult::passed() const {
  return llvm::all_of(checks, [](const RunCheck &check) { return check.comparison.passed(); });
}

#ifndef TILESCOPE_HAS_CUDA

llvm::Expected<RunResult> runKernel(const CompileResult &, const RunOptions &) {
  return llvm::createStringError(
      "this tilescope was built without the CUDA headers, so it cannot run kernels; "
      "./dev setup --cuda fetches them");
}

#else

namespace {

// The kernel as written, with values for its scalars and tensors.
struct Problem {
  const Function *function = nullptr;
  std::vector<std::pair<const Var *, int64_t>> scalars;
  ScalarValues values;           // the same, by name
  GlobalMemory memory;           // of the parameters, as they start
  std::vector<BufferId> written; // parameters that the kernel writes
};

llvm::Expected<const Function *> writtenFunction(const CompileResult &compiled) {
  const Module *module = compiled.elaborated;
  if (!module || module->functions.size() != 1)
    return llvm::createStringError("run wants one kernel function: name it as FILE:FUNCTION");
  return module->functions.front();
}

llvm::Error bindScalars(Problem &problem, const std::map<std::string, int64_t> &given) {
  std::map<std::string, int64_t> rest = given;
  std::vector<std::string> missing;
  for (const Param &param : problem.function->params) {
    if (!param.var)
      continue;
    auto found = rest.find(param.var->name.str());
    if (found == rest.end()) {
      missing.push_back(param.var->name.str());
      continue;
    }
    problem.scalars.emplace_back(param.var, found->second);
    problem.values.insert(*found);
    rest.erase(found);
  }
  if (!missing.empty())
    return llvm::createStringError("no value for " + llvm::join(missing, ", ") +
                                   ", known only at launch: --dim " + missing.front() + "=1000");
  if (!rest.empty())
    return llvm::createStringError("the kernel has no scalar '" + rest.begin()->first + "'");
  return llvm::Error::success();
}

struct ParamUse {
  bool isRead = false;
  bool isWritten = false;
};

ParamUse useOf(const Function &function, BufferId buffer) {
  ParamUse use;
  Context scratch;
  walk(function.body, [&](const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(scratch, stmt)) {
      use.isRead |= access.buffer == buffer && access.effect != Effect::Write;
      use.isWritten |= access.buffer == buffer && access.effect != Effect::Read;
    }
    return true;
  });
  return use;
}

llvm::Expected<Tensor> makeTensor(Problem &problem, const Buffer &buffer,
                                  const RunOptions &options) {
  BlockFrame frame(*problem.function, problem.memory);
  for (auto [var, value] : problem.scalars)
    frame.bind(var, Number{.i = value});
  llvm::SmallVector<int64_t> shape;
  double bytes = buffer.dtype.bits / 8.0;
  for (const Expr *extent : buffer.shape) {
    shape.push_back(frame.evaluateInt(extent));
    bytes *= static_cast<double>(shape.back());
  }
  constexpr double Limit = 64.0 * (1 << 30);
  if (bytes > Limit)
    return llvm::createStringError("tensor '" + buffer.name.str() + "' is larger than 64 GiB");
  Tensor tensor(buffer.dtype, shape, buffer.layout);
  std::string name = buffer.name.str();
  ParamUse use = useOf(*problem.function, buffer.id);
  if (auto fill = options.fills.find(name); fill != options.fills.end()) {
    if (llvm::Error error = fillAs(tensor, fill->second, options.seed, name))
      return error;
  } else if (use.isRead && (tensor.isFloat() || !isUsedAsIndex(*problem.function, buffer.id))) {
    fillSeeded(tensor, options.seed, name);
  }
  return tensor;
}

llvm::Error makeProblem(Problem &problem, const CompileResult &compiled,
                        const RunOptions &options) {
  llvm::Expected<const Function *> function = writtenFunction(compiled);
  if (!function)
    return function.takeError();
  problem.function = *function;
  if (llvm::Error error = bindScalars(problem, options.scalars))
    return error;
  for (const Param &param : problem.function->params) {
    if (param.var)
      continue;
    const Buffer &buffer = problem.function->buffer(param.buffer);
    llvm::Expected<Tensor> tensor = makeTensor(problem, buffer, options);
    if (!tensor)
      return tensor.takeError();
    problem.memory.tensors.emplace(buffer.id, std::move(*tensor));
    if (useOf(*problem.function, buffer.id).isWritten)
      problem.written.push_back(buffer.id);
  }
  for (const auto &[name, how] : options.fills)
    if (llvm::none_of(problem.memory.tensors, [&](const auto &entry) {
          return problem.function->buffer(entry.first).name == name;
        }))
      return llvm::createStringError("the kernel has no tensor '" + name + "' to fill");
  return llvm::Error::success();
}

// One set of device memory: parameters and workspaces, by name.
using DeviceTensors = std::map<std::string, DeviceMemory>;

class GpuRun {
public:
  GpuRun(const CompileResult &compiled, const RunOptions &options, Problem &problem, Device &device)
      : compiled_(compiled), options_(options), problem_(problem), device_(device) {}

  llvm::Error load(RunResult &result);
  llvm::Expected<DeviceTensors> upload();
  llvm::Error launchAll(DeviceTensors &tensors);
  llvm::Error compare(DeviceTensors &tensors, RunResult &result);
  llvm::Error measure(DeviceTensors first, RunResult &result);

private:
  struct Prepared {
    const LaunchRecord *record;
    LaunchShape shape;
    DeviceKernel kernel;
  };

  llvm::Expected<Prepared> prepare(const LaunchRecord &record, RunLaunch &report);
  llvm::Expected<int64_t> elementsOf(const LaunchParam &param) const;

  const CompileResult &compiled_;
  const RunOptions &options_;
  Problem &problem_;
  Device &device_;
  std::vector<Prepared> launches_;
  std::map<BufferId, std::vector<uint8_t>> images_; // of the parameters as they start
};

llvm::Error GpuRun::load(RunResult &result) {
  DeviceCompileRequest request;
  request.source = compiled_.cuda->text;
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
  if (llvm::Error error = device_.loadModule(binary->bytes))
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
    llvm::Expected<int64_t> extent = evaluateLaunchText(record.grid[dim], problem_.values);
    if (!extent)
      return extent.takeError();
    report.grid[dim] = *extent;
    prepared.shape.grid[dim] = static_cast<unsigned>(std::max<int64_t>(*extent, 0));
  }
  llvm::Expected<int64_t> dynamicBytes =
      evaluateLaunchText(record.dynamicSharedBytes, problem_.values);
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
    llvm::Expected<int64_t> extent = evaluateLaunchText(text, problem_.values);
    if (!extent)
      return extent.takeError();
    elements *= *extent;
  }
  return elements;
}

llvm::Expected<DeviceTensors> GpuRun::upload() {
  DeviceTensors tensors;
  for (const auto &[id, tensor] : problem_.memory.tensors) {
    std::vector<uint8_t> &bytes = images_[id];
    if (bytes.empty())
      bytes = tensor.toBytes();
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
        int64_t number = problem_.values.at(param.name);
        DType dtype = parseDType(param.dtype).value_or(DType::int32());
        value = static_cast<uint64_t>(number);
        if (dtype.isFloat())
          value = dtype.bits == 64 ? std::bit_cast<uint64_t>(static_cast<double>(number))
                                   : std::bit_cast<uint32_t>(static_cast<float>(number));
      }
      pointers.push_back(&value);
    }
    bool isEmpty = llvm::is_contained(launch.shape.grid, 0U);
    if (isEmpty)
      continue;
    if (llvm::Error error = device_.launch(launch.kernel, launch.shape, pointers))
      return error;
  }
  return llvm::Error::success();
}

// After the first run: downloads what was written and runs the reference on the same inputs.
llvm::Error GpuRun::compare(DeviceTensors &tensors, RunResult &result) {
  std::map<BufferId, Tensor> got;
  for (BufferId id : problem_.written) {
    const Buffer &buffer = problem_.function->buffer(id);
    const DeviceMemory &memory = tensors.at(buffer.name.str());
    std::vector<uint8_t> bytes(memory.bytes());
    if (llvm::Error error = device_.read(memory, bytes))
      return error;
    Tensor tensor(buffer.dtype, problem_.memory.tensors.at(id).shape(), buffer.layout);
    tensor.fromBytes(bytes);
    got.emplace(id, std::move(tensor));
  }
  ReferenceOptions options;
  options.seed = options_.seed;
  llvm::Expected<ReferenceReport> report =
      runReference(*problem_.function, problem_.memory, problem_.scalars, options);
  if (!report)
    return report.takeError();
  for (BufferId id : problem_.written) {
    RunCheck check;
    check.tensor = problem_.function->buffer(id).name.str();
    check.tolerance = toleranceFor(*problem_.function, id);
    check.isSample = !report->sample.empty();
    check.comparison = compareTensors(got.at(id), problem_.memory.tensors.at(id), check.tolerance,
                                      id, report->sample);
    result.checks.push_back(std::move(check));
  }
  return llvm::Error::success();
}

// Rotates over sets of tensors that do not fit the L2 cache together, so that no run finds its
// inputs there; batches of several runs between two events, so that launches overlap.
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
  size_t next = 0;
  auto runMany = [&](int64_t count) -> llvm::Error {
    for (int64_t i = 0; i < count; ++i)
      if (llvm::Error error = launchAll(sets[next++ % sets.size()]))
        return error;
    return llvm::Error::success();
  };
  // The first batches warm up and say how many runs take about 20 ms.
  llvm::Expected<float> warm = device_.time([&] { return runMany(times.sets); });
  if (!warm)
    return warm.takeError();
  double oneMs = std::max(*warm / static_cast<double>(times.sets), 1e-3);
  auto batch = std::clamp<int64_t>(static_cast<int64_t>(20 / oneMs), 1, 1000);
  std::vector<double> milliseconds;
  for (int i = 0; i < Batches; ++i) {
    llvm::Expected<float> total = device_.time([&] { return runMany(batch); });
    if (!total)
      return total.takeError();
    milliseconds.push_back(*total / static_cast<double>(batch));
  }
  // The first batch may still run at a low clock.
  milliseconds.erase(milliseconds.begin());
  llvm::sort(milliseconds);
  times.medianMs = milliseconds[milliseconds.size() / 2];
  times.minMs = milliseconds.front();
  times.runs = batch * static_cast<int64_t>(milliseconds.size());
  times.gemmFlop = countGemmFlop(*problem_.function, problem_.scalars).value_or(0);
  result.times = times;
  return device_.synchronize();
}

} // namespace

llvm::Expected<RunResult> runKernel(const CompileResult &compiled, const RunOptions &options) {
  Problem problem;
  if (llvm::Error error = makeProblem(problem, compiled, options))
    return error;
  llvm::Expected<std::unique_ptr<Device>> device = Device::open();
  if (!device)
    return device.takeError();
  RunResult result;
  GpuRun run(compiled, options, problem, **device);
  if (llvm::Error error = run.load(result))
    return error;
  llvm::Expected<DeviceTensors> tensors = run.upload();
  if (!tensors)
    return tensors.takeError();
  if (llvm::Error error = run.launchAll(*tensors))
    return error;
  if (llvm::Error error = (*device)->synchronize())
    return error;
  if (options.check)
    if (llvm::Error error = run.compare(*tensors, result))
      return error;
  if (options.bench)
    if (llvm::Error error = run.measure(std::move(*tensors), result))
      return error;
  return result;
}

#endif

} // namespace tilescope
