#include "core/facets/pipelines.h"

#include "core/ir/print_expr.h"
#include "core/ir/visit.h"

namespace tilescope {

namespace {

PipelineRecord recordOf(const For &loop, const TextNames &names) {
  PipelineRecord record;
  record.loop = loop.id();
  record.numStages = loop.pipeline->numStages;
  for (const ScheduledStmt &stmt : loop.pipeline->schedule)
    record.schedule.push_back({stmt.stmt, stmt.order, stmt.stage, stmt.group});
  for (const VersionCount &version : loop.pipeline->versions)
    record.versions.emplace_back(version.buffer, version.versions);
  record.trips = printExpr(names, *loop.extent);
  return record;
}

} // namespace

void computeFacet(const Module &module, const Target & /*target*/,
                  std::vector<PipelineRecord> &records) {
  for (const Function *function : module.functions) {
    const TextNames &names = textNamesOf(*module.context, *function);
    walk(function->body, [&](const Stmt *stmt) {
      if (const auto *loop = llvm::dyn_cast<For>(stmt); loop && loop->pipeline)
        records.push_back(recordOf(*loop, names));
      return true;
    });
  }
}

} // namespace tilescope
