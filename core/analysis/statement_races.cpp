#include "core/analysis/statement_races.h"

#include "core/analysis/access_group.h"
#include "core/analysis/thread_ownership.h"
#include "core/ir/expr_equal.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace tilescope {

namespace {

struct Box {
  const Expr *slot = nullptr;
  llvm::ArrayRef<Range> ranges;
  int64_t length = 1; // adjacent elements
};

// What a statement does to one shared buffer that it both reads and writes.
struct OwnUse {
  const Buffer *buffer = nullptr;
  Box write;
  llvm::SmallVector<Box, 2> reads;
};

// Loads that are made whenever the expression is: not those of a side that may not be chosen.
void collectSureLoads(const Expr *expr, llvm::SmallVectorImpl<const Load *> &loads) {
  if (const auto *load = llvm::dyn_cast<Load>(expr))
    loads.push_back(load);
  if (const auto *select = llvm::dyn_cast<Select>(expr))
    return collectSureLoads(select->condition, loads);
  const auto *binary = llvm::dyn_cast<Binary>(expr);
  if (binary && (binary->op == BinaryOp::And || binary->op == BinaryOp::Or))
    return collectSureLoads(binary->lhs, loads);
  forEachChild(expr, [&](const Expr *part) { collectSureLoads(part, loads); });
}

// A run in the last axis, or nothing.
std::optional<Box> boxOf(const Expr *slot, llvm::ArrayRef<Range> ranges) {
  Box box{slot, ranges};
  for (auto [axis, range] : llvm::enumerate(ranges)) {
    std::optional<int64_t> extent = constantValue(range.extent);
    if (!extent || (*extent != 1 && axis + 1 != ranges.size()))
      return std::nullopt;
    box.length = *extent;
  }
  return box;
}

// In one execution of the statement: who writes each element; several threads may.
using Writers = llvm::DenseMap<int64_t, llvm::SmallVector<int64_t, 1>>;

// Calls `visit` with the elements and the thread of each active one; false if they are not known.
bool forEachTouch(LaneWalk &walk, const Buffer &buffer, const Box &box, const Lanes &active,
                  llvm::function_ref<void(int64_t element, int64_t lane)> visit) {
  std::optional<LanePlace> place = walk.placeOf(buffer, box.ranges);
  if (!place || place->period != 0)
    return false;
  for (int64_t lane = 0; lane != walk.launch()->threads; ++lane) {
    if (laneOf(active, lane) == 0)
      continue;
    // A step of the budget is a nanosecond, an entry of a map costs more.
    if (!walk.spend(32 * box.length))
      return false;
    for (int64_t element = 0; element != box.length; ++element)
      visit(laneOf(place->first, lane) + element, lane);
  }
  return true;
}

class RaceFinder {
public:
  RaceFinder(Context &context, const Function &function)
      : context_(context), function_(function), ownership_(function),
        uniform_(
            context.cached<ThreadUniform>({&function}, [&] { return ThreadUniform(function); })) {}

  std::vector<StatementRace> run() {
    walk(function_.body, [&](const Stmt *stmt) {
      if (llvm::isa<Parallel>(stmt))
        return false;
      if (const auto *store = llvm::dyn_cast<Store>(stmt))
        checkStore(*store);
      if (const auto *op = llvm::dyn_cast<OpStmt>(stmt); op && op->op == Op::VectorCopy)
        checkCopy(*op);
      return true;
    });
    return std::move(races_);
  }

private:
  void checkStore(const Store &store) {
    const Buffer &buffer = function_.buffer(store.buffer);
    bool isShared = isSharedMemory(buffer);
    if (!isShared && buffer.scope != Scope::Global)
      return;
    if (buffer.dtype.bits < 8 && !writesWholeBytes(store, buffer))
      races_.push_back({StatementRace::Kind::SharesBytes, &store, buffer.id});
    if (!isShared)
      return;
    OwnUse use{&buffer, {}, {}};
    llvm::SmallVector<const Load *> loads;
    collectSureLoads(store.value, loads);
    for (const Load *load : loads)
      if (load->buffer == buffer.id)
        use.reads.push_back({load->slot, elementRanges(load->indices)});
    use.write = {store.slot, elementRanges(store.indices)};
    checkUse(store, use);
  }

  llvm::ArrayRef<Range> elementRanges(ExprList indices) {
    Builder builder(context_);
    llvm::SmallVector<Range> ranges;
    for (const Expr *index : indices)
      ranges.push_back({index, builder.integer(1, index->dtype())});
    return context_.copy<Range>(ranges);
  }

  // A predicate may keep threads from reading.
  void checkCopy(const OpStmt &op) {
    const BufferRegion &source = op.regions[0], &target = op.regions[1];
    const Buffer &buffer = function_.buffer(target.buffer);
    if (source.buffer != target.buffer || !isSharedMemory(buffer) ||
        (!op.args.empty() && op.args[0]))
      return;
    std::optional<Box> read = boxOf(source.slot, source.ranges);
    std::optional<Box> write = boxOf(target.slot, target.ranges);
    if (read && write)
      checkUse(op, {&buffer, *write, {*read}});
  }

  // Each byte has one thread, over all that the statement ever does.
  bool writesWholeBytes(const Store &store, const Buffer &buffer) {
    const Layout *layout = buffer.layout;
    bool keepsNeighbours = !layout || layout->kind == LayoutKind::Swizzle ||
                           (layout->kind == LayoutKind::RowMajor && layout->padElements % 2 == 0);
    BufferAccess access{buffer.id, store.slot, elementRanges(store.indices), Effect::Write,
                        store.span()};
    if (!keepsNeighbours)
      return false;
    return ownership_.ownersOf(store, access, 8 / buffer.dtype.bits) ||
           (isSharedMemory(buffer) && isOfOneThread(store, access));
  }

  bool isOfOneThread(const Store &store, const BufferAccess &access) const {
    std::optional<ElementOwners> owners = ownership_.ownersOf(store, access);
    if (!owners)
      return false;
    std::set<int32_t> threads(owners->threads.begin(), owners->threads.end());
    threads.erase(-1);
    return threads.size() == 1;
  }

  void checkUse(const Stmt &stmt, const OwnUse &use) {
    llvm::SmallVector<Box, 2> reads;
    llvm::copy_if(use.reads, std::back_inserter(reads),
                  [&](const Box &read) { return isSameExpr(read.slot, use.write.slot); });
    LaneWalk walk(ownership_.places(), &stmt);
    if (reads.empty() || !walk.launch())
      return;
    walk.need(use.write.ranges);
    for (const Box &read : reads)
      walk.need(read.ranges);
    bool meets = false;
    bool isKnown = walk.run([&](const Lanes &active) {
      Writers writers;
      bool isRun =
          forEachTouch(walk, *use.buffer, use.write, active,
                       [&](int64_t element, int64_t lane) { writers[element].push_back(lane); });
      for (const Box &read : reads)
        isRun = isRun &&
                forEachTouch(walk, *use.buffer, read, active, [&](int64_t element, int64_t lane) {
                  auto found = writers.find(element);
                  meets |=
                      found != writers.end() &&
                      llvm::any_of(found->second, [&](int64_t writer) { return writer != lane; });
                });
      return isRun;
    });
    if (isKnown && meets && walk.isExact(uniform_))
      races_.push_back({StatementRace::Kind::ReadsWhatOthersWrite, &stmt, use.buffer->id});
  }

  Context &context_;
  const Function &function_;
  ThreadOwnership ownership_;
  const ThreadUniform &uniform_;
  std::vector<StatementRace> races_;
};

} // namespace

std::vector<StatementRace> findStatementRaces(Context &context, const Function &function) {
  return RaceFinder(context, function).run();
}

} // namespace tilescope
