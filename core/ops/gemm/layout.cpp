// The accumulator, and operands in registers, lie as mma.sync wants them; operands in shared memory
// are swizzled so that ldmatrix has no bank conflicts.
#include "core/analysis/layouts/gemm_shape.h"
#include "core/analysis/layouts/layout_state.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// Axes before those of the matrix have extent 1.
const Layout *withLeadingAxes(Context &context, const Layout &matrix, size_t rank) {
  llvm::SmallVector<DigitList> dims(rank - matrix.dims.size());
  for (llvm::ArrayRef<Digit> digits : matrix.dims)
    dims.push_back(DigitList(digits));
  return makeDenseFragment(context, dims, matrix.replicas);
}

void inferOperand(LayoutState &state, const OpStmt &op, const BufferRegion &region,
                  const Layout *inRegisters) {
  if (!state.isFragment(region.buffer))
    return state.wishSwizzle(region.buffer, &op);
  const Buffer &fragment = state.buffer(region.buffer);
  if (!isWhole(region, fragment))
    return state.addConflict(
        {LayoutConflict::Kind::Unsupported, &op, region.buffer,
         llvm::formatv("it takes only a part of fragment '{0}'", fragment.name)});
  state.setFragment(region.buffer,
                    withLeadingAxes(state.context(), *inRegisters, region.ranges.size()), &op);
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
  inferOperand(state, op, op.regions[2], mmaAccumulator(context, shape.m, shape.n, shape.grid));
  inferOperand(state, op, op.regions[0],
               mmaOperandA(context, shape.m, shape.k, shape.operandType, shape.grid,
                           /*kIsRow=*/op.attr(Attr::TransposeA)));
  inferOperand(state, op, op.regions[1],
               mmaOperandB(context, shape.n, shape.k, shape.operandType, shape.grid,
                           /*kIsRow=*/!op.attr(Attr::TransposeB)));
}

} // namespace tilescope
