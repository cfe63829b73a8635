#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"

namespace tilescope {

void executeCommitGroup(const OpStmt &, BlockFrame &frame) { frame.commitCopies(); }

void executeCommitGroup(const OpStmt &, ThreadGroup &group, Lanes lanes) { group.commit(lanes); }

} // namespace tilescope
