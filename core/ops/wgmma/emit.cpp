#include "core/codegen/cuda_writer.h"

#include "core/hopper/wgmma_descriptor.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"

#include "llvm/Support/FormatVariadic.h"

#include <functional>

namespace tilescope {

namespace {

// The region with these dimensions from 0 on.
BufferRegion fromZero(const BufferRegion &region, llvm::function_ref<bool(size_t)> isOne,
                      CudaWriter &writer) {
  llvm::SmallVector<Range> ranges(region.ranges);
  Builder builder(writer.context());
  for (size_t dim = 0; dim != ranges.size(); ++dim)
    if (isOne(dim))
      ranges[dim].min = builder.integer(0, ranges[dim].min->dtype());
  return builder.region(region.buffer, region.slot, ranges, region.span);
}

bool mentions(const Expr *expr, const Var *var) {
  bool isFound = expr == var;
  forEachChild(expr, [&](const Expr *child) { isFound |= mentions(child, var); });
  return isFound;
}

// "wgmma_operand<128, 16, 1024>(shared_address(A_shared), A_shared_at(0, k_step * 16) * 2)": what
// moves along k is added to the descriptor of the rows or columns, which ptxas makes once. The sum
// is right as no bits of the pattern change from one of these to the next.
std::string operandText(const BufferRegion &region, bool kIsRow, CudaWriter &writer) {
  const Buffer &buffer = writer.buffer(region.buffer);
  size_t last = region.ranges.size() - 1;
  size_t across = kIsRow ? last : last - 1, along = kIsRow ? last - 1 : last;
  WgmmaTile tile{.major = kIsRow ? OperandMajor::MN : OperandMajor::K,
                 .swizzle = *swizzleOfSpan(buffer.layout->spanBytes),
                 .elementBytes = buffer.dtype.bits / 8,
                 .rows = constantValue(buffer.shape[last - 1]).value_or(0)};
  WgmmaDescriptor descriptor = wgmmaTileDescriptor(tile, 0);
  auto isAlong = [&](size_t dim) { return dim == along; };
  bool isOfThread = mentions(region.ranges[across].min, writer.launch().threadVar);
  std::string start = writer.call(isOfThread ? Helper::UniformAddress : Helper::SharedAddress) +
                      "(" + writer.address(fromZero(region, isAlong, writer)) + ")";
  if (!writer.launch().cluster.empty())
    start = writer.call(Helper::AddressInBlock) + "(" + start + ")";
  std::string step = writer.place(fromZero(region, std::not_fn(isAlong), writer));
  if (step != "0")
    start += ", " + step +
             (tile.elementBytes > 1 ? llvm::formatv(" * {0}", tile.elementBytes).str() : "");
  return llvm::formatv("{0}<{1}, {2}, {3}>({4})", writer.call(Helper::WgmmaOperand),
                       buffer.layout->spanBytes, descriptor.leading, descriptor.stride, start);
}

} // namespace

void emitWgmma(const OpStmt &op, CudaWriter &writer) {
  const Buffer &left = writer.buffer(op.regions[0].buffer);
  const Buffer &right = writer.buffer(op.regions[1].buffer);
  bool transposesA = op.attr(Attr::TransposeA) != 0, transposesB = op.attr(Attr::TransposeB) != 0;
  WgmmaHelper helper{
      .columns = 2 * constantValue(op.regions[2].ranges.back().extent).value_or(0),
      .a = left.dtype,
      .b = right.dtype,
      .sums = writer.buffer(op.regions[2].buffer).dtype,
      .isFromRegisters = !isMemory(left.scope),
  };
  std::string a = helper.isFromRegisters ? writer.address(op.regions[0])
                                         : operandText(op.regions[0], transposesA, writer);
  std::string b = operandText(op.regions[1], !transposesB, writer);
  std::string transposed = helper.isFromRegisters ? "" : std::to_string(int{transposesA}) + ", ";
  transposed =
      helper.canTranspose() ? "<" + transposed + std::to_string(int{!transposesB}) + ">" : "";
  std::string clears = op.args[0] ? ", " + writer.value(op.args[0]) : "";
  writer.line(llvm::formatv("{0}{1}({2}, {3}, {4}{5});", writer.call(helper), transposed,
                            writer.address(op.regions[2]), a, b, clears));
}

} // namespace tilescope
