#include "core/analysis/product_overlap.h"

#include "core/analysis/tile_loads.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

bool isProduct(const Stmt *stmt) {
  const auto *op = llvm::dyn_cast<OpStmt>(stmt);
  return op && op->opInfo().work == OpWork::MatrixMultiply;
}

// The statements that, within an iteration, depend on this one, and itself.
llvm::SmallVector<bool> dependentsOf(const LoopBody &body, size_t stmt) {
  llvm::SmallVector<bool> found(body.stmts.size());
  found[stmt] = true;
  for (size_t index = stmt + 1; index < body.stmts.size(); ++index)
    found[index] = llvm::any_of(body.dependences, [&](const Dependence &dependence) {
      return !dependence.carried && dependence.to == index && found[dependence.from];
    });
  return found;
}

struct Products {
  size_t lead = 0; // runs ahead
  llvm::SmallVector<bool> late;
};

// The last product that depends on another one, and of those the last.
std::optional<Products> findProducts(const LoopBody &body) {
  llvm::SmallVector<size_t> products;
  for (auto [index, stmt] : llvm::enumerate(body.stmts))
    if (isProduct(stmt))
      products.push_back(index);
  for (size_t late : llvm::reverse(products))
    for (size_t lead : llvm::reverse(products))
      if (lead < late && dependentsOf(body, lead)[late])
        return Products{lead, dependentsOf(body, late)};
  return std::nullopt;
}

// How far ahead of the late product, and where in the step, a statement runs.
struct OverlapPlace {
  enum Phase { Refill, Lead, Late, Rest };
  Phase phase = Rest;
  int64_t distance = 0;
};

OverlapPlace placeOfCopy(const LoopBody &body, const Products &products, size_t copy,
                         int64_t stages) {
  BufferId filled = filledBy(body.stmts[copy]);
  int64_t nearest = 1, farthest = 0;
  for (const BodyAccess &access : body.accesses) {
    if (access.buffer != filled || access.stmt == copy)
      continue;
    int64_t distance = products.late[access.stmt] ? 0 : 1;
    nearest = std::min(nearest, distance);
    farthest = std::max(farthest, distance);
  }
  return {OverlapPlace::Refill, std::max(nearest + stages - 1, farthest)};
}

std::string describe(const Function &function, const Dependence &breach) {
  return llvm::formatv("{0} of '{1}'{2} forbids it", nameOf(breach.kind),
                       breach.var ? breach.var->name : function.buffer(breach.buffer).name,
                       breach.carried ? " over the back edge" : "");
}

} // namespace

LoopPlan planOverlappedProducts(Context &context, const Function &function, const Target &target,
                                const LoopBody &body, const UnversionedBuffers &unversioned) {
  LoopPlan declined;
  std::optional<Products> products = findProducts(body);
  if (!target.hasWgmma())
    declined.declined = llvm::formatv("{0} has none that run by themselves", target.name);
  else if (!products)
    declined.declined = "none depends on another of the same iteration";
  else if (llvm::any_of(body.stmts, [](const Stmt *stmt) { return llvm::isa<Bind>(stmt); }))
    declined.declined = "a name is bound to what the loop computes";
  if (!declined.declined.empty())
    return declined;
  llvm::SmallVector<OverlapPlace> places;
  for (size_t index = 0; index < body.stmts.size(); ++index) {
    if (whyNotAsync(context, function, target, body, index).empty())
      places.push_back(placeOfCopy(body, *products, index, body.loop->pipeline->numStages));
    else if (products->late[index])
      places.push_back({OverlapPlace::Late, 0});
    else
      places.push_back({index <= products->lead ? OverlapPlace::Lead : OverlapPlace::Rest, 1});
  }
  int64_t last = 0;
  for (const OverlapPlace &place : places)
    last = std::max(last, place.distance);
  llvm::SmallVector<size_t> sorted = llvm::to_vector(llvm::seq<size_t>(places.size()));
  llvm::stable_sort(sorted, [&](size_t a, size_t b) { return places[a].phase < places[b].phase; });
  llvm::SmallVector<int64_t> order(places.size()), stage(places.size());
  for (auto [number, index] : llvm::enumerate(sorted)) {
    order[index] = static_cast<int64_t>(number);
    stage[index] = last - places[index].distance;
  }
  LoopPlan plan = planAsAsked(context, function, target, body, order, stage, unversioned);
  const Dependence *breach = findBreach(body, plan.schedule, plan.versions);
  if (!breach)
    return plan;
  declined.declined = describe(function, *breach);
  return declined;
}

} // namespace tilescope
