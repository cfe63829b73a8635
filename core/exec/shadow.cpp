#include "core/exec/shadow.h"

#include "core/exec/proxy_fences.h"
#include "core/exec/releases.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

uint32_t warpOf(uint32_t thread) { return thread / LanesOfWarp; }

} // namespace

void WarpKnowledge::add(const WarpKnowledge &other) {
  for (auto [own, of] : llvm::zip(ticks, other.ticks))
    own = std::max(own, of);
  for (auto [own, of] : llvm::zip(phases, other.phases))
    own = std::max(own, of);
}

Shadow::Shadow(size_t units, bool isWritten) : units_(units) {
  for (Unit &unit : units_)
    unit.isWritten = isWritten;
}

std::string Shadow::Conflict::text(const Actor &own) const {
  auto name = [&](uint32_t thread, int64_t block) {
    std::string text = std::to_string(thread);
    return own.block == this->block ? text
                                    : "thread " + text + " of block " + std::to_string(block);
  };
  return (own.block == block ? "threads " : "") + name(thread, block) + (isMany ? ", " : " and ") +
         name(own.thread, own.block) + (isMany ? " and others" : "");
}

Shadow::Last Shadow::lastOf(const Actor &actor) {
  auto thread = static_cast<uint16_t>(actor.thread);
  return {actor.stmt, actor.block, actor.now, thread, thread};
}

bool Shadow::isOrdered(const Last &last, const Actor &actor, bool isRead) const {
  if (last.thread == NoThread || last.when.grid < actor.now.grid)
    return true;
  if (last.thread == ManyBlocks)
    return last.blocks != 0 && llvm::all_of(blocks_[last.blocks - 1], [&](const Last &one) {
             return isOrdered(one, actor, isRead);
           });
  if (last.block != actor.block)
    return (actor.blocks && isReleased(last, actor, *actor.blocks)) ||
           (actor.reads && (isRead || last.thread == CountedCopy) &&
            isReleased(last, actor, *actor.reads));
  if (last.thread == actor.thread || last.when.block < actor.now.block)
    return true;
  if (last.thread == CountedCopy)
    return actor.phases && last.when.tick <= (*actor.phases)[last.first];
  if (last.thread != ManyWarps && warpOf(last.first) == warpOf(actor.thread))
    return last.when.warp < actor.now.warp;
  return actor.known && isKnown(last, actor);
}

// Through barriers of some threads.
bool Shadow::isKnown(const Last &last, const Actor &actor) const {
  if (last.thread != ManyWarps)
    return last.when.tick <= (*actor.known)[warpOf(last.first)];
  for (uint32_t warp = 0; last.ticks != 0 && warp != MostWarps; ++warp)
    if (ticks_[last.ticks - 1][warp] > (*actor.known)[warp])
      return false;
  return last.ticks != 0;
}

// By other blocks.
bool Shadow::isReleased(const Last &last, const Actor &actor, const BlockKnowledge &blocks) const {
  if (blocks.knows(last.block, last.when, last.thread, actor))
    return true;
  if (last.thread == CountedCopy)
    return blocks.knowsPhase(last.block, {last.first, last.when.tick}, actor);
  if (last.thread == ManyThreads)
    return blocks.knowsWarp(last.block, warpOf(last.first), last.when.tick, actor);
  if (last.thread == ManyWarps && last.ticks != 0)
    return llvm::all_of(llvm::enumerate(ticks_[last.ticks - 1]), [&](auto warp) {
      return blocks.knowsWarp(last.block, static_cast<uint32_t>(warp.index()), warp.value(), actor);
    });
  return false;
}

void Shadow::replace(Last &last, Last by) {
  by.ticks = by.ticks ? by.ticks : last.ticks;
  last = by;
}

// Of those that `last` knows, and of the actor's.
void Shadow::rememberBlocks(Last &last, const Actor &actor) {
  if (last.thread != ManyBlocks) {
    blocks_.push_back({last});
    last.blocks = static_cast<uint32_t>(blocks_.size());
  }
  if (last.blocks == 0)
    return;
  std::vector<Last> &blocks = blocks_[last.blocks - 1];
  auto own = llvm::find_if(blocks, [&](const Last &one) { return one.block == actor.block; });
  if (own == blocks.end())
    blocks.push_back(lastOf(actor));
  else
    remember(*own, actor);
}

// Of `last` and of the actor.
void Shadow::rememberWarps(Last &now, const Last &last, const Actor &actor) {
  now.ticks = last.ticks;
  if (now.ticks == 0) {
    ticks_.emplace_back();
    now.ticks = static_cast<uint32_t>(ticks_.size());
  }
  WarpTicks &ticks = ticks_[now.ticks - 1];
  if (last.thread != ManyWarps) {
    ticks.fill(0);
    ticks[warpOf(last.first)] = last.when.tick;
  }
  ticks[warpOf(actor.thread)] = actor.now.tick;
}

std::optional<Shadow::Conflict> Shadow::meet(const Last &last, const Actor &actor,
                                             FindingKind inFlight, bool isRead) const {
  if (isOrdered(last, actor, isRead))
    return std::nullopt;
  if (last.thread == CountedCopy)
    return Conflict{.kind = inFlight, .other = last.stmt};
  return Conflict{.kind = FindingKind::Race,
                  .other = last.stmt,
                  .thread = last.first,
                  .block = last.block,
                  .isMany = last.thread >= ManyBlocks};
}

// Of accesses of which none is ordered with the others all count: a later one must come after each.
void Shadow::remember(Last &last, const Actor &actor) {
  Last now = lastOf(actor);
  // Who does not know of the copy does not make it known.
  if (last.thread == CountedCopy && !isOrdered(last, actor))
    return;
  if (!isOrdered(last, actor) && (last.thread == ManyBlocks || last.block != now.block)) {
    if (actor.blocks)
      rememberBlocks(last, actor);
    last.thread = ManyBlocks;
    return;
  }
  if (!isOrdered(last, actor)) {
    bool isOfWarp = last.thread != ManyWarps && warpOf(last.first) == warpOf(actor.thread);
    now.thread = isOfWarp ? ManyThreads : ManyWarps;
    now.first = last.first;
    if (!isOfWarp && actor.known)
      rememberWarps(now, last, actor);
  }
  replace(last, now);
}

std::optional<Shadow::Conflict> Shadow::read(UnitRange units, const Actor &actor) {
  std::optional<Conflict> found;
  for (size_t at = units.begin; at != units.end; ++at) {
    Unit &unit = units_[at];
    std::optional<Conflict> conflict = meet(unit.write, actor);
    if (!conflict)
      conflict = meet(unit.update, actor);
    if (unit.copy)
      conflict = Conflict{FindingKind::ReadInFlight, unit.copy};
    else if (!unit.isWritten)
      conflict = Conflict{FindingKind::UninitialisedRead, nullptr};
    else if (unit.buffer.isValid() && unit.buffer != actor.buffer)
      conflict = Conflict{
          .kind = FindingKind::OtherBuffer, .other = writerOf(unit), .buffer = unit.buffer};
    if (!found)
      found = conflict;
    remember(unit.read, actor);
  }
  return found;
}

bool Shadow::isFenced(const Last &write, const Actor &reader, const ProxyFences &fences) const {
  if (write.thread == NoThread || write.thread == CountedCopy || write.block != reader.block)
    return true;
  if (const Moment *fence = fences.next(write.first, write.when.fences)) {
    Last fenced = write;
    fenced.thread = write.first;
    fenced.when = *fence;
    if (isOrdered(fenced, reader))
      return true;
  }
  const Moment *fence = fences.last(reader.thread);
  if (!fence || write.first == reader.thread)
    return false;
  Actor fencing = reader;
  fencing.now = *fence;
  fencing.known = &fences.knownAtLast(reader.thread);
  return isOrdered(write, fencing);
}

std::optional<Shadow::Conflict> Shadow::findUnfenced(UnitRange units, const Actor &actor,
                                                     const ProxyFences &fences) const {
  for (size_t at = units.begin; at != units.end; ++at)
    for (const Last *last : {&units_[at].write, &units_[at].update})
      if (!isFenced(*last, actor, fences))
        return Conflict{.kind = FindingKind::NotFenced, .other = last->stmt};
  return std::nullopt;
}

// One that keeps the value is one more writer of it, and takes nobody's place.
std::optional<Shadow::Conflict> Shadow::writeUnit(Unit &unit, const Actor &actor, bool changes) {
  std::optional<Conflict> found;
  if (unit.copy)
    found = Conflict{FindingKind::WriteInFlight, unit.copy};
  for (const Last *last : {&unit.write, &unit.update, &unit.look, &unit.read})
    if (!found && changes)
      found =
          meet(*last, actor, FindingKind::WriteInFlight, last == &unit.look || last == &unit.read);
  if (changes) {
    replace(unit.write, lastOf(actor));
    for (Last *other : {&unit.read, &unit.update, &unit.look})
      replace(*other, Last());
  } else {
    remember(unit.write, actor);
  }
  unit.buffer = actor.buffer;
  unit.isWritten = true;
  return found;
}

std::optional<Shadow::Conflict> Shadow::write(UnitRange units, const Actor &actor, bool changes) {
  std::optional<Conflict> found;
  for (size_t at = units.begin; at != units.end; ++at)
    if (std::optional<Conflict> conflict = writeUnit(units_[at], actor, changes);
        conflict && !found)
      found = conflict;
  return found;
}

std::optional<Shadow::Conflict> Shadow::accessUnit(Unit &unit, AtomicAccess access,
                                                   const Actor &actor) {
  std::optional<Conflict> found;
  bool isWrite = access == AtomicAccess::Write;
  FindingKind inFlight = isWrite ? FindingKind::WriteInFlight : FindingKind::ReadInFlight;
  if (unit.copy)
    found = Conflict{inFlight, unit.copy};
  else if (!isWrite && !unit.isWritten)
    found = Conflict{FindingKind::UninitialisedRead, nullptr};
  else
    found = meet(unit.write, actor, inFlight);
  if (access == AtomicAccess::Read) {
    remember(unit.look, actor);
    return found;
  }
  if (!found)
    found = meet(unit.read, actor, inFlight, /*isRead=*/true);
  remember(unit.update, actor);
  unit.buffer = actor.buffer;
  unit.isWritten = true;
  return found;
}

std::optional<Shadow::Conflict> Shadow::access(AtomicAccess access, UnitRange units,
                                               const Actor &actor) {
  std::optional<Conflict> found;
  for (size_t at = units.begin; at != units.end; ++at)
    if (std::optional<Conflict> conflict = accessUnit(units_[at], access, actor);
        conflict && !found)
      found = conflict;
  return found;
}

std::optional<Shadow::Conflict> Shadow::beginCopy(UnitRange units, const Actor &actor) {
  std::optional<Conflict> found = write(units, actor);
  for (size_t at = units.begin; at != units.end; ++at)
    units_[at].copy = actor.stmt;
  return found;
}

void Shadow::endCopy(UnitRange units, const Actor &actor) {
  for (size_t at = units.begin; at != units.end; ++at) {
    Unit &unit = units_[at];
    unit.copy = nullptr;
    unit.write.when = actor.now;
  }
}

void Shadow::endCounted(UnitRange units, const PhaseArrival &arrival, const Moment &when,
                        int64_t block) {
  for (size_t at = units.begin; at != units.end; ++at) {
    Unit &unit = units_[at];
    unit.copy = nullptr;
    unit.write.thread = CountedCopy;
    unit.write.first = static_cast<uint16_t>(arrival.counter);
    unit.write.when = when;
    unit.write.when.tick = arrival.phase;
    unit.write.block = block;
  }
}

} // namespace tilescope
