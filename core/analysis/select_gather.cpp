#include "core/analysis/select_gather.h"

#include "core/analysis/layout_access.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>

namespace tilescope {

namespace {

bool isZero(const Expr *expr) {
  const auto *floating = llvm::dyn_cast<FloatImm>(expr);
  return constantValue(expr) == 0 || (floating && floating->value == 0);
}

// The load that the value is, under which condition.
bool takeValue(const Expr *value, Gather &gather) {
  if (const auto *select = llvm::dyn_cast<Select>(value); select && isZero(select->whenFalse)) {
    gather.predicate = select->condition;
    value = select->whenTrue;
  }
  gather.load = llvm::dyn_cast<Load>(value);
  return gather.load != nullptr;
}

class GatherSelector {
public:
  GatherSelector(Context &context, const Parallel &nest, const Gather &gather,
                 const Function &function)
      : context_(context), nest_(nest), gather_(gather), function_(function),
        var_(nest.vars.back()), bound_(boundValuesOf(function)) {
    for (const Bind *bind : gather.binds)
      inlined_[bind->var] = substitute(context, bind->value, inlined_);
  }

  // A fragment that an index or a condition reads; null: none.
  const Buffer *fragmentRead() {
    llvm::SmallVector<const Expr *> roots;
    for (const Bind *bind : gather_.binds)
      roots.push_back(bind->value);
    roots.append(gather_.load->indices.begin(), gather_.load->indices.end());
    if (gather_.predicate)
      roots.push_back(gather_.predicate);
    const Buffer *found = nullptr;
    for (const Expr *root : roots)
      walk(root, [&](const Expr *node) {
        const auto *load = llvm::dyn_cast<Load>(node);
        if (load && function_.buffer(load->buffer).scope == Scope::Fragment)
          found = &function_.buffer(load->buffer);
      });
    return found;
  }

  // Adjacent elements that are copied alike: along the last variable, under one condition.
  int64_t elements() {
    std::optional<int64_t> extent = constantValue(nest_.extents.back());
    if (!extent || (gather_.predicate && mentionsVar(gather_.predicate)))
      return 1;
    int64_t limit = std::min(widthOf(gather_.store->buffer, gather_.store->indices),
                             widthOf(gather_.load->buffer, gather_.load->indices));
    return std::gcd(limit, *extent);
  }

private:
  bool mentionsVar(const Expr *expr) {
    bool found = false;
    walk(substitute(context_, expr, inlined_), [&](const Expr *node) { found |= node == var_; });
    return found;
  }

  // A run must not go on in the next row, of which other coordinates decide whether it exists.
  int64_t widthOf(BufferId id, ExprList indices) {
    const Buffer &buffer = function_.buffer(id);
    llvm::SmallVector<const Expr *> places;
    for (const Expr *index : indices)
      places.push_back(substitute(context_, index, inlined_));
    int64_t widest = WidestAccessBytes * 8 / buffer.dtype.bits;
    int64_t width = contiguousElements(context_, buffer, places, var_, widest, bound_);
    return std::gcd(width, knownDivisor(buffer.shape.back()));
  }

  Context &context_;
  const Parallel &nest_;
  const Gather &gather_;
  const Function &function_;
  const Var *var_;
  BoundValues bound_;
  Substitution inlined_; // values of the bindings
};

} // namespace

std::optional<Gather> gatherOf(const Parallel &nest, const Function &function) {
  Gather gather;
  StmtList stmts = nest.body;
  if (const auto *seq = llvm::dyn_cast<Seq>(nest.body))
    stmts = seq->stmts;
  for (const Stmt *stmt : stmts) {
    const auto *bind = llvm::dyn_cast<Bind>(stmt);
    if (gather.store || !(bind || llvm::isa<Store>(stmt)))
      return std::nullopt;
    if (bind)
      gather.binds.push_back(bind);
    else
      gather.store = llvm::cast<Store>(stmt);
  }
  if (!gather.store || !takeValue(gather.store->value, gather))
    return std::nullopt;
  bool isLoaded = isShared(function.buffer(gather.store->buffer).scope) &&
                  function.buffer(gather.load->buffer).scope == Scope::Global;
  return isLoaded ? std::optional(gather) : std::nullopt;
}

GatherChoice selectGather(Context &context, const Parallel &nest, const Gather &gather,
                          const Function &function, const Target &target) {
  GatherChoice choice;
  const Buffer &source = function.buffer(gather.load->buffer);
  const Buffer &destination = function.buffer(gather.store->buffer);
  GatherSelector selector(context, nest, gather, function);
  if (!target.hasCpAsync()) {
    choice.obstacle = "the target has no cp.async";
    return choice;
  }
  if (!llvm::all_of(nest.extents,
                    [](const Expr *extent) { return constantValue(extent).value_or(0) > 0; })) {
    choice.obstacle = "its extents are no constants";
    return choice;
  }
  if (source.dtype != destination.dtype) {
    choice.obstacle =
        llvm::formatv("{0} is converted to {1}", source.dtype.name(), destination.dtype.name());
    return choice;
  }
  if (const Buffer *fragment = selector.fragmentRead()) {
    choice.obstacle = llvm::formatv(
        "which element it copies is said by '{0}', which lies in registers", fragment->name);
    return choice;
  }
  choice.vectorBytes = bytesOf(destination, selector.elements());
  if (choice.vectorBytes < 4)
    choice.obstacle =
        llvm::formatv("{0} {1} of '{2}' lie side by side, and cp.async moves at "
                      "least 4 bytes",
                      choice.vectorBytes, choice.vectorBytes == 1 ? "byte" : "bytes", source.name);
  return choice;
}

} // namespace tilescope
