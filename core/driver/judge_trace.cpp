#include "core/driver/judge_trace.h"

#include "core/analysis/shared_bytes.h"
#include "core/check/plan_check.h"
#include "core/check/verify_memory.h"
#include "core/ir/reader.h"
#include "core/ir/text_form.h"
#include "core/ir/verifier.h"
#include "core/plan/arena_problem.h"
#include "core/plan/planner.h"
#include "core/support/kernel_line.h"
#include "core/trace/trace_origin.h"
#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

namespace tilescope {

namespace {

// The kernel is the first file; the others are texts that nobody else has.
Span inKernel(const Span &span) { return span.file == FileId(0) ? span : Span(); }

std::optional<DiagnosticFix> fixInKernel(const DiagnosticNote &note) {
  return note.fix && inKernel(note.fix->span).isValid() ? note.fix : std::nullopt;
}

TraceDiagnostic recordOf(const Diagnostic &diagnostic) {
  TraceDiagnostic record{nameOf(diagnostic.id).str(),
                         diagnostic.severity == Severity::Error ? "error" : "warning",
                         inKernel(diagnostic.span),
                         diagnostic.text,
                         {}};
  for (const DiagnosticNote &note : diagnostic.notes)
    record.notes.push_back({inKernel(note.span), note.text, false, fixInKernel(note)});
  return record;
}

std::string textOf(std::optional<int64_t> offsetBytes) {
  return offsetBytes ? "offset " + std::to_string(*offsetBytes) : "no offset";
}

// What the compile found is among the findings already.
void addFindings(const Diagnostics &diagnostics, Judgement &judgement) {
  for (const Diagnostic &diagnostic : diagnostics.all()) {
    TraceDiagnostic record = recordOf(diagnostic);
    bool isKnown = llvm::any_of(judgement.findings, [&](const TraceDiagnostic &known) {
      return known.id == record.id && known.text == record.text &&
             known.span.line == record.span.line;
    });
    if (!isKnown)
      judgement.findings.push_back(std::move(record));
  }
}

bool isOneLine(llvm::StringRef text) { return !text.contains('\n'); }

// Text may come from anywhere; what lies beyond fits no target either way.
constexpr int64_t LargestOffset = int64_t(1) << 44;

class Judge {
public:
  explicit Judge(const Trace &trace)
      : trace_(trace), snapshot_(trace.snapshots[trace.passes.back().snapshot]),
        kernel_(files_.add(trace.header.file, trace.header.fileText)) {
    judgement_.findings = trace.diagnostics;
  }

  Judgement run() {
    if (!readBack())
      return std::move(judgement_);
    if (!verifyModule(*module_, diagnostics_)) {
      judgement_.leaveOpen("the IR does not verify");
      judgement_[Question::Verified] = {Verdict::No, "", {}};
    } else {
      judgement_[Question::Verified].verdict = Verdict::Yes;
      judgeArena();
      judgeHazards();
      judgeCapacity();
      // Of a module that a check refused the trace records nothing else.
      if (trace_.passes.back().status != PassStatus::Failed)
        compareWithRecord();
    }
    addFindings(diagnostics_, judgement_);
    judgement_.heedFindings();
    return std::move(judgement_);
  }

private:
  // ---- Reading back -----------------------------------------------------------------------------

  // Without them the text is of the same program, but it is not known which statements do one thing
  // together.
  bool hasTags() const { return !trace_.tags.empty(); }

  // Every trace knows ids and places.
  std::string tagOf(size_t at) const {
    if (hasTags())
      return trace_.tags[at];
    const TraceLine &line = trace_.lines[(*snapshot_.lines)[at]];
    std::string place = line.span.isValid() ? " span=" + textOf(line.span) : "";
    return line.stmt.isValid()     ? "s" + std::to_string(line.stmt.value) + place
           : line.buffer.isValid() ? "b" + std::to_string(line.buffer.value) + place
                                   : "";
  }

  // nullopt: it is not text of lines and tags.
  std::optional<std::string> taggedText() const {
    const std::vector<LineId> &lines = *snapshot_.lines;
    if (hasTags() && trace_.tags.size() != lines.size())
      return std::nullopt;
    std::string text;
    for (size_t at = 0; at != lines.size(); ++at) {
      const std::string &line = trace_.lines[lines[at]].text;
      std::string tag = tagOf(at);
      if (!isOneLine(line) || !isOneLine(tag))
        return std::nullopt;
      text += line;
      if (!tag.empty())
        text.append("  ").append(TagMark).append(tag);
      text += '\n';
    }
    return text;
  }

  bool readBack() {
    std::string why = "the trace holds other text than IR";
    std::optional<std::string> text = taggedText();
    if (text && looksLikeIr(*text)) {
      FileId file = files_.add("IR of the trace", *text);
      Diagnostics faults;
      module_ = readModule(context_, file, files_, faults, kernel_);
      if (module_)
        return true;
      auto error = llvm::find_if(
          faults.all(), [](const Diagnostic &fault) { return fault.severity == Severity::Error; });
      why = lineText("line ", error->span.line, ": ") + error->text;
    }
    judgement_.leaveOpen("its IR text cannot be read back: " + why);
    judgement_.heedFindings();
    return false;
  }

  // ---- Checks -----------------------------------------------------------------------------------

  bool allHave(Property property) const {
    return llvm::all_of(module_->functions, [&](const Function *function) {
      return function->properties.has(property);
    });
  }

  void leaveOpen(Question question, const std::string &missing) {
    judgement_[question] = {Verdict::NotEstablished, reasonOfGap(trace_, missing), {}};
  }

  void judgeArena() {
    if (!allHave(Property::ArenaPlanned))
      return leaveOpen(Question::ArenaSound, "no pass has planned shared memory");
    answerByCheck(Question::ArenaSound, [&](const Function &function, Diagnostics &faults) {
      return verifyArena(context_, function, faults);
    });
  }

  void judgeHazards() {
    if (!allHave(Property::BarriersFinal))
      return leaveOpen(Question::HazardFree, "no pass has placed the last barriers");
    HazardSeverity severity =
        trace_.header.allowHazards ? HazardSeverity::Warning : HazardSeverity::Error;
    answerByCheck(Question::HazardFree, [&](const Function &function, Diagnostics &faults) {
      return verifyHazards(context_, function, faults, severity);
    });
  }

  // A check that finds nothing where less is known finds nothing where more is.
  template <typename Check> void answerByCheck(Question question, Check check) {
    Diagnostics faults;
    for (const Function *function : module_->functions)
      check(*function, faults);
    if (!faults.all().empty() && !hasTags()) {
      judgement_[question].why =
          llvm::formatv("a trace of format {0}.{1} does not keep which statements belong together",
                        trace_.header.major, trace_.header.minor)
              .str();
      return;
    }
    judgement_[question].verdict = Verdict::Yes; // as far as findings allow
    addFindings(faults, judgement_);
  }

  void judgeCapacity() {
    Answer &answer = judgement_[Question::WithinCapacity];
    const Target *target = targetOf(trace_);
    if (!target) {
      answer.why = "target '" + trace_.header.target + "' is not known";
      return;
    }
    answer.verdict = Verdict::Yes;
    for (const Function *function : module_->functions)
      judgeCapacity(*function, *target, answer);
  }

  void judgeCapacity(const Function &function, const Target &target, Answer &answer) {
    const FunctionArena &arena = computeFunctionArena(context_, function, target);
    int64_t staticBytes = staticSharedBytes(function);
    int64_t bytes = heightOf(function, arena);
    if (staticBytes > target.sharedBytesPerBlock) {
      answer = {Verdict::No, "", {}};
      judgement_.overCapacity = OverCapacity{staticBytes, target.sharedBytesPerBlock};
    } else if (bytes > arena.problem.capacityBytes) {
      answer = {Verdict::No, "", {}};
      judgement_.overCapacity = OverCapacity{bytes, arena.problem.capacityBytes};
    } else if (arena.isPreview && !arena.problem.buffers.empty()) {
      answer = {allOf(answer.verdict, Verdict::NotEstablished),
                reasonOfGap(trace_, "no pass has planned shared memory"),
                {}};
    } else if (!arena.launchSized.empty()) {
      answer = {allOf(answer.verdict, Verdict::NotEstablished),
                "the size of '" + arena.launchSized.front().name + "' is known at launch only",
                {}};
    }
    if (answer.verdict == Verdict::No)
      answer.why.clear();
  }

  // 0 before the arena is planned.
  static int64_t heightOf(const Function &function, const FunctionArena &arena) {
    return arena.isPreview ? 0 : planOf(function, arena).heightBytes;
  }

  static ArenaPlan planOf(const Function &function, const FunctionArena &arena) {
    std::vector<int64_t> offsets;
    offsets.reserve(arena.problem.buffers.size());
    for (const ArenaBuffer &buffer : arena.problem.buffers)
      offsets.push_back(
          std::min(function.buffer(buffer.id).offsetBytes.value_or(0), LargestOffset));
    return describePlan(arena.problem, offsets);
  }

  // ---- The record -------------------------------------------------------------------------------

  void compareWithRecord() {
    std::map<BufferId, const Buffer *> buffers;
    for (const Function *function : module_->functions)
      for (const Buffer *buffer : function->buffers)
        buffers[buffer->id] = buffer;
    for (const BufferRecord &record : *snapshot_.buffers)
      compareOffset(buffers, record.id, record.name, record.offsetBytes);
    for (const ArenaRecord &arena : *snapshot_.arenas)
      if (!arena.preview)
        for (const Placement &placement : arena.plan.placements)
          compareOffset(buffers, placement.id, nameOf(placement.id), placement.offsetBytes);
    compareHeights();
  }

  std::string nameOf(BufferId id) const {
    const BufferRecord *record = declarations_.find(id);
    return record ? record->name : "b" + std::to_string(id.value);
  }

  void compareOffset(const std::map<BufferId, const Buffer *> &buffers, BufferId id,
                     const std::string &name, std::optional<int64_t> offset) {
    auto found = buffers.find(id);
    std::optional<int64_t> ofIr =
        found == buffers.end() ? std::nullopt : found->second->offsetBytes;
    if (ofIr == offset || !disagreeing_.insert(id.value).second)
      return;
    diagnostics_.report(DiagId::RecordDisagrees,
                        found == buffers.end() ? Span() : found->second->span, "'" + name + "'",
                        textOf(offset), textOf(ofIr), "IR");
  }

  void compareHeights() {
    const Target *target = targetOf(trace_);
    for (const Function *function : module_->functions) {
      auto recorded = llvm::find_if(*snapshot_.arenas, [&](const ArenaRecord &arena) {
        return function->name == arena.function && !arena.preview;
      });
      if (!target || recorded == snapshot_.arenas->end())
        continue;
      int64_t height = heightOf(*function, computeFunctionArena(context_, *function, *target));
      if (height != recorded->plan.heightBytes)
        diagnostics_.report(DiagId::RecordDisagrees, function->span, "'" + recorded->function + "'",
                            llvm::formatv("{0} bytes", recorded->plan.heightBytes).str(), height,
                            "IR");
    }
  }

  const Trace &trace_;
  const TraceSnapshot &snapshot_;
  BufferTable declarations_{snapshot_.buffers};
  SourceFiles files_;
  FileId kernel_; // the first file
  Context context_;
  const Module *module_ = nullptr;
  Diagnostics diagnostics_;
  llvm::SmallSet<uint32_t, 4> disagreeing_; // each buffer once
  Judgement judgement_;
};

// The lives of a plan alone are what it was imported with.
Judgement judgePlan(const Trace &trace) {
  Judgement judgement = recordedJudgement(trace);
  const TraceSnapshot &snapshot = trace.snapshots[trace.passes.back().snapshot];
  BufferTable declarations(snapshot.buffers);
  Diagnostics diagnostics;
  for (const ArenaRecord &arena : *snapshot.arenas) {
    ArenaProblem problem = arena.problem;
    problem.capacityBytes = 0; // a question of its own
    for (const std::string &fault : checkPlan(problem, arena.plan))
      diagnostics.report(DiagId::ArenaUnsound, Span(), fault);
    for (const Placement &placement : arena.plan.placements) {
      const BufferRecord *buffer = declarations.find(placement.id);
      if (buffer && buffer->offsetBytes != placement.offsetBytes)
        diagnostics.report(DiagId::RecordDisagrees, buffer->span, "'" + buffer->name + "'",
                           textOf(placement.offsetBytes), textOf(buffer->offsetBytes),
                           "table of buffers");
    }
  }
  bool hasPlan = !snapshot.arenas->empty();
  judgement[Question::ArenaSound] = hasPlan
                                        ? Answer{Verdict::Yes, "", {}}
                                        : Answer{Verdict::NotEstablished, "there is no plan", {}};
  addFindings(diagnostics, judgement);
  judgement.heedFindings();
  return judgement;
}

} // namespace

Judgement judgeTrace(const Trace &trace) {
  if (trace.passes.empty() || isForeign(trace.header))
    return recordedJudgement(trace);
  if (isPlanAlone(trace.header))
    return judgePlan(trace);
  // A pass that failed without a module leaves nothing that could be judged.
  const TracePass &last = trace.passes.back();
  bool hasNoModule =
      last.status == PassStatus::Failed && last.verdicts.verified == Verdict::NotEstablished;
  return hasNoModule ? recordedJudgement(trace) : Judge(trace).run();
}

} // namespace tilescope
