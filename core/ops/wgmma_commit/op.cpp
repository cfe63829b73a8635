// T.wgmma_commit(): closes the group of what the warp group has started since the last one.
#include "core/ir/op_check.h"

namespace tilescope {

const OpInfo &infoOfWgmmaCommit() {
  static const OpInfo Info{
      .scope = OpScope::WarpGroup, .sync = OpSync::Commit, .queue = AsyncQueue::Wgmma};
  return Info;
}

} // namespace tilescope
