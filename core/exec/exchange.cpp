#include "core/exec/exchange.h"

#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

using Threads = llvm::MutableArrayRef<ExchangeThread>;

// Of a block, those of each warp, or all of them.
void forEachScope(const OpStmt &op, Threads threads, llvm::function_ref<void(Threads)> visit) {
  size_t step = scopeOf(op) == OpScope::Warp ? LanesOfWarp : threads.size();
  for (size_t first = 0; first < threads.size(); first += step)
    visit(threads.slice(first, std::min(step, threads.size() - first)));
}

// Whether those of a scope that take part are those that each of them names.
bool areAsNamed(const OpStmt &op, llvm::ArrayRef<ExchangeThread> threads) {
  if (op.opInfo().takesWhoComes)
    return true;
  std::optional<size_t> lanes = op.opInfo().lanes;
  bool namesLanes = lanes && op.args[*lanes];
  uint64_t present = 0;
  size_t count = 0;
  for (auto [lane, thread] : llvm::enumerate(threads)) {
    count += thread.takesPart;
    if (namesLanes && thread.takesPart)
      present |= uint64_t{1} << lane;
  }
  if (!namesLanes)
    return count == 0 || count == threads.size();
  uint64_t existing = threads.size() < 64 ? (uint64_t{1} << threads.size()) - 1 : ~uint64_t{0};
  return llvm::all_of(threads, [&](const ExchangeThread &thread) {
    return !thread.takesPart ||
           (static_cast<uint32_t>(thread.args[*lanes].i) & existing) == present;
  });
}

size_t countOf(llvm::ArrayRef<ExchangeThread> threads) {
  return llvm::count_if(threads, [](const ExchangeThread &thread) { return thread.takesPart; });
}

} // namespace

void exchange(const OpStmt &op, BlockFrame &frame, ExchangeRule rule) {
  std::vector<ExchangeThread> all(static_cast<size_t>(frame.threads()));
  for (int64_t number : frame.activeThreads) {
    ExchangeThread &thread = all[static_cast<size_t>(number)];
    thread.takesPart = true;
    frame.setThread(number);
    for (auto [at, arg] : llvm::enumerate(op.args)) {
      if (at == 0 && arg) {
        thread.args.push_back(frame.evaluate(arg));
        thread.isDefined = frame.reads().take().empty();
      } else {
        thread.args.push_back(Number{.i = arg ? frame.evaluateInt(arg) : 0});
      }
    }
  }
  forEachScope(op, all, [&](Threads scope) {
    if (areAsNamed(op, scope))
      return rule(op, scope);
    frame.fail(op,
               "only " + std::to_string(countOf(scope)) + " of " + std::to_string(scope.size()) +
                   " threads get here, where others are needed",
               FindingKind::DivergentOperation);
  });
  for (int64_t number : frame.activeThreads) {
    if (frame.hasFailed())
      return;
    const ExchangeThread &thread = all[static_cast<size_t>(number)];
    frame.setThread(number);
    TensorRegion result = frame.evaluate(op.regions[0]);
    if (!thread.isResultDefined)
      frame.reads().putBack(frame.function().buffer(op.regions[0].buffer).name);
    frame.write(result, result.tensor->indexOf(result.min), thread.result);
  }
}

void exchange(const OpStmt &op, ThreadGroup &group, Lanes lanes, ExchangeRule rule) {
  std::vector<ExchangeThread> all(group.size());
  llvm::BitVector undefined(group.size());
  for (auto [at, arg] : llvm::enumerate(op.args)) {
    LaneValues values(group.size(), Number{.i = 0});
    if (arg)
      values = at == 0 ? group.evaluate(arg, lanes, undefined) : group.evaluate(arg, lanes);
    for (uint32_t lane : lanes)
      all[lane].args.push_back(values[lane]);
  }
  for (uint32_t lane : lanes) {
    all[lane].takesPart = true;
    all[lane].isDefined = !undefined.test(lane);
  }
  LaneRegion result = group.evaluate(op.regions[0], lanes);
  bool isFine = true;
  forEachScope(op, all, [&](Threads scope) {
    if (areAsNamed(op, scope))
      return rule(op, scope);
    isFine = false;
    group.find(FindingKind::DivergentOperation, lanes.front(), "", std::to_string(countOf(scope)));
  });
  for (uint32_t lane : isFine ? lanes : Lanes()) {
    group.store(result, lane, 0, all[lane].result);
    if (!all[lane].isResultDefined)
      group.leaveUndefined(result, lane, 0);
  }
}

WarpRegisters::WarpRegisters(const OpStmt &op, BlockFrame &frame, int64_t firstThread)
    : frame_(frame), first_(firstThread), regions_(LanesOfWarp) {
  for (uint32_t lane = 0; lane != LanesOfWarp; ++lane) {
    frame.setThread(first_ + lane);
    for (const BufferRegion &region : op.regions)
      regions_[lane].push_back(frame.evaluate(region));
  }
}

DType WarpRegisters::dtype(size_t operand) const { return regions_[0][operand].tensor->dtype(); }

int64_t WarpRegisters::size(size_t operand) const {
  int64_t size = 1;
  for (int64_t extent : regions_[0][operand].extent)
    size *= extent;
  return size;
}

// The last axis is the fastest. -1: outside.
int64_t WarpRegisters::placeOf(const TensorRegion &region, int64_t element) const {
  llvm::SmallVector<int64_t> coordinates(region.min);
  for (size_t axis = coordinates.size(); axis-- > 1; element /= region.extent[axis])
    coordinates[axis] += element % region.extent[axis];
  coordinates.front() += element;
  return region.tensor->indexOf(coordinates);
}

Number WarpRegisters::load(size_t operand, uint32_t lane, int64_t element) {
  frame_.setThread(first_ + lane);
  const TensorRegion &region = regions_[lane][operand];
  return frame_.read(region, placeOf(region, element));
}

void WarpRegisters::store(size_t operand, uint32_t lane, int64_t element, Number value) {
  frame_.setThread(first_ + lane);
  const TensorRegion &region = regions_[lane][operand];
  frame_.write(region, placeOf(region, element), value);
}

void forEachWarp(const OpStmt &op, BlockFrame &frame,
                 llvm::function_ref<void(WarpRegisters &)> visit) {
  llvm::ArrayRef<int64_t> left = frame.activeThreads;
  while (!left.empty()) {
    int64_t first = left.front();
    bool isWhole = first % LanesOfWarp == 0 && left.size() >= LanesOfWarp &&
                   left[LanesOfWarp - 1] == first + LanesOfWarp - 1;
    if (!isWhole)
      return frame.fail(op, "not all threads of a warp get here, where all are needed",
                        FindingKind::DivergentOperation);
    left = left.drop_front(LanesOfWarp);
    WarpRegisters warp(op, frame, first);
    if (frame.hasFailed())
      return;
    visit(warp);
  }
}

} // namespace tilescope
