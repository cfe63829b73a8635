#include "passes/hopper_choice.h"

#include "passes/matrix_units.h"
#include "passes/tma_stores.h"

namespace tilescope {

using HasLayouts = llvm::function_ref<bool(const Function &, PassContext &)>;

// As it is, where layouts do not fit together with what was marked; `refuse` says so of each.
static const Function *tried(const Function &function, PassContext &pass, const MarkedStmts &marked,
                             HasLayouts hasLayouts,
                             llvm::function_ref<void(const OpStmt &)> refuse) {
  if (!marked.function)
    return &function;
  if (hasLayouts(*marked.function, pass))
    return marked.function;
  for (const OpStmt *stmt : marked.chosen)
    refuse(*stmt);
  return &function;
}

static const Function *withProducts(const Function &function, PassContext &pass,
                                    HasLayouts hasLayouts) {
  auto refuse = [&](const OpStmt &product) {
    emitRemark(pass.remarks, RemarkId::NoWgmma, {product.id(), product.span(), {}},
               "layouts do not fit together with wgmma");
  };
  return tried(function, pass, withWarpGroups(function, pass), hasLayouts, refuse);
}

static const Function *withStores(const Function &function, PassContext &pass, StoresOf stores,
                                  HasLayouts hasLayouts) {
  auto refuse = [&](const OpStmt &copy) {
    remarkNotStored(function, copy, "layouts do not fit together with it", pass.remarks);
  };
  return tried(function, pass, withTmaStores(function, pass, stores), hasLayouts, refuse);
}

static const Function *withReductions(const Function &function, PassContext &pass,
                                      HasLayouts hasLayouts) {
  const Function *plain = withoutTmaReductions(function, pass.context);
  if (plain == &function)
    return &function;
  auto refuse = [&](const OpStmt &atomic) {
    remarkNotReduced(function, atomic, "layouts do not fit together with it", pass.remarks);
  };
  return tried(*plain, pass, withTmaReductions(function, pass), hasLayouts, refuse);
}

const Function *withHopper(const Function &function, PassContext &pass, const HopperChoice &choice,
                           HasLayouts hasLayouts) {
  bool asksProducts = choice.products && pass.target.hasWgmma();
  const Function *chosen = asksProducts ? withProducts(function, pass, hasLayouts) : &function;
  chosen = withReductions(*chosen, pass, hasLayouts);
  if (!choice.stores && !choice.roleStores)
    return chosen;
  StoresOf stores = choice.stores ? StoresOf::All : StoresOf::Roles;
  return withStores(*chosen, pass, stores, hasLayouts);
}

} // namespace tilescope
