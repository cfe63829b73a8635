// `break` and `continue` of device loops. The IR has no jumps: what they skip stands in the other
// side of the `if` around them, or under one that asks a variable whether the iteration has ended.
//
//     for i in T.serial(n):              for i in T.serial(n):
//       if a:                              skips = 0
//         x                                if a:
//         if b:                              x
//           break                            if b:
//         y                                    skips = 1
//       z                                      break        (no iteration after this one)
//                                            else:
//                                              y
//                                          if skips == 0:
//                                            z
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

// `break` or `continue`, of a loop of Python or of the device.
Flow jump(Evaluation &evaluation, bool isBreak, Span span);
// The thread does nothing more in this launch. What the others do together is checked as what
// stands under a condition is: a barrier for which some thread would not come is an error.
Flow leaveLaunch(Evaluation &evaluation, Span span);

// Collects a body into the innermost open block.
Flow collectBody(Evaluation &evaluation, llvm::function_ref<Flow()> body);
// The same of the body of a loop, which `loop` describes.
Flow collectLoopBody(Evaluation &evaluation, DeviceLoop &loop, llvm::function_ref<Flow()> body);
// The same of a launch, which T.thread_return ends.
Flow collectLaunch(Evaluation &evaluation, llvm::function_ref<Flow()> body);
// What follows in this body is executed only where the condition holds; `ended` is what is done
// elsewhere.
void openIf(Evaluation &evaluation, const DeviceBody::OpenIf &open, const Stmt *openSide);

// The statements of a body, one after the other, into the innermost open block.
void emitAll(KernelBuilder &kernel, const Stmt *body);
// The `else` of a loop.
Flow execElse(Evaluation &evaluation, const DeviceLoop &loop, ast::StmtList orelse);

// One side of an `if` on the device.
struct DeviceSide {
  const Stmt *body = nullptr;
  Flow flow = Flow::Normal;
  bool hasJumped = false; // of some of its threads
  int64_t registers = 0;  // that its threads are to have; 0: nothing was said
  bool mustHave = false;  // and they are no hint

  bool ends() const { return flow == Flow::Break || flow == Flow::Continue; }
};
// Emits the `if`, and opens what the statements behind it belong into.
Flow emitDeviceIf(Evaluation &evaluation, const StmtInfo &info, const Expr *condition,
                  const DeviceSide &whenTrue, const DeviceSide &whenFalse);

} // namespace tilescope::frontend
