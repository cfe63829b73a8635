#include "core/exec/lowered.h"

#include "core/exec/group_run.h"
#include "core/exec/launch_run.h"

namespace tilescope {

namespace {

// A plan that has bytes used again asks for more of them.
bool hasBarriers(const Function &function) {
  PropertySet properties = function.properties;
  return properties.has(Property::BarriersFinal) ||
         (properties.has(Property::BarriersPlaced) && !properties.has(Property::ArenaPlanned));
}

class FunctionRun {
public:
  FunctionRun(const Function &function, GlobalState &global, ScalarArguments scalars,
              bool isGuarded, Findings &findings)
      : launch_{function, global, findings, hasBarriers(function),
                isGuarded || function.properties.has(Property::BarriersPlaced)},
        host_{launch_, 0, SharedMemory(function, noExtents), llvm::DenseMap<uint32_t, Number>()} {
    for (auto [var, value] : scalars)
      host_.uniform[var->id.value] = value;
  }

  BlockCounts run(const BlockOptions &options) {
    BlockCounts counts;
    ThreadGroup group(host_, 0, 1);
    makeWorkspaces(group, /*runsAll=*/options.blocks == 0);
    GroupRun run(group, launch_.function.body);
    run.run([&](const Launch &launch) { counts.add(runBlocks(launch, group, options)); });
    return counts;
  }

private:
  // Tensors that the kernel itself allocates. What blocks write that are not run is not known.
  void makeWorkspaces(ThreadGroup &host, bool runsAll) {
    for (const Buffer *buffer : launch_.function.buffers) {
      if (buffer->scope != Scope::Global || launch_.global.memory.tensors.contains(buffer->id))
        continue;
      llvm::SmallVector<int64_t> shape;
      for (const Expr *extent : buffer->shape)
        shape.push_back(host.evaluate(extent, host.all()).front().i);
      Tensor tensor(buffer->dtype, shape, buffer->layout);
      launch_.global.memory.written[buffer->id].assign(static_cast<size_t>(tensor.size()),
                                                       runsAll ? 0 : 1);
      launch_.global.memory.tensors.emplace(buffer->id, std::move(tensor));
    }
  }

  static int64_t noExtents(const Expr *) { return 0; }

  LaunchState launch_;
  BlockState host_;
};

} // namespace

BlockCounts runLowered(const Function &function, GlobalMemory &memory, ScalarArguments scalars,
                       bool isGuarded, const BlockOptions &options, Findings &findings,
                       std::map<BufferId, Shadow> &written) {
  GlobalState global{memory, {}, {}};
  BlockCounts counts = FunctionRun(function, global, scalars, isGuarded, findings).run(options);
  written = std::move(global.shadows);
  return counts;
}

} // namespace tilescope
