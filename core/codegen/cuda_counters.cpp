#include "core/codegen/cuda_counters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

CudaCounters::LoopNames CudaCounters::declare(const For &loop) {
  LoopNames counters;
  auto rings = rings_.find(&loop);
  if (rings == rings_.end())
    return counters;
  for (const RingCounter &ring : rings->second) {
    counters.push_back({&ring, state_.names.declare("slot"), {}});
    for (size_t i = 0; i < ring.parities.size(); ++i)
      counters.back().parities.push_back(state_.names.declare("parity"));
  }
  return counters;
}

void CudaCounters::start(llvm::ArrayRef<Names> counters) {
  auto forEach = [&](llvm::function_ref<void(const CountedValue &, const std::string &)> visit) {
    for (const Names &counter : counters) {
      visit(counter.ring->slot, counter.slot);
      for (auto [parity, name] : llvm::zip_equal(counter.ring->parities, counter.parities))
        visit(parity, name);
    }
  };
  forEach([&](const CountedValue &value, const std::string &name) {
    std::string first = exprs_.index(value.first);
    state_.lines.line(llvm::formatv("int {0} = {1}; // {2}, counted up", name,
                                    exprs_.isWideIndex(value.first) ? "int(" + first + ")" : first,
                                    exprs_.index(value.forms.front())));
  });
  forEach([&](const CountedValue &value, const std::string &name) {
    for (const Expr *form : value.forms)
      state_.vars.hold(form, name);
  });
}

void CudaCounters::advance(llvm::ArrayRef<Names> counters) {
  for (const Names &counter : counters) {
    state_.lines.line(
        llvm::formatv("{0} = {0} == {1} ? 0 : {0} + 1;", counter.slot, counter.ring->slots - 1));
    for (const std::string &parity : counter.parities)
      state_.lines.line(llvm::formatv("{0} ^= {1} == 0;", parity, counter.slot));
  }
}

} // namespace tilescope
