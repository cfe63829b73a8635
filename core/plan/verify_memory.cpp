#include "core/plan/verify_memory.h"

#include "core/analysis/statement_races.h"
#include "core/ir/visit.h"
#include "core/plan/arena_problem.h"
#include "core/plan/fault_sentences.h"
#include "core/plan/stoppable_checks.h"

namespace tilescope {

namespace {

std::string sentenceOf(const StatementRace &race, llvm::StringRef buffer) {
  switch (race.kind) {
  case StatementRace::Kind::ReadsWhatOthersWrite:
    return llvm::formatv("threads that run this statement read elements of '{0}' while others "
                         "write them",
                         buffer);
  case StatementRace::Kind::SharesBytes:
    return llvm::formatv("elements of '{0}' that share a byte may be written by different threads, "
                         "which replace each other's",
                         buffer);
  }
  return "";
}

DiagId hazardId(HazardSeverity severity) {
  return severity == HazardSeverity::Error ? DiagId::MemoryHazard : DiagId::AllowedHazard;
}

} // namespace

StmtSpans::StmtSpans(const Function &function) {
  walk(function.body, [&](const Stmt *stmt) {
    spans_[stmt->id()] = stmt->span();
    return true;
  });
}

Span StmtSpans::of(StmtId id) const {
  auto found = spans_.find(id);
  return found == spans_.end() ? Span() : found->second;
}

bool verifyArena(Context &context, const Function &function, Diagnostics &diagnostics,
                 const std::function<bool()> &stop) {
  const AccessTree &tree = computeAccessTree(context, function, AccessDetail::Groups);
  std::vector<ArenaFault> faults = checkArena(tree.program, bufferBytesOf(function), stop);
  StmtSpans spans(function);
  for (const ArenaFault &fault : faults) {
    llvm::StringRef culprit = function.buffer(fault.culprit).name;
    Diagnostic &report =
        diagnostics.report(DiagId::ArenaUnsound, spans.of(fault.stmt),
                           sentenceOf(fault, function.buffer(fault.victim).name, culprit));
    if (fault.culpritStmt.isValid())
      report.note(spans.of(fault.culpritStmt), ("'" + culprit + "' is accessed here").str());
  }
  return faults.empty();
}

bool verifyStatements(Context &context, const Function &function, Diagnostics &diagnostics,
                      HazardSeverity severity) {
  std::vector<StatementRace> races = findStatementRaces(context, function);
  for (const StatementRace &race : races)
    diagnostics.report(hazardId(severity), race.stmt->span(),
                       sentenceOf(race, function.buffer(race.buffer).name));
  return races.empty();
}

bool verifyHazards(Context &context, const Function &function, Diagnostics &diagnostics,
                   HazardSeverity severity, const std::function<bool()> &stop) {
  const AccessTree &tree = computeAccessTree(context, function, AccessDetail::Statements);
  std::vector<HazardFault> faults = checkHazards(tree.program, bufferBytesOf(function), stop);
  StmtSpans spans(function);
  for (const HazardFault &fault : faults) {
    llvm::StringRef first = function.buffer(fault.first).name;
    llvm::StringRef second = function.buffer(fault.second).name;
    diagnostics
        .report(hazardId(severity), spans.of(fault.secondStmt), sentenceOf(fault, first, second))
        .note(spans.of(fault.firstStmt), ("'" + first + "' is accessed here first").str());
  }
  return verifyStatements(context, function, diagnostics, severity) && faults.empty();
}

} // namespace tilescope
