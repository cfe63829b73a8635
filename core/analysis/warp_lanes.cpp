#include "core/analysis/warp_lanes.h"

#include "core/ir/op_facts.h"

#include <algorithm>

namespace tilescope {

LanePlaces lanePlaces(llvm::ArrayRef<LaneIndex> indices, const Lanes &active, int64_t first,
                      int64_t end) {
  LanePlaces places;
  places.reserve(static_cast<size_t>(std::max<int64_t>(end - first, 0)));
  for (int64_t lane = first; lane < end; ++lane) {
    std::optional<LanePlace> &place = places.emplace_back();
    if (laneOf(active, static_cast<size_t>(lane)) == 0)
      continue;
    place.emplace();
    for (const LaneIndex &index : indices)
      place->push_back(laneOf(index.first, static_cast<size_t>(lane)));
  }
  return places;
}

int64_t elementAt(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> place) {
  int64_t element = 0;
  for (size_t dim = 0; dim != shape.size(); ++dim)
    element = element * shape[dim] + place[dim];
  return element;
}

std::vector<std::optional<int64_t>> elementsAt(llvm::ArrayRef<int64_t> shape,
                                               const LanePlaces &places) {
  std::vector<std::optional<int64_t>> elements;
  elements.reserve(places.size());
  for (const std::optional<LanePlace> &place : places)
    elements.push_back(place ? std::optional(elementAt(shape, *place)) : std::nullopt);
  return elements;
}

void forEachWarpAccess(
    Context &context, const Function &function, llvm::function_ref<bool(BufferId)> isWanted,
    llvm::function_ref<void(const BufferAccess &access, const WarpAccess &made)> found) {
  walk(function.body, [&](const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    if (llvm::isa<Parallel>(stmt) || (op && scopeOf(*op) == OpScope::Block))
      return false;
    for (const BufferAccess &access : accessesOf(context, stmt)) {
      if (access.ranges.empty() || !isWanted(access.buffer))
        continue;
      WarpAccess made;
      made.stmt = stmt;
      made.buffer = access.buffer;
      made.isWrite = access.effect != Effect::Read;
      int64_t elements = constantValue(access.ranges.back().extent).value_or(0);
      made.bytes = elements * function.buffer(access.buffer).dtype.bits / 8;
      found(access, made);
    }
    return true;
  });
}

} // namespace tilescope
