#include "passes/matrix_units.h"

#include "core/analysis/select_wgmma.h"
#include "core/ir/visit.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tilescope {

namespace {

const OpStmt *asProduct(const Stmt *stmt) {
  const auto *op = llvm::dyn_cast<OpStmt>(stmt);
  return op && op->opInfo().has(Attr::Unit) ? op : nullptr;
}

bool isOfWarpGroup(const OpStmt &product) {
  return product.attr(Attr::Unit) == static_cast<int64_t>(MatrixUnit::WarpGroup);
}

const Stmt *byWarpGroup(Context &context, const OpStmt &product) {
  llvm::SmallVector<int64_t> attrs(product.attrs);
  attrs[product.opInfo().indexOf(Attr::Unit)] = static_cast<int64_t>(MatrixUnit::WarpGroup);
  return context.make<OpStmt>(product.info(), product.op, product.regions, product.args,
                              context.copy<int64_t>(attrs));
}

bool isZeroNumber(const Expr *value) {
  const auto *number = llvm::dyn_cast<FloatImm>(value);
  return number ? number->value == 0 : constantValue(value) == 0;
}

// Every element gets its value once.
bool coversWhole(const Parallel &loop, const Store &store, const Buffer &buffer) {
  return loop.vars.size() == buffer.shape.size() && llvm::equal(loop.vars, store.indices) &&
         llvm::equal(loop.extents, buffer.shape, [](const Expr *extent, const Expr *shape) {
           return constantValue(extent) && constantValue(extent) == constantValue(shape);
         });
}

bool coversWhole(const BufferRegion &region, const Buffer &buffer) {
  return llvm::equal(region.ranges, buffer.shape, [](const Range &range, const Expr *shape) {
    return constantValue(range.min) == 0 && constantValue(range.extent) &&
           constantValue(range.extent) == constantValue(shape);
  });
}

// Whether the statement fills the buffer with zeros and does nothing else.
bool fillsWithZeros(const Stmt &stmt, const Buffer &buffer) {
  if (const auto *op = llvm::dyn_cast<OpStmt>(&stmt))
    return op->opInfo().work == OpWork::Fill && op->regions[0].buffer == buffer.id &&
           isZeroNumber(op->args[0]) && coversWhole(op->regions[0], buffer);
  const auto *loop = llvm::dyn_cast<Parallel>(&stmt);
  const auto *store = loop ? llvm::dyn_cast<Store>(loop->body) : nullptr;
  return store && store->buffer == buffer.id && isZeroNumber(store->value) &&
         coversWhole(*loop, *store, buffer);
}

bool touchesBuffer(Context &context, const Stmt *stmt, BufferId buffer) {
  bool isFound = false;
  walk(stmt, [&](const Stmt *inner) {
    for (const BufferAccess &access : accessesOf(context, inner))
      isFound |= access.buffer == buffer;
    return !isFound;
  });
  return isFound;
}

// A statement that clears the accumulator of a product behind it.
struct ZeroFill {
  const Stmt *stmt = nullptr;
  const Expr *condition = nullptr; // where it does
  const Stmt *rest = nullptr;      // what is left where the product does; null: nothing
};

// Of the statements before it, the last one that touches the accumulator, if that clears it, or
// does so on the other side of a condition.
std::optional<ZeroFill> clearingBefore(Context &context, const Function &function, StmtList before,
                                       const OpStmt &product) {
  const Buffer &sums = function.buffer(product.regions[2].buffer);
  const auto *last = llvm::find_if(llvm::reverse(before), [&](const Stmt *stmt) {
                       return touchesBuffer(context, stmt, sums.id);
                     }).base();
  if (last == before.begin())
    return std::nullopt;
  const Stmt *stmt = *std::prev(last);
  Builder builder(context);
  if (fillsWithZeros(*stmt, sums))
    return ZeroFill{stmt, builder.boolean(true)};
  const auto *branch = llvm::dyn_cast<If>(stmt);
  if (!branch || !branch->elseBody || !fillsWithZeros(*branch->elseBody, sums) ||
      readsMemory(branch->condition))
    return std::nullopt;
  return ZeroFill{stmt, builder.unary(UnaryOp::Not, branch->condition),
                  context.make<If>(branch->info(), branch->condition, branch->thenBody, nullptr)};
}

const Stmt *clearingFirst(Context &context, const OpStmt &product, const Expr *condition) {
  return context.make<OpStmt>(product.info(), product.op, product.regions,
                              context.copy<const Expr *>({condition}), product.attrs);
}

// A product that adds to zeros says so instead, which costs no instruction.
const Stmt *withoutZeros(Context &context, const Function &function, const Seq &seq) {
  llvm::SmallVector<const Stmt *> stmts(seq.stmts);
  llvm::DenseMap<const Stmt *, const Stmt *> rests;
  for (auto [at, stmt] : llvm::enumerate(stmts)) {
    const OpStmt *product = asProduct(stmt);
    if (!product || !isOfWarpGroup(*product) || product->args[0])
      continue;
    StmtList before = llvm::ArrayRef(stmts).take_front(at);
    if (std::optional<ZeroFill> found = clearingBefore(context, function, before, *product)) {
      rests[found->stmt] = found->rest;
      stmt = clearingFirst(context, *product, found->condition);
    }
  }
  if (rests.empty())
    return &seq;
  for (const Stmt *&stmt : stmts)
    if (auto rest = rests.find(stmt); rest != rests.end())
      stmt = rest->second;
  llvm::erase(stmts, nullptr);
  return Builder(context).seq(seq.info(), stmts);
}

} // namespace

MarkedStmts withWarpGroups(const Function &function, PassContext &pass) {
  MarkedStmts result;
  llvm::DenseSet<const Stmt *> chosen;
  auto ask = [&](const Stmt *stmt, int64_t threads) {
    const OpStmt *product = asProduct(stmt);
    if (!product)
      return;
    std::string reason = selectWgmma(*product, function, pass.target, threads).reason;
    if (reason.empty()) {
      result.chosen.push_back(product);
      chosen.insert(stmt);
    } else {
      emitRemark(pass.remarks, RemarkId::NoWgmma, {stmt->id(), stmt->span(), {}}, reason);
    }
  };
  int64_t threads = 0;
  walk(function.body, [&](const Stmt *stmt) {
    if (const auto *launch = llvm::dyn_cast<Launch>(stmt))
      threads = launch->threads;
    const auto *role = llvm::dyn_cast<Role>(stmt);
    if (role)
      walk(role->thenBody, [&](const Stmt *inside) {
        ask(inside, role->threads);
        return true;
      });
    else if (threads != 0)
      ask(stmt, threads);
    return !role;
  });
  if (chosen.empty())
    return result;
  const Stmt *body =
      rewriteStmt(pass.context, function.body, [&](const Stmt *stmt) -> const Stmt * {
        if (chosen.contains(stmt))
          return byWarpGroup(pass.context, *asProduct(stmt));
        const auto *seq = llvm::dyn_cast<Seq>(stmt);
        return seq ? withoutZeros(pass.context, function, *seq) : stmt;
      });
  result.function = withBody(pass.context, function, body);
  return result;
}

} // namespace tilescope
