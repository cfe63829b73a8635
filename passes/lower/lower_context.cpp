#include "passes/lower/lower_context.h"

#include "core/ir/expr_equal.h"
#include "core/ir/visit.h"

#include "llvm/ADT/DenseSet.h"

namespace tilescope {

LowerContext::LowerContext(PassContext &pass, const Function &function, const Launch &launch)
    : pass_(pass), function_(function), launch_(launch), builder_(pass.context),
      added_(pass.context, function) {}

const Buffer &LowerContext::buffer(BufferId id) const {
  const Buffer *added = added_.find(id);
  return added ? *added : function_.buffer(id);
}

const Expr *LowerContext::binary(BinaryOp op, const Expr *a, const Expr *b) {
  DType wide = a->dtype().bits >= b->dtype().bits ? a->dtype() : b->dtype();
  return builder_.binary(op, builder_.cast(wide, a), builder_.cast(wide, b));
}

const Expr *LowerContext::scale(const Expr *a, int64_t factor) {
  return builder_.mul(a, builder_.integer(factor, a->dtype()));
}

const Expr *LowerContext::threadDigit(const Digit &digit) {
  if (digit.extent == 1)
    return index(0);
  const Expr *value = builder_.floorDiv(threadVar(), index(digit.stride));
  return digit.stride * digit.extent >= threads() ? value
                                                  : builder_.floorMod(value, index(digit.extent));
}

const Expr *LowerContext::threadVar() {
  return role_ ? builder_.sub(launch_.threadVar, index(role_->firstThread)) : launch_.threadVar;
}

const Stmt *LowerContext::inRole(const Role &role, llvm::function_ref<const Stmt *()> lowerBody) {
  llvm::SmallVector<LaneName> outside = std::exchange(laneNames_, {});
  role_ = &role;
  const Stmt *body = withSharedLaneNames(lowerBody());
  role_ = nullptr;
  laneNames_ = std::move(outside);
  return body;
}

const Expr *LowerContext::threadNumber(llvm::ArrayRef<Digit> digits) {
  const Expr *number = index(0);
  for (const WeightedDigit &weighted : weightsOf(digits))
    number = add(number, scale(threadDigit(weighted.digit), weighted.weight));
  return number;
}

const Expr *LowerContext::laneCoordinate(llvm::StringRef name, const Expr *value) {
  if (llvm::isa<Var, IntImm>(value))
    return value;
  for (LaneName &known : laneNames_)
    if (isSameExpr(known.bind->value, value)) {
      known.isShared |= known.askedBy != from_;
      return known.bind->var;
    }
  const Var *var = builder_.var(name, value->dtype());
  laneNames_.push_back({llvm::cast<Bind>(bind(var, value)), from_});
  return var;
}

const Stmt *LowerContext::withLaneNames(const Stmt *lowered) {
  llvm::SmallVector<const Stmt *> stmts;
  for (const LaneName &name : laneNames_)
    if (name.askedBy == from_)
      stmts.push_back(name.bind);
  if (stmts.empty())
    return lowered;
  stmts.push_back(lowered);
  return seq(stmts);
}

const Stmt *LowerContext::withSharedLaneNames(const Stmt *body) {
  llvm::SmallVector<const Stmt *> stmts;
  llvm::DenseSet<const Stmt *> moved;
  for (const LaneName &name : laneNames_)
    if (name.isShared) {
      moved.insert(name.bind);
      stmts.push_back(context().make<Bind>(
          builder_.lowered(role_ ? static_cast<const Stmt &>(*role_) : launch_), name.bind->var,
          name.bind->value));
    }
  if (stmts.empty())
    return body;
  const Stmt *rest = rewriteStmt(context(), body, [&](const Stmt *stmt) -> const Stmt * {
    return moved.contains(stmt) ? nullptr : stmt;
  });
  stmts.push_back(rest);
  return builder_.seq(llvm::isa<Seq>(rest) ? rest->info() : builder_.fresh(rest->span()), stmts);
}

const Stmt *LowerContext::unrolled(const Var *var, int64_t extent, const Stmt *body) {
  return context().make<For>(info(), var, builder_.integer(0, var->dtype()),
                             builder_.integer(extent, var->dtype()), ForKind::Unrolled, body);
}

const Stmt *LowerContext::loopOver(llvm::StringRef name, int64_t extent, ForKind kind,
                                   llvm::function_ref<const Stmt *(const Expr *)> makeBody) {
  if (extent == 1)
    return makeBody(index(0));
  const Var *var = indexVar(name);
  return context().make<For>(info(), var, index(0), index(extent), kind, makeBody(var));
}

BufferRegion LowerContext::registers(BufferId buffer, const Expr *first, int64_t elements) {
  return builder_.region(buffer, nullptr, Range{first, index(elements)}, stmt().span());
}

const Stmt *LowerContext::shuffle(const Buffer &result, ShuffleKind kind, const Expr *value,
                                  int64_t lane) {
  return builder_.op(info(), Op::Shuffle, registers(result.id, index(0), 1),
                     {value, index(lane), nullptr}, {{Attr::Kind, static_cast<int64_t>(kind)}});
}

const Stmt *LowerContext::fail(BufferId buffer, llvm::StringRef reason) {
  pass_.diagnostics.report(DiagId::NotLowered, stmt().span(), function_.buffer(buffer).name,
                           reason);
  return nullptr;
}

} // namespace tilescope
