// Stores of the lanes of a vector: one vectorised loop where the lanes are the same but for numbers
// that grow by the same from lane to lane, else one by one.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

struct LaneStore {
  ExprList indices;
  const Expr *value = nullptr;
};

// What integers grow by from lane to lane; nullopt: not by the same.
std::optional<int64_t> strideOf(Builder &ir, llvm::ArrayRef<const Expr *> lanes);
// All lanes are read before the first is stored.
void emitLaneStores(Evaluation &evaluation, const BufferObject &buffer,
                    llvm::ArrayRef<LaneStore> stores, Span span);

} // namespace tilescope::frontend
