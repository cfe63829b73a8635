// The accumulator, and operands in registers, lie as mma.sync wants them; operands in shared memory
// are swizzled so that ldmatrix has no bank conflicts.
#include "core/analysis/layouts/gemm_shape.h"
#include "core/analysis/layouts/layout_state.h"

namespace tilescope {

namespace {

void inferOperand(LayoutState &state, const OpStmt &op, BufferId id, const Layout *inRegisters) {
  if (!state.isFragment(id))
    return state.wishSwizzle(id, &op);
  state.setFragment(id, inRegisters, &op);
}

} // namespace

void inferGemmLayout(LayoutState &state, const OpStmt &op, LayoutStrength strength) {
  if (strength != LayoutStrength::Strict)
    return;
  GemmShape shape = gemmShapeOf(op, state.function(), state.threads());
  if (!shape.problem.empty())
    return state.addConflict(
        {LayoutConflict::Kind::Unsupported, &op, op.regions[2].buffer, shape.problem});
  Context &context = state.context();
  state.setFragment(op.regions[2].buffer, mmaAccumulator(context, shape.m, shape.n, shape.grid),
                    &op);
  inferOperand(state, op, op.regions[0].buffer,
               mmaOperandA(context, shape.m, shape.k, shape.operandType, shape.grid,
                           /*kIsRow=*/op.attr(Attr::TransposeA)));
  inferOperand(state, op, op.regions[1].buffer,
               mmaOperandB(context, shape.n, shape.k, shape.operandType, shape.grid,
                           /*kIsRow=*/!op.attr(Attr::TransposeB)));
}

} // namespace tilescope
