#include "core/exec/reference.h"

#include "core/exec/thread_code.h"
#include "core/ir/visit.h"
#include "core/support/kernel_line.h"

#include "llvm/ADT/STLExtras.h"

#include <atomic>
#include <random>
#include <thread>

namespace tilescope {

namespace {

llvm::Error errorOf(const BlockFrame &frame) {
  Span span = frame.failureSpan();
  std::string place = lineText("line ", span.line, ": ");
  return llvm::make_error<ReferenceError>("reference: " + place + frame.failure(),
                                          frame.isKernelWrong());
}

// Blocks to run, by number, and the tiles that they complete.
struct BlockChoice {
  std::vector<int64_t> blocks;
  std::vector<TensorBox> sample; // empty: everything
  double flop = 0;               // of all blocks
  bool isFlopKnown = true;
  double work = 0; // of those chosen
};

// One launch with its grid.
class LaunchRun {
public:
  LaunchRun(const Launch &launch, const BlockFrame &host, const ReferenceOptions &options)
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
  llvm::Error run(llvm::ArrayRef<int64_t> blocks) const;

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
  void takeSample(BlockChoice &choice, llvm::ArrayRef<Footprint> footprints) const;
  std::vector<int64_t> seeds() const;

  const Launch &launch_;
  const BlockFrame &host_;
  const ReferenceOptions &options_;
  ThreadCode threads_;
  llvm::SmallVector<int64_t> grid_;
  int64_t count_ = 1;
};

// First and last block, the corners of the grid (ragged tiles lie there), and some at random.
std::vector<int64_t> LaunchRun::seeds() const {
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

BlockChoice LaunchRun::choose(bool maySample) const {
  BlockChoice choice;
  std::vector<Footprint> footprints;
  for (int64_t block = 0; block < count_; ++block) {
    choice.blocks.push_back(block);
    footprints.push_back(footprintOf(block));
    choice.flop += footprints.back().flop;
    choice.isFlopKnown &= footprints.back().isFlopKnown;
    choice.work += footprints.back().work;
  }
  if (maySample && choice.work > options_.sampleAboveWork)
    takeSample(choice, footprints);
  return choice;
}

void LaunchRun::takeSample(BlockChoice &choice, llvm::ArrayRef<Footprint> footprints) const {
  std::vector<TensorBox> sample;
  for (int64_t seed : seeds())
    llvm::append_range(sample, footprints[static_cast<size_t>(seed)].writes);
  auto meetsSample = [&](const TensorBox &box) {
    return llvm::any_of(sample, [&](const TensorBox &wanted) { return wanted.intersects(box); });
  };
  llvm::erase_if(choice.blocks, [&](int64_t block) {
    return llvm::none_of(footprints[static_cast<size_t>(block)].writes, meetsSample);
  });
  if (choice.blocks.empty() || static_cast<int64_t>(choice.blocks.size()) == count_)
    return;
  choice.sample = std::move(sample);
  choice.work = 0;
  for (int64_t block : choice.blocks)
    choice.work += footprints[static_cast<size_t>(block)].work;
}

llvm::Error LaunchRun::run(llvm::ArrayRef<int64_t> blocks) const {
  std::atomic<size_t> next = 0;
  std::mutex failureLock;
  llvm::Error failure = llvm::Error::success();
  auto work = [&] {
    BlockFrame frame = host_;
    for (size_t i = next++; i < blocks.size(); i = next++) {
      frame.startBlock(threads_.threads());
      bindBlock(frame, blocks[i]);
      threads_.run(frame);
      if (!frame.hasFailed())
        continue;
      std::lock_guard<std::mutex> lock(failureLock);
      llvm::consumeError(std::move(failure));
      failure = errorOf(frame);
      next = blocks.size();
      return;
    }
  };
  unsigned count = options_.threads ? options_.threads : std::thread::hardware_concurrency();
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < std::min<size_t>(std::max(count, 1U), blocks.size()); ++i)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();
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
    LaunchRun run(launch, frame_, options_);
    // A later launch may read anything that an earlier one wrote.
    BlockChoice choice = run.choose(/*maySample=*/launches_ == 1);
    report_.blocks += run.count();
    report_.executedBlocks += static_cast<int64_t>(choice.blocks.size());
    report_.sample = std::move(choice.sample);
    return run.run(choice.blocks);
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
    BlockChoice choice = LaunchRun(*launch, host, options).choose(isOnlyLaunch);
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
