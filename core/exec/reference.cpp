#include "core/exec/reference.h"

#include "core/exec/block_order.h"
#include "core/exec/claims.h"
#include "core/exec/cluster_meeting.h"
#include "core/exec/thread_code.h"
#include "core/ir/op_facts.h"
#include "core/ir/visit.h"
#include "core/support/kernel_line.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>
#include <random>

namespace tilescope {

namespace {

llvm::Error errorOf(const BlockFrame &frame) {
  const BlockFrame::Failure &failure = frame.failure();
  Span span = failure.stmt->span();
  std::string text = "reference: " + lineText("line ", span.line, ": ") + failure.text;
  if (!failure.kind)
    return llvm::make_error<ReferenceError>(std::move(text));
  return llvm::make_error<ReferenceError>(std::move(text),
                                          ExecutionFinding{.kind = *failure.kind,
                                                           .text = failure.text,
                                                           .stmt = failure.stmt->id(),
                                                           .span = span,
                                                           .block = failure.block,
                                                           .thread = failure.thread});
}

struct ChosenBlock {
  int64_t number = 0;
  Footprint footprint;
};

// Blocks to run, and the tiles that they complete.
struct BlockChoice {
  std::vector<ChosenBlock> blocks;
  std::vector<TensorBox> sample; // empty: everything
  double flop = 0;               // of all blocks
  bool isFlopKnown = true;
  double work = 0; // of those chosen
};

// One launch with its grid.
class ReferenceRun {
public:
  ReferenceRun(const Launch &launch, const BlockFrame &host, const ReferenceOptions &options)
      : launch_(launch), host_(host), options_(options), threads_(host.function(), launch) {
    BlockFrame frame = host;
    for (const Expr *extent : launch.gridExtents) {
      grid_.push_back(std::max<int64_t>(frame.evaluateInt(extent), 0));
      count_ *= grid_.back();
    }
  }

  int64_t count() const { return count_; }
  // All blocks, or those that write a sample of tiles if all are too much work.
  BlockChoice choose(bool maySample) const;
  // `report` gets what is wrong with accesses to tiles, block after block.
  llvm::Error run(const BlockChoice &choice, ReferenceReport &report) const;

private:
  void bindBlock(BlockFrame &frame, int64_t block) const {
    for (size_t dim = 0; dim < grid_.size(); ++dim) {
      Number place;
      place.i = block % grid_[dim];
      block /= grid_[dim];
      frame.bind(launch_.blockVars[dim], place);
    }
  }

  Footprint footprintOf(int64_t block) const {
    BlockFrame frame = host_;
    bindBlock(frame, block);
    return computeFootprint(launch_.body, frame, threads_.threads());
  }
  void takeSample(BlockChoice &choice) const;
  bool areApart(const BlockChoice &choice) const;
  // Whether blocks wait for each other.
  bool waits() const { return meetsBlocks(launch_) || meetsCluster(launch_); }
  llvm::Error runAllLive(ReferenceReport &report) const;
  llvm::Error runLive(llvm::ArrayRef<int64_t> blocks, ReferenceReport &report) const;
  llvm::Error runBlock(BlockFrame &frame, int64_t block, int64_t writer) const;
  std::vector<int64_t> seeds() const;

  const Launch &launch_;
  const BlockFrame &host_;
  const ReferenceOptions &options_;
  ThreadCode threads_;
  llvm::SmallVector<int64_t> grid_;
  int64_t count_ = 1;
};

// First and last block, the corners of the grid (ragged tiles lie there), and some at random.
std::vector<int64_t> ReferenceRun::seeds() const {
  std::vector<int64_t> chosen;
  for (size_t corner = 0; corner < size_t{1} << grid_.size(); ++corner) {
    int64_t block = 0;
    for (size_t dim = grid_.size(); dim-- > 0;)
      block = block * grid_[dim] + (corner >> dim & 1 ? grid_[dim] - 1 : 0);
    chosen.push_back(block);
  }
  std::mt19937_64 random(options_.seed);
  while (chosen.size() < options_.sampleTiles)
    chosen.push_back(static_cast<int64_t>(random() % static_cast<uint64_t>(count_)));
  llvm::sort(chosen);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

BlockChoice ReferenceRun::choose(bool maySample) const {
  BlockChoice choice;
  for (int64_t block : chooseBlocks(count_, options_.blocks.blocks)) {
    choice.blocks.push_back({block, footprintOf(block)});
    const Footprint &footprint = choice.blocks.back().footprint;
    choice.flop += footprint.flop;
    choice.isFlopKnown &= footprint.isFlopKnown;
    choice.work += footprint.work;
  }
  bool isAll = static_cast<int64_t>(choice.blocks.size()) == count_;
  if (maySample && isAll && !waits() && choice.work > options_.sampleAboveWork)
    takeSample(choice);
  return choice;
}

void ReferenceRun::takeSample(BlockChoice &choice) const {
  std::vector<TensorBox> sample;
  for (int64_t seed : seeds())
    llvm::append_range(sample, choice.blocks[static_cast<size_t>(seed)].footprint.writes);
  auto meetsSample = [&](const TensorBox &box) {
    return llvm::any_of(sample, [&](const TensorBox &wanted) { return wanted.intersects(box); });
  };
  llvm::erase_if(choice.blocks, [&](const ChosenBlock &block) {
    return llvm::none_of(block.footprint.writes, meetsSample);
  });
  if (choice.blocks.empty() || static_cast<int64_t>(choice.blocks.size()) == count_)
    return;
  choice.sample = std::move(sample);
  choice.work = 0;
  for (const ChosenBlock &block : choice.blocks)
    choice.work += block.footprint.work;
}

bool ReferenceRun::areApart(const BlockChoice &choice) const {
  std::vector<const Footprint *> footprints;
  footprints.reserve(choice.blocks.size());
  for (const ChosenBlock &block : choice.blocks)
    footprints.push_back(&block.footprint);
  return areBlocksApart(launch_, host_.function(), host_.memory(), footprints);
}

llvm::Error ReferenceRun::runBlock(BlockFrame &frame, int64_t block, int64_t writer) const {
  frame.startBlock(block, threads_.threads(), writer);
  bindBlock(frame, block);
  threads_.run(frame);
  findCopiesInFlight(frame);
  return frame.hasFailed() ? errorOf(frame) : llvm::Error::success();
}

// Blocks that wait for each other: all, or those of one cluster, which write as one.
llvm::Error ReferenceRun::runAllLive(ReferenceReport &report) const {
  if (options_.findOverwrites)
    host_.memory().overwrites = &report.overwrites;
  std::vector<std::vector<int64_t>> lots;
  if (meetsCluster(launch_)) {
    lots = blocksByCluster(grid_, launch_.cluster);
  } else {
    lots.emplace_back(static_cast<size_t>(count_));
    std::iota(lots.front().begin(), lots.front().end(), 0);
  }
  llvm::Error failure = llvm::Error::success();
  for (const std::vector<int64_t> &lot : lots)
    if (!failure)
      failure = runLive(lot, report);
  host_.memory().overwrites = nullptr;
  return failure;
}

// Who overwrites what before all blocks meet is another question than who does behind it.
llvm::Error ReferenceRun::runLive(llvm::ArrayRef<int64_t> members, ReferenceReport &report) const {
  LiveBlocks blocks;
  bool areAll = !meetsCluster(launch_);
  std::vector<Findings> found(members.size());
  std::vector<BlockFrame *> frames(members.size(), nullptr);
  llvm::Error failure = llvm::Error::success();
  blocks.run(
      static_cast<int64_t>(members.size()),
      [&](int64_t place) {
        BlockFrame frame = host_;
        frame.blocks = &blocks;
        if (!areAll)
          frame.cluster = {&frames, place};
        frames[static_cast<size_t>(place)] = &frame;
        int64_t block = members[static_cast<size_t>(place)];
        llvm::Error error = runBlock(frame, block, areAll ? block : members.front());
        frames[static_cast<size_t>(place)] = nullptr;
        found[static_cast<size_t>(place)] = std::move(frame.reads().findings());
        if (error && !failure)
          std::swap(failure, error);
        llvm::consumeError(std::move(error));
      },
      [&] {
        if (areAll)
          report.overwrites.startLaunch();
      });
  for (const Findings &ofBlock : found)
    report.findings.append(ofBlock);
  return failure;
}

// Of failures that of the first block counts.
llvm::Error ReferenceRun::run(const BlockChoice &choice, ReferenceReport &report) const {
  if (waits())
    return runAllLive(report);
  std::vector<int64_t> blocks;
  blocks.reserve(choice.blocks.size());
  for (const ChosenBlock &block : choice.blocks)
    blocks.push_back(block.number);
  BlockQueue queue(std::move(blocks), options_.blocks);
  unsigned threads = queue.threads();
  bool isOrderOfInterest = (options_.isRepeatable && threads > 1) || options_.findOverwrites;
  if (isOrderOfInterest && !areApart(choice)) {
    threads = 1;
    host_.memory().overwrites = options_.findOverwrites ? &report.overwrites : nullptr;
  }
  std::mutex resultLock;
  std::map<int64_t, Findings> found; // by block
  int64_t failed = count_;
  llvm::Error failure = llvm::Error::success();
  queue.run(threads, [&](uint32_t) {
    BlockFrame frame = host_;
    while (std::optional<int64_t> block = queue.next()) {
      llvm::Error error = runBlock(frame, *block, *block);
      queue.finish();
      Findings ofBlock = std::exchange(frame.reads().findings(), Findings());
      if (!ofBlock.empty()) {
        std::lock_guard lock(resultLock);
        found[*block] = std::move(ofBlock);
      }
      if (!error)
        continue;
      queue.stop();
      std::lock_guard lock(resultLock);
      if (*block < failed)
        std::swap(failure, error);
      failed = std::min(failed, *block);
      llvm::consumeError(std::move(error));
      return;
    }
  });
  host_.memory().overwrites = nullptr;
  for (const auto &[block, ofBlock] : found)
    report.findings.append(ofBlock);
  return failure;
}

int countLaunches(const Function &function) {
  int launches = 0;
  walk(function.body, [&](const Stmt *stmt) {
    launches += llvm::isa<Launch>(stmt);
    return !llvm::isa<Launch>(stmt);
  });
  return launches;
}

// Host statements around the launches: sequences, bindings, loops and conditions.
class HostRun {
public:
  HostRun(const Function &function, GlobalMemory &memory, ScalarArguments scalars,
          const ReferenceOptions &options)
      : options_(options), launches_(countLaunches(function)), frame_(function, memory) {
    for (auto [var, value] : scalars)
      frame_.bind(var, value);
  }

  BlockFrame &frame() { return frame_; }
  ReferenceReport &report() { return report_; }

  llvm::Error run(const Stmt *stmt) {
    if (const auto *launch = llvm::dyn_cast<Launch>(stmt))
      return runLaunch(*launch);
    if (const auto *seq = llvm::dyn_cast<Seq>(stmt)) {
      for (const Stmt *child : seq->stmts)
        if (llvm::Error error = run(child))
          return error;
      return llvm::Error::success();
    }
    execute(stmt, frame_);
    return frame_.hasFailed() ? errorOf(frame_) : llvm::Error::success();
  }

private:
  llvm::Error runLaunch(const Launch &launch) {
    ReferenceRun run(launch, frame_, options_);
    if (meetsBlocks(launch) && meetsCluster(launch))
      return llvm::make_error<ReferenceError>(
          "reference: blocks wait for all of the grid, and for those of their cluster");
    if (meetsBlocks(launch) && run.count() > LiveBlocks::Most)
      return llvm::make_error<ReferenceError>("reference: " + std::to_string(run.count()) +
                                              " blocks wait for each other, and at most " +
                                              std::to_string(LiveBlocks::Most) +
                                              " can run at the same time");
    // A later launch may read anything that an earlier one wrote.
    BlockChoice choice = run.choose(/*maySample=*/launches_ == 1);
    report_.blocks += run.count();
    report_.executedBlocks += static_cast<int64_t>(choice.blocks.size());
    report_.sample = std::move(choice.sample);
    if (options_.findOverwrites)
      watchTensors();
    return run.run(choice, report_);
  }

  void watchTensors() {
    for (const auto &[id, tensor] : frame_.memory().tensors)
      if (tensor.size() <= MostWatchedElements)
        report_.overwrites.watch(id, tensor.size());
    report_.overwrites.startLaunch();
  }

  const ReferenceOptions &options_;
  int launches_;
  BlockFrame frame_;
  ReferenceReport report_;
};

} // namespace

char ReferenceError::ID = 0;

llvm::Expected<ReferenceReport> runReference(const Function &function, GlobalMemory &memory,
                                             ScalarArguments scalars,
                                             const ReferenceOptions &options) {
  HostRun host(function, memory, scalars, options);
  // Workspaces that the kernel allocates in global memory.
  for (const Buffer *buffer : function.buffers) {
    if (buffer->scope != Scope::Global || memory.tensors.contains(buffer->id))
      continue;
    llvm::SmallVector<int64_t> shape;
    for (const Expr *extent : buffer->shape)
      shape.push_back(host.frame().evaluateInt(extent));
    memory.tensors.emplace(buffer->id, Tensor(buffer->dtype, shape, buffer->layout));
  }
  if (llvm::Error error = host.run(function.body))
    return error;
  return std::move(host.report());
}

ReferenceEstimate estimateReference(const Function &function, ScalarArguments scalars,
                                    const ReferenceOptions &options) {
  GlobalMemory memory;
  BlockFrame host(function, memory);
  for (auto [var, value] : scalars)
    host.bind(var, value);
  ReferenceEstimate estimate;
  bool isFlopKnown = true;
  bool isOnlyLaunch = countLaunches(function) == 1;
  walk(function.body, [&](const Stmt *stmt) {
    const auto *launch = llvm::dyn_cast<Launch>(stmt);
    if (!launch)
      return true;
    BlockChoice choice = ReferenceRun(*launch, host, options).choose(isOnlyLaunch);
    estimate.blocks += static_cast<int64_t>(choice.blocks.size());
    estimate.work += choice.work;
    estimate.flop += choice.flop;
    isFlopKnown &= choice.isFlopKnown;
    return false;
  });
  if (!isFlopKnown)
    estimate.flop = 0;
  return estimate;
}

} // namespace tilescope
