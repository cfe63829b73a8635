#include "core/exec/thread_group.h"

#include "core/exec/math_functions.h"
#include "core/exec/numbers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SaveAndRestore.h"

#include <numeric>

namespace tilescope {

namespace {

// Of a workspace, which holds nothing at first.
void noteAccess(ThreadGroup &group, const ElementPlace &place, size_t element,
                AtomicAccess access) {
  std::map<BufferId, std::vector<uint8_t>> &written = group.block().launch.global.memory.written;
  auto found = written.find(place.buffer.id);
  if (found == written.end())
    return;
  if (access != AtomicAccess::Write && !found->second[element])
    group.find(FindingKind::UninitialisedRead, place.lane, place.buffer.name);
  if (access != AtomicAccess::Read)
    found->second[element] = 1;
}

} // namespace

static void noteStep(const BlockState &block, StepTouch::Kind kind, BufferId buffer, int64_t slot,
                     UnitRange bytes) {
  if (block.steps)
    block.steps->touch(kind, buffer, slot, bytes);
}

int64_t LaneRegion::size() const {
  return std::accumulate(extent.begin(), extent.end(), int64_t{1}, std::multiplies<>());
}

ThreadGroup::ThreadGroup(BlockState &block, uint32_t firstThread, uint32_t count)
    : block_(block), first_(firstThread), count_(count), copies_(count) {
  all_.resize(count);
  std::iota(all_.begin(), all_.end(), 0U);
}

void ThreadGroup::copyTo(llvm::DenseMap<uint32_t, Number> &values) const {
  for (const auto &[id, own] : vars_)
    values[id] = own.front();
}

// ---- Expressions --------------------------------------------------------------------------------

static LaneValues evaluateMath(ThreadGroup &group, const Math &math, Lanes lanes) {
  llvm::SmallVector<LaneValues, 3> args;
  for (const Expr *arg : math.args)
    args.push_back(group.evaluate(arg, lanes));
  LaneValues result(group.size(), Number{.i = 0});
  for (uint32_t lane : lanes) {
    llvm::SmallVector<Number, 3> own;
    for (const LaneValues &arg : args)
      own.push_back(arg[lane]);
    result[lane] = mathOf(math.fn, math.args[0]->dtype(), math.dtype(), own);
  }
  return result;
}

// Made of registers that nobody wrote if its condition is.
static LaneValues evaluateSelect(ThreadGroup &group, const Select &select, Lanes lanes) {
  LaneValues condition = group.evaluateIndex(select.condition, lanes);
  llvm::SmallVector<uint32_t, 32> yes, no;
  for (uint32_t lane : lanes)
    (condition[lane].i ? yes : no).push_back(lane);
  LaneValues values(group.size(), Number{.i = 0});
  for (const auto &[chosen, side] :
       {std::pair(&yes, select.whenTrue), std::pair(&no, select.whenFalse)}) {
    if (chosen->empty())
      continue;
    LaneValues of = group.evaluate(side, *chosen);
    for (uint32_t lane : *chosen)
      values[lane] = of[lane];
  }
  return values;
}

LaneValues ThreadGroup::evaluate(const Expr *expr, Lanes lanes) {
  llvm::SaveAndRestore width(width_, operandWidth(*expr, width_));
  switch (expr->kind()) {
  case ExprKind::IntImm:
  case ExprKind::FloatImm:
    return LaneValues(count_, constantOf(*expr));
  case ExprKind::Var: {
    uint32_t id = llvm::cast<Var>(expr)->id.value;
    if (auto none = undefinedVars_.find(id); none != undefinedVars_.end())
      for (uint32_t lane : lanes)
        if (none->second.test(lane))
          noteUndefined(lane, llvm::cast<Var>(expr)->name);
    if (auto own = vars_.find(id); own != vars_.end())
      return own->second;
    return LaneValues(count_, block_.uniform.lookup(id));
  }
  case ExprKind::Unary: {
    const auto *unary = llvm::cast<Unary>(expr);
    LaneValues values = evaluate(unary->operand, lanes);
    for (uint32_t lane : lanes)
      values[lane] = unaryOf(unary->op, unary->operand->dtype(), values[lane]);
    return values;
  }
  case ExprKind::Binary:
    return evaluateBinary(*llvm::cast<Binary>(expr), lanes);
  case ExprKind::Cast: {
    const auto *cast = llvm::cast<Cast>(expr);
    LaneValues values = evaluate(cast->operand, lanes);
    for (uint32_t lane : lanes)
      values[lane] = convert(cast->operand->dtype(), cast->dtype(), values[lane]);
    return values;
  }
  case ExprKind::Select:
    return evaluateSelect(*this, *llvm::cast<Select>(expr), lanes);
  case ExprKind::Load:
    return evaluateLoad(*llvm::cast<Load>(expr), lanes);
  case ExprKind::Math:
    return evaluateMath(*this, *llvm::cast<Math>(expr), lanes);
  }
  return LaneValues(count_, Number{.i = 0});
}

llvm::SmallVector<uint32_t, 32> ThreadGroup::where(const Expr *condition, Lanes lanes) {
  llvm::SaveAndRestore<llvm::BitVector *> strict(undefined_, nullptr);
  LaneValues values = evaluateIndex(condition, lanes);
  llvm::SmallVector<uint32_t, 32> chosen;
  llvm::copy_if(lanes, std::back_inserter(chosen), [&](uint32_t lane) { return values[lane].i; });
  return chosen;
}

// The right side of `and` and `or` is evaluated where the left does not decide: it may be guarded.
LaneValues ThreadGroup::evaluateBinary(const Binary &binary, Lanes lanes) {
  LaneValues lhs = evaluate(binary.lhs, lanes);
  llvm::SmallVector<uint32_t, 32> undecided;
  bool isLogical = binary.op == BinaryOp::And || binary.op == BinaryOp::Or;
  if (isLogical)
    llvm::copy_if(lanes, std::back_inserter(undecided), [&](uint32_t lane) {
      return (lhs[lane].i != 0) == (binary.op == BinaryOp::And);
    });
  Lanes needed = isLogical ? Lanes(undecided) : lanes;
  if (needed.empty())
    return lhs;
  LaneValues rhs = evaluate(binary.rhs, needed);
  DType dtype = computedType(binary, width_);
  for (uint32_t lane : needed)
    lhs[lane] = binaryOf(binary.op, dtype, lhs[lane], rhs[lane]);
  return lhs;
}

LaneValues ThreadGroup::evaluateLoad(const Load &load, Lanes lanes) {
  LaneRegion region = evaluate(load.buffer, load.slot, load.indices, lanes);
  LaneValues values(count_, Number{.i = 0});
  for (uint32_t lane : lanes)
    values[lane] = this->load(region, lane, 0);
  return values;
}

void ThreadGroup::noteUndefined(uint32_t lane, llvm::StringRef name) {
  if (undefined_)
    undefined_->set(lane);
  else
    find(FindingKind::UninitialisedRead, lane, name);
}

void ThreadGroup::bind(const Var *var, LaneValues values, const llvm::BitVector &undefined) {
  vars_[var->id.value] = std::move(values);
  if (undefined.any())
    undefinedVars_[var->id.value] = undefined;
  else if (!undefinedVars_.empty())
    undefinedVars_.erase(var->id.value);
}

LaneValues ThreadGroup::evaluate(const Expr *expr, Lanes lanes, llvm::BitVector &undefined,
                                 IntegerWidth width) {
  undefined.resize(count_);
  llvm::SaveAndRestore outer(width_, width);
  llvm::SaveAndRestore<llvm::BitVector *> noted(undefined_, &undefined);
  return evaluate(expr, lanes);
}

LaneValues ThreadGroup::evaluateIndex(const Expr *expr, Lanes lanes) {
  llvm::SaveAndRestore outer(width_, IntegerWidth::Index);
  return evaluate(expr, lanes);
}

LaneRegion ThreadGroup::regionOf(BufferId buffer, const Expr *slot, Lanes lanes) {
  LaneRegion region;
  region.buffer = &function().buffer(buffer);
  if (slot)
    region.slot = evaluateIndex(slot, lanes);
  if (!isMemory(region.buffer->scope))
    region.registers = &registersOf(*region.buffer);
  return region;
}

LaneRegion ThreadGroup::evaluate(BufferId buffer, const Expr *slot, ExprList indices, Lanes lanes) {
  llvm::SaveAndRestore<llvm::BitVector *> strict(undefined_, nullptr);
  LaneRegion region = regionOf(buffer, slot, lanes);
  for (const Expr *index : indices) {
    region.min.push_back(evaluateIndex(index, lanes));
    region.extent.push_back(1);
  }
  return region;
}

LaneRegion ThreadGroup::evaluate(const BufferRegion &region, Lanes lanes) {
  LaneRegion result = regionOf(region.buffer, region.slot, lanes);
  for (const Range &range : region.ranges) {
    result.min.push_back(evaluateIndex(range.min, lanes));
    result.extent.push_back(evaluateIndex(range.extent, lanes)[lanes.front()].i);
  }
  return result;
}

// ---- Memory -------------------------------------------------------------------------------------

ThreadGroup::Place ThreadGroup::placeOf(const LaneRegion &region, uint32_t lane,
                                        int64_t element) const {
  Place place{*region.buffer, region.slot.empty() ? 0 : region.slot[lane].i, {}, lane};
  place.coordinates.resize(region.extent.size());
  for (size_t dim = region.extent.size(); dim-- > 0;)
    place.coordinates[dim] = region.min[dim][lane].i + takeCoordinate(element, region.extent[dim]);
  return place;
}

Number ThreadGroup::load(const LaneRegion &region, uint32_t lane, int64_t element,
                         std::optional<uint32_t> receiver) {
  if (region.registers)
    return loadRegister(region, lane, element);
  Place place = placeOf(region, lane, element);
  place.lane = receiver.value_or(lane);
  return isShared(place.buffer.scope) ? loadShared(place) : loadGlobal(place);
}

void ThreadGroup::store(const LaneRegion &region, uint32_t lane, int64_t element, Number value) {
  if (region.registers)
    return storeRegister(region, lane, element, value);
  Place place = placeOf(region, lane, element);
  if (isShared(place.buffer.scope))
    return storeShared(place, value);
  storeGlobal(place, value);
}

Number ThreadGroup::update(const LaneRegion &region, uint32_t lane, int64_t element,
                           AtomicAccess access, llvm::function_ref<Number(Number)> next,
                           MemoryOrder order) {
  Place place = placeOf(region, lane, element);
  DType dtype = place.buffer.dtype;
  auto look = [&](Shadow &shadow, UnitRange units, BufferId buffer) {
    report(shadow.access(access, units, actorOf(lane, buffer)), place);
  };
  if (isShared(place.buffer.scope)) {
    std::optional<size_t> bit = block_.shared.bitOf(place.buffer.id, place.slot, place.coordinates);
    if (!bit) {
      findOutside(place);
      return poisonOf(dtype);
    }
    UnitRange bytes = SharedMemory::bytesOf(*bit, dtype.bits);
    look(block_.shared.shadow(), bytes, place.buffer.id);
    if (access != AtomicAccess::Write)
      noteStep(block_, StepTouch::Kind::Read, place.buffer.id, place.slot, bytes);
    if (access != AtomicAccess::Read)
      noteStep(block_, StepTouch::Kind::Write, place.buffer.id, place.slot, bytes);
    Number old = decode(dtype, block_.shared.bits(*bit, dtype.bits));
    if (access != AtomicAccess::Read)
      block_.shared.setBits(*bit, dtype.bits, encode(dtype, next(old)));
    return old;
  }
  Tensor &tensor = block_.launch.global.memory.tensors.at(place.buffer.id);
  int64_t at = tensor.indexOf(place.coordinates);
  auto unit = static_cast<size_t>(at);
  if (at < 0)
    findOutside(place);
  if (at < 0 || !block_.launch.mayTouch(place.buffer.id, unit))
    return dtype.isFloat() ? Number{.f = 0} : Number{.i = 0};
  noteAccess(*this, place, unit, access);
  if (auto shadow = block_.launch.global.shadows.find(place.buffer.id);
      shadow != block_.launch.global.shadows.end())
    look(shadow->second, {unit, unit + 1}, BufferId());
  if (block_.launch.hasReleases && passOn(block_.launch.releases, {place.buffer.id, unit}, access,
                                          order, block_.knowledge, actorOf(lane, BufferId())))
    ++block_.tick;
  Number old = tensor.get(at);
  if (access != AtomicAccess::Read)
    tensor.set(at, next(old));
  return old;
}

Number ThreadGroup::loadShared(const Place &place) {
  DType dtype = place.buffer.dtype;
  std::optional<size_t> bit = block_.shared.bitOf(place.buffer.id, place.slot, place.coordinates);
  if (!bit) {
    findOutside(place);
    return poisonOf(dtype);
  }
  UnitRange bytes = SharedMemory::bytesOf(*bit, dtype.bits);
  Actor actor = actorOf(place.lane, place.buffer.id);
  std::optional<Shadow::Conflict> conflict = block_.shared.shadow().read(bytes, actor);
  if (!conflict && asyncSince_) {
    actor.now = *asyncSince_;
    conflict = block_.shared.shadow().findUnfenced(bytes, actor, block_.fences);
  }
  report(conflict, place);
  noteStep(block_, StepTouch::Kind::Read, place.buffer.id, place.slot, bytes);
  return decode(dtype, block_.shared.bits(*bit, dtype.bits));
}

void ThreadGroup::storeShared(const Place &place, Number value) {
  DType dtype = place.buffer.dtype;
  std::optional<size_t> bit = block_.shared.bitOf(place.buffer.id, place.slot, place.coordinates);
  if (!bit)
    return findOutside(place);
  uint64_t bits = encode(dtype, value), old = block_.shared.bits(*bit, dtype.bits);
  bool changes = old != bits && !isSameNumber(dtype, value, decode(dtype, old));
  UnitRange bytes = SharedMemory::bytesOf(*bit, dtype.bits);
  report(block_.shared.shadow().write(bytes, actorOf(place.lane, place.buffer.id), changes), place);
  noteStep(block_, StepTouch::Kind::Write, place.buffer.id, place.slot, bytes);
  block_.shared.setBits(*bit, dtype.bits, bits);
}

Number ThreadGroup::loadGlobal(const Place &place) {
  const Tensor &tensor = block_.launch.global.memory.tensors.at(place.buffer.id);
  int64_t at = tensor.indexOf(place.coordinates);
  Number nothing = place.buffer.dtype.isFloat() ? Number{.f = 0} : Number{.i = 0};
  if (at < 0) {
    findOutside(place);
    return nothing;
  }
  auto shadow = block_.launch.global.shadows.find(place.buffer.id);
  auto unit = static_cast<size_t>(at);
  if (!block_.launch.mayTouch(place.buffer.id, unit))
    return nothing;
  noteAccess(*this, place, unit, AtomicAccess::Read);
  if (shadow != block_.launch.global.shadows.end())
    report(shadow->second.read({unit, unit + 1}, actorOf(place.lane, BufferId())), place);
  return tensor.get(at);
}

void ThreadGroup::storeGlobal(const Place &place, Number value) {
  Tensor &tensor = block_.launch.global.memory.tensors.at(place.buffer.id);
  int64_t at = tensor.indexOf(place.coordinates);
  if (at < 0)
    return findOutside(place);
  auto unit = static_cast<size_t>(at);
  if (!block_.launch.mayTouch(place.buffer.id, unit))
    return;
  noteAccess(*this, place, unit, AtomicAccess::Write);
  Number old = tensor.get(at);
  tensor.set(at, value);
  auto shadow = block_.launch.global.shadows.find(place.buffer.id);
  if (shadow != block_.launch.global.shadows.end())
    report(shadow->second.write({unit, unit + 1}, actorOf(place.lane, BufferId()),
                                !isSameNumber(place.buffer.dtype, tensor.get(at), old)),
           place);
}

// ---- Barriers -----------------------------------------------------------------------------------

bool areWholeWarps(Lanes lanes, uint32_t groupSize) {
  for (size_t at = 0; at < lanes.size();) {
    uint32_t warp = lanes[at] / LanesOfWarp;
    size_t size = std::min(LanesOfWarp, groupSize - warp * LanesOfWarp);
    if (lanes[at] % LanesOfWarp != 0 || at + size > lanes.size() ||
        lanes[at + size - 1] / LanesOfWarp != warp)
      return false;
    at += size;
  }
  return true;
}

bool requireFullWarps(ThreadGroup &group, Lanes lanes) {
  uint32_t rest = lanes.size() % LanesOfWarp;
  if (rest != 0)
    group.find(FindingKind::DivergentOperation, lanes.back(), "", std::to_string(rest));
  return rest == 0;
}

void ThreadGroup::arriveAtBarrier(BarrierScope scope, Lanes lanes, int64_t votes,
                                  std::function<void(int64_t)> afterwards) {
  bool areThere =
      scope == BarrierScope::Block ? lanes.size() == count_ : areWholeWarps(lanes, count_);
  if (!areThere)
    return find(FindingKind::DivergentBarrier, lanes.front(), "",
                "only " + std::to_string(lanes.size()));
  if (afterwards)
    block_.votes[now_.block] += votes;
  afterwards_ = std::move(afterwards);
  if (scope == BarrierScope::Block && block_.launch.hasBarriers)
    awaited_ = Awaited::Block;
  else
    meet(scope);
}

void arriveAtNamed(ThreadGroup &group, const NamedArrival &arrival, Lanes lanes) {
  if (!areWholeWarps(lanes, group.count_))
    return group.find(FindingKind::DivergentBarrier, lanes.front(), "",
                      "only " + std::to_string(lanes.size()));
  // Threads of all warps that run in step meet after each statement.
  BlockState &block = group.block_;
  if (!block.launch.hasBarriers)
    return;
  NamedMeeting &meeting = block.named[arrival.number];
  meeting.threads = meeting.arrived == 0 ? arrival.threads : meeting.threads;
  meeting.arrived += static_cast<int64_t>(lanes.size());
  if (meeting.threads != arrival.threads || meeting.arrived > meeting.threads)
    group.find(FindingKind::DivergentBarrier, lanes.front(), "", std::to_string(meeting.arrived));
  meeting.known.add(whatIsDone(group));
  if (arrival.waits) {
    group.awaited_ = Awaited::SomeThreads;
    meeting.waiting.push_back(&group);
  }
  if (meeting.arrived < meeting.threads)
    return;
  for (ThreadGroup *other : meeting.waiting) {
    other->known_ = meeting.known;
    leaveNamed(*other);
  }
  block.named.erase(arrival.number);
}

void leaveNamed(ThreadGroup &group) {
  group.awaited_ = Awaited::Nobody;
  ++group.now_.warp;
}

void awaitPhase(ThreadGroup &group, std::function<bool()> hasEnded) {
  group.hasPhaseEnded_ = std::move(hasEnded);
  group.awaited_ = Awaited::Phase;
  leavePhase(group);
}

bool leavePhase(ThreadGroup &group) {
  bool hasEnded = group.hasPhaseEnded_();
  if (hasEnded)
    group.awaited_ = Awaited::Nobody;
  return hasEnded;
}

std::function<bool()> takePhase(ThreadGroup &group) {
  if (group.awaited_ != Awaited::Phase)
    return nullptr;
  group.awaited_ = Awaited::Nobody;
  return std::exchange(group.hasPhaseEnded_, nullptr);
}

void giveUpPhase(ThreadGroup &group) {
  bool isOfCluster = llvm::cast<OpStmt>(group.stmt_)->opInfo().isOfCluster;
  group.find(isOfCluster ? FindingKind::MissedBarrier : FindingKind::EndlessWait, 0, "");
  group.awaited_ = Awaited::Nobody;
}

Lanes electedOf(const ThreadGroup &group, Lanes lanes, uint32_t thread) {
  bool isThere = thread >= group.first_ && lanes.front() == thread - group.first_;
  return lanes.take_front(isThere ? 1 : 0);
}

const WarpKnowledge &whatIsDone(ThreadGroup &group) {
  group.known_.ticks[group.first_ / LanesOfWarp] = group.block_.tick++;
  return group.known_;
}

void learn(ThreadGroup &group, const WarpKnowledge &known) { group.known_.add(known); }

Moment momentOf(const ThreadGroup &group) { return group.now_; }

void arriveAtGrid(ThreadGroup &group, Lanes lanes) {
  if (lanes.size() != group.count_)
    return group.find(FindingKind::DivergentBarrier, lanes.front(), "",
                      "only " + std::to_string(lanes.size()));
  group.awaited_ = Awaited::Grid;
}

void leaveGrid(ThreadGroup &group) {
  ++group.now_.grid;
  group.meet(BarrierScope::Block);
}

void ThreadGroup::meet(BarrierScope scope) {
  if (auto afterwards = std::exchange(afterwards_, nullptr))
    afterwards(block_.votes[now_.block]);
  if (scope == BarrierScope::Block)
    ++now_.block;
  ++now_.warp;
  whatIsDone(*this);
  awaited_ = Awaited::Nobody;
}

void fenceProxy(ThreadGroup &group, Lanes lanes) {
  for (uint32_t lane : lanes) {
    Actor actor = group.actorOf(lane, BufferId());
    group.block_.fences.add(actor.thread, actor.now, actor.known);
  }
}

// ---- Findings -----------------------------------------------------------------------------------

Actor ThreadGroup::actorOf(uint32_t lane, BufferId buffer) const {
  Moment now = now_;
  now.tick = block_.tick;
  now.fences = block_.fences.count(first_ + lane);
  return {block_.block,
          first_ + lane,
          now,
          stmt_,
          buffer,
          block_.launch.hasNamedBarriers ? &known_.ticks : nullptr,
          block_.launch.hasReleases ? &block_.knowledge : nullptr,
          block_.cluster ? &block_.readKnowledge : nullptr,
          &known_.phases};
}

void ThreadGroup::find(FindingKind kind, uint32_t lane, llvm::StringRef buffer, std::string detail,
                       const Stmt *other) {
  block_.launch.findings.add(
      {kind, stmt_, other, buffer, std::move(detail), block_.block, first_ + lane});
}

void ThreadGroup::report(const std::optional<Shadow::Conflict> &conflict, const Place &place) {
  if (!conflict)
    return;
  std::string detail = conflict->text(actorOf(place.lane, BufferId()));
  if (conflict->kind == FindingKind::OtherBuffer)
    detail = function().buffer(conflict->buffer).name.str();
  find(conflict->kind, place.lane, place.buffer.name, detail, conflict->other);
}

void ThreadGroup::findOutside(const Place &place) {
  if (place.buffer.scope != Scope::Global || block_.launch.isGuarded)
    find(FindingKind::OutOfBounds, place.lane, place.buffer.name, indexText(place.coordinates));
}

} // namespace tilescope
