#include "passes/counted_copies.h"

#include "core/analysis/select_tma.h"
#include "core/hopper/mbarrier.h"
#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tilescope {

namespace {

std::string whyNot(PassContext &pass, const Function &function, const Stmt *stmt, bool runsOnce) {
  const auto *copy = llvm::dyn_cast<OpStmt>(stmt);
  if (!copy || copy->opInfo().work != OpWork::Move)
    return "it gathers, or stands under a condition";
  if (!runsOnce)
    return "its loop is inside of another one or of a condition";
  return whyNotByTma(pass.context, function, pass.target, *copy);
}

// The first copy under it, to name its buffers.
const OpStmt *copyUnder(const Stmt *stmt) {
  const OpStmt *found = nullptr;
  walk(stmt, [&](const Stmt *part) {
    if (const auto *op = llvm::dyn_cast<OpStmt>(part); op && op->opInfo().work == OpWork::Move)
      found = found ? found : op;
    return !found;
  });
  return found;
}

void remarkOn(PassContext &pass, const Function &function, const Stmt &stmt,
              const std::string &reason) {
  const OpStmt *copy = copyUnder(&stmt);
  if (!copy)
    return;
  const Buffer &source = function.buffer(copy->regions[0].buffer);
  const Buffer &destination = function.buffer(copy->regions[1].buffer);
  emitRemark(pass.remarks, RemarkId::CopyNotByTma,
             {stmt.id(), stmt.span(), {source.id, destination.id}}, source.name, destination.name,
             reason);
}

const Buffer *makeBarrier(Context &context, const Buffer &tile, llvm::StringRef role, int64_t slots,
                          AddedBuffers &added) {
  Buffer barrier = added.makeTile(tile, role, {1}, Scope::Shared, nullptr, tile.span);
  barrier.dtype = DType::uint64();
  barrier.versions = slots;
  return context.make<Buffer>(barrier);
}

using Copies = llvm::SmallVector<const OpStmt *>;

// All tiles are filled as a whole. Nothing: it is more than an mbarrier counts.
std::optional<int64_t> bytesOf(const Function &function, const Copies &copies) {
  int64_t sum = 0;
  for (const OpStmt *copy : copies) {
    std::optional<int64_t> bytes = versionBytes(function.buffer(copy->regions[1].buffer));
    if (!bytes || *bytes > MbarrierMaxCount - sum)
      return std::nullopt;
    sum += *bytes;
  }
  return sum;
}

} // namespace

CountedGroups countCopies(PassContext &pass, const Function &function, const LoopBody &body,
                          llvm::ArrayRef<ScheduledStmt> schedule, bool runsOnce, int64_t readers,
                          AddedBuffers &added) {
  std::map<int64_t, Copies> copies;
  for (auto [stmt, scheduled] : llvm::zip_equal(body.stmts, schedule)) {
    if (scheduled.group < 0)
      continue;
    if (std::string reason = whyNot(pass, function, stmt, runsOnce); !reason.empty()) {
      remarkOn(pass, function, *stmt, reason);
      return {};
    }
    copies[scheduled.group].push_back(llvm::cast<OpStmt>(stmt));
  }
  CountedGroups groups;
  for (const auto &[number, ofGroup] : copies) {
    std::optional<int64_t> bytes = bytesOf(function, ofGroup);
    if (!bytes) {
      remarkOn(pass, function, *ofGroup.front(),
               "an iteration copies more bytes than an mbarrier counts");
      return {};
    }
    groups[number].bytes = *bytes;
  }
  for (const auto &[number, ofGroup] : copies) {
    int64_t slots = 1;
    for (const OpStmt *copy : ofGroup)
      for (const VersionCount &count : body.loop->pipeline->versions)
        if (count.buffer == copy->regions[1].buffer)
          slots = std::max(slots, count.versions);
    const Buffer &first = function.buffer(ofGroup.front()->regions[1].buffer);
    groups[number] =
        makeCountedGroup(pass.context, first, groups[number].bytes, slots, readers, added);
    for (const OpStmt *copy : ofGroup) {
      const Buffer &source = function.buffer(copy->regions[0].buffer);
      const Buffer &tile = function.buffer(copy->regions[1].buffer);
      emitRemark(pass.remarks, RemarkId::CopyByTma,
                 {copy->id(), copy->span(), {source.id, tile.id}}, source.name, tile.name,
                 *versionBytes(tile), groups[number].barrier->name);
    }
  }
  return groups;
}

CountedGroup makeCountedGroup(Context &context, const Buffer &tile, int64_t bytes, int64_t slots,
                              int64_t readers, AddedBuffers &added) {
  CountedGroup group;
  group.bytes = bytes;
  group.readers = readers;
  group.barrier = makeBarrier(context, tile, "full", slots, added);
  if (readers != 0)
    group.empty = makeBarrier(context, tile, "empty", slots, added);
  return group;
}

int64_t oddRingOf(const CountedGroups &groups) {
  for (const auto &[number, group] : groups)
    if (!llvm::isPowerOf2_64(static_cast<uint64_t>(group.barrier->versions)))
      return group.barrier->versions;
  return 0;
}

const Stmt *CountedCopies::copy(const OpStmt &copy) {
  BufferRegion regions[] = {copy.regions[0], copy.regions[1], barrier(nullptr, copy.span())};
  return builder_.op(copy.info(), Op::TmaCopy, regions);
}

const Stmt *CountedCopies::expect(const Span &span, const Expr *iteration) {
  return builder_.op(builder_.fresh(span), Op::MbarrierArriveExpect,
                     barrier(slotAt(iteration), span), {}, {{Attr::Bytes, group_.bytes}});
}

const Stmt *CountedCopies::wait(const Span &span, const Expr *iteration) {
  return waitAt(*group_.barrier, span, iteration, 0);
}

// Of the phase before the first, which lets the first round pass, the parity is 1.
const Stmt *CountedCopies::acquire(const Span &span, const Expr *iteration) {
  return waitAt(*group_.empty, span, iteration, 1);
}

const Stmt *CountedCopies::release(const Span &span, const Expr *iteration) {
  return builder_.op(builder_.fresh(span), Op::MbarrierArrive,
                     elementOf(*group_.empty, slotAt(iteration), span));
}

const Stmt *CountedCopies::waitAt(const Buffer &barrier, const Span &span, const Expr *iteration,
                                  int64_t phasesBefore) {
  auto integer = [&](int64_t value) { return builder_.integer(value, iteration->dtype()); };
  const Expr *ahead = builder_.add(iteration, integer(phasesBefore * barrier.versions));
  const Expr *phase = builder_.floorDiv(ahead, integer(barrier.versions));
  const Expr *parity = builder_.floorMod(phase, integer(2));
  return builder_.op(builder_.fresh(span), Op::MbarrierWait,
                     elementOf(barrier, slotAt(iteration), span), parity);
}

llvm::SmallVector<const Stmt *> CountedCopies::init(const Span &span) {
  llvm::SmallVector<const Stmt *> stmts;
  auto add = [&](const Buffer &barrier, int64_t arrivals) {
    for (int64_t slot = 0; slot != barrier.versions; ++slot) {
      StmtInfo info = builder_.fresh(span);
      if (!stmts.empty())
        info.anchor = stmts.front()->anchor();
      stmts.push_back(builder_.op(info, Op::MbarrierInit,
                                  elementOf(barrier, slotAt(builder_.integer(slot)), span), {},
                                  {{Attr::Arrivals, arrivals}}));
    }
  };
  add(*group_.barrier, 1);
  if (group_.empty)
    add(*group_.empty, group_.readers);
  return stmts;
}

const Expr *CountedCopies::slotAt(const Expr *iteration) {
  if (group_.barrier->versions == 1)
    return nullptr;
  return builder_.floorMod(iteration,
                           builder_.integer(group_.barrier->versions, iteration->dtype()));
}

BufferRegion CountedCopies::barrier(const Expr *slot, const Span &span) {
  return elementOf(*group_.barrier, slot, span);
}

BufferRegion CountedCopies::elementOf(const Buffer &barrier, const Expr *slot, const Span &span) {
  const Range element{builder_.integer(0), builder_.integer(1)};
  return builder_.region(barrier.id, slot, element, span);
}

} // namespace tilescope
