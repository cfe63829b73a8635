#include "passes/lower/late_waits.h"

#include "core/ir/op_facts.h"
#include "passes/flat_stmts.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <set>

namespace tilescope {

namespace {

using Stmts = llvm::SmallVector<const Stmt *>;
using Buffers = std::set<BufferId>;

bool isOp(const Stmt *stmt, Op op) {
  const auto *found = llvm::dyn_cast<OpStmt>(stmt);
  return found && found->op == op;
}

bool isWait(const Stmt *stmt) {
  return isOp(stmt, Op::WgmmaWait) && llvm::cast<OpStmt>(stmt)->attr(Attr::Pending) == 0;
}

bool multiplies(const Stmt *stmt) {
  bool isFound = false;
  walk(stmt, [&](const Stmt *part) {
    isFound |= isOp(part, Op::Wgmma);
    return !isFound;
  });
  return isFound;
}

// What threads copy once a barrier has told them that others have read it.
using Guarded = std::map<BufferId, Buffers>;

Guarded findGuarded(const Stmt *body) {
  Guarded guarded;
  BufferId barrier;
  walk(body, [&](const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    if (op && op->opInfo().sync == OpSync::WaitPhase)
      barrier = op->regions[0].buffer;
    else if (op && op->opInfo().work == OpWork::Move && op->opInfo().operands.back().isMbarrier)
      guarded[barrier].insert(op->regions[1].buffer);
    return true;
  });
  return guarded;
}

// A product that the statements [first, wait) start; [wait, end) wait for it.
struct Started {
  size_t first = 0, wait = 0, end = 0;
  Buffers sums, read;
};

class WaitDelayer {
public:
  WaitDelayer(Context &context, const Guarded &guarded, const For &loop)
      : context_(context), builder_(context), guarded_(guarded), loop_(loop) {
    stmts_ = flatStmtsOf(loop.body);
  }

  const Stmt *run() {
    for (size_t index = 0; index < stmts_.size(); ++index)
      if (isWait(stmts_[index]))
        findProduct(index);
    bool passesAny = false;
    // The last first, so that nothing waits where others would pass.
    for (const Started &product : llvm::reverse(products_))
      passesAny |= delay(product);
    if (!passesAny)
      return &loop_;
    return context_.make<For>(loop_.info(), loop_.var, loop_.min, loop_.extent, loop_.forKind,
                              builder_.seq(loop_.body->info(), stmts_), loop_.pipeline);
  }

private:
  void findProduct(size_t wait) {
    Started product{wait, wait, wait + 1, {}, {}};
    while (product.end < stmts_.size() && isOp(stmts_[product.end], Op::WgmmaFence))
      ++product.end;
    auto starts = [](const Stmt *stmt) {
      return isOp(stmt, Op::WgmmaCommit) || isOp(stmt, Op::WgmmaFence) || multiplies(stmt);
    };
    while (product.first > 0 && starts(stmts_[product.first - 1]))
      addOperands(*stmts_[--product.first], product);
    products_.push_back(std::move(product));
  }

  void addOperands(const Stmt &stmt, Started &product) {
    walk(&stmt, [&](const Stmt *part) {
      if (isOp(part, Op::Wgmma))
        for (const BufferAccess &access : accessesOf(context_, part))
          (access.effect == Effect::Read ? product.read : product.sums).insert(access.buffer);
      return true;
    });
  }

  // Whether it is another product now that is started before the wait.
  bool delay(const Started &product) {
    size_t to = product.end;
    int64_t pending = 0, commits = 0;
    bool isStarting = false;
    for (size_t index = product.end; index < stmts_.size(); ++index) {
      const Stmt *stmt = stmts_[index];
      if (!canPass(*stmt, product))
        break;
      bool isCommit = isOp(stmt, Op::WgmmaCommit);
      commits += isCommit ? 1 : 0;
      isStarting = !isCommit && (isStarting || isOp(stmt, Op::WgmmaFence) || multiplies(stmt));
      if (!isStarting) {
        to = index + 1;
        pending = commits;
      }
    }
    const auto &wait = *llvm::cast<OpStmt>(stmts_[product.wait]);
    stmts_[product.wait] =
        builder_.op(wait.info(), Op::WgmmaWait, {}, {}, {{Attr::Pending, pending}});
    std::rotate(stmts_.begin() + static_cast<ptrdiff_t>(product.wait),
                stmts_.begin() + static_cast<ptrdiff_t>(product.end),
                stmts_.begin() + static_cast<ptrdiff_t>(to));
    return pending > 0;
  }

  bool canPass(const Stmt &stmt, const Started &product) {
    bool can = true;
    walk(&stmt, [&](const Stmt *part) {
      const auto *loop = llvm::dyn_cast<For>(part);
      const auto *op = llvm::dyn_cast<OpStmt>(part);
      if (loop ? loop->forKind != ForKind::Unrolled : !llvm::isa<Seq, Store, Bind, OpStmt>(part))
        can = false;
      if (op)
        can &= canPassOp(*op, product);
      for (const BufferAccess &access : accessesOf(context_, part))
        can &= product.sums.count(access.buffer) == 0 &&
               (access.effect == Effect::Read || product.read.count(access.buffer) == 0);
      return can;
    });
    return can;
  }

  bool canPassOp(const OpStmt &op, const Started &product) const {
    const OpInfo &info = op.opInfo();
    if (info.sync == OpSync::Arrive) {
      auto tiles = guarded_.find(op.regions[0].buffer);
      return tiles != guarded_.end() && llvm::none_of(tiles->second, [&](BufferId tile) {
               return product.read.count(tile) != 0;
             });
    }
    if (info.sync == OpSync::Commit || isAsynchronous(op))
      return info.queue == AsyncQueue::Wgmma;
    return info.sync == OpSync::None || info.sync == OpSync::WaitPhase;
  }

  Context &context_;
  Builder builder_;
  const Guarded &guarded_;
  const For &loop_;
  Stmts stmts_;
  std::vector<Started> products_;
};

} // namespace

const Stmt *delayWaits(Context &context, const Stmt *body) {
  const Guarded guarded = findGuarded(body);
  return rewriteStmt(context, body, [&](const Stmt *stmt) -> const Stmt * {
    const auto *loop = llvm::dyn_cast<For>(stmt);
    if (!loop || loop->forKind != ForKind::Serial || !multiplies(loop))
      return stmt;
    return WaitDelayer(context, guarded, *loop).run();
  });
}

} // namespace tilescope
