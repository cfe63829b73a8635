#include "core/frontend/addresses.h"

#include "core/frontend/expr_operators.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

static const Expr *withoutCasts(const Expr *expr) {
  while (const auto *cast = llvm::dyn_cast<Cast>(expr))
    expr = cast->operand;
  return expr;
}

// Null: it is no variable that the kernel binds.
static const Expr *valueOf(Evaluation &evaluation, const Expr *expr) {
  const auto *var = llvm::dyn_cast<Var>(expr);
  return var && evaluation.kernel ? evaluation.kernel->valueOf(var) : nullptr;
}

static bool holdsAddresses(DType dtype) { return dtype.isInteger() && dtype.bits == 64; }

static PointerObject *declareAddresses(Evaluation &evaluation, AddressParam param, size_t position,
                                       llvm::StringRef name, Span span) {
  auto *pointer = evaluation.heap.make<PointerObject>();
  pointer->position = position;
  if (param.table)
    pointer->table = param.table->draft.shape.vec();
  param.pointer = pointer;
  evaluation.signature.pointers.push_back({pointer, name.str(), span});
  evaluation.signature.addresses.push_back(param);
  return pointer;
}

// The parameter as a pointer, or a table of them; null: it is none.
static PointerObject *pointerParam(Evaluation &evaluation, const AddressParam &param,
                                   llvm::StringRef name, Span span) {
  for (const AddressParam &known : evaluation.signature.addresses)
    if (known.var == param.var && known.table == param.table)
      return known.pointer;
  std::optional<size_t> position = evaluation.kernel->removeParam(param.var, param.table);
  return position ? declareAddresses(evaluation, param, *position, name, span) : nullptr;
}

static PointerObject *pointerOfTable(Evaluation &evaluation, const Load &load, bool isNamed,
                                     Span span) {
  BufferObject *table = evaluation.kernel->findBuffer(load.buffer);
  if (table->draft.scope != Scope::Global || !table->draft.strides.empty() || table->lanes > 1)
    return nullptr;
  // What an index in memory is may have changed since the address got its name.
  if (isNamed && llvm::any_of(load.indices, readsMemory))
    return nullptr;
  PointerObject *tableOf =
      pointerParam(evaluation, {nullptr, table, nullptr}, table->sourceName, span);
  if (!tableOf)
    return nullptr;
  auto *pointer = evaluation.heap.make<PointerObject>();
  pointer->tableOf = tableOf;
  for (const Expr *row : load.indices) {
    if (readsMemory(row) && !evaluation.requireLaunch("an address of a table", span))
      return nullptr;
    bool isSettled = constantValue(row) || llvm::isa<Var>(row);
    pointer->row.push_back(isSettled ? row : evaluation.kernel->bind("row", row, span));
  }
  return pointer;
}

PointerObject *pointerAt(Evaluation &evaluation, Value address, Span span) {
  if (auto *pointer = address.as<PointerObject>())
    return pointer;
  const Expr *given = toExpr(evaluation, address, span);
  if (!given)
    return nullptr;
  const Expr *expr = withoutCasts(given);
  bool isNamed = false;
  while (const Expr *value = valueOf(evaluation, expr)) {
    expr = withoutCasts(value);
    isNamed = true;
  }
  PointerObject *pointer = nullptr;
  if (const auto *load = llvm::dyn_cast<Load>(expr); load && holdsAddresses(load->dtype()))
    pointer = pointerOfTable(evaluation, *load, isNamed, span);
  else if (const auto *var = llvm::dyn_cast<Var>(expr); var && holdsAddresses(var->dtype()))
    pointer = pointerParam(evaluation, {var, nullptr, nullptr}, var->name, span);
  if (!pointer && !evaluation.hasErrors())
    evaluation.fail(DiagId::NotSupportedYet, span,
                    "a tensor at an address that is no parameter and in no table of one");
  return pointer;
}

namespace {

class AddressUses {
public:
  explicit AddressUses(Evaluation &evaluation) : evaluation_(evaluation) {
    for (const AddressParam &param : evaluation.signature.addresses)
      if (param.var)
        addresses_.insert(param.var);
  }

  // Names of addresses go; null for a statement that was one.
  const Stmt *withoutNames(const Stmt *stmt) {
    return mapChildren(evaluation_.context, stmt, [&](const Stmt *child) -> const Stmt * {
      const auto *bind = llvm::dyn_cast<Bind>(child);
      if (!bind || !isAddress(bind->value))
        return withoutNames(child);
      addresses_.insert(bind->var);
      return nullptr;
    });
  }

  // False after reporting that one is read as a number.
  bool areGone(const Function &function, const Stmt *body) {
    bool isFine = true;
    for (const Buffer *buffer : function.buffers)
      for (ExprList extents : {buffer->shape, buffer->strides})
        for (const Expr *extent : extents)
          walk(extent, [&](const Expr *part) {
            isFine &= !isFine || !isAddress(part) || reportUse(buffer->span);
          });
    walk(body, [&](const Stmt *stmt) {
      forEachExpr(stmt, [&](const Expr *expr) {
        walk(expr,
             [&](const Expr *part) { isFine &= !isAddress(part) || reportUse(stmt->span()); });
      });
      for (const BufferAccess &access : accessesOf(evaluation_.context, stmt))
        isFine &= !isTable(access.buffer) || reportUse(stmt->span());
      return isFine;
    });
    return isFine;
  }

private:
  bool isTable(BufferId buffer) const {
    return llvm::any_of(evaluation_.signature.addresses, [&](const AddressParam &param) {
      return param.table && param.table->draft.id == buffer;
    });
  }

  bool isAddress(const Expr *expr) const {
    expr = withoutCasts(expr);
    const auto *load = llvm::dyn_cast<Load>(expr);
    const auto *var = llvm::dyn_cast<Var>(expr);
    return (load && isTable(load->buffer)) || (var && addresses_.contains(var));
  }

  bool reportUse(Span span) {
    return evaluation_.failed(DiagId::NotSupportedYet, span,
                              "an address that is read as a number too");
  }

  Evaluation &evaluation_;
  llvm::DenseSet<const Var *> addresses_; // parameters, and names that are bound to one
};

} // namespace

const Function *withoutAddresses(Evaluation &evaluation, const Function &function) {
  if (evaluation.signature.addresses.empty())
    return &function;
  AddressUses uses(evaluation);
  const Stmt *body = uses.withoutNames(function.body);
  return uses.areGone(function, body) ? withBody(evaluation.context, function, body) : nullptr;
}

} // namespace tilescope::frontend
