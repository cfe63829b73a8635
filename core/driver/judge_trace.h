// Judges the last state of a trace anew: what the trace claims of it is held against its IR.
#pragma once

#include "core/trace/judgement.h"

namespace tilescope {

// The text of the last state, with its tags, is read back as IR; verifier, arena check, hazard
// check and capacity run on that, and where the recorded plan says anything else than the IR, that
// is a finding. What cannot be read back is not established. A plan alone is checked as a plan; of
// another compiler's program the accesses were judged when the trace was opened.
Judgement judgeTrace(const Trace &trace);

} // namespace tilescope
