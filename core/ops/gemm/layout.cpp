// The accumulator, and operands in registers, lie as mma.sync or wgmma want them; operands in
// shared memory are swizzled so that ldmatrix has no bank conflicts, or as wgmma reads them.
#include "core/analysis/layouts/layout_state.h"
#include "core/analysis/select_gemm.h"
#include "core/analysis/select_wgmma.h"

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

void inferWgmmaLayout(LayoutState &state, const OpStmt &op) {
  WgmmaChoice choice = selectWgmma(op, state.function(), state.target(), state.threads());
  if (!choice.reason.empty())
    return state.addConflict({LayoutConflict::Kind::Unsupported, &op, op.regions[2].buffer,
                              "no wgmma: " + choice.reason});
  state.setFragment(op.regions[2].buffer,
                    wgmmaAccumulator(state.context(), choice.m, choice.n, choice.grid), &op);
  if (choice.isFromRegisters)
    state.setFragment(op.regions[0].buffer,
                      wgmmaOperandA(state.context(), choice.m, choice.k,
                                    state.buffer(op.regions[0].buffer).dtype.bits, choice.grid),
                      &op);
  for (size_t operand = choice.isFromRegisters ? 1 : 0; operand != 2; ++operand) {
    BufferId id = op.regions[operand].buffer;
    state.wantSwizzle(id, wgmmaOperandLayout(state.context(), state.buffer(id)), &op);
  }
}

} // namespace

void inferGemmLayout(LayoutState &state, const OpStmt &op, LayoutStrength strength) {
  if (strength != LayoutStrength::Strict)
    return;
  if (op.opInfo().has(Attr::Unit) &&
      op.attr(Attr::Unit) == static_cast<int64_t>(MatrixUnit::WarpGroup))
    return inferWgmmaLayout(state, op);
  GemmChoice choice = selectGemm(op, state.function(), state.threads());
  if (choice.instruction == GemmInstruction::None)
    return state.addConflict(
        {LayoutConflict::Kind::Unsupported, &op, op.regions[2].buffer, choice.reason});
  Context &context = state.context();
  inferOperand(state, op, op.regions[2], mmaAccumulator(context, choice.m, choice.n, choice.grid));
  inferOperand(state, op, op.regions[0],
               mmaOperandA(context, choice.m, choice.keptOf(choice.k), choice.operandType,
                           choice.grid, choice.a.kIsRow));
  inferOperand(
      state, op, op.regions[1],
      mmaOperandB(context, choice.n, choice.k, choice.operandType, choice.grid, choice.b.kIsRow));
}

} // namespace tilescope
