#include "core/driver/verify_launches.h"

#include "core/analysis/early_accesses.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void verifyLaunches(Context &context, const Function &function, Diagnostics &diagnostics) {
  for (const EarlyAccess &access : findEarlyAccesses(context, function)) {
    std::string name = function.buffer(access.buffer).name.str();
    diagnostics
        .report(DiagId::HazardNotEstablished, access.stmt->span(),
                llvm::formatv("it is not established that earlier launches are done with '{0}' "
                              "here, in front of T.pdl_sync",
                              name))
        .note(access.other->span(), llvm::formatv("an earlier launch uses '{0}' here", name));
  }
}

} // namespace tilescope
