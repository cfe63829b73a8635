#include "core/exec/launch_run.h"

#include "core/exec/group_run.h"
#include "core/ir/atomic_attrs.h"
#include "core/ir/op_facts.h"

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
  BlockRun(BlockState &state, const Launch &launch) : state_(state) {
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

  enum class Stop : uint8_t { Ended, AtGrid, AtOthers };

  // Warps that have ended are not waited for, but should have been. No wait lasts for ever: where
  // nobody can go on those go on for whom others should have come, once blocks that live with this
  // one cannot go on either.
  Stop run() {
    hasGoneOn_ = false;
    while (true) {
      for (Member &member : members_)
        hasGoneOn_ |= member.run->run();
      if (llvm::any_of(members_, canGoOn) || leavePhases())
        continue;
      auto waiting = llvm::find_if(members_, waits);
      if (waiting == members_.end())
        return end();
      if (llvm::all_of(members_, isAtGrid))
        return Stop::AtGrid;
      if (llvm::any_of(members_, isAtPhase)) {
        if (state_.cluster)
          return Stop::AtOthers;
        giveUpPhases();
        continue;
      }
      auto atNamed = llvm::find_if(members_, [](const Member &member) {
        return member.group->awaited() == Awaited::SomeThreads;
      });
      if (atNamed != members_.end())
        giveUp(*atNamed);
      else
        meetBlock(*waiting);
    }
  }

  // In the last run.
  bool hasGoneOn() const { return hasGoneOn_; }
  // The first that waits for a phase does so no longer.
  void giveUpPhases() {
    auto atPhase = llvm::find_if(members_, isAtPhase);
    if (atPhase != members_.end())
      giveUpPhase(*atPhase->group);
  }
  void goOn() {
    for (Member &member : members_)
      leaveGrid(*member.group);
  }
  void findMissed() { members_.front().group->find(FindingKind::MissedBarrier, 0, ""); }

private:
  static bool waits(const Member &member) { return member.group->awaited() != Awaited::Nobody; }
  static bool isAtGrid(const Member &member) { return member.group->awaited() == Awaited::Grid; }
  static bool isAtPhase(const Member &member) { return member.group->awaited() == Awaited::Phase; }
  static bool canGoOn(const Member &member) { return !member.run->hasEnded() && !waits(member); }

  // True: some of those that waited for one go on.
  bool leavePhases() {
    bool isAny = false;
    for (Member &member : members_)
      isAny |= isAtPhase(member) && leavePhase(*member.group);
    return isAny;
  }

  void meetBlock(const Member &waiting) {
    if (!llvm::all_of(members_, waits) || llvm::any_of(members_, isAtGrid))
      waiting.group->find(FindingKind::MissedBarrier, 0, "");
    for (Member &member : members_)
      if (waits(member))
        member.group->meet(BarrierScope::Block);
  }

  void giveUp(const Member &waiting) {
    waiting.group->find(FindingKind::MissedBarrier, 0, "");
    state_.named.clear();
    for (Member &member : members_)
      if (member.group->awaited() == Awaited::SomeThreads)
        leaveNamed(*member.group);
  }

  Stop end() {
    llvm::SmallVector<ThreadGroup *> groups;
    for (Member &member : members_) {
      findCopiesInFlight(*member.group);
      groups.push_back(member.group.get());
    }
    if (state_.cluster) {
      findEndedEarly(groups);
      state_.cluster->blocks[static_cast<size_t>(state_.rank)] = nullptr;
    }
    return Stop::Ended;
  }

  BlockState &state_;
  std::vector<Member> members_;
  bool hasGoneOn_ = false;
};

class LaunchRun {
public:
  LaunchRun(const Launch &launch, ThreadGroup &host, const BlockOptions &options)
      : launch_(launch), state_(host.block().launch), global_(state_.global),
        grid_(gridOf(launch, host)),
        count_(std::accumulate(grid_.begin(), grid_.end(), int64_t{1}, std::multiplies<>())),
        shared_(state_.function, [&](const Expr *extent) { return valueOf(extent, host); }),
        uniform_(host.block().uniform), options_(options),
        queue_(chooseBlocks(count_, options.blocks), options) {
    host.copyTo(uniform_);
  }

  BlockCounts run() {
    watchTensors();
    if (meetsBlocks(launch_) || meetsCluster(launch_)) {
      runAllLive();
      return {count_, count_};
    }
    bool isRun = !isForOne_ && !hasNamedBarriers_ && queue_.threads() > 1 && runTogether();
    if (!isRun)
      runOn(1);
    takeResults();
    return {queue_.size(), count_};
  }

private:
  static int64_t valueOf(const Expr *expr, ThreadGroup &host) {
    return host.evaluateIndex(expr, host.all()).front().i;
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
      LaunchState launch{state_.function,  global_, findings,          state_.hasBarriers,
                         state_.isGuarded, worker,  hasNamedBarriers_, hasReleases_};
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

  // Those that wait for each other live at the same time: all, or those of one cluster.
  void runAllLive() {
    std::vector<std::vector<int64_t>> clusters = blocksByCluster(grid_, launch_.cluster);
    if (meetsBlocks(launch_) && !clusters.empty())
      runLive(clusters);
    else
      for (const std::vector<int64_t> &cluster : clusters)
        runLive(cluster);
    takeResults();
  }

  // Each block up to where it waits for others.
  void runLive(llvm::ArrayRef<std::vector<int64_t>> clusters) {
    Findings findings;
    LaunchState launch{state_.function,  global_,      findings,          state_.hasBarriers,
                       state_.isGuarded, /*worker=*/0, hasNamedBarriers_, hasReleases_};
    std::deque<BlockState> states;
    std::deque<ClusterMeeting> meetings;
    std::vector<std::unique_ptr<BlockRun>> blocks;
    for (const std::vector<int64_t> &cluster : clusters) {
      meetings.emplace_back(static_cast<int64_t>(cluster.size()) * groupsOfBlock());
      for (int64_t block : cluster) {
        states.push_back({launch, 0, shared_, uniform_, launch_.threads, {}});
        states.back().cluster = &meetings.back();
        states.back().rank = static_cast<int64_t>(meetings.back().blocks.size());
        meetings.back().blocks.push_back(&states.back());
        bind(states.back(), block);
        recordSteps(states.back());
        blocks.push_back(std::make_unique<BlockRun>(states.back(), launch_));
      }
    }
    size_t count = blocks.size();
    while (goOn(blocks, count))
      continue;
    keep(clusters.front().front(), findings);
  }

  int64_t groupsOfBlock() const {
    return state_.hasBarriers ? static_cast<int64_t>(llvm::divideCeil(launch_.threads, LanesOfWarp))
                              : 1;
  }

  // False: all have ended.
  static bool goOn(std::vector<std::unique_ptr<BlockRun>> &blocks, size_t count) {
    bool haveGoneOn = false, areAtGrid = true;
    llvm::erase_if(blocks, [&](const auto &block) {
      BlockRun::Stop stop = block->run();
      haveGoneOn |= block->hasGoneOn();
      areAtGrid &= stop != BlockRun::Stop::AtOthers;
      return stop == BlockRun::Stop::Ended;
    });
    if (blocks.empty() || haveGoneOn)
      return !blocks.empty();
    for (const auto &block : blocks)
      if (!areAtGrid)
        block->giveUpPhases();
    if (areAtGrid && blocks.size() != count)
      blocks.front()->findMissed();
    for (const auto &block : blocks)
      if (areAtGrid)
        block->goOn();
    return true;
  }

  void takeResults() {
    takeSteps();
    for (const auto &[block, findings] : found_)
      state_.findings.append(findings);
  }

  void bind(BlockState &state, int64_t block) const {
    state.block = block;
    for (auto [var, extent] : llvm::zip(launch_.blockVars, grid_)) {
      state.uniform[var->id.value] = Number{.i = block % extent};
      block /= extent;
    }
  }

  void runOne(BlockState &state, int64_t block) {
    state.shared = shared_;
    state.uniform = uniform_;
    state.votes.clear();
    state.named.clear();
    state.knowledge = {};
    state.readKnowledge = {};
    state.products = {};
    state.fences = {};
    state.mbarriers = {};
    bind(state, block);
    recordSteps(state);
    BlockRun(state, launch_).run();
  }

  // Of the one block that is asked for; one thread runs it. A launch may be run again, and so begun
  // anew.
  void recordSteps(BlockState &state) {
    state.steps = nullptr;
    const StepRecording *recording = options_.steps;
    if (!recording || recording->block != state.block || isRecorded(*recording))
      return;
    BlockSteps about{.function = state_.function.name.str(),
                     .launch = launch_.id(),
                     .block = state.block,
                     .bytes = static_cast<int64_t>(shared_.size())};
    recorder_.emplace(state_.function, std::move(about));
    state.steps = &*recorder_;
  }

  bool isRecorded(const StepRecording &recording) const {
    return recording.blocks.size() == MostSteppedLaunches ||
           llvm::any_of(recording.blocks,
                        [&](const BlockSteps &steps) { return steps.launch == launch_.id(); });
  }

  void takeSteps() {
    if (recorder_)
      options_.steps->blocks.push_back(recorder_->take());
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
      const auto *op = llvm::dyn_cast<OpStmt>(stmt);
      OpSync sync = op ? op->opInfo().sync : OpSync::None;
      bool isOfCluster = op && (op->opInfo().isOfCluster || reachesBlocks(*op));
      hasNamedBarriers_ |= sync == OpSync::NamedBarrier || sync == OpSync::Arrive || isOfCluster;
      hasReleases_ |= isOfCluster;
      hasReleases_ |= op && op->opInfo().has(Attr::Order) &&
                      releasesBefore(static_cast<MemoryOrder>(op->attr(Attr::Order)));
      if (op)
        for (auto [index, region] : llvm::enumerate(op->regions))
          if (op->operand(index).effect != Effect::Read)
            watch(region.buffer, op->operand(index).isAtomic);
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
  const BlockOptions &options_;
  BlockQueue queue_;
  std::optional<StepRecorder> recorder_; // of the block that is recorded, once it runs
  bool isForOne_ = false;                // it is known that blocks touch what others do
  bool hasNamedBarriers_ = false;
  bool hasReleases_ = false;
  std::mutex mutex_;
  std::map<int64_t, Findings> found_; // by block
};

} // namespace

BlockCounts runBlocks(const Launch &launch, ThreadGroup &host, const BlockOptions &options) {
  return LaunchRun(launch, host, options).run();
}

} // namespace tilescope
