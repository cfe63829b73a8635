// Which of the questions that `tilescope check` answers have another answer.
#pragma once

#include "core/trace/judgement.h"

namespace tilescope {

struct VerdictDiff {
  std::string question; // "free of hazards"
  Verdict before = Verdict::NotEstablished;
  Verdict after = Verdict::NotEstablished;
  std::string why; // of what is not established any more; ""

  // What was shown no longer is, or what was not refuted now is.
  bool isFall() const { return before == Verdict::Yes || after == Verdict::No; }
};

// As both traces record them, in the order of the questions. Nothing where they are not of one
// kind: of another compiler's program, and of a plan alone, other things can be told.
std::vector<VerdictDiff> diffVerdicts(const Trace &before, const Trace &after);

// "free of hazards: yes -> not established"
std::string shortTextOf(const VerdictDiff &verdict);
// And why.
std::string toText(const VerdictDiff &verdict);

} // namespace tilescope
