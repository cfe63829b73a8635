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
// So is what both values of a choice load, of any type:
//     x[j] = x[j] + y[j] if tx < 16 else y[j] - x[j]
//   becomes
//     x_value = x[j]
//     y_value = y[j]
//     x[j] = x_value + y_value if tx < 16 else y_value - x_value
// Why: nvcc keeps a load that is not made in any case behind a branch, and results of branches are
// no registers in place: those of an unrolled loop are live beside the operands of all others.
//
// The name is bound right before the statement, whose own write comes after all that it reads, so
// no access passes another. What the statement may leave out (behind a condition that guards it) is
// named only if the statement also reads it in any case, or if it can be read in any case: an
// element inside of a tensor that the kernel does not write.
//
// Not done: other values that are no integers; wide accesses (the body of a vectorized loop);
// statements with more than MaxValues such values, which nobody writes by hand.
//
// Requires: lowered. Ensures: nothing.
#include "core/analysis/bounds_guard.h"
#include "core/ir/expr_equal.h"
#include "core/ir/op_facts.h"
#include "core/pass/pass.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// Each is compared with all others, once a name.
constexpr size_t MaxValues = 256;

// What a name of a statement stands for.
struct NamedValue {
  const Expr *value;
  const Var *var;
  std::string buffer; // that the value is loaded from
};

// The integers that one statement makes of what it loads, directly or through `names`.
class LoadedIntegers {
public:
  explicit LoadedIntegers(llvm::ArrayRef<NamedValue> names) : names_(names) {}

  // Whether the expression is made of something loaded. `isCertain`: it is evaluated whenever the
  // statement runs.
  bool add(const Expr *expr, bool isCertain) {
    size_t place = places_++;
    bool isLoaded = llvm::isa<Load>(expr);
    unsigned operand = 0;
    bool isPartial = leavesOut(*expr);
    forEachChild(expr, [&](const Expr *child) {
      isLoaded |= add(child, isCertain && (!isPartial || operand++ == 0));
    });
    if (const auto *var = llvm::dyn_cast<Var>(expr))
      return llvm::is_contained(llvm::map_range(names_, [](auto &name) { return name.var; }), var);
    if (isLoaded && expr->dtype().isInteger() && !expr->dtype().isBool())
      count(expr, place, isCertain);
    if (const auto *choice = llvm::dyn_cast<Select>(expr); choice && isCertain)
      countOfBoth(*choice, place);
    return isLoaded;
  }

  // The first that is worth a name, loads before what is made of them; null: none.
  const Expr *repeated(llvm::function_ref<bool(const Expr *)> canBeReadAhead) const {
    const Occurrences *first = nullptr;
    for (const Occurrences &one : found_)
      if (one.count > 1 && (!first || one.rank() < first->rank()) &&
          (one.isCertain || canBeReadAhead(one.expr)))
        first = &one;
    return first && found_.size() <= MaxValues ? first->expr : nullptr;
  }

private:
  // What either value loads is loaded in any case.
  void countOfBoth(const Select &choice, size_t place) {
    llvm::SmallVector<const Expr *> ofTrue;
    llvm::SmallVector<const Expr *> ofFalse;
    certainLoads(choice.whenTrue, ofTrue);
    certainLoads(choice.whenFalse, ofFalse);
    for (const Expr *load : ofTrue) {
      if (llvm::none_of(ofFalse, [&](const Expr *other) { return isSameExpr(load, other); }))
        continue;
      count(load, place, true);
      count(load, place, true);
    }
  }

  // The loads of an expression that are made whenever it is evaluated.
  static void certainLoads(const Expr *expr, llvm::SmallVectorImpl<const Expr *> &loads) {
    if (llvm::isa<Load>(expr))
      loads.push_back(expr);
    bool isFirst = true;
    forEachChild(expr, [&](const Expr *child) {
      if (isFirst || !leavesOut(*expr))
        certainLoads(child, loads);
      isFirst = false;
    });
  }

  // Whether only the first operand is evaluated in any case.
  static bool leavesOut(const Expr &expr) {
    const auto *binary = llvm::dyn_cast<Binary>(&expr);
    bool isLogical = binary && (binary->op == BinaryOp::And || binary->op == BinaryOp::Or);
    return isLogical || llvm::isa<Select>(expr);
  }

  struct Occurrences {
    const Expr *expr;
    size_t place; // of the first, in the order of reading
    int count = 0;
    bool isCertain = false; // one of them is

    // A whole is read before its parts.
    std::pair<bool, size_t> rank() const { return {!llvm::isa<Load>(expr), place}; }
  };

  void count(const Expr *expr, size_t place, bool isCertain) {
    if (found_.size() > MaxValues)
      return;
    auto same =
        llvm::find_if(found_, [&](const Occurrences &one) { return isSameExpr(one.expr, expr); });
    if (same == found_.end())
      same = found_.insert(found_.end(), Occurrences{expr, place});
    ++same->count;
    same->place = std::min(same->place, place);
    same->isCertain |= isCertain;
  }

  llvm::ArrayRef<NamedValue> names_;
  size_t places_ = 0;
  std::vector<Occurrences> found_;
};

class IndexBinder {
public:
  IndexBinder(Context &context, const Function &function)
      : context_(context), function_(function), builder_(context), affine_(context, function) {}

  const Stmt *rewrite(const Stmt *stmt) {
    if (const auto *loop = llvm::dyn_cast<For>(stmt); loop && loop->forKind == ForKind::Vectorized)
      return stmt;
    names_.clear();
    llvm::SmallVector<const Stmt *> stmts;
    const Stmt *named = bindAll(stmt, stmts);
    stmts.push_back(mapChildren(context_, named, [&](const Stmt *child) {
      ScopedFacts facts(affine_, named, child);
      return rewrite(child);
    }));
    return stmts.size() == 1 ? stmts.front() : builder_.seq(builder_.lowered(*stmt), stmts);
  }

private:
  // The statement with names, and before it in `stmts` what binds them. A name that was made for a
  // part of another one's value serves the statement, too.
  const Stmt *bindAll(const Stmt *stmt, llvm::SmallVectorImpl<const Stmt *> &stmts) {
    while (const Expr *value = repeatedIn(*stmt)) {
      size_t first = names_.size();
      std::string buffer = bufferOf(value);
      const Var *var =
          builder_.var(buffer + (llvm::isa<Load>(value) ? "_value" : "_index"), value->dtype());
      names_.push_back({value, var, buffer});
      stmts.push_back(bindAll(context_.make<Bind>(builder_.lowered(*stmt), var, value), stmts));
      for (size_t name = first; name != names_.size(); ++name)
        stmt =
            mapExprs(context_, stmt, [&](const Expr *expr) { return replace(expr, names_[name]); });
    }
    return stmt;
  }

  // Where its predicate is false an operation reads nothing; its indices may lie outside then.
  const Expr *repeatedIn(const Stmt &stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
    const Expr *predicate = op ? predicateOf(*op) : nullptr;
    LoadedIntegers loaded(names_);
    forEachExpr(&stmt,
                [&](const Expr *expr) { loaded.add(expr, !predicate || expr == predicate); });
    return loaded.repeated([&](const Expr *expr) { return canBeReadAhead(expr); });
  }

  // Whether it does no harm to read the element where the statement leaves it out.
  bool canBeReadAhead(const Expr *expr) {
    bool isHarmless = llvm::isa<Load>(expr);
    walk(expr, [&](const Expr *part) {
      const auto *binary = llvm::dyn_cast<Binary>(part);
      if (binary && !llvm::is_contained({BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul}, binary->op))
        isHarmless = false; // a division by zero, or a condition
      if (const auto *load = llvm::dyn_cast<Load>(part)) {
        const Buffer &buffer = function_.buffer(load->buffer);
        isHarmless &= buffer.scope == Scope::Global && !affine_.isWritten(buffer.id) &&
                      !insideCondition(affine_, buffer, load->indices);
      }
    });
    return isHarmless;
  }

  const Expr *replace(const Expr *expr, const NamedValue &name) {
    if (isSameExpr(expr, name.value))
      return name.var;
    return mapChildren(context_, expr, [&](const Expr *child) { return replace(child, name); });
  }

  std::string bufferOf(const Expr *value) const {
    std::string buffer;
    walk(value, [&](const Expr *part) {
      if (const auto *load = llvm::dyn_cast<Load>(part); load && buffer.empty())
        buffer = function_.buffer(load->buffer).name.str();
      for (const NamedValue &name : names_)
        if (name.var == part && buffer.empty())
          buffer = name.buffer;
    });
    return buffer;
  }

  Context &context_;
  const Function &function_;
  Builder builder_;
  IrAffine affine_;
  std::vector<NamedValue> names_; // of the statement at hand
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
