// T.pdl_trigger(): as far as this block is concerned a launch with a pdl_sync that comes next may
// begin. Its pdl_sync waits for the end of this one all the same. PTX ISA,
// "griddepcontrol.launch_dependents".
#include "core/ir/op.h"

namespace tilescope {

const OpInfo &infoOfPdlTrigger() {
  static const OpInfo Info{.scope = OpScope::Thread, .sync = OpSync::NextLaunch};
  return Info;
}

} // namespace tilescope
