// vectorize-atomics: atomic sums of adjacent elements of global memory become sums of several at
// once.
//
//     for v in T.unroll(2):
//       if row < M:
//         T.atomic_element(C[row, col + v], T.bfloat16(C_local[4 * j + v]))
//   becomes
//     if row < M:
//       for v in T.unroll(2):
//         C_vec[v] = T.bfloat16(C_local[4 * j + v])
//       T.atomic_vector(C[row, col:col + 2], C_vec[0:2], bytes=4)
//
// A GPU has no sum of one bfloat16, and one of two, four or eight costs what one of a float costs.
// Each element is still added in one step, rounded as before.
//
// The values come first, so a sum moves to behind them all; where nothing that it overtakes may
// touch its element says the analysis that vectorize asks, to which it is a store. How wide a sum
// may be says layout_access, and whether there is an instruction the target.
//
// A T.atomic_vector that the kernel wrote gets `bytes` where its place is known to be aligned; what
// it adds from memory goes through such an array, so that vectorize can load it at once.
//
// Left alone: sums in an order, of a result that is used, of other types, in shared memory; loops
// that do anything else; loops longer than 16.
//
// Requires: lowered.
#include "core/analysis/vector_access.h"
#include "core/analysis/wide_sums.h"
#include "core/pass/pass.h"
#include "passes/first_iteration.h"
#include "passes/lower/added_buffers.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// The loop with stores in place of its plain sums; loops of anything else are none of stores.
const For *withStores(Context &context, const Function &function, const For &loop) {
  const Stmt *body = rewriteStmt(context, loop.body, [&](const Stmt *stmt) -> const Stmt * {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    if (!op || !isPlainSum(*op, function))
      return stmt;
    const BufferRegion &place = op->regions[0];
    llvm::SmallVector<const Expr *> indices;
    for (const Range &range : place.ranges)
      indices.push_back(range.min);
    return context.make<Store>(op->info(), place.buffer, place.slot,
                               context.copy<const Expr *>(indices), op->args[0]);
  });
  return body == loop.body ? nullptr
                           : context.make<For>(loop.info(), loop.var, loop.min, loop.extent,
                                               loop.forKind, body, loop.pipeline);
}

class SumVectorizer {
public:
  SumVectorizer(PassContext &pass, const Function &function, IrAffine &affine,
                const BoundValues &bound, AddedBuffers &registers, const StoreLoop &loop)
      : pass_(pass), context_(pass.context), registers_(registers), loop_(loop),
        store_(*loop.stores[0].store), condition_(loop.stores[0].condition),
        target_(function.buffer(store_.buffer)), builder_(pass.context),
        wide_(affine, function, bound, loop), first_(pass.context, loop) {}

  // The statements in place of the loop, or null if it stays.
  const Stmt *run() {
    int64_t widest = widestSum(pass_.target, target_);
    if (widest == 1 || !stepsAlongRow())
      return nullptr;
    int64_t width = std::min(widest, widthUnder(condition_));
    if (std::string reason = whyNot(width); !reason.empty()) {
      emitRemark(pass_.remarks, RemarkId::SumsNotVectorized,
                 {store_.id(), store_.span(), {target_.id}}, target_.name, reason);
      return nullptr;
    }
    emitRemark(pass_.remarks, RemarkId::SumsVectorized, {store_.id(), store_.span(), {target_.id}},
               target_.name, target_.dtype.bytes(width));
    return assemble(width);
  }

private:
  int64_t widthUnder(const Expr *condition) {
    return wide_.widthOf(target_, store_.slot, store_.indices, condition);
  }

  bool stepsAlongRow() {
    auto stride = [&](const Expr *index) {
      return strideOf(substitute(context_, index, loop_.inlined), loop_.var());
    };
    return stride(store_.indices.back()) == 1 &&
           llvm::all_of(store_.indices.drop_back(),
                        [&](const Expr *index) { return stride(index) == 0; });
  }

  std::string whyNot(int64_t width) {
    if (widthUnder(nullptr) == 1)
      return "its elements are not known to be adjacent and aligned";
    if (width == 1)
      return "its condition is not known to have one value for all iterations";
    std::string reason = wide_.whyNone();
    return reason.empty() ? wide_.whyNotStored(store_, condition_) : reason;
  }

  const Stmt *assemble(int64_t width) {
    const For &loop = *loop_.loop;
    const Buffer &values = registers_.make(target_, "vec", loop_.extent, store_.span());
    const Stmt *toArray =
        context_.make<Store>(builder_.lowered(store_), values.id, nullptr,
                             context_.copy<const Expr *>({loop_.var()}), store_.value);
    llvm::SmallVector<const Stmt *> body = neededBy(toArray, loop_.varying);
    body.push_back(toArray);
    llvm::SmallVector<const Stmt *> sums = {
        context_.make<For>(loop.info(), loop.var, loop.min, loop.extent, ForKind::Unrolled,
                           builder_.seq(builder_.lowered(loop), body))};
    for (int64_t step = 0; step < loop_.extent; step += width)
      sums.push_back(sumAt(values, step, width));
    const Stmt *all = builder_.seq(builder_.lowered(loop), sums);
    if (condition_)
      all = context_.make<If>(builder_.lowered(store_), first_.valueOf(condition_), all, nullptr);
    llvm::SmallVector<const Stmt *> stmts(loop_.invariant.begin(), loop_.invariant.end());
    llvm::append_range(stmts, neededBy(all, first_.binds()));
    stmts.push_back(all);
    return builder_.seq(builder_.lowered(loop), stmts);
  }

  const Stmt *sumAt(const Buffer &values, int64_t step, int64_t width) {
    BufferRegion place = first_.regionAt(target_.id, store_.slot, store_.indices, step, width);
    BufferRegion source = builder_.region(
        values.id, nullptr, {{builder_.integer(step), builder_.integer(width)}}, store_.span());
    return builder_.op(builder_.lowered(store_), Op::AtomicVector, {place, source}, {},
                       {{Attr::Bytes, target_.dtype.bytes(width)}});
  }

  PassContext &pass_;
  Context &context_;
  AddedBuffers &registers_;
  const StoreLoop &loop_;
  const Store &store_; // in place of the sum
  const Expr *condition_;
  const Buffer &target_;
  Builder builder_;
  WideAccesses wide_;
  FirstIteration first_;
};

// A T.atomic_vector of the kernel.
class WrittenSum {
public:
  WrittenSum(PassContext &pass, const Function &function, const BoundValues &bound,
             AddedBuffers &registers, const OpStmt &op)
      : pass_(pass), registers_(registers), op_(op), place_(op.regions[0]), source_(op.regions[1]),
        target_(function.buffer(place_.buffer)), from_(function.buffer(source_.buffer)),
        bound_(bound), builder_(pass.context) {}

  const Stmt *run() {
    int64_t count = *constantValue(place_.ranges.back().extent);
    WidthLimit limit;
    limitByStarts(target_, place_, bound_, limit);
    int64_t width =
        std::min({widestSum(pass_.target, target_), count, limit.bytes * 8 / target_.dtype.bits});
    if (op_.attr(Attr::Bytes) != 0 || width < 2)
      return &op_;
    emitRemark(pass_.remarks, RemarkId::SumsVectorized, {op_.id(), op_.span(), {target_.id}},
               target_.name, target_.dtype.bytes(width));
    if (!isMemory(from_.scope) || from_.id == target_.id)
      return sum(source_, width);
    const Buffer &values = registers_.make(target_, "vec", count, op_.span());
    Range all = {builder_.integer(0), builder_.integer(count)};
    return builder_.seq(
        builder_.lowered(op_),
        {loads(values, count), sum(builder_.region(values.id, nullptr, all, op_.span()), width)});
  }

private:
  const Stmt *sum(const BufferRegion &source, int64_t width) {
    return builder_.op(op_.info(), Op::AtomicVector, {place_, source}, {},
                       {{Attr::Bytes, target_.dtype.bytes(width)}});
  }

  const Stmt *loads(const Buffer &values, int64_t count) {
    Context &context = pass_.context;
    const Var *element = builder_.var("v");
    llvm::SmallVector<const Expr *> indices;
    for (const Range &range : source_.ranges)
      indices.push_back(range.min);
    DType dtype = indices.back()->dtype();
    indices.back() = builder_.add(indices.back(), builder_.cast(dtype, element));
    const Expr *loaded = builder_.load(from_, source_.slot, indices);
    const Stmt *toArray = context.make<Store>(builder_.lowered(op_), values.id, nullptr,
                                              context.copy<const Expr *>({element}), loaded);
    return context.make<For>(builder_.lowered(op_), element, builder_.integer(0),
                             builder_.integer(count), ForKind::Unrolled, toArray);
  }

  PassContext &pass_;
  AddedBuffers &registers_;
  const OpStmt &op_;
  const BufferRegion &place_;
  const BufferRegion &source_;
  const Buffer &target_;
  const Buffer &from_;
  const BoundValues &bound_;
  Builder builder_;
};

class FunctionSums {
public:
  FunctionSums(PassContext &pass, const Function &function)
      : pass_(pass), function_(function), affine_(pass.context, function),
        bound_(boundValuesOf(function)), registers_(pass.context, function) {}

  const Function *run() {
    const Stmt *body =
        rewriteStmt(pass_.context, function_.body, [&](const Stmt *stmt) { return rewrite(stmt); });
    std::vector<const Buffer *> buffers(function_.buffers.begin(), function_.buffers.end());
    llvm::append_range(buffers, registers_.added());
    return withBuffers(pass_.context, *withBody(pass_.context, function_, body), buffers);
  }

private:
  const Stmt *rewrite(const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    if (op && isWideSum(*op))
      return WrittenSum(pass_, function_, bound_, registers_, *op).run();
    const auto *loop = llvm::dyn_cast<For>(stmt);
    return loop ? rewriteLoop(*loop) : stmt;
  }

  const Stmt *rewriteLoop(const For &loop) {
    if (loop.forKind != ForKind::Unrolled && loop.forKind != ForKind::Vectorized)
      return &loop;
    const For *stored = withStores(pass_.context, function_, loop);
    std::optional<StoreLoop> stores = stored ? storeLoopOf(pass_.context, *stored) : std::nullopt;
    if (!stores || stores->stores.size() != 1 || stores->extent < 2 || stores->extent > LongestLoop)
      return &loop;
    const Stmt *wide = SumVectorizer(pass_, function_, affine_, bound_, registers_, *stores).run();
    return wide ? wide : &loop;
  }

  PassContext &pass_;
  const Function &function_;
  IrAffine affine_;
  BoundValues bound_;
  AddedBuffers registers_;
};

class VectorizeAtomics : public Pass {
public:
  const Module *run(const Module &module, PassContext &context) override {
    return forEachFunction(
        module, [&](const Function &function) { return FunctionSums(context, function).run(); });
  }
};

} // namespace

std::unique_ptr<Pass> createVectorizeAtomics() { return std::make_unique<VectorizeAtomics>(); }

} // namespace tilescope
