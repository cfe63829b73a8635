// T.pdl_sync.
#include "core/frontend/dependent_launches.h"

namespace tilescope::frontend {

Value tilePdlSync(Args &args) { return emitOfDependentLaunch(args, Op::PdlSync); }

} // namespace tilescope::frontend
