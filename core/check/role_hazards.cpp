#include "core/check/role_hazards.h"

#include "core/analysis/block_programs.h"
#include "core/analysis/known_program.h"
#include "core/analysis/shared_bytes.h"
#include "core/check/fault_sentences.h"
#include "core/check/step_hazards.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

class LaneReporter {
public:
  LaneReporter(const Function &function, Diagnostics &diagnostics)
      : function_(function), spans_(function), diagnostics_(diagnostics) {}

  void report(DiagId id, const HazardFault &fault) {
    std::string first = nameOf(fault.first), second = nameOf(fault.second);
    std::string sentence = sentenceOf(fault, first, second);
    bool isDoubt = id == DiagId::HazardNotEstablished;
    if (isDoubt)
      sentence = "it is not established that accesses of '" + first + "' are in order: " + sentence;
    add(id, spans_.of(fault.secondStmt), std::move(sentence),
        DiagnosticNote{spans_.of(fault.firstStmt), "'" + first + "' is accessed here first"});
  }

  void reportStuck(HazardSeverity severity, StmtId stmt) {
    constexpr llvm::StringLiteral Sentence =
        "threads wait here for ever: nothing that they wait for is left to come";
    add(severity == HazardSeverity::Error ? DiagId::MemoryHazard : DiagId::AllowedHazard,
        spans_.of(stmt), Sentence.str(), std::nullopt);
  }

  void reportDoubt(const std::string &why, StmtId stmt) {
    Span span = spans_.of(stmt);
    add(DiagId::HazardNotEstablished, span.isValid() ? span : function_.span,
        "it is not established that accesses are in order: it is not shown " + why, std::nullopt);
  }

private:
  std::string nameOf(BufferId id) const { return function_.buffer(id).name.str(); }

  // Once: copies of a statement are one line, and what every pass leaves is told once.
  void add(DiagId id, Span span, std::string text, std::optional<DiagnosticNote> note) {
    bool isKnown = llvm::any_of(diagnostics_.all(), [&](const Diagnostic &known) {
      return known.id == id && known.span == span && known.text == text;
    });
    if (isKnown)
      return;
    Diagnostic &made = diagnostics_.report(id, span, text);
    if (note)
      made.note(note->span, note->text);
  }

  const Function &function_;
  StmtSpans spans_;
  Diagnostics &diagnostics_;
};

struct JudgedSteps {
  StepHazards hazards;
  StmtId gap; // what is not known of the order begins here; invalid: it is all known
};

} // namespace

bool hasLanes(const AccessProgram &program) {
  return !program.mbarriers.empty() || llvm::any_of(program.nodes, [](const AccessNode &node) {
    return node.kind == AccessNode::Kind::Roles;
  });
}

static JudgedSteps judgeBlock(const AccessProgram &block, const std::vector<BufferBytes> &bytes) {
  std::vector<OfLength> lengths = followLengths(block);
  FollowedSteps order = lengths.empty() ? followSteps(block) : FollowedSteps();
  StepHazards hazards =
      lengths.empty() ? judgeSteps(block, bytes, order) : judgeLengths(lengths, bytes);
  if (!hazards.why.empty() && !lengths.empty())
    order = followSteps(block);
  StmtId gap = hazards.why.empty() || order.gaps.empty() ? StmtId() : order.gaps.front().stmt;
  return {std::move(hazards), gap};
}

// Of all blocks.
static JudgedSteps judgeBlocks(Context &context, const std::vector<AccessProgram> &blocks,
                               const std::vector<BufferBytes> &bytes) {
  JudgedSteps all;
  for (const AccessProgram &block : blocks) {
    const auto [hazards, gap] =
        knownOf(context, block, bytes, [&] { return judgeBlock(block, bytes); });
    llvm::append_range(all.hazards.found, hazards.found);
    llvm::append_range(all.hazards.open, hazards.open);
    if (!all.hazards.stuckAt.isValid())
      all.hazards.stuckAt = hazards.stuckAt;
    all.hazards.why = hazards.why;
    all.gap = gap;
    // Of others it would not be told either, or once more.
    if (!hazards.isFree())
      break;
  }
  return all;
}

HazardVerdict verifyLanes(Context &context, const Function &function, const AccessTree &tree,
                          Diagnostics &diagnostics, HazardSeverity severity) {
  std::vector<BufferBytes> bytes = bufferBytesOf(function);
  const auto [hazards, gap] =
      judgeBlocks(context, programsOfBlocks(context, function, tree), bytes);
  LaneReporter reporter(function, diagnostics);
  DiagId certain = severity == HazardSeverity::Error ? DiagId::MemoryHazard : DiagId::AllowedHazard;
  for (const HazardFault &fault : hazards.found)
    reporter.report(certain, fault);
  if (hazards.stuckAt.isValid())
    reporter.reportStuck(severity, hazards.stuckAt);
  if (hazards.isFound())
    return HazardVerdict::Found;
  for (const HazardFault &fault : hazards.open)
    reporter.report(DiagId::HazardNotEstablished, fault);
  if (!hazards.why.empty())
    reporter.reportDoubt(hazards.why, gap);
  return hazards.isFree() ? HazardVerdict::Free : HazardVerdict::NotEstablished;
}

} // namespace tilescope
