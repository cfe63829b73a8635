// T.commit_group(): closes the group of asynchronous copies issued since the last one. An empty
// group completes at once.
#include "core/ir/op_check.h"

namespace tilescope {

const OpInfo &infoOfCommitGroup() {
  static const OpInfo Info{{}, {}, {}, OpScope::Thread};
  return Info;
}

} // namespace tilescope
