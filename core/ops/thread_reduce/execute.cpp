#include "core/exec/exchange.h"
#include "core/exec/folding.h"

namespace tilescope {

namespace {

void reduceThreads(const OpStmt &op, llvm::MutableArrayRef<ExchangeThread> threads) {
  auto kind = static_cast<ReduceKind>(op.attr(Attr::Kind));
  auto stride = static_cast<size_t>(op.attr(Attr::Stride));
  auto extent = static_cast<size_t>(op.attr(Attr::Extent));
  DType dtype = op.args[0]->dtype();
  DType accumulator = accumulatorOf(dtype);
  for (size_t number = 0; number != threads.size(); ++number) {
    size_t first = number - number / stride % extent * stride;
    Number folded = neutralOf(kind, accumulator);
    ExchangeThread &own = threads[number];
    for (size_t at = 0; at != extent && first + at * stride < threads.size(); ++at) {
      const ExchangeThread &other = threads[first + at * stride];
      folded = foldOf(kind, accumulator, folded, convert(dtype, accumulator, other.args[0]));
      own.isResultDefined &= other.isDefined;
    }
    own.result = convert(accumulator, dtype, folded);
  }
}

} // namespace

void executeThreadReduce(const OpStmt &op, BlockFrame &frame) {
  exchange(op, frame, reduceThreads);
}

} // namespace tilescope
