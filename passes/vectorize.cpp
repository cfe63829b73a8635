// vectorize: short loops over adjacent elements of memory become wide accesses.
//
//     for v in T.unroll(2):
//       if row < M:
//         C[row, col + v] = T.float16(C_local[4 * j + v])
//   becomes
//     for v in T.unroll(2):
//       C_vec[v] = T.float16(C_local[4 * j + v])
//     T.vector_copy(C_vec[0:2], C[row, col:col + 2], row < M, bytes=4)
//
// Loads come first, into arrays of their own, then the computation, then the stores; where a store
// only moves registers, they are its source. How wide an access may be says layout_access. Guarded
// accesses are wide only if the guard has one value for all elements; loads that it forbids give 0.
//
// A load moves to before the loop, and a store to after it, only where it overtakes no access that
// may touch the same element (core/analysis/element_dependences); else it stays in the loop.
//
// Not done: loops that hold anything but bindings, conditions and stores, and values that a store
// of the loop passes on to a load after it. Loops that the kernel marked T.vectorized and that stay
// become unrolled ones. Long loops become loops over runs first (loop_runs.h). Quotients and
// remainders that a loop passes no multiple of are split, for sm_90a (split_quotients.h).
//
// Requires: lowered.
#include "core/analysis/vector_access.h"
#include "core/ir/expr_equal.h"
#include "core/pass/pass.h"
#include "passes/first_iteration.h"
#include "passes/loop_runs.h"
#include "passes/lower/added_buffers.h"
#include "passes/split_quotients.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

bool isZero(const Expr *expr) {
  const auto *floating = llvm::dyn_cast<FloatImm>(expr);
  return constantValue(expr) == 0 || (floating && floating->value == 0);
}

class LoopVectorizer {
public:
  LoopVectorizer(PassContext &pass, const Function &function, IrAffine &affine,
                 const BoundValues &bound, AddedBuffers &registers, const StoreLoop &loop)
      : pass_(pass), context_(pass.context), function_(function), registers_(registers),
        loop_(loop), builder_(pass.context), wide_(affine, function, bound, loop),
        first_(pass.context, loop) {}

  // The statements in place of the loop, or null if no access became wide.
  const Stmt *run() {
    if (!wide_.hasRuns())
      return nullptr;
    if (std::string reason = wide_.whyNone(); !reason.empty()) {
      emitRemark(pass_.remarks, RemarkId::LoopNotVectorized, {loop_.loop->id(), loop_.loop->span()},
                 loop_.var()->name, reason);
      return nullptr;
    }
    for (const Bind *bind : loop_.varying)
      rewriteBind(*bind);
    for (const GuardedStore &guarded : loop_.stores)
      rewriteStore(guarded);
    return isChanged_ ? assemble() : nullptr;
  }

private:
  struct LoadedArray {
    const Load *load;
    const Expr *guard;
    const Buffer *array;
  };

  const Buffer &buffer(BufferId id) const {
    const Buffer *added = registers_.find(id);
    return added ? *added : function_.buffer(id);
  }

  int64_t widthOf(const Load &load, const Expr *guard) {
    return wide_.widthOf(buffer(load.buffer), load.slot, load.indices, guard);
  }

  const Stmt *move(const Stmt &from, BufferRegion source, BufferRegion destination, int64_t width,
                   const Expr *guard) {
    const BufferRegion operands[] = {source, destination};
    int64_t bytes = buffer(destination.buffer).dtype.bytes(width);
    return builder_.op(builder_.lowered(from), Op::VectorCopy, operands, guard,
                       {{Attr::Bytes, bytes}});
  }

  // A move whose predicate is false writes zeros, but to global memory nothing.
  const Stmt *moveIf(const Stmt &from, const Expr *condition, BufferRegion source,
                     BufferRegion destination, int64_t width) {
    if (!condition || buffer(destination.buffer).scope == Scope::Global)
      return move(from, source, destination, width, condition);
    const Stmt *moved = move(from, source, destination, width, nullptr);
    return context_.make<If>(builder_.lowered(from), condition, moved, nullptr);
  }

  void remarkOn(const Stmt &stmt, BufferId id, int64_t width) {
    emitRemark(pass_.remarks, RemarkId::LoopVectorized, {stmt.id(), stmt.span(), {id}},
               buffer(id).name, buffer(id).dtype.bytes(width));
  }

  // Whether there is no reason against a wide access; says so if there is.
  bool mayBeWide(const Stmt &stmt, BufferId id, const std::string &reason) {
    if (!reason.empty())
      emitRemark(pass_.remarks, RemarkId::AccessNotVectorized, {stmt.id(), stmt.span(), {id}},
                 buffer(id).name, reason);
    return reason.empty();
  }

  const Expr *element(const Buffer &array) {
    return context_.make<Load>(array.dtype, array.id, nullptr,
                               context_.copy<const Expr *>({loop_.var()}));
  }

  const Expr *rewriteLoad(const Stmt &user, const Load &load, const Expr *guard) {
    if (!isMemory(buffer(load.buffer).scope))
      return &load;
    int64_t width = widthOf(load, guard);
    if (width == 1 || !mayBeWide(user, load.buffer, wide_.whyNotLoaded(user, load, guard)))
      return &load;
    for (const LoadedArray &loaded : loaded_)
      if (loaded.guard == guard && isSameExpr(loaded.load, &load))
        return element(*loaded.array);
    const Buffer &array = registers_.make(buffer(load.buffer), "vec", loop_.extent, user.span());
    loadInto(user, load, guard, array.id, builder_.integer(0), width);
    loaded_.push_back({&load, guard, &array});
    return element(array);
  }

  // Loads all elements of the loop to registers from `first` on.
  void loadInto(const Stmt &user, const Load &load, const Expr *guard, BufferId into,
                const Expr *first, int64_t width) {
    for (int64_t step = 0; step < loop_.extent; step += width) {
      Range target{builder_.add(first, builder_.integer(step, first->dtype())),
                   builder_.integer(width, first->dtype())};
      before_.push_back(
          move(user, first_.regionAt(load.buffer, load.slot, load.indices, step, width),
               builder_.region(into, nullptr, target, user.span()), width, first_.valueOf(guard)));
    }
    remarkOn(user, load.buffer, width);
    isChanged_ = true;
  }

  // Replaces loads that one wide access can do; `guard` is what allows them.
  const Expr *rewriteValue(const Stmt &user, const Expr *expr, const Expr *guard) {
    if (const auto *load = llvm::dyn_cast<Load>(expr))
      return rewriteLoad(user, *load, guard);
    const auto *binary = llvm::dyn_cast<Binary>(expr);
    if (binary && (binary->op == BinaryOp::And || binary->op == BinaryOp::Or))
      // Only the left side is always evaluated.
      return builder_.binary(binary->op, rewriteValue(user, binary->lhs, guard), binary->rhs);
    const auto *select = llvm::dyn_cast<Select>(expr);
    if (!select)
      return mapChildren(context_, expr,
                         [&](const Expr *operand) { return rewriteValue(user, operand, guard); });
    const Expr *whenTrue =
        rewriteValue(user, select->whenTrue, builder_.logicalAnd(guard, select->condition));
    bool isGuardedLoad = llvm::isa<Load>(select->whenTrue) && whenTrue != select->whenTrue;
    if (isGuardedLoad && isZero(select->whenFalse))
      return whenTrue;
    return builder_.select(select->condition, whenTrue, select->whenFalse);
  }

  bool readsSharedOrGlobal(const Expr *expr) {
    bool found = false;
    walk(expr, [&](const Expr *node) {
      const auto *load = llvm::dyn_cast<Load>(node);
      found |= load && isMemory(buffer(load->buffer).scope);
    });
    return found;
  }

  // An array of registers of one axis, a run of which wide accesses may name.
  bool isRegisterRow(BufferId id) const {
    return buffer(id).scope == Scope::Local && buffer(id).shape.size() == 1;
  }

  // `registers[first + v] = memory[...]` needs no array in between.
  bool loadsToRegisters(const GuardedStore &guarded) {
    const Store &store = *guarded.store;
    const Expr *guard = nullptr;
    const Expr *value = store.value;
    const auto *select = llvm::dyn_cast<Select>(value);
    if (select && isZero(select->whenFalse)) {
      guard = select->condition;
      value = select->whenTrue;
    }
    const auto *load = llvm::dyn_cast<Load>(value);
    if (!load || guarded.condition || !isMemory(buffer(load->buffer).scope) ||
        !isRegisterRow(store.buffer))
      return false;
    int64_t width = widthOf(*load, guard);
    if (width == 1 ||
        wide_.widthOf(buffer(store.buffer), nullptr, store.indices, nullptr) < width ||
        !wide_.mayBeTarget(store) || !wide_.whyNotLoaded(store, *load, guard).empty())
      return false;
    loadInto(store, *load, guard, store.buffer, first_.valueOf(store.indices[0]), width);
    return true;
  }

  void keepInLoop(const Store &store, const Expr *condition, const Expr *value) {
    const Stmt *kept = &store;
    if (value != store.value)
      kept = context_.make<Store>(store.info(), store.buffer, store.slot, store.indices, value);
    if (condition)
      kept = context_.make<If>(builder_.lowered(store), condition, kept, nullptr);
    inside_.push_back(kept);
  }

  // A value that is loaded once and used twice: `x = A[i]`.
  void rewriteBind(const Bind &bind) {
    const Expr *value = rewriteValue(bind, bind.value, nullptr);
    insideBinds_.push_back(value == bind.value ? &bind
                                               : context_.make<Bind>(bind.info(), bind.var, value));
  }

  // Whether the wide store in place of `store` may take its elements from where `load` finds them.
  bool isSource(const Store &store, const Load &load, int64_t width) {
    if (!isRegisterRow(load.buffer) || widthOf(load, nullptr) < width)
      return false;
    bool isOwnArray = &load != store.value;
    return isOwnArray || wide_.mayBeSource(store, load);
  }

  void rewriteStore(const GuardedStore &guarded) {
    const Store &store = *guarded.store;
    if (loadsToRegisters(guarded))
      return;
    const Expr *value = rewriteValue(store, store.value, guarded.condition);
    const Buffer &target = buffer(store.buffer);
    int64_t width = isMemory(target.scope)
                        ? wide_.widthOf(target, store.slot, store.indices, guarded.condition)
                        : 1;
    if (width == 1 || !mayBeWide(store, target.id, wide_.whyNotStored(store, guarded.condition)))
      return keepInLoop(store, guarded.condition, value);
    BufferId source;
    const Expr *first = nullptr;
    const auto *load = llvm::dyn_cast<Load>(value);
    if (load && isSource(store, *load, width)) {
      source = load->buffer;
      first = first_.valueOf(load->indices[0]);
    } else {
      const Buffer &array = registers_.make(target, "vec", loop_.extent, store.span());
      source = array.id;
      first = builder_.integer(0);
      const auto *toArray = context_.make<Store>(builder_.lowered(store), array.id, nullptr,
                                                 context_.copy<const Expr *>({loop_.var()}), value);
      // What stays conditional is only what must not be read otherwise.
      keepInLoop(*toArray, readsSharedOrGlobal(value) ? guarded.condition : nullptr, value);
    }
    for (int64_t step = 0; step < loop_.extent; step += width) {
      Range taken{builder_.add(first, builder_.integer(step, first->dtype())),
                  builder_.integer(width, first->dtype())};
      after_.push_back(moveIf(store, first_.valueOf(guarded.condition),
                              builder_.region(source, nullptr, taken, store.span()),
                              first_.regionAt(store.buffer, store.slot, store.indices, step, width),
                              width));
    }
    remarkOn(store, store.buffer, width);
    isChanged_ = true;
  }

  const Stmt *assemble() {
    const For &loop = *loop_.loop;
    llvm::SmallVector<const Stmt *> stmts(loop_.invariant.begin(), loop_.invariant.end());
    llvm::SmallVector<const Stmt *> outside(before_);
    llvm::append_range(outside, after_);
    llvm::append_range(stmts, neededBy(outside, first_.binds()));
    llvm::append_range(stmts, before_);
    if (!inside_.empty()) {
      llvm::SmallVector<const Stmt *> body = neededBy(inside_, insideBinds_);
      llvm::append_range(body, inside_);
      stmts.push_back(context_.make<For>(loop.info(), loop.var, loop.min, loop.extent,
                                         ForKind::Unrolled,
                                         builder_.seq(builder_.lowered(loop), body)));
    }
    llvm::append_range(stmts, after_);
    return builder_.seq(builder_.lowered(loop), stmts);
  }

  PassContext &pass_;
  Context &context_;
  const Function &function_;
  AddedBuffers &registers_;
  const StoreLoop &loop_;
  Builder builder_;
  WideAccesses wide_;
  FirstIteration first_;
  llvm::SmallVector<const Bind *> insideBinds_;
  llvm::SmallVector<const Stmt *> before_;
  llvm::SmallVector<const Stmt *> inside_;
  llvm::SmallVector<const Stmt *> after_;
  llvm::SmallVector<LoadedArray> loaded_;
  bool isChanged_ = false;
};

const Stmt *asUnrolled(Context &context, const For &loop) {
  if (loop.forKind != ForKind::Vectorized)
    return &loop;
  return context.make<For>(loop.info(), loop.var, loop.min, loop.extent, ForKind::Unrolled,
                           loop.body, loop.pipeline);
}

const Function *vectorizeFunction(const Function &written, PassContext &pass) {
  const Function &function = *withRuns(pass.context, written, LongestLoop);
  IrAffine affine(pass.context, function);
  BoundValues bound = boundValuesOf(function);
  AddedBuffers registers(pass.context, function);
  const Stmt *body =
      rewriteStmt(pass.context, function.body, [&](const Stmt *stmt) -> const Stmt * {
        const auto *loop = llvm::dyn_cast<For>(stmt);
        bool isCandidate =
            loop && (loop->forKind == ForKind::Unrolled || loop->forKind == ForKind::Vectorized);
        if (!isCandidate)
          return stmt;
        // Where the CUDA of older targets is to stay as it is.
        const For *split =
            pass.target.hasWgmma() ? withSplitQuotients(pass.context, *loop, bound) : loop;
        std::optional<StoreLoop> stores = storeLoopOf(pass.context, *split);
        if (!stores || stores->extent < 2 || stores->extent > LongestLoop)
          return asUnrolled(pass.context, *loop);
        const Stmt *wide = LoopVectorizer(pass, function, affine, bound, registers, *stores).run();
        return wide ? wide : asUnrolled(pass.context, *loop);
      });
  std::vector<const Buffer *> buffers(function.buffers.begin(), function.buffers.end());
  llvm::append_range(buffers, registers.added());
  return withBuffers(pass.context, *withBody(pass.context, function, body), buffers);
}

class Vectorize : public Pass {
public:
  const Module *run(const Module &module, PassContext &context) override {
    return forEachFunction(
        module, [&](const Function &function) { return vectorizeFunction(function, context); });
  }
};

} // namespace

std::unique_ptr<Pass> createVectorize() { return std::make_unique<Vectorize>(); }

} // namespace tilescope
