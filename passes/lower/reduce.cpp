// T.reduce of a fragment: each thread folds the elements that it holds, then the threads that share
// a row exchange what they have.
//
//     top[r] = -inf                                    all registers of the result
//     top[i] = T.max(top[i], scores[i, j])             over all elements of this thread
//     T.shuffle_xor(top[r], top_other, lane_mask=1)    and 2: four lanes hold a row
//     top[r] = T.max(top[r], top_other)
//
// Without `clear` what the result held before joins at the end, once.
// TODO(reduce): rows that are spread over warps need a workspace in shared memory and a barrier.
#include "passes/lower/parallel.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

namespace tilescope {

namespace {

constexpr int64_t WarpThreads = 32;

// One reduction of one fragment into another.
class Reduction {
public:
  Reduction(LowerContext &lower, const OpStmt &op)
      : lower_(lower), builder_(lower.builder()), op_(op),
        kind_(static_cast<ReduceKind>(op.attr(Attr::Kind))),
        source_(lower.buffer(op.regions[0].buffer)), result_(lower.buffer(op.regions[1].buffer)) {}

  // Null if the threads of a row do not lie within a warp.
  const Stmt *lower() {
    std::optional<llvm::SmallVector<int64_t>> masks = laneMasks();
    if (!masks)
      return lower_.fail(source_.id, "the reduced axis is spread over several warps");
    llvm::SmallVector<const Stmt *> stmts;
    const Buffer *before = nullptr;
    if (!op_.attr(Attr::Clear)) {
      before = &lower_.makeRegisters(result_, "before", registers());
      stmts.push_back(
          forEachRegister([&](const Expr *r) { return store(*before, r, load(result_, r)); }));
    }
    stmts.push_back(forEachRegister([&](const Expr *r) { return store(result_, r, neutral()); }));
    const Stmt *folded = foldOwn();
    if (!folded)
      return nullptr;
    stmts.push_back(folded);
    if (!masks->empty())
      stmts.push_back(exchange(*masks));
    if (before)
      stmts.push_back(forEachRegister([&](const Expr *r) {
        return store(result_, r, combine(load(result_, r), load(*before, r)));
      }));
    return lower_.seq(stmts);
  }

private:
  int64_t registers() const { return result_.layout->registerCount(); }
  bool keepsDimension() const { return result_.shape.size() == source_.shape.size(); }

  // Distances between lanes that hold parts of one row.
  std::optional<llvm::SmallVector<int64_t>> laneMasks() const {
    llvm::SmallVector<int64_t> masks;
    for (const Digit &digit : source_.layout->dims[op_.attr(Attr::Dim)]) {
      if (!digit.onThread)
        continue;
      int64_t end = digit.extent * digit.stride;
      if (end > WarpThreads || WarpThreads % end != 0 || (digit.extent & (digit.extent - 1)))
        return std::nullopt;
      for (int64_t mask = digit.stride; mask < end; mask *= 2)
        masks.push_back(mask);
    }
    return masks;
  }

  const Stmt *forEachRegister(llvm::function_ref<const Stmt *(const Expr *)> makeBody) {
    return lower_.unrolledOver("r", registers(), makeBody);
  }
  const Stmt *store(const Buffer &buffer, const Expr *index, const Expr *value) {
    return lower_.context().make<Store>(lower_.info(), buffer.id, nullptr,
                                        lower_.context().copy<const Expr *>({index}), value);
  }
  const Expr *load(const Buffer &buffer, const Expr *index) {
    return builder_.load(buffer, nullptr, index);
  }

  bool isExtremum() const { return kind_ == ReduceKind::Max || kind_ == ReduceKind::Min; }

  // What changes nothing when it is combined.
  const Expr *neutral() {
    DType dtype = result_.dtype;
    bool isMax = kind_ == ReduceKind::Max;
    if (dtype.isFloat()) {
      double infinity = std::numeric_limits<double>::infinity();
      return builder_.floating(isExtremum() ? (isMax ? -infinity : infinity) : 0, dtype);
    }
    if (!isExtremum())
      return builder_.integer(0, dtype);
    int bits = dtype.bits - (dtype.isUnsigned() ? 0 : 1);
    int64_t largest = bits >= 63 ? std::numeric_limits<int64_t>::max() : (int64_t{1} << bits) - 1;
    if (!isMax)
      return builder_.integer(largest, dtype);
    return builder_.integer(dtype.isUnsigned() ? 0 : -largest - 1, dtype);
  }

  const Expr *combine(const Expr *a, const Expr *b) {
    switch (kind_) {
    case ReduceKind::Sum:
    case ReduceKind::AbsSum:
      return builder_.add(a, b);
    case ReduceKind::Max:
    case ReduceKind::AbsMax:
      return builder_.binary(BinaryOp::Max, a, b);
    case ReduceKind::Min:
      return builder_.binary(BinaryOp::Min, a, b);
    }
    return a;
  }

  // result[i] = combine(result[i], source[i, j]) over the elements of the thread.
  const Stmt *foldOwn() {
    llvm::SmallVector<const Var *> vars;
    llvm::SmallVector<const Expr *> all;
    llvm::SmallVector<const Expr *> kept;
    for (size_t dim = 0; dim < source_.shape.size(); ++dim) {
      vars.push_back(lower_.indexVar(dim + 1 == source_.shape.size() ? "col" : "row"));
      all.push_back(vars.back());
      if (dim != static_cast<size_t>(op_.attr(Attr::Dim)))
        kept.push_back(vars.back());
      else if (keepsDimension())
        kept.push_back(lower_.index(0));
    }
    const Expr *element = builder_.cast(result_.dtype, builder_.load(source_, nullptr, all));
    if (kind_ == ReduceKind::AbsMax || kind_ == ReduceKind::AbsSum)
      element = builder_.math(MathFn::Abs, element);
    const Expr *folded = combine(builder_.load(result_, nullptr, kept), element);
    const Stmt *body = lower_.context().make<Store>(
        lower_.info(), result_.id, nullptr, lower_.context().copy<const Expr *>(kept), folded);
    Parallel parallel(lower_.info(), lower_.context().copy<const Var *>(vars), source_.shape, body,
                      0, source_.layout);
    return lowerElementwise(lower_, parallel);
  }

  // Butterfly: after each exchange twice as many lanes agree.
  const Stmt *exchange(llvm::ArrayRef<int64_t> masks) {
    const Buffer &other = lower_.makeRegisters(result_, "other", 1);
    return forEachRegister([&](const Expr *r) {
      llvm::SmallVector<const Stmt *> stmts;
      for (int64_t mask : masks) {
        const BufferRegion sides[] = {lower_.registers(result_.id, r, 1),
                                      lower_.registers(other.id, lower_.index(0), 1)};
        stmts.push_back(
            builder_.op(lower_.info(), Op::ShuffleXor, sides, {}, {{Attr::LaneMask, mask}}));
        stmts.push_back(store(result_, r, combine(load(result_, r), load(other, lower_.index(0)))));
      }
      return lower_.seq(stmts);
    });
  }

  LowerContext &lower_;
  Builder &builder_;
  const OpStmt &op_;
  ReduceKind kind_;
  const Buffer &source_;
  const Buffer &result_;
};

} // namespace

const Stmt *lowerReduce(LowerContext &lower, const OpStmt &op) {
  for (const BufferRegion &region : op.regions)
    if (lower.buffer(region.buffer).scope != Scope::Fragment)
      return lower.fail(region.buffer, "only fragments are reduced, copy it to one first");
  return Reduction(lower, op).lower();
}

} // namespace tilescope
