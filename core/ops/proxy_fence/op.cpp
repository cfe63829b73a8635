// T.proxy_fence(): what this thread has written to shared memory is seen by what goes through the
// asynchronous proxy, once a barrier has followed. PTX ISA, "fence.proxy.async".
#include "core/ir/op_check.h"

namespace tilescope {

const OpInfo &infoOfProxyFence() {
  static const OpInfo Info{.scope = OpScope::Thread, .sync = OpSync::ProxyFence};
  return Info;
}

} // namespace tilescope
