#include "core/exec/shadow.h"

#include "llvm/ADT/ArrayRef.h"

namespace tilescope {

namespace {

uint32_t warpOf(uint32_t thread) { return thread / LanesOfWarp; }

} // namespace

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

bool Shadow::isOrdered(const Last &last, const Actor &actor) {
  if (last.thread == NoThread)
    return true;
  if (last.thread == ManyBlocks || last.block != actor.block)
    return false;
  if (last.thread == actor.thread || last.when.block < actor.now.block)
    return true;
  return last.thread != ManyWarps && warpOf(last.first) == warpOf(actor.thread) &&
         last.when.warp < actor.now.warp;
}

std::optional<Shadow::Conflict> Shadow::meet(const Last &last, const Actor &actor) {
  if (isOrdered(last, actor))
    return std::nullopt;
  return Conflict{.kind = FindingKind::Race,
                  .other = last.stmt,
                  .thread = last.first,
                  .block = last.block,
                  .isMany = last.thread >= ManyBlocks};
}

// Of accesses of which none is ordered with the others all count: a later one must come after each.
void Shadow::remember(Last &last, const Actor &actor) {
  Last now = lastOf(actor);
  if (!isOrdered(last, actor) && (last.thread == ManyBlocks || last.block != now.block)) {
    last.thread = ManyBlocks;
    return;
  }
  if (!isOrdered(last, actor)) {
    bool isOfWarp = last.thread != ManyWarps && warpOf(last.first) == warpOf(actor.thread);
    now.thread = isOfWarp ? ManyThreads : ManyWarps;
    now.first = last.first;
  }
  last = now;
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

// One that keeps the value is one more writer of it, and takes nobody's place.
std::optional<Shadow::Conflict> Shadow::writeUnit(Unit &unit, const Actor &actor, bool changes) {
  std::optional<Conflict> found;
  if (unit.copy)
    found = Conflict{FindingKind::WriteInFlight, unit.copy};
  for (const Last *last : {&unit.write, &unit.update, &unit.look, &unit.read})
    if (!found && changes)
      found = meet(*last, actor);
  if (changes) {
    unit.write = lastOf(actor);
    unit.read = unit.update = unit.look = Last();
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
  if (unit.copy)
    found = Conflict{isWrite ? FindingKind::WriteInFlight : FindingKind::ReadInFlight, unit.copy};
  else if (!isWrite && !unit.isWritten)
    found = Conflict{FindingKind::UninitialisedRead, nullptr};
  else
    found = meet(unit.write, actor);
  if (access == AtomicAccess::Read) {
    remember(unit.look, actor);
    return found;
  }
  if (!found)
    found = meet(unit.read, actor);
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

} // namespace tilescope
