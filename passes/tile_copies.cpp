#include "passes/tile_copies.h"

#include "core/analysis/select_tma.h"
#include "core/hopper/mbarrier.h"
#include "core/ir/visit.h"
#include "passes/flat_stmts.h"
#include "passes/pipeline_rewrite.h"
#include "passes/touched_buffers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// From a tensor to shared memory; null: the statement is no such copy.
const OpStmt *asFill(const Function &function, const Stmt *stmt) {
  const auto *op = llvm::dyn_cast<OpStmt>(stmt);
  bool isFill = op && op->opInfo().work == OpWork::Move &&
                function.buffer(op->regions[0].buffer).scope == Scope::Global &&
                isShared(function.buffer(op->regions[1].buffer).scope);
  return isFill ? op : nullptr;
}

BufferId filledBy(const OpStmt &copy) { return copy.regions[1].buffer; }

// What else may run on behind the last reader: what reads the tile then is not known to be done.
bool isMoved(const Function &function, const Launch &launch, BufferId tile) {
  bool isFound = false;
  walk(launch.body, [&](const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    isFound |= op && op->opInfo().work == OpWork::Move && op->regions[0].buffer == tile &&
               isMemory(function.buffer(op->regions[1].buffer).scope);
    return !isFound;
  });
  return isFound;
}

bool writes(Context &context, const Stmt *body, BufferId buffer, const Stmt *except) {
  bool isFound = false;
  walk(body, [&](const Stmt *stmt) {
    isFound |=
        stmt != except && llvm::any_of(accessesOf(context, stmt), [&](const BufferAccess &access) {
          return access.buffer == buffer && access.effect != Effect::Read;
        });
    return !isFound;
  });
  return isFound;
}

bool isTouchedOutside(Context &context, const Function &function, const Launch &launch,
                      BufferId buffer) {
  bool isFound = false;
  walk(function.body, [&](const Stmt *stmt) {
    isFound |= stmt != &launch &&
               llvm::any_of(accessesOf(context, stmt),
                            [&](const BufferAccess &access) { return access.buffer == buffer; });
    return stmt != &launch && !isFound;
  });
  return isFound;
}

} // namespace

TileCopies::TileCopies(PassContext &pass, const Function &function, const Launch &launch,
                       int64_t slots, int64_t readers, const std::map<BufferId, int64_t> &versioned,
                       AddedBuffers &added)
    : context_(pass.context), launch_(launch) {
  llvm::SmallVector<const Stmt *> stmts = flatStmtsOf(launch.body);
  for (auto [index, stmt] : llvm::enumerate(stmts)) {
    const OpStmt *fill = asFill(function, stmt);
    if (!fill || versioned.count(filledBy(*fill)))
      continue;
    BufferId tile = filledBy(*fill);
    Copy copy{fill};
    bool isBefore = false;
    for (auto [other, reader] : llvm::enumerate(stmts)) {
      if (other == index || !touchesAny(context_, *reader, {tile}))
        continue;
      isBefore |= other < index;
      copy.firstReader = copy.firstReader ? copy.firstReader : reader;
      copy.lastReader = reader;
    }
    std::string name = function.buffer(tile).name.str();
    std::string reason = whyNotByTma(context_, function, pass.target, *fill);
    if (reason.empty() && (isBefore || writes(context_, launch.body, tile, fill) ||
                           isTouchedOutside(context_, function, launch, tile)))
      reason = llvm::formatv("'{0}' is used before it, or filled elsewhere, too", name);
    if (reason.empty() && (!copy.firstReader || isMoved(function, launch, tile)))
      reason = llvm::formatv("no thread reads '{0}', or it is moved on", name);
    if (reason.empty() && *versionBytes(function.buffer(tile)) > MbarrierMaxCount)
      reason = "it copies more bytes than an mbarrier counts";
    const Buffer &source = function.buffer(fill->regions[0].buffer);
    RemarkSubject subject{fill->id(), fill->span(), {source.id, tile}};
    if (reason.empty())
      add(pass, function, copy, slots, readers, added);
    else
      emitRemark(pass.remarks, RemarkId::CopyNotByTma, subject, source.name, name, reason);
  }
}

void TileCopies::add(PassContext &pass, const Function &function, const Copy &copy, int64_t slots,
                     int64_t readers, AddedBuffers &added) {
  const Buffer &source = function.buffer(copy.copy->regions[0].buffer);
  const Buffer &tile = function.buffer(filledBy(*copy.copy));
  int64_t bytes = *versionBytes(tile);
  copies_.push_back(copy);
  groups_[tile.id] = makeCountedGroup(context_, tile, bytes, slots, readers, added);
  emitRemark(pass.remarks, RemarkId::TileCopied,
             {copy.copy->id(), copy.copy->span(), {source.id, tile.id}}, source.name, tile.name,
             bytes, slots, groups_[tile.id].barrier->name);
}

const CountedGroup &TileCopies::groupOf(const Copy &copy) const {
  return groups_.at(filledBy(*copy.copy));
}

void TileCopies::addSlots(const Expr *tile, CurrentSlots &slots) const {
  walk(launch_.body, [&](const Stmt *stmt) {
    for (const auto &[buffer, group] : groups_)
      if (group.barrier->versions > 1 && touchesAny(context_, *stmt, {buffer}))
        slots.slots[{stmt->id(), buffer}] = CountedCopies(context_, group).slotAt(tile);
    return true;
  });
}

const Stmt *TileCopies::around(const Stmt *stmt, const Stmt *transformed, const Expr *tile) const {
  llvm::SmallVector<const Stmt *> stmts = {transformed};
  for (const Copy &copy : copies_) {
    CountedCopies copies(context_, groupOf(copy));
    const Span &span = copy.copy->span();
    if (stmt == copy.copy)
      stmts = {copies.acquire(span, tile), copies.expect(span, tile), counted(copy, tile)};
    if (stmt == copy.firstReader)
      stmts.insert(stmts.begin(), copies.wait(stmt->span(), tile));
    if (stmt == copy.lastReader)
      stmts.push_back(copies.release(span, tile));
  }
  Builder builder(context_);
  return stmts.size() == 1 ? transformed : builder.seq(builder.fresh(stmt->span()), stmts);
}

const Stmt *TileCopies::counted(const Copy &copy, const Expr *tile) const {
  CountedCopies copies(context_, groupOf(copy));
  return applySlots(
      context_, copies.copy(*copy.copy), [&](StmtId, BufferId buffer) -> const Expr * {
        bool isCounted = buffer == filledBy(*copy.copy) || buffer == groupOf(copy).barrier->id;
        return isCounted ? copies.slotAt(tile) : nullptr;
      });
}

} // namespace tilescope
