// What registers hold, and where it comes from.
#include "core/analysis/thread_numbers.h"

#include "core/ir/op_facts.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

constexpr int64_t MaxElements = 1 << 10; // of a buffer
constexpr size_t LanesOfWarp = 32;

} // namespace

void ThreadNumbers::findNeeded(const Stmt *body, const Expr *expr) {
  needPartsOf(expr);
  for (bool isNew = true; isNew;) {
    isNew = false;
    walk(body, [&](const Stmt *stmt) {
      if (!needed_.contains(stmt) && (isAround(stmt) || writesNeeded(*stmt)))
        for (const Stmt *at = stmt; at && needed_.insert(at).second; at = places_.parentOf(at)) {
          isNew = true;
          needOperandsOf(*at);
        }
      return true;
    });
  }
}

bool ThreadNumbers::writesNeeded(const Stmt &stmt) const {
  const auto *bind = llvm::dyn_cast<Bind>(&stmt);
  bool found = bind && neededNames_.contains(bind->var);
  forEachWritten(stmt, [&](BufferId id) { found |= neededBuffers_.contains(id.value); });
  return found;
}

void ThreadNumbers::needOperandsOf(const Stmt &stmt) {
  if (&stmt == asking_)
    return;
  forEachExpr(&stmt, [&](const Expr *part) { needPartsOf(part); });
  if (const auto *op = llvm::dyn_cast<OpStmt>(&stmt))
    for (const BufferRegion &region : op->regions)
      if (places_.isRegister(region.buffer))
        neededBuffers_.insert(region.buffer.value);
}

void ThreadNumbers::needPartsOf(const Expr *expr) {
  walk(expr, [&](const Expr *part) {
    if (const auto *var = llvm::dyn_cast<Var>(part))
      neededNames_.insert(var);
    if (const auto *load = llvm::dyn_cast<Load>(part); load && places_.isRegister(load->buffer))
      neededBuffers_.insert(load->buffer.value);
  });
}

// Nothing: it is not known, or threads mean different ones.
std::optional<int64_t> ThreadNumbers::placeOf(BufferId buffer,
                                              llvm::ArrayRef<const Expr *> indices) {
  std::optional<llvm::SmallVector<int64_t>> shape =
      constantShape(places_.function().buffer(buffer));
  if (!shape || shape->size() != indices.size())
    return std::nullopt;
  int64_t at = 0;
  for (auto [index, extent] : llvm::zip_equal(indices, *shape)) {
    Lanes value = lanes_.evaluate(index);
    if (value.size() != 1 || value[0] < 0 || value[0] >= extent || extent > MaxElements)
      return std::nullopt;
    at = at * extent + value[0];
  }
  return at < MaxElements ? std::optional(at) : std::nullopt;
}

Lanes ThreadNumbers::read(BufferId buffer, std::optional<int64_t> at) {
  auto found = at ? elements_.find({buffer.value, *at}) : elements_.end();
  return found == elements_.end() ? own() : found->second;
}

void ThreadNumbers::write(BufferId buffer, std::optional<int64_t> at, Lanes value) {
  if (!at || value.empty())
    return forget(buffer);
  elements_[{buffer.value, *at}] = std::move(value);
}

void ThreadNumbers::forget(BufferId buffer) {
  elements_.erase(elements_.lower_bound({buffer.value, 0}),
                  elements_.lower_bound({buffer.value + 1, 0}));
}

// Two reads of memory are of two times, unless nobody writes there.
Lanes ThreadNumbers::loadMemory(BufferId buffer, llvm::ArrayRef<const Expr *> indices) {
  bool isConstant = places_.isGlobal(buffer) && !places_.isWritten(buffer);
  if (places_.isGlobal(buffer) && !isConstant)
    return own();
  Lanes all = isConstant ? Lanes{0} : common();
  const void *by = &places_.function().buffer(buffer);
  for (const Expr *index : indices)
    all = number(by, all, of(index));
  return all;
}

// What threads have in the elements that the loop may write; others keep what they have.
ThreadNumbers::Elements ThreadNumbers::writtenIn(const For &loop) {
  llvm::DenseSet<uint32_t> buffers;
  walk(loop.body, [&](const Stmt *stmt) {
    forEachWritten(*stmt, [&](BufferId buffer) { buffers.insert(buffer.value); });
    return true;
  });
  Elements written;
  for (auto &[element, lanes] : elements_)
    if (buffers.contains(element.first))
      written[element] = lanes;
  return written;
}

bool ThreadNumbers::runMove(const OpStmt &op) {
  if (op.opInfo().work != OpWork::Move || scopeOf(op) != OpScope::Thread)
    return false;
  const BufferRegion &from = op.regions[0], &to = op.regions[1];
  if (!places_.isRegister(to.buffer))
    return true;
  auto firstOf = [](const BufferRegion &region) {
    llvm::SmallVector<const Expr *> first;
    for (const Range &range : region.ranges)
      first.push_back(range.min);
    return first;
  };
  std::optional<int64_t> at = placeOf(to.buffer, firstOf(to)), count = 1;
  for (const Range &range : to.ranges)
    count = count && constantValue(range.extent) ? *count * *constantValue(range.extent)
                                                 : std::optional<int64_t>();
  bool isRow =
      to.ranges.size() == 1 && !to.slot && !from.slot &&
      places_.function().buffer(from.buffer).dtype == places_.function().buffer(to.buffer).dtype;
  if (!isRow || !at || !count || *count > MaxElements)
    return false;
  bool isOfRegisters = places_.isRegister(from.buffer);
  std::optional<int64_t> source = isOfRegisters ? placeOf(from.buffer, firstOf(from)) : 0;
  if (!source || (isOfRegisters && from.ranges.size() != 1))
    return false;
  const Expr *predicate = predicateOf(op);
  Lanes moved = predicate ? of(predicate) : Lanes{0};
  Lanes first = isOfRegisters ? Lanes() : loadMemory(from.buffer, firstOf(from));
  for (int64_t step = 0; step != *count; ++step) {
    Lanes value = isOfRegisters ? read(from.buffer, *source + step) : number(&op, first, {step});
    // Where it is not moved there are zeros.
    write(to.buffer, *at + step, predicate ? number(predicate, moved, value) : std::move(value));
  }
  return true;
}

bool ThreadNumbers::runExchange(const OpStmt &op) {
  if (!op.opInfo().isExchange)
    return false;
  for (auto [index, region] : llvm::enumerate(op.regions))
    if (op.operand(index).effect != Effect::Read && places_.isRegister(region.buffer)) {
      std::optional<int64_t> at =
          region.ranges.size() == 1 ? placeOf(region.buffer, {region.ranges[0].min}) : std::nullopt;
      bool isOne = region.ranges.size() == 1 && constantValue(region.ranges[0].extent) == 1;
      write(region.buffer, isOne ? at : std::nullopt, exchanged(op));
    }
  return true;
}

// Only of threads that all come.
Lanes ThreadNumbers::exchanged(const OpStmt &op) {
  const OpInfo &info = op.opInfo();
  if (isDivergent_ || (info.lanes && op.args[*info.lanes]))
    return own();
  if (info.isCommon && scopeOf(op) == OpScope::Block && info.isCommon(op))
    return common();
  Lanes result(static_cast<size_t>(threads_));
  if (info.groupOf) {
    for (auto [thread, group] : llvm::enumerate(result))
      group = info.groupOf(op, static_cast<uint32_t>(thread));
    return number(&op, common(), result);
  }
  Lanes chosen = info.sourceLane ? lanes_.evaluate(op.args[1]) : Lanes();
  Lanes given = chosen.empty() ? Lanes() : of(op.args[0]);
  if (given.empty())
    return own();
  for (auto [thread, value] : llvm::enumerate(result)) {
    auto lane = static_cast<uint32_t>(thread % LanesOfWarp);
    size_t source = thread - lane + info.sourceLane(op, lane, laneOf(chosen, thread));
    if (source >= result.size())
      return own();
    value = laneOf(given, source);
  }
  return llvm::all_equal(result) ? Lanes{result[0]} : result;
}

} // namespace tilescope
