#include "core/stages/loop_unroller.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace tilescope {

namespace {

// A trace is untrusted: more versions than a kernel has, or more than a picture holds.
constexpr int64_t MaxVersions = 64;
constexpr int64_t MaxPeriod = 256;
constexpr size_t MaxRows = 4096;
constexpr int64_t MaxTrips = int64_t(1) << 40;
// This many iterations are all shown.
constexpr int64_t FewIterations = 6;

std::optional<int64_t> tripsOf(const AccessNode &loop) {
  if (loop.maxTrips == loop.minTrips && loop.minTrips >= 0 && loop.minTrips <= MaxTrips)
    return loop.minTrips;
  return std::nullopt;
}

// Beyond what chooseExtent() takes all are alike.
int64_t stageOf(const PipelineStmtRecord &stmt) {
  return std::clamp<int64_t>(stmt.stage, 0, MaxPeriod + 1);
}

bool isEmpty(const LiveInterval &points) { return points.begin >= points.end; }

} // namespace

void LoopUnroller::run() {
  constexpr const char *TooLarge = "the loop is too large to be unrolled";
  stages_.trips = tripsOf(*loop_.node);
  if (!addBody() || !addRows()) {
    stages_.refusal = TooLarge;
    return;
  }
  if (stages_.rows.empty()) {
    stages_.refusal = "the loop keeps one version of each tile and copies nothing ahead";
    return;
  }
  if (!chooseExtent()) {
    stages_.refusal = TooLarge;
    return;
  }
  runPrologue();
  for (int64_t iteration = 0; iteration != extent_.count; ++iteration)
    runIteration(iteration);
  if (!isEmpty(stages_.epilogue))
    runPart(StageStep::Kind::Epilogue, stages_.epilogue);
  dropHidden();
}

// ---- What there is to run -----------------------------------------------------------------------

bool LoopUnroller::spend(int64_t effort) {
  bool isEnough = effort <= effort_;
  effort_ -= isEnough ? effort : 0;
  return isEnough;
}

bool LoopUnroller::addBody() {
  if (!spend(loop_.points.end - loop_.points.begin))
    return false;
  int64_t last = 0;
  for (const PipelineStmtRecord &stmt : record_.schedule) {
    schedule_[stmt.stmt] = &stmt;
    last = std::max(last, stageOf(stmt));
  }
  for (ProgramPoint point = loop_.points.begin; point != loop_.points.end; ++point) {
    BodyLeaf leaf{point};
    if (const PipelineStmtRecord *stmt = scheduledAt(point)) {
      leaf.order = stmt->order;
      leaf.ahead = last - stageOf(*stmt);
      leaf.group = stmt->group;
    }
    body_.push_back(leaf);
  }
  if (stages_.isPlanned)
    orderBody();
  else
    commitsPerIteration_ = llvm::count_if(body_, [&](const BodyLeaf &leaf) {
      const AccessNode &node = *flat_.leaves[leaf.point].node;
      return node.kind == AccessNode::Kind::Commit && node.queue == CopyQueue;
    });
  return true;
}

// The schedule names statements of the body; a leaf belongs to the nearest one around it.
const PipelineStmtRecord *LoopUnroller::scheduledAt(ProgramPoint point) const {
  for (uint32_t at = flat_.leaves[point].index; at != loop_.index; at = flat_.parents[at])
    if (auto found = schedule_.find(flat_.program->nodes[at].stmt); found != schedule_.end())
      return found->second;
  return nullptr;
}

void LoopUnroller::orderBody() {
  llvm::stable_sort(body_, [](const BodyLeaf &a, const BodyLeaf &b) { return a.order < b.order; });
  std::map<int64_t, BodyLeaf *> lastOfGroup;
  for (BodyLeaf &leaf : body_)
    if (leaf.group >= 0)
      lastOfGroup[leaf.group] = &leaf;
  for (auto &[group, leaf] : lastOfGroup)
    leaf->closesGroup = true;
  commitsPerIteration_ = static_cast<int64_t>(lastOfGroup.size());
}

// Tiles with several slots, and those that are copied while something else runs.
bool LoopUnroller::addRows() {
  std::map<BufferId, bool> isCopied;
  for (const BodyLeaf &leaf : body_)
    for (const Access &access : flat_.leaves[leaf.point].node->accesses)
      if (access.kind == AccessKind::Write && (access.async || leaf.group >= 0))
        isCopied[access.buffer] = true;
  for (const auto &[id, count] : record_.versions) {
    bool hasSlots = count > 1 || (count == 1 && isCopied.count(id) != 0);
    if (!hasSlots || count > MaxVersions || buffers_.count(id))
      continue;
    buffers_[id] = {stages_.rows.size(), count, 0};
    for (int64_t slot = 0; slot != count; ++slot)
      stages_.rows.push_back({id, slot});
    if (stages_.rows.size() > MaxRows) {
      stages_.rows.clear();
      return false;
    }
  }
  slots_.resize(stages_.rows.size());
  return true;
}

// How many iterations ahead anything runs.
int64_t LoopUnroller::deepest() const {
  int64_t depth = 1;
  for (const BodyLeaf &leaf : body_) {
    depth = std::max(depth, leaf.ahead);
    for (size_t guard = flat_.leaves[leaf.point].guard; guard != TripGuard::None;
         guard = flat_.guards[guard].parent)
      if (flat_.guards[guard].loop == loop_.node->stmt)
        depth = std::max(depth, flat_.guards[guard].distance);
  }
  return depth;
}

// Iterations in the middle are alike up to the numbers of tiles, so fewer of them stand for all:
// as many as leave the slots of the last iterations where they are.
bool LoopUnroller::chooseExtent() {
  int64_t period = 1, most = 1, depth = deepest();
  for (const auto &[id, rows] : buffers_) {
    period = std::lcm(period, rows.count);
    most = std::max(most, rows.count);
  }
  if (period > MaxPeriod || depth > MaxPeriod)
    return false;
  int64_t lead = most + 1, tail = depth + 1, least = lead + tail + std::max(most, depth);
  if (stages_.trips && *stages_.trips <= std::max(lead + tail, FewIterations)) {
    extent_ = {*stages_.trips, *stages_.trips, 0};
  } else {
    int64_t count = stages_.trips ? *stages_.trips % period : 0;
    while (count < least && (!stages_.trips || count < *stages_.trips))
      count += period;
    extent_ = {count, lead, tail};
  }
  int64_t events = 0;
  for (const BodyLeaf &leaf : body_)
    events += 1 + static_cast<int64_t>(flat_.leaves[leaf.point].node->accesses.size());
  int64_t steps = extent_.leavesOut() ? extent_.lead + extent_.tail : extent_.count;
  return spend(extent_.count * events + static_cast<int64_t>(stages_.rows.size()) * steps);
}

// ---- Steps --------------------------------------------------------------------------------------

void LoopUnroller::beginStep(StageStep::Kind kind, StageNumber iteration) {
  stages_.steps.push_back({kind, iteration, tick_, tick_});
}

// A step in which nothing happens keeps a place.
void LoopUnroller::endStep() {
  StageStep &step = stages_.steps.back();
  tick_ = std::max(tick_, step.begin + 1);
  step.end = tick_;
}

void LoopUnroller::runPrologue() {
  int64_t depth = stages_.isPlanned ? deepest() : 0;
  if (stages_.isPlanned) {
    beginStep(StageStep::Kind::Prologue, {});
    for (int64_t step = -depth; step != 0; ++step)
      for (const BodyLeaf &leaf : body_)
        if (step + leaf.ahead >= 0 && step + leaf.ahead < extent_.count)
          runBodyLeaf(leaf, step + leaf.ahead);
    endStep();
  } else if (!isEmpty(stages_.prologue)) {
    runPart(StageStep::Kind::Prologue, stages_.prologue);
  }
  commitsBefore_ = commits_;
}

void LoopUnroller::runPart(StageStep::Kind kind, const LiveInterval &points) {
  beginStep(kind, {});
  for (ProgramPoint point = points.begin; point != points.end; ++point)
    runLeaf(point, 0, false);
  endStep();
}

void LoopUnroller::runIteration(int64_t iteration) {
  bool wasHidden = isHidden_;
  isHidden_ =
      extent_.leavesOut() && extent_.lead <= iteration && iteration < extent_.count - extent_.tail;
  if (isHidden_ && !wasHidden) {
    int64_t shown = extent_.lead + extent_.tail;
    beginStep(StageStep::Kind::LeftOut, stages_.trips ? StageNumber{*stages_.trips - shown, false}
                                                      : StageNumber{-shown, true});
    endStep();
  }
  isPastLead_ |= isHidden_;
  if (!isHidden_)
    beginStep(StageStep::Kind::Iteration, numbered(iteration, 1, 0));
  for (const BodyLeaf &leaf : body_)
    if (iteration + leaf.ahead < extent_.count)
      runBodyLeaf(leaf, iteration + leaf.ahead);
  if (!isHidden_)
    endStep();
}

void LoopUnroller::runBodyLeaf(const BodyLeaf &leaf, int64_t iteration) {
  runLeaf(leaf.point, iteration, leaf.group >= 0);
  if (leaf.closesGroup)
    commit(leaf.point, {});
}

// A count of what happens `perIteration` times in an iteration, and `before` times in the prologue.
StageNumber LoopUnroller::numbered(int64_t value, int64_t perIteration, int64_t before) const {
  if (!isPastLead_)
    return {value, false};
  if (stages_.trips)
    return {value + (*stages_.trips - extent_.count) * perIteration, false};
  return {value - before - extent_.count * perIteration, true};
}

// ---- Events -------------------------------------------------------------------------------------

bool LoopUnroller::runsAt(size_t guard, int64_t iteration, bool &isConditional) const {
  for (; guard != TripGuard::None; guard = flat_.guards[guard].parent) {
    const TripGuard &condition = flat_.guards[guard];
    if (condition.loop != loop_.node->stmt)
      isConditional = true;
    else if ((iteration + condition.distance < extent_.count) == condition.isNegated)
      return false;
  }
  return true;
}

void LoopUnroller::runLeaf(ProgramPoint point, int64_t iteration, bool copies) {
  const FlatLeaf &leaf = flat_.leaves[point];
  StageEvent event;
  event.point = point;
  event.stmt = leaf.node->stmt;
  event.isConditional = leaf.isConditional;
  if (!runsAt(leaf.guard, iteration, event.isConditional))
    return;
  hasShown_ = false;
  bool isOfCopies = leaf.node->queue == CopyQueue;
  if (leaf.node->kind == AccessNode::Kind::Commit && isOfCopies)
    commit(point, leaf.node->stmt);
  else if (leaf.node->kind == AccessNode::Kind::Wait && isOfCopies)
    wait(*leaf.node, point);
  event.tick = tick_;
  event.step = stages_.steps.size() - 1;
  for (const Access &access : leaf.node->accesses)
    if (std::optional<size_t> row = rowOf(access, iteration)) {
      event.row = *row;
      event.access = access.async || copies ? StageAccess::AsyncFill : StageAccess::Fill;
      access.kind == AccessKind::Read ? read(event) : write(access, event);
    }
  tick_ += hasShown_;
}

// Nothing if the access is to none of our rows, or to a slot that only the run knows.
std::optional<size_t> LoopUnroller::rowOf(const Access &access, int64_t iteration) {
  auto found = buffers_.find(access.buffer);
  if (found == buffers_.end())
    return std::nullopt;
  const BufferRows &rows = found->second;
  const Slot &slot = access.slot;
  int64_t index = -1;
  if (stages_.isPlanned)
    index = iteration % rows.count;
  else if (slot.kind == Slot::Kind::Constant)
    index = slot.offset;
  else if (slot.kind == Slot::Kind::Loop && slot.loop == loop_.node->stmt && slot.modulus > 0)
    index = static_cast<int64_t>(
        (static_cast<uint64_t>(iteration) + static_cast<uint64_t>(slot.offset)) %
        static_cast<uint64_t>(slot.modulus));
  if (index >= 0 && index < rows.count)
    return rows.first + static_cast<size_t>(index);
  stages_.hasHidden = true;
  return std::nullopt;
}

void LoopUnroller::read(StageEvent event) {
  SlotState &held = slots_[event.row];
  event.access = StageAccess::Read;
  event.producer = held.producer;
  event.tile = held.occupancy == StageEvent::None ? StageNumber{-1, false}
                                                  : stages_.occupancies[held.occupancy].tile;
  size_t id = emit(event);
  held.readStep = event.step;
  if (held.occupancy != StageEvent::None)
    stages_.occupancies[held.occupancy].end = tick_ + (id == StageEvent::None ? 0 : 1);
}

// A step fills a slot with a tile by one statement or by several before anything reads it. A
// partial write after a read, and one that reads the slot itself, change the tile that is there.
bool LoopUnroller::startsTile(const Access &access, const StageEvent &event) const {
  const SlotState &held = slots_[event.row];
  if (held.occupancy == StageEvent::None)
    return true;
  bool isRead = held.readStep == event.step;
  for (const Access &other : flat_.leaves[event.point].node->accesses)
    if (other.kind == AccessKind::Read && other.buffer == access.buffer &&
        other.slot == access.slot)
      return false;
  if (access.full || access.async)
    return held.step != event.step || isRead;
  return held.step != event.step && !isRead;
}

void LoopUnroller::write(const Access &access, StageEvent event) {
  SlotState &held = slots_[event.row];
  bool isCopy = event.access == StageAccess::AsyncFill;
  if (startsTile(access, event)) {
    int64_t tile = buffers_[access.buffer].fills++;
    held = {stages_.occupancies.size(), StageEvent::None, event.step, SIZE_MAX};
    stages_.occupancies.push_back({event.row, numbered(tile, 1, 0), tick_, tick_, tick_ + 1});
  } else if (held.step != event.step || held.readStep == event.step) {
    event.access = StageAccess::Update;
    event.producer = held.producer;
  }
  event.tile = stages_.occupancies[held.occupancy].tile;
  size_t id = emit(event);
  if (event.access != StageAccess::Update && held.producer == StageEvent::None)
    held.producer = id;
  SlotOccupancy &occupancy = stages_.occupancies[held.occupancy];
  occupancy.end = std::max(occupancy.end, tick_ + 1);
  if (isCopy) {
    open_.push_back(id);
    openOccupancies_.push_back(held.occupancy);
    occupancy.ready = InFlight;
  }
}

void LoopUnroller::commit(ProgramPoint point, StmtId stmt) {
  StageNumber number = numbered(commits_++, commitsPerIteration_, commitsBefore_);
  for (size_t id : open_)
    if (id != StageEvent::None)
      stages_.events[id].group = number;
  StageSync sync{false, stages_.steps.size() - 1, tick_, 0, {}, point, stmt};
  if (!open_.empty())
    sync.groups.push_back(number);
  inFlight_.push_back({number, std::move(openOccupancies_)});
  open_.clear();
  openOccupancies_.clear();
  addSync(std::move(sync));
}

void LoopUnroller::wait(const AccessNode &node, ProgramPoint point) {
  StageSync sync{true, stages_.steps.size() - 1, tick_, node.pending, {}, point, node.stmt};
  while (static_cast<int64_t>(inFlight_.size()) > std::max<int64_t>(node.pending, 0)) {
    const Group &group = inFlight_.front();
    if (!group.occupancies.empty())
      sync.groups.push_back(group.number);
    for (size_t occupancy : group.occupancies)
      stages_.occupancies[occupancy].ready = tick_;
    inFlight_.pop_front();
  }
  addSync(std::move(sync));
}

void LoopUnroller::addSync(StageSync sync) {
  if (isHidden_)
    return;
  stages_.syncs.push_back(std::move(sync));
  hasShown_ = true;
}

size_t LoopUnroller::emit(const StageEvent &event) {
  if (isHidden_)
    return StageEvent::None;
  stages_.events.push_back(event);
  hasShown_ = true;
  return stages_.events.size() - 1;
}

// Nothing is shown in the step that is left out; what no wait of ours ends is never ready.
void LoopUnroller::dropHidden() {
  for (const StageStep &step : stages_.steps) {
    if (step.kind != StageStep::Kind::LeftOut)
      continue;
    for (SlotOccupancy &occupancy : stages_.occupancies) {
      if (step.begin <= occupancy.begin && occupancy.begin < step.end)
        occupancy.begin = step.end;
      if (step.begin < occupancy.end && occupancy.end <= step.end)
        occupancy.end = step.begin;
    }
  }
  llvm::erase_if(stages_.occupancies,
                 [](const SlotOccupancy &occupancy) { return occupancy.begin >= occupancy.end; });
  for (SlotOccupancy &occupancy : stages_.occupancies)
    occupancy.ready = std::clamp(occupancy.ready, occupancy.begin, occupancy.end);
}

} // namespace tilescope
