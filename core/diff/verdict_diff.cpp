#include "core/diff/verdict_diff.h"

#include "core/trace/trace_origin.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

std::vector<VerdictDiff> diffVerdicts(const Trace &before, const Trace &after) {
  bool isOneKind = isForeign(before.header) == isForeign(after.header) &&
                   isPlanAlone(before.header) == isPlanAlone(after.header);
  if (!isOneKind || before.passes.empty() || after.passes.empty())
    return {};
  Judgement old = recordedJudgement(before), now = recordedJudgement(after);
  std::vector<VerdictDiff> verdicts;
  for (Question question : AllQuestions) {
    const Answer &left = old[question], &right = now[question];
    if (left.verdict != right.verdict)
      verdicts.push_back({textOf(question), left.verdict, right.verdict, right.why});
  }
  return verdicts;
}

std::string shortTextOf(const VerdictDiff &verdict) {
  return llvm::formatv("{0}: {1} -> {2}", verdict.question, textOf(verdict.before),
                       textOf(verdict.after));
}

std::string toText(const VerdictDiff &verdict) {
  std::string text = shortTextOf(verdict);
  return verdict.why.empty() ? text : text + ": " + verdict.why;
}

} // namespace tilescope
