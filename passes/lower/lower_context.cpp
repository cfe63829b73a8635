#include "passes/lower/lower_context.h"

#include "core/ir/expr_equal.h"

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
  const Expr *value = builder_.floorDiv(launch_.threadVar, index(digit.stride));
  return digit.stride * digit.extent >= launch_.threads
             ? value
             : builder_.floorMod(value, index(digit.extent));
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
  for (const Stmt *stmt : laneBinds_)
    if (const auto *bind = llvm::cast<Bind>(stmt); isSameExpr(bind->value, value))
      return bind->var;
  const Var *var = builder_.var(name, value->dtype());
  laneBinds_.push_back(context().make<Bind>(builder_.lowered(launch_), var, value));
  return var;
}

const Stmt *LowerContext::unrolled(const Var *var, int64_t extent, const Stmt *body) {
  return context().make<For>(info(), var, builder_.integer(0, var->dtype()),
                             builder_.integer(extent, var->dtype()), ForKind::Unrolled, body);
}

const Stmt *LowerContext::unrolledOver(llvm::StringRef name, int64_t extent,
                                       llvm::function_ref<const Stmt *(const Expr *)> makeBody) {
  if (extent == 1)
    return makeBody(index(0));
  const Var *var = indexVar(name);
  return unrolled(var, extent, makeBody(var));
}

BufferRegion LowerContext::registers(BufferId buffer, const Expr *first, int64_t elements) {
  return builder_.region(buffer, nullptr, Range{first, index(elements)}, stmt().span());
}

const Stmt *LowerContext::fail(BufferId buffer, llvm::StringRef reason) {
  pass_.diagnostics.report(DiagId::NotLowered, stmt().span(), function_.buffer(buffer).name,
                           reason);
  return nullptr;
}

} // namespace tilescope
