#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"

namespace tilescope {

// What is printed is read, and goes nowhere: an execution judges what a kernel computes.
void executePrint(const OpStmt &op, BlockFrame &frame) {
  for (const Expr *arg : op.args)
    if (arg)
      frame.evaluate(arg);
  frame.reads().use();
}

void executePrint(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  for (const Expr *arg : op.args)
    if (arg)
      group.evaluate(arg, lanes);
}

} // namespace tilescope
