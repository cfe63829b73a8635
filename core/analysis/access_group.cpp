#include "core/analysis/access_group.h"

#include "core/analysis/exchange_apart.h"
#include "core/analysis/touched_box.h"
#include "core/analysis/write_agreement.h"
#include "core/analysis/write_coverage.h"
#include "core/ir/build.h"
#include "core/ir/expr_equal.h"
#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tilescope {

namespace {

// All that a group does to one slot of one buffer.
struct SlotUse {
  const Buffer *buffer = nullptr;
  const Expr *slot = nullptr;
  llvm::SmallVector<std::pair<const Stmt *, BufferAccess>, 2> touches;
  bool reads = false;
  bool writes = false;
  bool writesFirst = false;        // no read comes before the first write
  bool atomic = true;              // all accesses are
  std::optional<AsyncQueue> queue; // of a write, or a read of global memory, that is asynchronous
  size_t late = 0;                 // touches that read shared memory asynchronously
};

class GroupSummary {
public:
  explicit GroupSummary(const GroupQuery &query) : query_(query) {}

  // False if the statements cannot be one leaf.
  bool add(StmtList stmts) {
    bool fits = true;
    size_t tileOps = 0;
    for (const Stmt *root : stmts)
      walk(root, [&](const Stmt *stmt) {
        if (!fits)
          return false;
        bool isOfAnchor = stmt->anchor() == stmts[0]->anchor();
        anchorsAgree_ &= isOfAnchor;
        isForOne_ &= llvm::isa<Bind>(stmt) || tilescope::isForOne(*stmt);
        isOfOneTile_ &= isOfAnchor || llvm::isa<Bind>(stmt);
        const auto *op = llvm::dyn_cast<OpStmt>(stmt);
        const auto *loop = llvm::dyn_cast<For>(stmt);
        tileOps += llvm::isa<Parallel>(stmt) || (op && levelOf(op->op) == OpLevel::Tile);
        fits &= !isSynchronisation(*stmt) && !llvm::isa<Launch, Role>(stmt);
        fits &= !loop || loop->forKind != ForKind::Pipelined;
        if (loop)
          boundInside_.insert(loop->var);
        addAccesses(*stmt);
        return fits;
      });
    bool isOneTileOp = stmts.size() == 1 && tileOps == 1 &&
                       (llvm::isa<OpStmt>(stmts[0]) || llvm::isa<Parallel>(stmts[0]));
    return fits && (tileOps == 0 || isOneTileOp) && slotsAreFixed() && areOfOneTime();
  }

  llvm::ArrayRef<SlotUse> uses() const { return uses_; }
  bool anchorsAgree() const { return anchorsAgree_; }
  // Bindings apart, all comes from one statement of tiles.
  bool isOfOneTile() const { return isOfOneTile_; }
  const Stmt *firstAccessing() const { return firstAccessing_; }
  bool isForOne() const { return isForOne_; }

  void addAccesses(const Stmt &stmt) {
    for (const BufferAccess &access : accessesOf(query_.context, &stmt)) {
      const Buffer *buffer = query_.function.findBuffer(access.buffer);
      if (!buffer || !isFollowed(*buffer))
        continue;
      if (!firstAccessing_)
        firstAccessing_ = &stmt;
      bool hasRows = query_.rows.contains(buffer->id.value);
      SlotUse &use = useOf(*buffer, hasRows ? access.ranges[0].min : access.slot);
      use.touches.push_back({&stmt, access});
      bool isRead = access.effect == Effect::Read ||
                    (access.effect == Effect::ReadWrite && !clearsFirst(stmt, access));
      bool isWrite = access.effect != Effect::Read;
      use.writesFirst |= isWrite && !isRead && !use.reads;
      use.reads |= isRead;
      use.writes |= isWrite;
      bool isLate = isAsynchronous(stmt) && readsLate(stmt, access);
      use.late += isLate;
      if (isAsynchronous(stmt) && (isWrite || !isShared(buffer->scope) || isLate))
        use.queue = llvm::cast<OpStmt>(stmt).opInfo().queue;
      use.atomic &= access.isAtomic();
    }
  }

private:
  // Of shared memory: cp.async has no operand there that it reads.
  static bool readsLate(const Stmt &stmt, const BufferAccess &access) {
    const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
    return op && access.operand && !access.operand->isMbarrier &&
           op->opInfo().queue != AsyncQueue::CpAsync;
  }

  bool isFollowed(const Buffer &buffer) const {
    return isShared(buffer.scope) || query_.globals.contains(buffer.id.value);
  }

  SlotUse &useOf(const Buffer &buffer, const Expr *slot) {
    for (SlotUse &use : uses_)
      if (use.buffer == &buffer && isSameExpr(use.slot, slot))
        return use;
    uses_.push_back({&buffer, slot, {}});
    return uses_.back();
  }

  // A slot that a loop of the group chooses differs from iteration to iteration.
  bool slotsAreFixed() const {
    return llvm::none_of(uses_, [&](const SlotUse &use) {
      bool varies = false;
      if (use.slot)
        walk(use.slot, [&](const Expr *part) { varies |= boundInside_.contains(part); });
      return varies;
    });
  }

  // What is done to a slot is done at once, or all of it later.
  bool areOfOneTime() const {
    return llvm::all_of(
        uses_, [](const SlotUse &use) { return use.late == 0 || use.late == use.touches.size(); });
  }

  const GroupQuery &query_;
  std::vector<SlotUse> uses_;
  llvm::SmallPtrSet<const Expr *, 8> boundInside_;
  const Stmt *firstAccessing_ = nullptr;
  bool anchorsAgree_ = true;
  bool isOfOneTile_ = true;
  bool isForOne_ = true; // one thread runs all of it
};

std::optional<int64_t> elementCount(llvm::ArrayRef<Range> ranges) {
  int64_t elements = 1;
  for (const Range &range : ranges) {
    std::optional<int64_t> extent = constantValue(range.extent);
    if (!extent)
      return std::nullopt;
    elements *= *extent;
  }
  return elements;
}

// Of elements that threads write by numbers of their own.
uint32_t drawnTokenOf(const GroupQuery &query, const SlotUse &use) {
  DrawKey drawn;
  for (const auto &[stmt, access] : use.touches) {
    if (access.effect == Effect::Read)
      continue;
    DrawKey own =
        drawKeyOf(query.context, query.function, query.ownership->places(), *stmt, access);
    if (own.empty() || (!drawn.empty() && drawn != own))
      return 0;
    drawn = std::move(own);
  }
  return drawn.empty() ? 0 : query.tokens->tokenOf(use.buffer->id, drawn);
}

// Parts of a byte have no address: a thread that writes one writes its neighbours too.
uint32_t tokenOf(const GroupQuery &query, const SlotUse &use, AccessKind kind) {
  if (!query.ownership || use.buffer->dtype.bits < 8)
    return 0;
  std::shared_ptr<const ElementOwners> first;
  std::optional<ElementOwners> several;
  for (const auto &[stmt, access] : use.touches) {
    bool isOther = access.effect == (kind == AccessKind::Read ? Effect::Write : Effect::Read);
    if (isOther)
      continue;
    std::shared_ptr<const ElementOwners> own = query.ownership->ownersOf(*stmt, access);
    if (first && own && !several)
      several = *first;
    if (!own || (several && !several->merge(*own)))
      return kind == AccessKind::Write ? drawnTokenOf(query, use) : 0;
    if (!first)
      first = std::move(own);
  }
  return first ? query.tokens->tokenOf(use.buffer->id, several ? *several : *first) : 0;
}

// Of copies that an mbarrier counts, each made once: which one, and how many bytes.
void countCopies(const GroupQuery &query, StmtList stmts, const SlotUse &use, Access &access) {
  access.mbarrier = MbarrierRef{.modulus = 0};
  int64_t bits = 0;
  bool isKnown = true;
  for (const auto &[stmt, touch] : use.touches) {
    const auto &op = *llvm::cast<OpStmt>(stmt);
    for (auto [operand, region] : llvm::zip(op.opInfo().operands, op.regions)) {
      if (!operand.isMbarrier)
        continue;
      MbarrierRef ref = query.mbarrierOf(region);
      isKnown &= bits == 0 || access.mbarrier == ref;
      access.mbarrier = ref;
    }
    std::optional<int64_t> elements = elementCount(touch.ranges);
    isKnown &= elements && llvm::is_contained(stmts, stmt);
    bits += elements.value_or(0) * use.buffer->dtype.bits;
  }
  access.bytes = isKnown ? bits / 8 : 0;
}

std::vector<SlotPart> boxOf(const GroupQuery &query, const SlotUse &use, AccessKind kind) {
  std::optional<std::vector<SlotPart>> box;
  Effect other = kind == AccessKind::Read ? Effect::Write : Effect::Read;
  for (const auto &[stmt, access] : use.touches)
    if (query.affine && access.effect != other)
      joinBox(box, touchedBox(*query.affine, *use.buffer, access.ranges));
  return box.value_or(std::vector<SlotPart>());
}

Access makeAccess(const GroupQuery &query, const SlotUse &use, AccessKind kind) {
  Access access;
  access.buffer = use.buffer->id;
  access.slot = query.slotOf(use.slot, query.slotsOf(*use.buffer));
  access.kind = kind;
  bool isLate = use.queue && *use.queue != AsyncQueue::CpAsync;
  access.async = use.queue && (isLate || kind == AccessKind::Write || !isShared(use.buffer->scope));
  if (access.async)
    access.queue = static_cast<uint32_t>(*use.queue);
  access.isOfAsyncProxy = isLate;
  access.atomic = use.atomic;
  access.sameThreadToken = tokenOf(query, use, kind);
  access.box = boxOf(query, use, kind);
  return access;
}

// In whatever order threads come through the group, it leaves the same.
bool agrees(const GroupQuery &query, StmtList stmts, const Buffer &buffer) {
  return query.ownership && computeWriteAgreement(query.context, query.ownership->places(), stmts,
                                                  buffer) == WriteAgreement::Agrees;
}

// Whether threads touch elements of their own in it, though not the same ones each time.
bool isApart(const GroupQuery &query, StmtList stmts, const SlotUse &use) {
  if (!query.ownership || !isShared(use.buffer->scope))
    return false;
  uint32_t reader = tokenOf(query, use, AccessKind::Read);
  bool isOfOneThread = reader != 0 && reader == tokenOf(query, use, AccessKind::Write);
  return !isOfOneThread &&
         isExchangeApart(query.context, query.ownership->places(), stmts, *use.buffer);
}

// Memory that lowering added for the group alone: no value flows in, whatever part is written.
bool isWorkspace(const SlotUse &use) { return !use.buffer->role.empty() && use.writesFirst; }

} // namespace

std::optional<GroupAccesses> accessesOfGroup(const GroupQuery &query, StmtList stmts) {
  GroupSummary summary(query);
  if (!summary.add(stmts))
    return std::nullopt;
  bool isSingle = stmts.size() == 1 && (llvm::isa<OpStmt>(stmts[0]) || llvm::isa<Store>(stmts[0]) ||
                                        llvm::isa<Parallel>(stmts[0]));
  GroupAccesses group;
  group.firstAccessing = summary.firstAccessing();
  group.isOfOneThread = summary.isForOne();
  for (const SlotUse &use : summary.uses()) {
    bool both = use.reads && use.writes && !use.atomic;
    bool isGlobal = !isShared(use.buffer->scope);
    bool isOneAnchor = isGlobal ? summary.isOfOneTile() : summary.anchorsAgree();
    bool isMixed = both && !isSingle;
    bool areApart = isMixed && isApart(query, stmts, use);
    if (isMixed && (query.detail == AccessDetail::Groups ? !isOneAnchor : !areApart))
      return std::nullopt;
    WriteCoverage coverage;
    if (use.writes)
      coverage = computeWriteCoverage(query.context, stmts, *use.buffer, query.launch, query.role);
    if (use.writes && !use.atomic && !coverage.isOnce && !isSingle && !isOneAnchor && !areApart &&
        !(isGlobal && agrees(query, stmts, *use.buffer)))
      return std::nullopt;
    bool isPrivate =
        use.writesFirst && !isSingle && !isGlobal && (coverage.isFull || isWorkspace(use));
    if (use.reads && !isPrivate)
      group.accesses.push_back(makeAccess(query, use, AccessKind::Read));
    if (!use.writes)
      continue;
    Access write = makeAccess(query, use, AccessKind::Write);
    write.full = (coverage.isFull || isPrivate) && !query.isDivergent;
    if (use.queue == AsyncQueue::TransactionBarrier)
      countCopies(query, stmts, use, write);
    group.accesses.push_back(write);
  }
  return group;
}

GroupAccesses accessesOfHead(const GroupQuery &query, const Stmt &stmt) {
  GroupSummary summary(query);
  summary.addAccesses(stmt);
  GroupAccesses group;
  group.firstAccessing = &stmt;
  for (const SlotUse &use : summary.uses())
    group.accesses.push_back(makeAccess(query, use, AccessKind::Read));
  return group;
}

} // namespace tilescope
