// T.pdl_sync(): this thread waits until the launches before this one have ended, and sees what they
// wrote to global memory. Such a launch begins before they have: what stands in front of it runs at
// the same time. PTX ISA, "griddepcontrol.wait".
#include "core/ir/op.h"

namespace tilescope {

const OpInfo &infoOfPdlSync() {
  static const OpInfo Info{.scope = OpScope::Thread, .sync = OpSync::EarlierLaunches};
  return Info;
}

} // namespace tilescope
