#include "core/exec/tile_shadow.h"

namespace tilescope {

namespace {

UnitRange unitOf(int64_t element) {
  auto unit = static_cast<size_t>(element);
  return {unit, unit + 1};
}

} // namespace

TileShadow::TileShadow(const Buffer &buffer, int64_t elements) : buffer_(&buffer) {
  if (isShared(buffer.scope))
    memory_.emplace(static_cast<size_t>(elements), /*isWritten=*/false);
  else
    isWritten_.assign(static_cast<size_t>(elements), 0);
}

void TileReads::startBlock(int64_t block) {
  block_ = block;
  thread_ = -1;
  unwritten_ = {};
  unwrittenVars_.clear();
}

// What the statement before has read and left alone is nobody's.
void TileReads::setStatement(const Stmt &stmt) {
  stmt_ = &stmt;
  unwritten_ = {};
}

void TileReads::readMemory(TileShadow &shadow, int64_t element) {
  report(shadow.memory_->read(unitOf(element), actor(shadow)), shadow);
}

void TileReads::writeMemory(TileShadow *shadow, int64_t element) {
  use();
  if (shadow)
    report(shadow->memory_->write(unitOf(element), actor(*shadow)), *shadow);
}

// Registers, which nothing copies to asynchronously, take what has been read at once.
void TileReads::beginCopy(TileShadow &shadow, int64_t element) {
  if (!shadow.memory_)
    return write(&shadow, element);
  use();
  report(shadow.memory_->beginCopy(unitOf(element), actor(shadow)), shadow);
}

void TileReads::endCopy(TileShadow &shadow, int64_t element, const Stmt &copy) {
  if (!shadow.memory_)
    return;
  Actor by = actor(shadow);
  by.stmt = &copy;
  shadow.memory_->endCopy(unitOf(element), by);
}

void TileReads::leaveInFlight(const Buffer &buffer, const Stmt &copy) {
  findings_.add({.kind = FindingKind::EndInFlight,
                 .stmt = &copy,
                 .buffer = buffer.name,
                 .block = block_,
                 .thread = thread_});
}

bool TileReads::isUnwritten(const Var &var) const {
  auto found = unwrittenVars_.find(var.id.value);
  if (found == unwrittenVars_.end())
    return false;
  const llvm::BitVector &threads = found->second;
  if (thread_ < 0 || threads.size() == 1)
    return threads.any();
  return threads.test(static_cast<unsigned>(thread_));
}

void TileReads::bind(const Var &var) {
  if (!take().empty())
    unwrittenVars_[var.id.value] = llvm::BitVector(1, true);
  else if (!unwrittenVars_.empty())
    unwrittenVars_.erase(var.id.value);
}

void TileReads::bindEach(const Var &var, const llvm::BitVector &unwritten) {
  unwritten_ = {};
  if (unwritten.any())
    unwrittenVars_[var.id.value] = unwritten;
  else
    unwrittenVars_.erase(var.id.value);
}

void TileReads::report(const std::optional<Shadow::Conflict> &conflict, const TileShadow &shadow) {
  if (conflict)
    findings_.add({.kind = conflict->kind,
                   .stmt = stmt_,
                   .other = conflict->other,
                   .buffer = shadow.buffer_->name,
                   .block = block_,
                   .thread = thread_});
}

void TileReads::reportUnwritten() {
  findings_.add({.kind = FindingKind::UninitialisedRead,
                 .stmt = stmt_,
                 .buffer = take(),
                 .block = block_,
                 .thread = thread_});
}

} // namespace tilescope
