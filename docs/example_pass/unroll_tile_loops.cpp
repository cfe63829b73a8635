// Writes out loops of few iterations, so that each iteration is a statement of its own:
//
//     for half in T.serial(2):                        T.copy(A[by * 128, 0], A_shared[0, 0])
//       T.copy(A[by * 128 + half * 64, 0],      =>    T.copy(A[by * 128 + 64, 0], A_shared[64, 0])
//              A_shared[half * 64, 0])
//
// Left alone: pipelined loops, loops that a Break may end, and what is lowered already: which tile
// statement a statement was lowered from would no longer be said.
#include "core/ir/visit.h"
#include "core/pass/pass_library.h"

namespace {

using namespace tilescope;

class UnrollTileLoops : public Pass {
public:
  const Module *run(const Module &module, PassContext &context) override {
    return forEachFunction(module, [&](const Function &function) {
      const Stmt *body = rewriteStmt(context.context, function.body,
                                     [&](const Stmt *stmt) { return unrolled(stmt, context); });
      // The same body gives the same function, which says that nothing changed.
      return withBody(context.context, function, body);
    });
  }

  std::vector<PassOption> options() override {
    return {{"max-trips", &maxTrips_, "Iterations that a loop may have"}};
  }

private:
  const Stmt *unrolled(const Stmt *stmt, PassContext &context) const {
    const auto *loop = llvm::dyn_cast<For>(stmt);
    if (!loop || loop->pipeline || loop->forKind != ForKind::Serial || mayEndEarly(*loop))
      return stmt;
    std::optional<int64_t> trips = constantValue(loop->extent);
    if (!trips || *trips < 1 || *trips > maxTrips_)
      return stmt;
    Builder builder(context.context);
    llvm::SmallVector<const Stmt *> iterations;
    for (int64_t trip = 0; trip < *trips; ++trip) {
      Substitution substitution;
      substitution[loop->var] = builder.add(loop->min, builder.integer(trip, loop->var->dtype()));
      iterations.push_back(cloneStmt(context.context, loop->body, substitution));
    }
    emitRemark(
        context.remarks, RemarkId::SaidByPass, {loop->id(), loop->span(), {}},
        llvm::formatv("the loop over '{0}' is written out: {1} iterations", loop->var->name, *trips)
            .str());
    return builder.seq(builder.cloned(*loop), iterations);
  }

  int64_t maxTrips_ = 4;
};

std::unique_ptr<Pass> createUnrollTileLoops() { return std::make_unique<UnrollTileLoops>(); }

const PassInfo Passes[] = {{"unroll-tile-loops", Property::Tile,
                            "Write out loops of few iterations", createUnrollTileLoops,
                            ResultChange::Exact}};

} // namespace

const tilescope::PassLibrary TilescopePassLibrary = {tilescope::PassLibraryMark, Passes,
                                                     std::size(Passes)};
