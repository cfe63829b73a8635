// T.pdl_trigger.
#include "core/frontend/dependent_launches.h"

namespace tilescope::frontend {

Value tilePdlTrigger(Args &args) { return emitOfDependentLaunch(args, Op::PdlTrigger); }

} // namespace tilescope::frontend
