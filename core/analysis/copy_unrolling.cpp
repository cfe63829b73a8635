#include "core/analysis/copy_unrolling.h"

#include "core/analysis/live_registers.h"
#include "core/ir/op_facts.h"
#include "core/ir/visit.h"
#include "core/target/register_limit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

constexpr int64_t RegistersOfAddresses = 16; // about what nvcc keeps besides

class CopyUnrolling {
public:
  CopyUnrolling(Context &context, const Function &function, const Launch &launch)
      : function_(function),
        limit_(std::min<int64_t>(MaxRegistersPerThread, RegistersPerSm / launch.threads) -
               RegistersOfAddresses) {
    walk(function.body, [&](const Stmt *stmt) {
      order_.try_emplace(stmt, order_.size());
      return true;
    });
    lives_ = computeRegisterLives(context, function);
  }

  using Factors = llvm::DenseMap<const For *, int64_t>;

  Factors run() {
    Factors factors;
    walk(function_.body, [&](const Stmt *stmt) {
      const auto *loop = llvm::dyn_cast<For>(stmt);
      // What is spilled for a copy that is made once does not count.
      if (loop && loop->forKind != ForKind::Unrolled)
        return collectIn(*loop, factors);
      return true;
    });
    return factors;
  }

private:
  bool collectIn(const For &around, Factors &factors) {
    walk(around.body, [&](const Stmt *stmt) {
      const auto *loop = llvm::dyn_cast<For>(stmt);
      int64_t moved = loop && loop->forKind == ForKind::Unrolled ? registersMovedIn(*loop) : 0;
      int64_t trips = moved != 0 ? constantValue(loop->extent).value_or(0) : 0;
      int64_t left = trips != 0 ? limit_ - liveAt(*loop) : 0;
      int64_t factor = trips != 0 && moved * trips > left ? factorFor(left / moved) : trips;
      if (factor < trips)
        factors[loop] = factor;
      return true;
    });
    return false;
  }

  // By one iteration; 0: it does something else too.
  int64_t registersMovedIn(const For &loop) const {
    int64_t moved = 0;
    bool isKnown = true;
    walk(loop.body, [&](const Stmt *stmt) {
      if (const auto *op = llvm::dyn_cast<OpStmt>(stmt)) {
        int64_t registers = registersMovedBy(*op);
        moved += registers;
        isKnown = isKnown && registers != 0;
      }
      isKnown = isKnown && llvm::isa<Seq, Bind, OpStmt>(stmt);
      return isKnown;
    });
    return isKnown ? moved : 0;
  }

  int64_t registersMovedBy(const OpStmt &op) const {
    if (op.opInfo().work != OpWork::Move || isAsynchronous(op) || scopeOf(op) != OpScope::Thread)
      return 0;
    const Buffer &from = function_.buffer(op.regions[0].buffer);
    if (!isMemory(from.scope) || !isMemory(function_.buffer(op.regions[1].buffer).scope))
      return 0;
    int64_t elements = 1;
    for (const Range &range : op.regions[0].ranges)
      elements *= constantValue(range.extent).value_or(0);
    return (elements * from.dtype.bits + 31) / 32;
  }

  int64_t liveAt(const For &loop) const {
    size_t at = order_.lookup(&loop);
    int64_t registers = 0;
    for (const RegisterLife &life : lives_)
      if (order_.lookup(life.first) <= at && at <= order_.lookup(life.last))
        registers += life.registers;
    return registers;
  }

  // A power of two; some loads at once hide the time of others, whatever is spilled for it.
  static int64_t factorFor(int64_t most) {
    constexpr int64_t Least = 4;
    int64_t factor = Least;
    while (2 * factor <= most)
      factor *= 2;
    return factor;
  }

  const Function &function_;
  int64_t limit_;
  llvm::DenseMap<const Stmt *, size_t> order_;
  std::vector<RegisterLife> lives_;
};

} // namespace

llvm::DenseMap<const For *, int64_t>
computeCopyUnrolling(Context &context, const Function &function, const Launch &launch) {
  return CopyUnrolling(context, function, launch).run();
}

} // namespace tilescope
