#include "core/analysis/statement_races.h"

#include "core/analysis/access_builder.h"
#include "core/analysis/access_group.h"
#include "core/analysis/block_writes.h"
#include "core/analysis/exchange_apart.h"
#include "core/analysis/own_reads.h"
#include "core/analysis/thread_ownership.h"
#include "core/analysis/write_agreement.h"
#include "core/analysis/write_coverage.h"
#include "core/ir/content_key.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace tilescope {

namespace {

class RaceFinder {
public:
  RaceFinder(Context &context, const Function &function)
      : context_(context), function_(function), ownership_(context, function),
        tree_(computeAccessTree(context, function, AccessDetail::Statements)) {}

  std::vector<StatementRace> run() {
    for (uint32_t leaf : leavesInOrder(tree_.program))
      if (tree_.program.nodes[leaf].kind == AccessNode::Kind::Leaf)
        checkLeaf(leaf);
    if (llvm::any_of(function_.buffers, [](const Buffer *one) { return one->dtype.bits < 8; }))
      walk(function_.body, [&](const Stmt *stmt) {
        if (const auto *store = llvm::dyn_cast<Store>(stmt))
          checkBytes(*store);
        return !llvm::isa<Parallel>(stmt);
      });
    for (const BlockWrite &write : computeBlockWrites(context_, function_))
      races_.push_back({StatementRace::Kind::WritesOtherValues, false, write.stmt, write.buffer,
                        "several blocks may write the same elements", nullptr});
    for (const BlockRead &read : findBlockReads(context_, function_))
      races_.push_back({StatementRace::Kind::ReadsWhatOthersWrite, false, read.stmt, read.buffer,
                        "other blocks may write them, and no barrier of the grid is between",
                        read.write});
    if (races_.size() > 1)
      sort();
    return std::move(races_);
  }

private:
  void sort() {
    llvm::DenseMap<const Stmt *, size_t> order;
    walk(function_.body, [&](const Stmt *stmt) {
      order.try_emplace(stmt, order.size());
      return true;
    });
    llvm::stable_sort(races_, [&](const StatementRace &a, const StatementRace &b) {
      return order.lookup(a.stmt) < order.lookup(b.stmt);
    });
  }

  void checkLeaf(uint32_t leaf) {
    if (tree_.program.nodes[leaf].oneThread)
      return;
    StmtList stmts = statementsOf(tree_.sources[leaf]);
    std::set<BufferId> seen;
    for (const Access &access : tree_.program.nodes[leaf].accesses)
      if (access.kind == AccessKind::Write && seen.insert(access.buffer).second) {
        checkWrites(leaf, stmts, access.buffer);
        checkReads(leaf, stmts, access.buffer);
      }
  }

  // Siblings, from the first to the last.
  StmtList statementsOf(const AccessSource &source) const {
    const auto *seq = llvm::dyn_cast_or_null<Seq>(ownership_.places().parentOf(source.first));
    if (!seq || source.first == source.last)
      return context_.copy<const Stmt *>({source.first});
    const auto *first = llvm::find(seq->stmts, source.first);
    const auto *last = llvm::find(seq->stmts, source.last);
    return {first, last + 1};
  }

  bool isTile(StmtList stmts) const {
    const auto *op = llvm::dyn_cast<OpStmt>(stmts.front());
    return llvm::isa<Parallel>(stmts.front()) || (op && levelOf(op->op) == OpLevel::Tile);
  }

  const Launch *launchAround(const Stmt *stmt) const {
    while (stmt && !llvm::isa<Launch>(stmt))
      stmt = ownership_.places().parentOf(stmt);
    return llvm::cast_or_null<Launch>(stmt);
  }

  // Of one leaf: what it writes to one buffer.
  void checkWrites(uint32_t leaf, StmtList stmts, BufferId buffer) {
    const std::vector<Access> &accesses = tree_.program.nodes[leaf].accesses;
    bool isSettled = llvm::none_of(accesses, [&](const Access &one) {
      return llvm::any_of(accesses, [&](const Access &other) {
        return one.kind == AccessKind::Write && mayRace(one, other, buffer);
      });
    });
    if (isSettled || isTile(stmts))
      return;
    const Buffer &written = function_.buffer(buffer);
    if (isShared(written.scope) &&
        (computeWriteCoverage(context_, stmts, written, launchAround(stmts.front())).isOnce ||
         isExchangeApart(context_, ownership_.places(), stmts, written)))
      return;
    switch (computeWriteAgreement(context_, ownership_.places(), stmts, written)) {
    case WriteAgreement::Agrees:
      return;
    case WriteAgreement::Differs:
      return add(StatementRace::Kind::WritesOtherValues, stmts, buffer, nullptr);
    case WriteAgreement::OtherElement:
      return add(StatementRace::Kind::WritesOtherValues, stmts, buffer,
                 "which elements they write is not known");
    case WriteAgreement::OtherValue:
      return add(StatementRace::Kind::WritesOtherValues, stmts, buffer,
                 "they write one element, and their values may differ");
    }
  }

  // Of several statements that read what they write it is not looked for who does which.
  void checkReads(uint32_t leaf, StmtList stmts, BufferId buffer) {
    const std::vector<Access> &accesses = tree_.program.nodes[leaf].accesses;
    bool isSettled = llvm::none_of(accesses, [&](const Access &read) {
      return llvm::any_of(accesses, [&](const Access &write) {
        return read.kind == AccessKind::Read && mayRace(read, write, buffer);
      });
    });
    if (isSettled || isTile(stmts))
      return;
    const Buffer &touched = function_.buffer(buffer);
    bool isOne = stmts.size() == 1 && llvm::isa<Store, OpStmt>(stmts.front());
    if (!isOne && isShared(touched.scope) &&
        isExchangeApart(context_, ownership_.places(), stmts, touched))
      return;
    OwnReads reads = isOne ? computeOwnReads(context_, ownership_.places(), *stmts.front(), touched)
                           : OwnReads::Unknown;
    switch (reads) {
    case OwnReads::Apart:
      return;
    case OwnReads::Meet:
      return add(StatementRace::Kind::ReadsWhatOthersWrite, stmts, buffer, nullptr);
    case OwnReads::Unknown:
      return add(StatementRace::Kind::ReadsWhatOthersWrite, stmts, buffer,
                 "which elements they touch is not known");
    }
  }

  static bool mayRace(const Access &access, const Access &write, BufferId buffer) {
    bool isSameThread =
        access.sameThreadToken != 0 && access.sameThreadToken == write.sameThreadToken;
    return access.buffer == buffer && write.buffer == buffer && write.kind == AccessKind::Write &&
           !(access.atomic && write.atomic) && !isSameThread &&
           mayBeSameSlot(access.slot, write.slot);
  }

  static bool mayBeSameSlot(const Slot &a, const Slot &b) {
    if (a.kind == Slot::Kind::Constant && b.kind == Slot::Kind::Constant)
      return a.offset == b.offset;
    bool areOfOneLoop = a.kind == Slot::Kind::Loop && b.kind == Slot::Kind::Loop &&
                        a.loop == b.loop && a.modulus == b.modulus;
    return !areOfOneLoop || (a.offset - b.offset) % a.modulus == 0;
  }

  // `doubt` null: certain. Named is the statement that writes.
  void add(StatementRace::Kind kind, StmtList stmts, BufferId buffer, const char *doubt) {
    const Stmt *writer = nullptr;
    for (const Stmt *root : stmts)
      walk(root, [&](const Stmt *stmt) {
        for (const BufferAccess &access : accessesOf(context_, stmt))
          if (!writer && access.buffer == buffer && access.effect != Effect::Read)
            writer = stmt;
        return !writer;
      });
    // One doubt of a statement and a buffer is enough.
    bool isTold = llvm::any_of(races_, [&](const StatementRace &race) {
      return doubt && race.stmt == writer && race.buffer == buffer;
    });
    if (!isTold)
      races_.push_back({kind, !doubt, writer, buffer, doubt ? doubt : "", nullptr});
  }

  void checkBytes(const Store &store) {
    const Buffer &buffer = function_.buffer(store.buffer);
    bool isMemory = tilescope::isMemory(buffer.scope);
    if (isMemory && buffer.dtype.bits < 8 && !writesWholeBytes(store, buffer))
      races_.push_back({StatementRace::Kind::SharesBytes, true, &store, buffer.id, "", nullptr});
  }

  // Each byte has one thread, over all that the statement ever does.
  bool writesWholeBytes(const Store &store, const Buffer &buffer) {
    const Layout *layout = buffer.layout;
    bool keepsNeighbours = !layout || layout->kind == LayoutKind::Swizzle ||
                           (layout->kind == LayoutKind::RowMajor && layout->padElements % 2 == 0);
    if (!keepsNeighbours)
      return false;
    Builder builder(context_);
    llvm::SmallVector<Range> ranges;
    for (const Expr *index : store.indices)
      ranges.push_back({index, builder.integer(1, index->dtype())});
    BufferAccess access{buffer.id, store.slot, ranges, Effect::Write, store.span()};
    return ownership_.ownersOf(store, access, 8 / buffer.dtype.bits) ||
           (isShared(buffer.scope) && isOfOneThread(store, access));
  }

  bool isOfOneThread(const Store &store, const BufferAccess &access) const {
    std::shared_ptr<const ElementOwners> owners = ownership_.ownersOf(store, access);
    if (!owners)
      return false;
    std::set<int32_t> threads(owners->threads.begin(), owners->threads.end());
    threads.erase(-1);
    return threads.size() == 1;
  }

  Context &context_;
  const Function &function_;
  ThreadOwnership ownership_;
  const AccessTree &tree_;
  std::vector<StatementRace> races_;
};

} // namespace

const std::vector<StatementRace> &findStatementRaces(Context &context, const Function &function) {
  return context.cached<std::vector<StatementRace>>(
      contentKey(function), [&] { return RaceFinder(context, function).run(); });
}

} // namespace tilescope
