// T.tma_store_commit(): closes the group of the boxes that the thread has begun to store since the
// last one. PTX ISA, "cp.async.bulk.commit_group".
#include "core/ir/op_check.h"

namespace tilescope {

const OpInfo &infoOfTmaStoreCommit() {
  static const OpInfo Info{
      .scope = OpScope::Elected, .sync = OpSync::Commit, .queue = AsyncQueue::BulkStore};
  return Info;
}

} // namespace tilescope
