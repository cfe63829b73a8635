// Shortens what bounds decide: index arithmetic, conditions, dead branches, loops without or with
// one iteration, names of constants, names that nobody reads. A loop that the kernel unrolls is
// written out where it uses mbarriers: which of them, and which part of a tile, is then constant.
//
//     for i in T.serial(1):                        if by * 128 + tx < M:
//       visible = True                      =>       B[by * 128 + tx] = A[by * 128 + tx]
//       if i < 4 and by * 128 + tx < M:
//         B[(by * 16 + i) * 8 + tx] = T.if_then_else(visible, A[...], 0)
//
// Why: the passes before it write expressions as they come; the passes after it, the emitter and
// people read them. An expression that cannot be made shorter is left as it was written, and so is
// every statement that stays: ids and spans are kept.
//
// Not done: loads are not removed, values that are not constant keep their names, a loop that is or
// was pipelined is kept if it has one iteration (its record says how buffers are versioned), and so
// are the direct children of a loop whose schedule names them.
//
// Requires: nothing. Ensures: nothing.
#include "core/analysis/simplify_expr.h"
#include "core/ir/op_facts.h"
#include "core/ir/visit.h"
#include "core/pass/pass.h"
#include "passes/unread_binds.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

class StatementSimplifier {
public:
  StatementSimplifier(Context &context, const Function &function)
      : context_(context), builder_(context), affine_(context, function),
        isOfTiles_(function.properties.has(Property::Tile)) {}

  // Null if nothing is left of the statement.
  const Stmt *simplify(const Stmt *stmt) {
    const Stmt *shorter = shorten(stmt);
    if (const auto *bind = llvm::dyn_cast<Bind>(shorter); bind && isConstant(bind->value))
      return nullptr;
    if (const auto *branch = llvm::dyn_cast<If>(shorter))
      return simplifyBranch(*branch);
    if (const auto *loop = llvm::dyn_cast<For>(shorter))
      return simplifyLoop(*loop);
    return withoutEmptyParts(simplifyChildren(shorter));
  }

private:
  static bool isConstant(const Expr *expr) { return llvm::isa<IntImm, FloatImm>(expr); }

  // The expressions of the statement itself; a name of a constant is the constant from here on.
  const Stmt *shorten(const Stmt *stmt) {
    const Stmt *shorter = mapExprs(context_, stmt, [&](const Expr *expr) {
      return simplifyExpr(affine_, substitute(context_, expr, constants_));
    });
    if (const auto *bind = llvm::dyn_cast<Bind>(shorter); bind && isConstant(bind->value))
      constants_[bind->var] = bind->value;
    return shorter;
  }

  const Stmt *simplifyChildren(const Stmt *stmt) {
    return mapChildren(context_, stmt, [&](const Stmt *child) -> const Stmt * {
      // What is empty already stays the same node, so that a second run changes nothing.
      if (isEmpty(child))
        return child;
      ScopedFacts facts(affine_, stmt, child);
      return simplify(child);
    });
  }

  static bool isEmpty(const Stmt *stmt) {
    const auto *seq = llvm::dyn_cast_or_null<Seq>(stmt);
    return !stmt || (seq && seq->stmts.empty());
  }

  const Stmt *withoutEmptyParts(const Stmt *stmt) {
    if (isEmpty(stmt))
      return nullptr;
    if (const auto *parallel = llvm::dyn_cast<Parallel>(stmt); parallel && isEmpty(parallel->body))
      return nullptr;
    return stmt;
  }

  const Stmt *simplifyBranch(const If &branch) {
    if (const auto *role = llvm::dyn_cast<Role>(&branch)) {
      const auto *inside = llvm::cast<Role>(simplifyChildren(role));
      return isEmpty(inside->thenBody) && inside->registers == 0 ? nullptr : inside;
    }
    if (std::optional<int64_t> condition = constantValue(branch.condition)) {
      const Stmt *taken = *condition ? branch.thenBody : branch.elseBody;
      return taken ? simplify(taken) : nullptr;
    }
    const auto *inside = llvm::cast<If>(simplifyChildren(&branch));
    bool hasThen = !isEmpty(inside->thenBody);
    bool hasElse = !isEmpty(inside->elseBody);
    if (!hasThen && !hasElse)
      return nullptr;
    if (!hasThen) {
      const Expr *opposite = simplifyExpr(affine_, builder_.unary(UnaryOp::Not, inside->condition));
      return context_.make<If>(inside->info(), opposite, inside->elseBody, nullptr);
    }
    if (!hasElse && inside->elseBody)
      return context_.make<If>(inside->info(), inside->condition, inside->thenBody, nullptr);
    return inside;
  }

  const Stmt *simplifyLoop(const For &loop) {
    if (std::optional<int64_t> extent = constantValue(loop.extent)) {
      if (*extent <= 0)
        return nullptr;
      if (*extent == 1 && !loop.pipeline)
        return simplify(inlineIteration(loop));
      if (isWrittenOut(loop, *extent))
        return simplify(iterationsOf(loop, *extent));
    }
    if (hasFixedChildren(loop))
      return simplifyScheduledLoop(loop);
    const auto *inside = llvm::cast<For>(simplifyChildren(&loop));
    return isEmpty(inside->body) ? nullptr : inside;
  }

  const Stmt *simplifyScheduledLoop(const For &loop) {
    ScopedFacts facts(affine_, &loop, loop.body);
    auto simplifyInPlace = [&](const Stmt *stmt) { return simplifyChildren(shorten(stmt)); };
    return mapChildren(context_, &loop, [&](const Stmt *body) {
      return llvm::isa<Seq>(body) ? mapChildren(context_, body, simplifyInPlace)
                                  : simplifyInPlace(body);
    });
  }

  // There is no iteration that a Break could keep from coming.
  const Stmt *withoutBreaks(const Stmt *body) {
    if (llvm::isa<Break>(body))
      return builder_.seq(builder_.fresh(body->span()), {});
    if (llvm::isa<For>(body))
      return body;
    return mapChildren(context_, body, [&](const Stmt *child) {
      return llvm::isa<Break>(child) ? nullptr : withoutBreaks(child);
    });
  }

  const Stmt *inlineIteration(const For &loop) {
    Substitution substitution;
    substitution[loop.var] = loop.min;
    return rewriteStmt(context_, withoutBreaks(loop.body), [&](const Stmt *stmt) {
      return mapExprs(context_, stmt,
                      [&](const Expr *expr) { return substitute(context_, expr, substitution); });
    });
  }

  bool isWrittenOut(const For &loop, int64_t extent) const {
    constexpr int64_t MostIterations = 16;
    if (!isOfTiles_ || loop.forKind != ForKind::Unrolled || extent > MostIterations ||
        mayEndEarly(loop))
      return false;
    bool isFound = false;
    walk(loop.body, [&](const Stmt *stmt) {
      const auto *op = llvm::dyn_cast<OpStmt>(stmt);
      isFound |= op && llvm::any_of(op->opInfo().operands,
                                    [](const OperandInfo &operand) { return operand.isMbarrier; });
      return !isFound;
    });
    return isFound;
  }

  const Stmt *iterationsOf(const For &loop, int64_t extent) {
    llvm::SmallVector<const Stmt *> iterations;
    for (int64_t at = 0; at != extent; ++at) {
      Substitution substitution;
      substitution[loop.var] = builder_.add(loop.min, builder_.integer(at, loop.var->dtype()));
      iterations.push_back(cloneStmt(context_, loop.body, substitution));
    }
    return builder_.seq(builder_.fresh(loop.span()), iterations);
  }

  Context &context_;
  Builder builder_;
  IrAffine affine_;
  bool isOfTiles_;
  Substitution constants_;
};

class Simplify : public Pass {
public:
  const Module *run(const Module &module, PassContext &context) override {
    return forEachFunction(module, [&](const Function &function) {
      const auto *seq = llvm::dyn_cast<Seq>(function.body);
      if (seq && seq->stmts.empty())
        return &function;
      const Stmt *body = StatementSimplifier(context.context, function).simplify(function.body);
      body = body ? withoutUnreadBinds(context.context, body) : nullptr;
      if (!body)
        body = context.context.make<Seq>(function.body->info(), StmtList());
      return withBody(context.context, function, body);
    });
  }
};

} // namespace

std::unique_ptr<Pass> createSimplify() { return std::make_unique<Simplify>(); }

} // namespace tilescope
