// Has each warp group of a role do its part alone, where an option asks for it and none needs
// another.
//
//     with T.ws(0, 1):
//       T.wgmma(A_shared[tx // 128 * 64, ...], ...)
//       C_shared[row, ...] = ...
//       T.tma_store(C_shared[0:128, 0:64], C[...])
// becomes
//     with T.ws(0):
//       T.wgmma(A_shared[0, ...], ...)
//       C_shared_rows[row, ...] = ...
//       T.tma_store(C_shared_rows[0:64, 0:64], C[...])
//     with T.ws(1):
//       T.wgmma(A_shared[64, ...], ...)
//       C_shared_rows_1[row - 64, ...] = ...
//       T.tma_store(C_shared_rows_1[0:64, 0:64], C[... + 64])
//
// What it stores a warp group then waits for alone, by a barrier of its own threads, and while one
// stores, another multiplies; which of them a thread is in is known, so operands of products are
// the same for the warp. The price is the code of the role once for each.
//
// A tile that the role writes becomes one for each warp group, of its rows: so no two roles touch
// one buffer, and what shares bytes is told apart. What may not be split says why
// (core/analysis/role_parts.h).
//
// Requires: lowered. Ensures: nothing more.
#include "core/analysis/role_parts.h"
#include "core/ir/visit.h"
#include "core/pass/pass.h"
#include "passes/lower/added_buffers.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

namespace tilescope {

namespace {

// Writes the role of one warp group.
class GroupWriter {
public:
  // By tile its part, which has the rows of the group.
  using Parts = std::map<BufferId, const Buffer *>;

  GroupWriter(Context &context, const Launch &launch, int64_t firstThread, int64_t group,
              Parts parts)
      : context_(context), builder_(context), thread_(launch.threadVar),
        groupOfBlock_(firstThread / WarpGroupThreads + group), group_(group),
        parts_(std::move(parts)) {}

  const Stmt *write(const Stmt *body) {
    return rewriteStmt(context_, body, [&](const Stmt *stmt) {
      const Stmt *mapped = mapExprs(context_, stmt, [&](const Expr *root) {
        return rewriteExpr(context_, root, [&](const Expr *expr) { return inGroup(expr); });
      });
      if (const auto *store = llvm::dyn_cast<Store>(mapped))
        return storeOf(*store);
      const auto *op = llvm::dyn_cast<OpStmt>(mapped);
      return op ? opOf(*op) : mapped;
    });
  }

private:
  const Expr *inGroup(const Expr *expr) {
    if (const auto *binary = llvm::dyn_cast<Binary>(expr))
      return binary->op == BinaryOp::FloorDiv && binary->lhs == thread_ &&
                     constantValue(binary->rhs) == WarpGroupThreads
                 ? builder_.integer(groupOfBlock_, expr->dtype())
                 : expr;
    const auto *load = llvm::dyn_cast<Load>(expr);
    const Buffer *part = load ? partOf(load->buffer) : nullptr;
    return part ? context_.make<Load>(load->dtype(), part->id, load->slot,
                                      inPart(load->indices, *part))
                : expr;
  }

  const Stmt *storeOf(const Store &store) {
    const Buffer *part = partOf(store.buffer);
    return part ? context_.make<Store>(store.info(), part->id, store.slot,
                                       inPart(store.indices, *part), store.value)
                : &store;
  }

  const Stmt *opOf(const OpStmt &op) {
    llvm::SmallVector<BufferRegion> regions(op.regions);
    bool isChanged = false;
    for (BufferRegion &region : regions) {
      const Buffer *part = partOf(region.buffer);
      if (!part)
        continue;
      isChanged = true;
      llvm::SmallVector<Range> ranges(region.ranges);
      if (isBoxStore(op)) {
        ranges[0].extent = builder_.integer(rowsOf(*part), ranges[0].extent->dtype());
        cutRows(regions[1], *part);
      } else {
        ranges[0].min = row(ranges[0].min, *part);
      }
      region = builder_.region(part->id, region.slot, ranges, region.span);
    }
    return isChanged ? context_.make<OpStmt>(op.info(), op.op, context_.copy<BufferRegion>(regions),
                                             op.args, op.attrs)
                     : &op;
  }

  // Of the tensor, those that the part is stored to.
  void cutRows(BufferRegion &region, const Buffer &part) {
    llvm::SmallVector<Range> ranges(region.ranges);
    Range &rows = ranges[boxAxesOf(region)->row];
    DType dtype = rows.min->dtype();
    rows = {builder_.add(rows.min, builder_.integer(group_ * rowsOf(part), dtype)),
            builder_.integer(rowsOf(part), dtype)};
    region = builder_.region(region.buffer, region.slot, ranges, region.span);
  }

  const Buffer *partOf(BufferId tile) const {
    auto found = parts_.find(tile);
    return found == parts_.end() ? nullptr : found->second;
  }

  static int64_t rowsOf(const Buffer &part) { return *constantValue(part.shape[0]); }

  const Expr *row(const Expr *inTile, const Buffer &part) {
    return builder_.sub(inTile, builder_.integer(group_ * rowsOf(part), inTile->dtype()));
  }

  ExprList inPart(ExprList indices, const Buffer &part) {
    llvm::SmallVector<const Expr *> own(indices);
    own[0] = row(own[0], part);
    return context_.copy<const Expr *>(own);
  }

  Context &context_;
  Builder builder_;
  const Var *thread_;
  int64_t groupOfBlock_;
  int64_t group_; // of the role
  Parts parts_;
};

class FunctionSplitter {
public:
  FunctionSplitter(const Function &function, PassContext &pass)
      : function_(function), pass_(pass), context_(pass.context), added_(pass.context, function) {}

  const Function *run() {
    const Stmt *body = rewriteStmt(context_, function_.body, [&](const Stmt *stmt) {
      const auto *launch = llvm::dyn_cast<Launch>(stmt);
      return launch ? splitIn(*launch) : stmt;
    });
    if (body == function_.body)
      return &function_;
    llvm::SmallVector<const Buffer *> buffers;
    llvm::copy_if(function_.buffers, std::back_inserter(buffers),
                  [&](const Buffer *buffer) { return !llvm::is_contained(split_, buffer->id); });
    llvm::append_range(buffers, added_.added());
    return withBuffers(context_, *withBody(context_, function_, body), buffers);
  }

private:
  const Stmt *splitIn(const Launch &launch) {
    return mapChildren(context_, &launch, [&](const Stmt *body) {
      return rewriteStmt(context_, body, [&](const Stmt *stmt) {
        const auto *role = llvm::dyn_cast<Role>(stmt);
        bool isOfGroups = role && role->firstThread % WarpGroupThreads == 0 &&
                          role->threads % WarpGroupThreads == 0 && role->threads > WarpGroupThreads;
        return isOfGroups ? split(launch, *role) : stmt;
      });
    });
  }

  const Stmt *split(const Launch &launch, const Role &role) {
    RoleParts parts = computeRoleParts(context_, function_, launch, role);
    RemarkSubject subject{role.id(), role.span(), {parts.tiles.begin(), parts.tiles.end()}};
    std::string name = role.name.empty() ? "this role" : "role '" + role.name.str() + "'";
    if (!parts.reason.empty()) {
      emitRemark(pass_.remarks, RemarkId::RoleNotSplit, subject, name, parts.reason);
      return &role;
    }
    int64_t groups = role.threads / WarpGroupThreads;
    emitRemark(pass_.remarks, RemarkId::RoleSplit, subject, groups, name);
    llvm::append_range(split_, parts.tiles);
    Builder builder(context_);
    llvm::SmallVector<const Stmt *> roles;
    for (int64_t group = 0; group != groups; ++group) {
      const Stmt *body = group == 0 ? role.thenBody : cloneStmt(context_, role.thenBody);
      body = GroupWriter(context_, launch, role.firstThread, group, partsOf(parts, groups))
                 .write(body);
      std::string own = role.name.empty() ? "" : role.name.str() + std::to_string(group);
      roles.push_back(builder.role(group == 0 ? role.info() : builder.cloned(role), role.threadVar,
                                   role.firstThread + group * WarpGroupThreads, WarpGroupThreads,
                                   body, role.registers, context_.intern(own)));
    }
    return builder.seq(builder.fresh(role.span()), roles);
  }

  GroupWriter::Parts partsOf(const RoleParts &parts, int64_t groups) {
    GroupWriter::Parts made;
    for (BufferId id : parts.tiles) {
      const Buffer &tile = function_.buffer(id);
      int64_t rows = *constantValue(tile.shape[0]) / groups;
      made[id] = &added_.makeTile(tile, "rows", {rows, *constantValue(tile.shape[1])}, tile.scope,
                                  tile.layout, tile.span);
    }
    return made;
  }

  const Function &function_;
  PassContext &pass_;
  Context &context_;
  AddedBuffers added_;
  std::vector<BufferId> split_; // tiles that have parts now
};

class SplitRoles : public Pass {
public:
  const Module *run(const Module &module, PassContext &context) override {
    if (!warpGroups_)
      return &module;
    return forEachFunction(module, [&](const Function &function) {
      return FunctionSplitter(function, context).run();
    });
  }

  std::vector<PassOption> options() override {
    return {{"warp-groups", &warpGroups_,
             "have each warp group of a role do its part alone where none needs another"}};
  }

private:
  bool warpGroups_ = false;
};

} // namespace

std::unique_ptr<Pass> createSplitRoles() { return std::make_unique<SplitRoles>(); }

} // namespace tilescope
