// T.thread_reduce: threads of a group that are lanes of one warp fold by shuffles; where a group
// has several such parts they meet in a workspace in shared memory.
//
//     result[0] = value
//     T.shuffle(other, result[0], 2, kind="xor")        and 4, 8, 16: groups of 32 threads, 2 apart
//     result[0] = result[0] + other[0]
//     if tx // 2 % 16 == 0:                             one lane of each part
//       workspace[part, group] = result[0]
//     result[0] = workspace[0, group] + workspace[1, group]
//
// The barriers come from insert-barriers. Where lanes of a group are no power of two each thread is
// a part of its own.
#include "core/access/access_program.h"
#include "core/analysis/mma_layouts.h"
#include "core/ir/folding.h"
#include "passes/lower/lower_context.h"

#include "llvm/ADT/bit.h"

namespace tilescope {

namespace {

class ThreadReduction {
public:
  ThreadReduction(LowerContext &lower, const OpStmt &op)
      : lower_(lower), builder_(lower.builder()), op_(op),
        result_(lower.buffer(op.regions[0].buffer)), stride_(op.attr(Attr::Stride)),
        extent_(op.attr(Attr::Extent)),
        folding_(builder_, static_cast<ReduceKind>(op.attr(Attr::Kind)), result_.dtype) {}

  const Stmt *lower() {
    store(folding_.operand(op_.args[0]));
    int64_t lanes = lanesOfPart();
    if (lanes > 1) {
      const Buffer &other = lower_.makeRegisters(result_, "other", 1);
      for (int64_t mask = stride_; mask != stride_ * lanes; mask *= 2) {
        stmts_.push_back(lower_.shuffle(other, ShuffleKind::Xor, load(), mask));
        store(folding_.combine(load(), builder_.load(other, nullptr, lower_.index(0))));
      }
    }
    if (lanes != extent_)
      meet(lanes);
    return lower_.seq(stmts_);
  }

private:
  // Lanes of a warp that are in one group.
  int64_t lanesOfPart() const {
    auto isPower = [](int64_t number) {
      return llvm::isPowerOf2_64(static_cast<uint64_t>(number));
    };
    if (stride_ >= WarpThreads || !isPower(stride_) || !isPower(extent_))
      return 1;
    return std::min(extent_, WarpThreads / stride_);
  }

  const Expr *load() { return builder_.load(result_, nullptr, op_.regions[0].ranges[0].min); }
  void store(const Expr *value) {
    stmts_.push_back(lower_.context().make<Store>(
        lower_.info(), result_.id, nullptr,
        lower_.context().copy<const Expr *>({op_.regions[0].ranges[0].min}), value));
  }
  // tx // divisor % extent
  const Expr *digit(int64_t divisor, int64_t extent) {
    return lower_.threadDigit(Digit{extent, true, divisor});
  }

  void meet(int64_t lanes) {
    int64_t parts = extent_ / lanes;
    int64_t groups = lower_.threads() / extent_;
    const Buffer &workspace = lower_.makeTile(result_, "workspace", {parts, groups}, Scope::Shared,
                                              makeRowMajor(lower_.context()));
    const Expr *group = digit(1, stride_);
    if (int64_t outer = groups / stride_; outer > 1)
      group = lower_.add(group, lower_.scale(digit(stride_ * extent_, outer), stride_));
    ExprList place = lower_.context().copy<const Expr *>({digit(stride_ * lanes, parts), group});
    const Stmt *leave =
        lower_.context().make<Store>(lower_.info(), workspace.id, nullptr, place, load());
    if (lanes > 1)
      leave = lower_.context().make<If>(
          lower_.info(), builder_.binary(BinaryOp::Equal, digit(stride_, lanes), lower_.index(0)),
          leave, nullptr);
    stmts_.push_back(leave);
    const Expr *folded = nullptr;
    for (int64_t part = 0; part < parts; ++part) {
      const Expr *places[] = {lower_.index(part), group};
      const Expr *value =
          builder_.load(workspace, nullptr, lower_.context().copy<const Expr *>(places));
      folded = folded ? folding_.combine(folded, value) : value;
    }
    store(folded);
  }

  LowerContext &lower_;
  Builder &builder_;
  const OpStmt &op_;
  const Buffer &result_;
  int64_t stride_;
  int64_t extent_;
  Folding folding_;
  llvm::SmallVector<const Stmt *> stmts_;
};

} // namespace

const Stmt *lowerThreadReduce(LowerContext &lower, const OpStmt &op) {
  bool isOfWarp = op.attr(Attr::Scope) == static_cast<int64_t>(BarrierScope::Warp);
  int64_t step = isOfWarp ? WarpThreads : op.attr(Attr::Stride) * op.attr(Attr::Extent);
  if (lower.threads() % step != 0)
    return lower.fail(op.regions[0].buffer, "groups of threads would reach past the block");
  return ThreadReduction(lower, op).lower();
}

} // namespace tilescope
