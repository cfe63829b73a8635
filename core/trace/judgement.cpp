#include "core/trace/judgement.h"

#include "core/support/diagnostics.h"
#include "core/trace/pass_figures.h"
#include "core/trace/trace_origin.h"
#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

bool fits(int64_t bytes, int64_t capacityBytes) {
  return capacityBytes == 0 || bytes <= capacityBytes; // 0: unlimited
}

const TraceSnapshot &lastSnapshot(const Trace &trace) {
  return trace.snapshots[trace.passes.back().snapshot];
}

// Of a trace that is opened piece by piece, before the last state is loaded.
Answer capacityByFigures(const Trace &trace) {
  PassFigures figures = figuresOf(trace, trace.passes.size() - 1);
  if (figures.sharedIsPreview)
    return {};
  return {verdictOf(fits(figures.sharedBytes, trace.header.capacityBytes)), "", {}};
}

// Every plan is final and as high as its constants say.
Answer capacityOf(const Trace &trace) {
  const TraceSnapshot &snapshot = lastSnapshot(trace);
  if (!isLoaded(snapshot))
    return capacityByFigures(trace);
  Answer answer{Verdict::Yes, "", {}};
  for (const ArenaRecord &arena : *snapshot.arenas) {
    if (arena.preview)
      return {};
    bool isHigh = !fits(arena.plan.heightBytes, arena.problem.capacityBytes);
    if (isHigh)
      return {Verdict::No, "", {}};
    if (!arena.launchSized.empty())
      answer = {Verdict::NotEstablished,
                "the size of '" + arena.launchSized.front().name + "' is known at launch only",
                {}};
  }
  return answer;
}

// A plan that was refused for it is a preview.
std::optional<OverCapacity> overCapacityOf(const Trace &trace) {
  bool isRefused = llvm::any_of(trace.diagnostics, [](const TraceDiagnostic &diagnostic) {
    return diagnostic.id == nameOf(DiagId::SharedMemoryOverCapacity);
  });
  for (const ArenaRecord &arena : *lastSnapshot(trace).arenas)
    if ((isRefused || !arena.preview) && !fits(arena.plan.heightBytes, arena.problem.capacityBytes))
      return OverCapacity{arena.plan.heightBytes, arena.problem.capacityBytes};
  return std::nullopt;
}

enum class Asked : uint8_t { Arena, Hazards };

// Of another compiler's program: what its recorder could not say; "": nothing that is asked.
std::string unknownsOf(const Trace &trace, Asked asked) {
  llvm::SmallSetVector<llvm::StringRef, 8> unknowns;
  for (const AccessRecord &access : *lastSnapshot(trace).accesses) {
    unknowns.insert(access.notFollowed.begin(), access.notFollowed.end());
    if (asked == Asked::Hazards)
      unknowns.insert(access.notOrdered.begin(), access.notOrdered.end());
  }
  return unknowns.empty() ? "" : "it is not known " + llvm::join(unknowns, ", ");
}

// What is missing for an answer in a compile without faults.
std::string missingFor(Question question, const Trace &trace) {
  bool isOfOthers = isForeign(trace.header), isPlan = isPlanAlone(trace.header);
  switch (question) {
  case Question::Verified:
    return isOfOthers ? "Tilescope does not know the IR of " + trace.header.compiler
           : isPlan   ? "a plan alone has no IR"
                      : "no pass left an IR";
  case Question::ArenaSound: {
    std::string unknowns = unknownsOf(trace, Asked::Arena);
    return !unknowns.empty() ? unknowns
           : isOfOthers && lastSnapshot(trace).arenas->empty()
               ? "the kernel uses no dynamic shared "
                 "memory"
               : "no pass has planned shared memory";
  }
  case Question::HazardFree: {
    std::string unknowns = unknownsOf(trace, Asked::Hazards);
    return !unknowns.empty() ? unknowns
           : isPlan          ? "a plan alone does not say which threads touch what"
                             : "no pass has placed the last barriers";
  }
  case Question::WithinCapacity:
    return isPlan ? "not every buffer has an offset" : "no pass has planned shared memory";
  }
  return "";
}

void refute(Answer &answer) { answer = {Verdict::No, "", {}}; }

// The first reason stays.
void doubt(Answer &answer, const TraceDiagnostic &finding) {
  if (answer.verdict == Verdict::Yes || (answer.verdict != Verdict::No && answer.why.empty()))
    answer = {Verdict::NotEstablished, finding.text, finding.span, finding.isCarried};
}

} // namespace

const char *textOf(Question question) {
  constexpr const char *Texts[] = {"IR verified", "arena sound", "free of hazards",
                                   "within capacity"};
  return Texts[static_cast<size_t>(question)];
}

void Judgement::leaveOpen(const std::string &why) {
  for (Answer &answer : answers)
    answer = {Verdict::NotEstablished, why, {}};
}

void Judgement::heedFindings() {
  for (const TraceDiagnostic &finding : findings) {
    auto is = [&](DiagId id) { return finding.id == nameOf(id); };
    if (isIrFault(finding.id))
      refute((*this)[Question::Verified]);
    if (is(DiagId::ArenaUnsound) || is(DiagId::RecordDisagrees))
      refute((*this)[Question::ArenaSound]);
    if (is(DiagId::MemoryHazard) || is(DiagId::AllowedHazard))
      refute((*this)[Question::HazardFree]);
    if (is(DiagId::SharedMemoryOverCapacity))
      refute((*this)[Question::WithinCapacity]);
    if (is(DiagId::HazardNotEstablished) || is(DiagId::BoundsNotEstablished) ||
        is(DiagId::RegisterBoundsNotEstablished) || is(DiagId::InitialisedNotEstablished))
      doubt((*this)[Question::HazardFree], finding);
    if (is(DiagId::BoundsNotEstablished))
      doubt((*this)[Question::ArenaSound], finding);
  }
}

std::string reasonOfGap(const Trace &trace, const std::string &missing) {
  const TracePass &last = trace.passes.back();
  if (last.status == PassStatus::Failed)
    return last.name + " failed";
  if (!trace.complete)
    return "the trace ends after " + last.name;
  return missing;
}

void recordJudgement(const Judgement &judgement, Trace &trace) {
  if (trace.passes.empty())
    return;
  trace.passes.back().verdicts = {judgement[Question::Verified].verdict,
                                  judgement[Question::ArenaSound].verdict,
                                  judgement[Question::HazardFree].verdict};
  trace.diagnostics = judgement.findings;
}

std::optional<Answer> recordedRun(const Trace &trace) {
  std::optional<Verdict> verdict;
  for (size_t pass = 0; pass != trace.passes.size(); ++pass) {
    std::optional<Verdict> one = trace.passes[pass].runsAsWritten;
    if (one == Verdict::No)
      return Answer{Verdict::No, passPlace(trace, pass), {}};
    if (one)
      verdict = allOf(*one, verdict.value_or(Verdict::Yes));
  }
  if (!verdict)
    return std::nullopt;
  Answer answer{*verdict, "", {}};
  for (const TraceDiagnostic &diagnostic : trace.diagnostics)
    if (*verdict == Verdict::NotEstablished && diagnostic.id == NotRunId)
      answer.why = diagnostic.text;
  return answer;
}

Judgement recordedJudgement(const Trace &trace) {
  Judgement judgement;
  judgement.findings = trace.diagnostics;
  judgement.runsAsWritten = recordedRun(trace);
  if (trace.passes.empty()) {
    judgement.leaveOpen("the compile did not get as far as its first pass");
    judgement.heedFindings();
    return judgement;
  }
  const TraceVerdicts &verdicts = trace.passes.back().verdicts;
  judgement[Question::Verified].verdict = verdicts.verified;
  judgement[Question::ArenaSound].verdict = verdicts.arenaSound;
  judgement[Question::HazardFree].verdict = verdicts.hazardFree;
  judgement[Question::WithinCapacity] = capacityOf(trace);
  judgement.overCapacity = overCapacityOf(trace);
  judgement.heedFindings();
  for (Question question : AllQuestions) {
    Answer &answer = judgement[question];
    if (answer.verdict == Verdict::NotEstablished && answer.why.empty())
      answer.why = reasonOfGap(trace, missingFor(question, trace));
  }
  return judgement;
}

} // namespace tilescope
