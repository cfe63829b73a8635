#include "passes/hopper_choice.h"

#include "passes/matrix_units.h"
#include "passes/tma_stores.h"

namespace tilescope {

using HasLayouts = llvm::function_ref<bool(const Function &, PassContext &)>;

static const Function *withProducts(const Function &function, PassContext &pass,
                                    HasLayouts hasLayouts) {
  if (!pass.target.hasWgmma())
    return &function;
  WithWarpGroups with = withWarpGroups(function, pass);
  if (!with.function || hasLayouts(*with.function, pass))
    return with.function ? with.function : &function;
  for (const Stmt *product : with.chosen)
    emitRemark(pass.remarks, RemarkId::NoWgmma, {product->id(), product->span(), {}},
               "layouts do not fit together with wgmma");
  return &function;
}

static const Function *withStores(const Function &function, PassContext &pass,
                                  HasLayouts hasLayouts) {
  WithTmaStores with = withTmaStores(function, pass);
  if (!with.function || hasLayouts(*with.function, pass))
    return with.function ? with.function : &function;
  for (const OpStmt *copy : with.chosen)
    remarkNotStored(function, *copy, "layouts do not fit together with it", pass.remarks);
  return &function;
}

const Function *withHopper(const Function &function, PassContext &pass, const HopperChoice &choice,
                           HasLayouts hasLayouts) {
  const Function *chosen = choice.products ? withProducts(function, pass, hasLayouts) : &function;
  return choice.stores ? withStores(*chosen, pass, hasLayouts) : chosen;
}

} // namespace tilescope
