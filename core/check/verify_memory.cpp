#include "core/check/verify_memory.h"

#include "core/analysis/access_builder.h"
#include "core/analysis/named_barriers.h"
#include "core/analysis/shared_bytes.h"
#include "core/analysis/statement_races.h"
#include "core/analysis/stmt_places.h"
#include "core/analysis/unproven_bounds.h"
#include "core/check/fault_sentences.h"
#include "core/check/role_hazards.h"
#include "core/check/stoppable_checks.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

#include <unordered_set>

namespace tilescope {

namespace {

std::string sentenceOf(const StatementRace &race, llvm::StringRef buffer) {
  switch (race.kind) {
  case StatementRace::Kind::ReadsWhatOthersWrite:
    return llvm::formatv("threads that run this statement read elements of '{0}' while others "
                         "write them",
                         buffer);
  case StatementRace::Kind::WritesOtherValues:
    return llvm::formatv("threads that run this statement write different values to one element "
                         "of '{0}'",
                         buffer);
  case StatementRace::Kind::SharesBytes:
    return llvm::formatv("elements of '{0}' that share a byte may be written by different threads, "
                         "which replace each other's",
                         buffer);
  }
  return "";
}

std::string doubtOf(const StatementRace &race, llvm::StringRef buffer) {
  const char *what = race.kind == StatementRace::Kind::ReadsWhatOthersWrite
                         ? "read no element of '{0}' that others write"
                         : "write one value to each element of '{0}'";
  return llvm::formatv("it is not established that threads which run this statement {0}: {1}",
                       llvm::formatv(what, buffer).str(), race.doubt);
}

// What every pass leaves as it is, is told once.
void reportOnce(Diagnostics &diagnostics, Diagnostic report) {
  bool isKnown = llvm::any_of(diagnostics.all(), [&](const Diagnostic &known) {
    return known.id == report.id && known.span == report.span && known.text == report.text;
  });
  if (isKnown)
    return;
  Diagnostic &made = diagnostics.report(report.id, report.span, report.text);
  made.notes = std::move(report.notes);
}

// A copy into a part of a buffer that a loop chooses, or a wait that not all threads come to, or
// not always, which the kernel wrote by hand: which copies have arrived where is not followed.
class ArrivalDoubts {
public:
  ArrivalDoubts(Context &context, const Function &function, const AccessProgram &program)
      : context_(context), function_(function) {
    for (const AccessNode &node : program.nodes)
      if (node.guardLoop.isValid() || (node.kind == AccessNode::Kind::Loop && node.minTrips > 0))
        followed_.insert(node.stmt);
  }

  bool isUnknown(const HazardFault &fault) {
    bool isOfOne = fault.kind == HazardFault::Kind::NotArrived && fault.first == fault.second;
    if (!isOfOne)
      return false;
    bool found = false;
    const Stmt *copy = nullptr, *access = nullptr;
    walk(function_.body, [&](const Stmt *stmt) {
      copy = stmt->id() == fault.firstStmt ? stmt : copy;
      access = stmt->id() == fault.secondStmt ? stmt : access;
      return true;
    });
    walk(function_.body, [&](const Stmt *stmt) {
      const auto *op = llvm::dyn_cast<OpStmt>(stmt);
      OpSync sync = op ? op->opInfo().sync : OpSync::None;
      found |= ((stmt == copy || stmt == access) && touchesPartOf(*stmt, fault.first)) ||
               (sync == OpSync::Wait && isDivided(stmt)) ||
               ((sync == OpSync::Wait || sync == OpSync::Commit) && mayBeLeftOut(stmt, access));
      return !found;
    });
    return found || mayExclude(copy, access);
  }

private:
  const StmtPlaces &places() { return computeStmtPlaces(context_, function_); }

  bool isDivided(const Stmt *stmt) {
    for (; stmt; stmt = places().parentOf(stmt))
      if (llvm::isa<If>(stmt) && !places().uniform().isUniform(*stmt))
        return true;
    return false;
  }

  bool isAround(const Stmt *outer, const Stmt *stmt) {
    while (stmt && stmt != outer)
      stmt = places().parentOf(stmt);
    return stmt != nullptr;
  }

  // Whether a statement may be left out where the other is done.
  bool mayBeLeftOut(const Stmt *stmt, const Stmt *other) {
    for (const Stmt *at = places().parentOf(stmt); at; at = places().parentOf(at)) {
      bool decides = llvm::isa<For>(at) || isAgreedCondition(at);
      if (decides && !isAround(at, other) && !followed_.contains(at->id()))
        return true;
    }
    return false;
  }

  // Of the kernel, not of the threads that a tile is dealt to.
  bool isAgreedCondition(const Stmt *stmt) {
    return llvm::isa<If>(stmt) && places().uniform().isUniform(*stmt);
  }

  // Conditions of both, which may exclude each other.
  bool mayExclude(const Stmt *copy, const Stmt *access) {
    auto hasOwn = [&](const Stmt *stmt, const Stmt *other) {
      for (const Stmt *at = places().parentOf(stmt); at; at = places().parentOf(at))
        if (isAgreedCondition(at) && !followed_.contains(at->id()))
          return !isAround(at, other);
      return false;
    };
    return hasOwn(copy, access) && hasOwn(access, copy);
  }

  bool touchesPartOf(const Stmt &stmt, BufferId buffer) {
    return llvm::any_of(accessesOf(context_, &stmt), [&](const BufferAccess &access) {
      return access.buffer == buffer && llvm::any_of(access.ranges, [&](const Range &range) {
               return isOfLoopAround(stmt, range.min);
             });
    });
  }

  // Whether it has another value in each iteration of a loop that stays one.
  bool isOfLoopAround(const Stmt &stmt, const Expr *expr) {
    bool found = false;
    walk(expr, [&](const Expr *part) {
      const auto *var = llvm::dyn_cast<Var>(part);
      if (const Bind *bind = var ? places().bindOf(var) : nullptr)
        found |= isOfLoopAround(*bind, bind->value);
      for (const Stmt *at = var ? &stmt : nullptr; at; at = places().parentOf(at)) {
        const auto *loop = llvm::dyn_cast<For>(at);
        found |= loop && loop->var == var && loop->forKind != ForKind::Unrolled;
      }
    });
    return found;
  }

  Context &context_;
  const Function &function_;
  std::unordered_set<StmtId> followed_; // conditions and loops that the check itself decides
};

// Barriers order global memory as well; where none can stand, threads may still never meet. What
// barriers of some threads order is not known where it is not known who comes to them. Empty: it
// is.
std::string doubtOf(const Function &function, const HazardFault &fault, bool hasUnknownMeeting,
                    ArrivalDoubts &arrivals) {
  if (function.buffer(fault.first).scope == Scope::Global)
    return "it is not established that threads touch different elements of '{0}': {1}";
  if (fault.kind == HazardFault::Kind::MissingBarrier && hasUnknownMeeting)
    return "it is not established that a barrier of some threads orders accesses of '{0}': {1}";
  if (arrivals.isUnknown(fault))
    return "it is not established that copies of '{0}' have arrived: {1}";
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
  for (const UnprovenBound &bound : findUnprovenBounds(context, function)) {
    const Buffer &buffer = function.buffer(bound.buffer);
    // Registers are no bytes of the arena.
    bool isInArena = isShared(buffer.scope);
    reportOnce(diagnostics,
               {isInArena ? DiagId::BoundsNotEstablished : DiagId::RegisterBoundsNotEstablished,
                Severity::Warning,
                bound.stmt->span(),
                llvm::formatv("it is not established that this statement stays inside of '{0}'",
                              buffer.name),
                {}});
  }
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

HazardVerdict verifyStatements(Context &context, const Function &function, Diagnostics &diagnostics,
                               HazardSeverity severity) {
  HazardVerdict verdict = HazardVerdict::Free;
  for (const StatementRace &race : findStatementRaces(context, function)) {
    llvm::StringRef buffer = function.buffer(race.buffer).name;
    verdict =
        std::max(verdict, race.isCertain ? HazardVerdict::Found : HazardVerdict::NotEstablished);
    if (race.isCertain) {
      diagnostics.report(hazardId(severity), race.stmt->span(), sentenceOf(race, buffer));
      continue;
    }
    Diagnostic report{DiagId::HazardNotEstablished,
                      Severity::Warning,
                      race.stmt->span(),
                      doubtOf(race, buffer),
                      {}};
    if (race.other)
      report.note(race.other->span(), ("'" + buffer + "' is written here").str());
    reportOnce(diagnostics, std::move(report));
  }
  return verdict;
}

HazardVerdict verifyHazards(Context &context, const Function &function, Diagnostics &diagnostics,
                            HazardSeverity severity, const std::function<bool()> &stop) {
  const AccessTree &tree = computeAccessTree(context, function, AccessDetail::Statements);
  if (hasLanes(tree.program))
    return std::max(verifyLanes(context, function, tree, diagnostics, severity),
                    verifyStatements(context, function, diagnostics, severity));
  std::vector<HazardFault> faults = checkHazards(tree.program, bufferBytesOf(function), stop);
  StmtSpans spans(function);
  ArrivalDoubts arrivals(context, function, tree.program);
  bool isUnknownWhoMeets = !faults.empty() && hasUnknownMeeting(function);
  struct Said {
    Span span, noteSpan;
    std::string sentence;
  };
  std::vector<Said> said;
  HazardVerdict verdict = HazardVerdict::Free;
  for (const HazardFault &fault : faults) {
    llvm::StringRef first = function.buffer(fault.first).name;
    llvm::StringRef second = function.buffer(fault.second).name;
    DiagnosticNote note{spans.of(fault.firstStmt),
                        ("'" + first + "' is accessed here first").str()};
    Span span = spans.of(fault.secondStmt);
    if (std::string doubt = doubtOf(function, fault, isUnknownWhoMeets, arrivals); !doubt.empty()) {
      verdict = std::max(verdict, HazardVerdict::NotEstablished);
      reportOnce(diagnostics,
                 {DiagId::HazardNotEstablished,
                  Severity::Warning,
                  span,
                  llvm::formatv(doubt.c_str(), first, sentenceOf(fault, first, second)),
                  {note}});
      continue;
    }
    verdict = HazardVerdict::Found;
    std::string sentence = sentenceOf(fault, first, second);
    // Copies of a statement are one line of the kernel.
    bool isKnown = llvm::any_of(said, [&](const Said &known) {
      return known.span == span && known.noteSpan == note.span && known.sentence == sentence;
    });
    if (isKnown)
      continue;
    diagnostics.report(hazardId(severity), span, sentence).note(note.span, note.text);
    said.push_back({span, note.span, std::move(sentence)});
  }
  return std::max(verdict, verifyStatements(context, function, diagnostics, severity));
}

} // namespace tilescope
