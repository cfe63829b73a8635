// Names an index that a statement loads and writes several times.
//
//     T.vector_copy(K[table[bx], i], tile[i], table[bx] >= 0 and table[bx] < 256)
//   becomes
//     table_value = table[bx]
//     T.vector_copy(K[table_value, i], tile[i], table_value >= 0 and table_value < 256)
//
// Why: a condition that guards an access repeats its indices, and one that counts from the end asks
// for its sign; people read the result.
//
// The name is bound right before the statement, whose own write comes after all that it reads, so
// no access passes another. What the statement may leave out (behind a condition that guards it) is
// named only if the statement also reads it in any case.
//
// Not done: values that are no integers; wide accesses (the body of a vectorized loop).
//
// Requires: lowered. Ensures: nothing.
#include "core/ir/expr_equal.h"
#include "core/ir/visit.h"
#include "core/pass/pass.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

struct Occurrences {
  const Expr *expr;
  int count = 0;
  bool isCertain = false; // one of them is evaluated whenever the statement runs
};

bool loadsInteger(const Expr *expr) {
  bool found = false;
  if (expr->dtype().isInteger() && !expr->dtype().isBool())
    walk(expr, [&](const Expr *part) { found |= llvm::isa<Load>(part); });
  return found;
}

// The loaded integers of one statement, larger ones first.
class LoadedIntegers {
public:
  void add(const Expr *expr, bool isCertain) {
    if (loadsInteger(expr))
      count(expr, isCertain);
    unsigned operand = 0;
    const auto *binary = llvm::dyn_cast<Binary>(expr);
    bool isLogical = binary && (binary->op == BinaryOp::And || binary->op == BinaryOp::Or);
    bool leavesOut = isLogical || llvm::isa<Select>(expr);
    forEachChild(
        expr, [&](const Expr *child) { add(child, isCertain && (!leavesOut || operand++ == 0)); });
  }

  // The first that is worth a name; null: none.
  const Expr *repeated() const {
    auto found = llvm::find_if(
        found_, [](const Occurrences &one) { return one.count > 1 && one.isCertain; });
    return found == found_.end() ? nullptr : found->expr;
  }

private:
  // A whole is met before its parts.
  void count(const Expr *expr, bool isCertain) {
    auto same =
        llvm::find_if(found_, [&](const Occurrences &one) { return isSameExpr(one.expr, expr); });
    if (same == found_.end())
      same = found_.insert(found_.end(), Occurrences{expr});
    ++same->count;
    same->isCertain |= isCertain;
  }

  std::vector<Occurrences> found_;
};

LoadedIntegers loadedBy(const Stmt *stmt) {
  LoadedIntegers loaded;
  const auto *op = llvm::dyn_cast<OpStmt>(stmt);
  bool isGuarded = op && llvm::any_of(op->args, [](const Expr *arg) { return arg != nullptr; });
  if (!isGuarded) {
    forEachExpr(stmt, [&](const Expr *expr) { loaded.add(expr, /*isCertain=*/true); });
    return loaded;
  }
  // Where its predicate is false an operation touches nothing.
  for (const Expr *arg : op->args)
    if (arg)
      loaded.add(arg, /*isCertain=*/true);
  for (const BufferRegion &region : op->regions)
    for (const Range &range : region.ranges)
      loaded.add(range.min, /*isCertain=*/false);
  return loaded;
}

class IndexBinder {
public:
  IndexBinder(Context &context, const Function &function)
      : context_(context), function_(function), builder_(context) {}

  const Stmt *rewrite(const Stmt *stmt) {
    if (const auto *loop = llvm::dyn_cast<For>(stmt); loop && loop->forKind == ForKind::Vectorized)
      return stmt;
    llvm::SmallVector<const Stmt *> stmts;
    const Stmt *named = bindAll(stmt, stmts);
    stmts.push_back(
        mapChildren(context_, named, [&](const Stmt *child) { return rewrite(child); }));
    return stmts.size() == 1 ? stmts.front() : builder_.seq(builder_.lowered(*stmt), stmts);
  }

private:
  // The statement with names, and before it in `stmts` what binds them.
  const Stmt *bindAll(const Stmt *stmt, llvm::SmallVectorImpl<const Stmt *> &stmts) {
    while (const Expr *value = loadedBy(stmt).repeated()) {
      const Var *var = builder_.var(nameOf(value), value->dtype());
      const Stmt *bind = context_.make<Bind>(builder_.lowered(*stmt), var, value);
      stmts.push_back(bindAll(bind, stmts));
      stmt = mapExprs(context_, stmt, [&](const Expr *expr) { return replace(expr, value, var); });
    }
    return stmt;
  }

  const Expr *replace(const Expr *expr, const Expr *value, const Expr *by) {
    if (isSameExpr(expr, value))
      return by;
    return mapChildren(context_, expr,
                       [&](const Expr *child) { return replace(child, value, by); });
  }

  std::string nameOf(const Expr *value) const {
    std::string buffer;
    walk(value, [&](const Expr *part) {
      if (const auto *load = llvm::dyn_cast<Load>(part); load && buffer.empty())
        buffer = function_.buffer(load->buffer).name.str();
    });
    return buffer + (llvm::isa<Load>(value) ? "_value" : "_index");
  }

  Context &context_;
  const Function &function_;
  Builder builder_;
};

class BindLoadedIndices : public Pass {
public:
  const Module *run(const Module &module, PassContext &context) override {
    return forEachFunction(module, [&](const Function &function) {
      const Stmt *body = IndexBinder(context.context, function).rewrite(function.body);
      return withBody(context.context, function, body);
    });
  }
};

} // namespace

std::unique_ptr<Pass> createBindLoadedIndices() { return std::make_unique<BindLoadedIndices>(); }

} // namespace tilescope
