#include "core/exec/launch_run.h"

#include "core/exec/group_run.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace tilescope {

namespace {

// A warp, or all threads of a block.
struct Member {
  std::unique_ptr<ThreadGroup> group;
  std::unique_ptr<GroupRun> run;
};

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
        return end();
      if (!llvm::all_of(members_, waits))
        waiting->group->find(FindingKind::MissedBarrier, 0, "");
      for (Member &member : members_)
        if (waits(member))
          member.group->meet(BarrierScope::Block);
    }
  }

private:
  void end() {
    for (Member &member : members_)
      findCopiesInFlight(*member.group);
  }

  std::vector<Member> members_;
};

class LaunchRun {
public:
  LaunchRun(const Launch &launch, ThreadGroup &host, const BlockOptions &options)
      : launch_(launch), state_(host.block().launch), global_(state_.global),
        grid_(gridOf(launch, host)),
        count_(std::accumulate(grid_.begin(), grid_.end(), int64_t{1}, std::multiplies<>())),
        shared_(state_.function, [&](const Expr *extent) { return valueOf(extent, host); }),
        uniform_(host.block().uniform), queue_(chooseBlocks(count_, options.blocks), options) {
    host.copyTo(uniform_);
  }

  BlockCounts run() {
    watchTensors();
    bool isRun = !isForOne_ && queue_.threads() > 1 && runTogether();
    if (!isRun)
      runOn(1);
    for (const auto &[block, findings] : found_)
      state_.findings.append(findings);
    return {queue_.size(), count_};
  }

private:
  static int64_t valueOf(const Expr *expr, ThreadGroup &host) {
    return host.evaluate(expr, host.all()).front().i;
  }
  static llvm::SmallVector<int64_t> gridOf(const Launch &launch, ThreadGroup &host) {
    llvm::SmallVector<int64_t> grid;
    for (const Expr *extent : launch.gridExtents)
      grid.push_back(std::max<int64_t>(valueOf(extent, host), 0));
    return grid;
  }

  // False: it came to nothing, because blocks of several threads met. All is as before then.
  bool runTogether() {
    std::map<BufferId, Tensor> before;
    for (const auto &[buffer, shadow] : global_.shadows) {
      const Tensor &tensor = global_.memory.tensors.at(buffer);
      before.emplace(buffer, tensor);
      global_.claims.watch(buffer, tensor.size());
    }
    runOn(queue_.threads());
    bool isContested = global_.claims.isContested();
    global_.claims.clear();
    if (!isContested)
      return true;
    found_.clear();
    for (auto &[buffer, tensor] : before)
      global_.memory.tensors.at(buffer) = std::move(tensor);
    watchTensors();
    return false;
  }

  void runOn(unsigned threads) {
    queue_.run(threads, [this](uint32_t worker) {
      Findings findings;
      LaunchState launch{state_.function,    global_,          findings,
                         state_.hasBarriers, state_.isGuarded, worker};
      BlockState state{launch, 0, shared_, uniform_, launch_.threads, {}};
      while (std::optional<int64_t> block = queue_.next()) {
        runOne(state, *block);
        keep(*block, findings);
        if (global_.claims.isContested())
          queue_.stop();
        queue_.finish();
      }
    });
  }

  void runOne(BlockState &state, int64_t block) const {
    state.block = block;
    state.shared = shared_;
    state.uniform = uniform_;
    state.votes.clear();
    for (auto [var, extent] : llvm::zip(launch_.blockVars, grid_)) {
      state.uniform[var->id.value] = Number{.i = block % extent};
      block /= extent;
    }
    BlockRun(state, launch_).run();
  }

  void keep(int64_t block, Findings &findings) {
    if (findings.empty())
      return;
    std::lock_guard lock(mutex_);
    found_[block] = std::exchange(findings, Findings());
  }

  // Launches come one after the other, so nothing of an earlier one matters. Of tensors that are
  // only read there is nothing to know.
  void watchTensors() {
    global_.shadows.clear();
    walk(launch_.body, [&](const Stmt *stmt) {
      if (const auto *store = llvm::dyn_cast<Store>(stmt))
        watch(store->buffer, /*isAtomic=*/false);
      if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
        for (auto [region, operand] : llvm::zip(op->regions, op->opInfo().operands))
          if (operand.effect != Effect::Read)
            watch(region.buffer, operand.isAtomic);
      return true;
    });
  }

  void watch(BufferId buffer, bool isAtomic) {
    auto tensor = global_.memory.tensors.find(buffer);
    if (tensor == global_.memory.tensors.end())
      return;
    bool isTooLarge = tensor->second.size() > MostWatchedElements;
    isForOne_ |= isAtomic || isTooLarge;
    if (!isTooLarge)
      global_.shadows.try_emplace(buffer, static_cast<size_t>(tensor->second.size()),
                                  /*isWritten=*/true);
  }

  const Launch &launch_;
  LaunchState &state_; // of the host
  GlobalState &global_;
  llvm::SmallVector<int64_t> grid_;
  int64_t count_;
  SharedMemory shared_; // of each block, as it starts
  llvm::DenseMap<uint32_t, Number> uniform_;
  BlockQueue queue_;
  bool isForOne_ = false; // it is known that blocks touch what others do
  std::mutex mutex_;
  std::map<int64_t, Findings> found_; // by block
};

} // namespace

BlockCounts runBlocks(const Launch &launch, ThreadGroup &host, const BlockOptions &options) {
  return LaunchRun(launch, host, options).run();
}

} // namespace tilescope
