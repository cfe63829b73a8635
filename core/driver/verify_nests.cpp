#include "core/driver/verify_nests.h"

#include "core/analysis/nest_dependences.h"

namespace tilescope {

void verifyNests(Context &context, const Function &function, Diagnostics &diagnostics) {
  for (const NestDependence &found : findNestDependences(context, function)) {
    std::string name = "'" + function.buffer(found.buffer).name.str() + "'";
    std::string text = found.isCertain ? "this reads elements of " + name +
                                             " that other iterations of the loop write"
                                       : "it is not established that this reads no element of " +
                                             name + " that another iteration of the loop writes";
    Diagnostic &made = diagnostics.report(DiagId::HazardNotEstablished, found.read->span(),
                                          text + ": iterations of T.Parallel have no order");
    if (found.write != found.read)
      made.note(found.write->span(), name + " is written here");
  }
}

} // namespace tilescope
