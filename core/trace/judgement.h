// What is to be said of the last state of a trace: four questions, each answered yes, no (with a
// finding), or not established (with what stopped it).
#pragma once

#include "core/trace/trace.h"

#include <array>

namespace tilescope {

enum class Question : uint8_t { Verified, ArenaSound, HazardFree, WithinCapacity };
inline constexpr std::array AllQuestions = {Question::Verified, Question::ArenaSound,
                                            Question::HazardFree, Question::WithinCapacity};

// "IR verified"
const char *textOf(Question question);

struct Answer {
  Verdict verdict = Verdict::NotEstablished;
  std::string why;        // of what is not established
  Span span;              // the statement that stopped it, if it is one
  bool isCarried = false; // as of a TraceLine
};

// Bytes of shared memory that a kernel has no room for.
struct OverCapacity {
  int64_t bytes = 0;
  int64_t capacityBytes = 0;
};

struct Judgement {
  std::array<Answer, AllQuestions.size()> answers;
  // Whether it runs as written after each pass that it was run after; of a no, `why` is the first
  // pass after which it does not. nullopt: nobody ran it.
  std::optional<Answer> runsAsWritten;
  std::optional<OverCapacity> overCapacity;
  std::vector<TraceDiagnostic> findings; // those of the compile among them

  Answer &operator[](Question question) { return answers[static_cast<size_t>(question)]; }
  const Answer &operator[](Question question) const {
    return answers[static_cast<size_t>(question)];
  }
  // Where nothing can be said.
  void leaveOpen(const std::string &why);
  // A finding refutes what it is about, and a doubt leaves it open, whatever the checks said.
  void heedFindings();
};

// The id of the diagnostic that says why a kernel was not run.
inline constexpr const char *NotRunId = "not-run";
// What the passes of a trace say of their runs.
std::optional<Answer> recordedRun(const Trace &trace);

// As the trace has it. Of another compiler's program nothing is recorded: it was judged when the
// trace was opened. `core/driver/judge_trace.h` judges anew.
Judgement recordedJudgement(const Trace &trace);
// Puts the verdicts and findings in place of those that the trace has.
void recordJudgement(const Judgement &judgement, Trace &trace);

// Why a compile was not judged, where it is not that a check stopped; `missing` is what no pass has
// done in a compile without faults.
std::string reasonOfGap(const Trace &trace, const std::string &missing);

} // namespace tilescope
