#include "core/driver/verify_nests.h"

#include "core/analysis/nest_dependences.h"
#include "core/ir/op.h"
#include "core/ir/visit.h"

namespace tilescope {

// Which thread runs which iteration is for the compiler to say, and so whose values lanes get.
static void findExchanges(const Parallel &nest, Diagnostics &diagnostics) {
  walk(nest.body, [&](const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    if (op && infoOf(op->op).isExchange)
      diagnostics.report(DiagId::HazardNotEstablished, op->span(),
                         "'" + nameOf(op->op).str() +
                             "' gets what other lanes have: iterations of T.Parallel are of no "
                             "lane that the kernel names");
    return true;
  });
}

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
  walk(function.body, [&](const Stmt *stmt) {
    if (const auto *nest = llvm::dyn_cast<Parallel>(stmt))
      findExchanges(*nest, diagnostics);
    return true;
  });
}

} // namespace tilescope
