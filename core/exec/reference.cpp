#include "core/exec/reference.h"

#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

#include <atomic>
#include <random>
#include <thread>

namespace tilescope {

namespace {

llvm::Error errorAt(Span span, llvm::StringRef text) {
  std::string place = span.isValid() ? "line " + std::to_string(span.line) + ": " : "";
  return llvm::createStringError("reference: " + place + text.str());
}

using Scalars = llvm::ArrayRef<std::pair<const Var *, int64_t>>;

// One launch with its grid.
class LaunchRun {
public:
  LaunchRun(const Launch &launch, BlockFrame &host, const ReferenceOptions &options)
      : launch_(launch), host_(host), options_(options) {
    for (const Expr *extent : launch.gridExtents)
      grid_.push_back(std::max<int64_t>(host.evaluateInt(extent), 0));
  }

  llvm::Error run(ReferenceReport &report, bool maySample) {
    int64_t count = 1;
    for (int64_t extent : grid_)
      count *= extent;
    report.blocks += count;
    std::vector<int64_t> blocks;
    if (maySample && count > 0)
      blocks = chooseSample(count, report);
    if (blocks.empty())
      for (int64_t block = 0; block < count; ++block)
        blocks.push_back(block);
    report.executedBlocks += static_cast<int64_t>(blocks.size());
    return runBlocks(blocks);
  }

private:
  void bindBlock(BlockFrame &frame, int64_t block) const {
    for (size_t dim = 0; dim < grid_.size(); ++dim) {
      Number place;
      place.i = block % grid_[dim];
      block /= grid_[dim];
      frame.bind(launch_.blockVars[dim], place);
    }
  }

  std::vector<int64_t> chooseSample(int64_t count, ReferenceReport &report);
  std::vector<int64_t> seeds(int64_t count) const;
  llvm::Error runBlocks(llvm::ArrayRef<int64_t> blocks);

  const Launch &launch_;
  BlockFrame &host_;
  const ReferenceOptions &options_;
  llvm::SmallVector<int64_t> grid_;
};

// First and last block, the corners of the grid (ragged tiles lie there), and some at random.
std::vector<int64_t> LaunchRun::seeds(int64_t count) const {
  std::vector<int64_t> chosen;
  for (size_t corner = 0; corner < size_t{1} << grid_.size(); ++corner) {
    int64_t block = 0;
    for (size_t dim = grid_.size(); dim-- > 0;)
      block = block * grid_[dim] + (corner >> dim & 1 ? grid_[dim] - 1 : 0);
    chosen.push_back(block);
  }
  std::mt19937_64 random(options_.seed);
  while (chosen.size() < options_.sampleTiles)
    chosen.push_back(static_cast<int64_t>(random() % static_cast<uint64_t>(count)));
  llvm::sort(chosen);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

// Blocks to run and, in the report, the tiles that they complete; none: run all.
std::vector<int64_t> LaunchRun::chooseSample(int64_t count, ReferenceReport &report) {
  std::vector<Footprint> footprints;
  double flop = 0;
  for (int64_t block = 0; block < count; ++block) {
    BlockFrame frame = host_;
    bindBlock(frame, block);
    std::optional<Footprint> footprint = computeFootprint(launch_.body, frame);
    if (!footprint)
      return {};
    flop += footprint->flop;
    footprints.push_back(std::move(*footprint));
    // The first block tells whether it is worth looking at the others.
    if (block == 0 && flop * static_cast<double>(count) <= options_.sampleAboveFlop / 2)
      return {};
  }
  if (flop <= options_.sampleAboveFlop)
    return {};
  for (int64_t seed : seeds(count))
    llvm::append_range(report.sample, footprints[static_cast<size_t>(seed)].writes);
  std::vector<int64_t> blocks;
  for (int64_t block = 0; block < count; ++block) {
    auto meetsSample = [&](const Box &box) {
      return llvm::any_of(report.sample, [&](const Box &wanted) { return wanted.intersects(box); });
    };
    if (llvm::any_of(footprints[static_cast<size_t>(block)].writes, meetsSample))
      blocks.push_back(block);
  }
  return blocks;
}

llvm::Error LaunchRun::runBlocks(llvm::ArrayRef<int64_t> blocks) {
  std::atomic<size_t> next = 0;
  std::mutex failureLock;
  std::string failure;
  Span failureSpan;
  auto work = [&] {
    BlockFrame frame = host_;
    for (size_t i = next++; i < blocks.size(); i = next++) {
      frame.forgetTiles();
      bindBlock(frame, blocks[i]);
      execute(launch_.body, frame);
      if (!frame.hasFailed())
        continue;
      std::lock_guard<std::mutex> lock(failureLock);
      failure = frame.failure();
      failureSpan = frame.failureSpan();
      next = blocks.size();
    }
  };
  unsigned count = options_.threads ? options_.threads : std::thread::hardware_concurrency();
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < std::min<size_t>(std::max(count, 1U), blocks.size()); ++i)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();
  return failure.empty() ? llvm::Error::success() : errorAt(failureSpan, failure);
}

bool usesThread(const Launch &launch) {
  bool found = false;
  walk(launch.body, [&](const Stmt *stmt) {
    forEachExpr(stmt, [&](const Expr *root) {
      walk(root, [&](const Expr *part) { found |= part == launch.threadVar; });
    });
    return true;
  });
  return found;
}

// Host statements around the launches: sequences, bindings, loops and conditions.
class HostRun {
public:
  HostRun(const Function &function, GlobalMemory &memory, const ReferenceOptions &options)
      : options_(options), frame_(function, memory) {
    walk(function.body, [&](const Stmt *stmt) {
      launches_ += llvm::isa<Launch>(stmt);
      return !llvm::isa<Launch>(stmt);
    });
  }

  BlockFrame &frame() { return frame_; }
  ReferenceReport &report() { return report_; }

  llvm::Error run(const Stmt *stmt) {
    if (const auto *launch = llvm::dyn_cast<Launch>(stmt)) {
      if (usesThread(*launch))
        return errorAt(launch->span(), "a kernel that uses its thread index is not supported yet");
      // A later launch may read anything that an earlier one wrote.
      return LaunchRun(*launch, frame_, options_).run(report_, launches_ == 1);
    }
    if (const auto *seq = llvm::dyn_cast<Seq>(stmt)) {
      for (const Stmt *child : seq->stmts)
        if (llvm::Error error = run(child))
          return error;
      return llvm::Error::success();
    }
    execute(stmt, frame_);
    return frame_.hasFailed() ? errorAt(frame_.failureSpan(), frame_.failure())
                              : llvm::Error::success();
  }

private:
  const ReferenceOptions &options_;
  BlockFrame frame_;
  ReferenceReport report_;
  int launches_ = 0;
};

} // namespace

llvm::Expected<ReferenceReport> runReference(const Function &function, GlobalMemory &memory,
                                             Scalars scalars, const ReferenceOptions &options) {
  HostRun host(function, memory, options);
  for (auto [var, value] : scalars) {
    Number number;
    number.i = value;
    host.frame().bind(var, number);
  }
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

std::optional<double> countGemmFlop(const Function &function, Scalars scalars) {
  GlobalMemory memory;
  BlockFrame host(function, memory);
  for (auto [var, value] : scalars)
    host.bind(var, Number{.i = value});
  double flop = 0;
  bool isKnown = true;
  walk(function.body, [&](const Stmt *stmt) {
    const auto *launch = llvm::dyn_cast<Launch>(stmt);
    if (!launch)
      return true;
    llvm::SmallVector<int64_t> grid;
    for (const Expr *extent : launch->gridExtents)
      grid.push_back(host.evaluateInt(extent));
    forEachCoordinate(grid, [&](llvm::ArrayRef<int64_t> block) {
      if (!isKnown)
        return;
      BlockFrame frame = host;
      for (size_t dim = 0; dim < block.size(); ++dim)
        frame.bind(launch->blockVars[dim], Number{.i = block[dim]});
      std::optional<Footprint> footprint = computeFootprint(launch->body, frame);
      isKnown = footprint.has_value();
      flop += footprint ? footprint->flop : 0;
    });
    return false;
  });
  return isKnown ? std::optional(flop) : std::nullopt;
}

} // namespace tilescope
