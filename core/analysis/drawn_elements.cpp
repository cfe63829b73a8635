#include "core/analysis/drawn_elements.h"

#include "core/ir/atomic_attrs.h"
#include "core/ir/expr_equal.h"
#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// Adds to an element at least 1, in one step.
bool countsUp(const OpStmt &op) {
  const OpInfo &info = op.opInfo();
  return info.has(Attr::Kind) && !info.operands.empty() && info.operands[0].isAtomic &&
         info.operands[0].effect == Effect::ReadWrite && op.args.size() == 1 &&
         atomicKindOf(op.attr(Attr::Kind)) == AtomicKind::Add &&
         constantValue(op.args[0]).value_or(0) > 0;
}

// And gives what was there into a register of the thread. Null: it is no such operation.
const BufferRegion *resultOf(const OpStmt &op) {
  bool gives = countsUp(op) && op.regions.size() == 2 && op.operand(1).effect == Effect::Write &&
               !op.operand(1).isAtomic;
  return gives ? &op.regions[1] : nullptr;
}

// Set to what is not negative, and counted up from there.
bool isCounter(Context &context, const Function &function, BufferId buffer) {
  bool isCounter = true;
  walk(function.body, [&](const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(context, stmt)) {
      if (access.buffer != buffer || access.effect == Effect::Read)
        continue;
      const auto *op = llvm::dyn_cast<OpStmt>(stmt);
      const auto *store = llvm::dyn_cast<Store>(stmt);
      isCounter &= op ? countsUp(*op) : store && constantValue(store->value).value_or(-1) >= 0;
    }
    return isCounter;
  });
  return isCounter;
}

// n of `n + extent if n < 0 else n`, as what counts from the end is legalized, for an n that is not
// negative.
const Expr *withoutWrap(const Expr *index) {
  const auto *select = llvm::dyn_cast<Select>(index);
  const auto *less = select ? llvm::dyn_cast<Binary>(select->condition) : nullptr;
  bool isWrap = less && less->op == BinaryOp::Less && constantValue(less->rhs) == 0 &&
                isSameExpr(less->lhs, select->whenFalse);
  return isWrap ? select->whenFalse : index;
}

// The one element of a register array, as an index may load it.
bool isElement(const Expr *expr, BufferId buffer, ExprList indices) {
  const auto *load = llvm::dyn_cast<Load>(expr);
  return load && load->buffer == buffer &&
         llvm::all_of(llvm::zip_equal(load->indices, indices),
                      [](auto pair) { return isSameExpr(std::get<0>(pair), std::get<1>(pair)); });
}

// What draws the number, in front of `stmt` among its siblings, with nothing between but other
// stores and names. Null: not known.
const OpStmt *drawOf(const StmtPlaces &places, const Function &function, const Stmt &stmt,
                     const Expr *number) {
  const auto *seq = llvm::dyn_cast_or_null<Seq>(places.parentOf(&stmt));
  if (!seq)
    return nullptr;
  const auto *at = llvm::find(seq->stmts, &stmt);
  while (at != seq->stmts.begin() && llvm::isa<Load, Var>(number)) {
    const Stmt *before = *--at;
    if (const auto *bind = llvm::dyn_cast<Bind>(before)) {
      number = bind->var == number ? bind->value : number;
    } else if (const auto *store = llvm::dyn_cast<Store>(before)) {
      const auto *load = llvm::dyn_cast<Load>(number);
      if (!load || load->buffer != store->buffer)
        continue;
      if (!isElement(number, store->buffer, store->indices))
        return nullptr; // perhaps the same element
      number = store->value;
    } else {
      const auto *op = llvm::dyn_cast<OpStmt>(before);
      const BufferRegion *result = op ? resultOf(*op) : nullptr;
      bool isOne = result && function.buffer(result->buffer).scope == Scope::LocalVar;
      const auto *load = llvm::dyn_cast<Load>(number);
      return isOne && load && load->buffer == result->buffer ? op : nullptr;
    }
  }
  return nullptr;
}

} // namespace

DrawKey drawKeyOf(Context &context, const Function &function, const StmtPlaces &places,
                  const Stmt &stmt, const BufferAccess &access) {
  for (auto [axis, range] : llvm::enumerate(access.ranges)) {
    const OpStmt *draw = llvm::isa<Store>(stmt) && constantValue(range.extent) == 1
                             ? drawOf(places, function, stmt, withoutWrap(range.min))
                             : nullptr;
    if (!draw)
      continue;
    const BufferRegion &counter = draw->regions[0];
    const Buffer &buffer = function.buffer(counter.buffer);
    if (!isShared(buffer.scope) || counter.slot || !isCounter(context, function, buffer.id))
      return {};
    DrawKey key = {static_cast<int64_t>(counter.buffer.value), static_cast<int64_t>(axis)};
    for (const Range &place : counter.ranges) {
      const auto *same = llvm::find_if(access.ranges, [&](const Range &other) {
        return !readsMemory(place.min) && isSameExpr(other.min, place.min);
      });
      std::optional<int64_t> fixed = constantValue(place.min);
      if (same == access.ranges.end() && !fixed)
        return {};
      bool isOfElement = same != access.ranges.end();
      key.append({isOfElement, isOfElement ? same - access.ranges.begin() : *fixed});
    }
    return key;
  }
  return {};
}

} // namespace tilescope
