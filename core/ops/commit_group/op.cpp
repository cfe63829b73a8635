// T.commit_group(): closes the group of asynchronous copies issued since the last one. An empty
// group completes at once.
#include "core/ir/op_check.h"

namespace tilescope {

const OpInfo &infoOfCommitGroup() {
  static const OpInfo Info{.scope = OpScope::Thread, .sync = OpSync::Commit};
  return Info;
}

} // namespace tilescope
