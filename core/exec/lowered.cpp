#include "core/exec/lowered.h"

#include "core/exec/group_run.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// A warp, or all threads of a block.
struct Member {
  std::unique_ptr<ThreadGroup> group;
  std::unique_ptr<GroupRun> run;
};

// A plan that has bytes used again asks for more of them.
bool hasBarriers(const Function &function) {
  PropertySet properties = function.properties;
  return properties.has(Property::BarriersFinal) ||
         (properties.has(Property::BarriersPlaced) && !properties.has(Property::ArenaPlanned));
}

class BlockRun {
public:
  BlockRun(BlockState &state, const Launch &launch) {
    auto threads = static_cast<uint32_t>(launch.threads);
    uint32_t step = state.launch.hasBarriers ? LanesOfWarp : threads;
    for (uint32_t first = 0; first < threads; first += step) {
      uint32_t count = std::min(step, threads - first);
      auto group = std::make_unique<ThreadGroup>(state, first, count);
      LaneValues numbers;
      for (uint32_t lane = 0; lane != count; ++lane)
        numbers.push_back(Number{.i = first + lane});
      group->bind(launch.threadVar, std::move(numbers));
      auto run = std::make_unique<GroupRun>(*group, launch.body);
      members_.push_back({std::move(group), std::move(run)});
    }
  }

  // Warps that have ended are not waited for, but should have been.
  void run() {
    while (true) {
      for (Member &member : members_)
        member.run->run();
      auto waits = [](const Member &member) { return member.group->isWaiting(); };
      auto waiting = llvm::find_if(members_, waits);
      if (waiting == members_.end())
        return;
      if (!llvm::all_of(members_, waits))
        waiting->group->find(FindingKind::MissedBarrier, 0, "");
      for (Member &member : members_)
        if (waits(member))
          member.group->meet(BarrierScope::Block);
    }
  }

private:
  std::vector<Member> members_;
};

// A kernel's tensors that it writes are watched; those of others nobody can race for. More elements
// than this are not.
constexpr int64_t MostElements = int64_t{1} << 23;

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

  void run() {
    ThreadGroup group(host_, 0, 1);
    makeWorkspaces(group);
    GroupRun run(group, launch_.function.body);
    run.run([&](const Launch &launch) { runLaunch(launch, group); });
  }

private:
  // Tensors that the kernel itself allocates.
  void makeWorkspaces(ThreadGroup &host) {
    for (const Buffer *buffer : launch_.function.buffers) {
      if (buffer->scope != Scope::Global || launch_.global.memory.tensors.contains(buffer->id))
        continue;
      llvm::SmallVector<int64_t> shape;
      for (const Expr *extent : buffer->shape)
        shape.push_back(host.evaluate(extent, host.all()).front().i);
      launch_.global.memory.tensors.emplace(buffer->id,
                                            Tensor(buffer->dtype, shape, buffer->layout));
    }
  }

  static int64_t noExtents(const Expr *) { return 0; }

  // What host code has bound the blocks see as well.
  void runLaunch(const Launch &launch, ThreadGroup &host) {
    watchTensors(launch);
    llvm::SmallVector<int64_t> grid;
    int64_t count = 1;
    for (const Expr *extent : launch.gridExtents) {
      grid.push_back(std::max<int64_t>(host.evaluate(extent, host.all()).front().i, 0));
      count *= grid.back();
    }
    auto valueOf = [&](const Expr *extent) { return host.evaluate(extent, host.all()).front().i; };
    for (int64_t block = 0; block != count; ++block) {
      BlockState state{launch_, block, SharedMemory(launch_.function, valueOf), host_.uniform};
      host.copyTo(state.uniform);
      int64_t rest = block;
      for (auto [var, extent] : llvm::zip(launch.blockVars, grid)) {
        state.uniform[var->id.value] = Number{.i = rest % extent};
        rest /= extent;
      }
      BlockRun(state, launch).run();
    }
  }

  // Launches come one after the other, so nothing of an earlier one matters.
  void watchTensors(const Launch &launch) {
    GlobalState &global = launch_.global;
    global.shadows.clear();
    walk(launch.body, [&](const Stmt *stmt) {
      const auto *store = llvm::dyn_cast<Store>(stmt);
      if (store)
        watch(store->buffer);
      if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
        for (auto [region, operand] : llvm::zip(op->regions, op->opInfo().operands))
          if (operand.effect != Effect::Read)
            watch(region.buffer);
      return true;
    });
  }

  void watch(BufferId buffer) {
    auto tensor = launch_.global.memory.tensors.find(buffer);
    if (tensor == launch_.global.memory.tensors.end() || tensor->second.size() > MostElements)
      return;
    launch_.global.shadows.try_emplace(buffer, static_cast<size_t>(tensor->second.size()),
                                       /*isWritten=*/true);
  }

  LaunchState launch_;
  BlockState host_;
};

} // namespace

void runLowered(const Function &function, GlobalMemory &memory, ScalarArguments scalars,
                bool isGuarded, Findings &findings, std::map<BufferId, Shadow> &written) {
  GlobalState global{memory, {}};
  FunctionRun(function, global, scalars, isGuarded, findings).run();
  written = std::move(global.shadows);
}

} // namespace tilescope
