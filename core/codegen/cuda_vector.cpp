// Vectorized loops: every unit-stride access of the loop becomes one wide access.
//
//   for v in vectorized(8):                     alignas(16) half wide[8];
//       C[i, j + v] = half(C_local[r + v])  ->  #pragma unroll
//                                               for (int v = 0; v < 8; ++v)
//                                                 wide[v] = half(C_local[r + v]);
//                                               copy_vector<16>(&C[i * N + j], wide);
//
// The pass that marks a loop Vectorized has proven the alignment; what is no such loop is unrolled.
#include "core/codegen/cuda_writer.h"

#include "core/ir/visit.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

bool mentions(const Expr *expr, const Var *var) {
  bool found = false;
  if (expr)
    walk(expr, [&](const Expr *part) { found |= part == var; });
  return found;
}

bool isMemory(const Buffer &buffer) {
  return buffer.scope == Scope::Global || buffer.scope == Scope::Shared ||
         buffer.scope == Scope::SharedStatic;
}

// True if `expr` is var, var + rest or rest + var, where `rest` does not depend on it.
bool isUnitStep(const Expr *expr, const Var *var) {
  if (expr == var)
    return true;
  const auto *sum = llvm::dyn_cast<Binary>(expr);
  if (!sum || sum->op != BinaryOp::Add)
    return false;
  return (!mentions(sum->lhs, var) && isUnitStep(sum->rhs, var)) ||
         (!mentions(sum->rhs, var) && isUnitStep(sum->lhs, var));
}

enum class Step : uint8_t { None, Unit, Other };

Step stepOf(const Buffer &buffer, const Expr *slot, ExprList indices, const Var *var) {
  bool before = mentions(slot, var);
  for (const Expr *index : indices.drop_back())
    before |= mentions(index, var);
  if (before)
    return Step::Other;
  if (!mentions(indices.back(), var))
    return Step::None;
  bool unitStride = buffer.strides.empty() || constantValue(buffer.strides.back()) == 1;
  return isUnitStep(indices.back(), var) && unitStride ? Step::Unit : Step::Other;
}

bool isWordSize(int64_t bits, int elementBits) {
  return elementBits >= 8 && (bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128);
}

} // namespace

// What a loop becomes, or nothing if it has to be unrolled.
std::optional<CudaWriter::VectorLoop> CudaWriter::planVectorLoop(const For &loop) const {
  const Stmt *body = loop.body;
  if (const auto *seq = llvm::dyn_cast<Seq>(body); seq && seq->stmts.size() == 1)
    body = seq->stmts.front();
  std::optional<int64_t> lanes = constantValue(loop.extent);
  VectorLoop plan;
  plan.store = llvm::dyn_cast<Store>(body);
  if (!plan.store || !lanes || constantValue(loop.min) != 0)
    return std::nullopt;
  plan.lanes = *lanes;
  bool possible = true;
  auto isWide = [&](const Buffer &accessed, Step step) {
    return step == Step::Unit && isWordSize(*lanes * accessed.dtype.bits, accessed.dtype.bits);
  };
  walk(plan.store->value, [&](const Expr *part) {
    // A load under a condition must not be made ahead of it.
    possible &= !llvm::isa<Select>(part);
    const auto *load = llvm::dyn_cast<Load>(part);
    if (!load || !isMemory(buffer(load->buffer)))
      return;
    Step step = stepOf(buffer(load->buffer), load->slot, load->indices, loop.var);
    if (isWide(buffer(load->buffer), step))
      plan.wideLoads.push_back(load);
    else
      possible &= step == Step::None;
  });
  const Buffer &target = buffer(plan.store->buffer);
  plan.storesWide = isMemory(target);
  if (plan.storesWide)
    possible &= isWide(target, stepOf(target, plan.store->slot, plan.store->indices, loop.var));
  if (!possible || (!plan.storesWide && plan.wideLoads.empty()))
    return std::nullopt;
  return plan;
}

// Address of lane 0 of an access.
std::string CudaWriter::laneZero(BufferId id, const Expr *slot, ExprList indices, const Var *var) {
  Context &context = *state_.context;
  const Expr *zero = context.make<IntImm>(DType::int32(), 0);
  llvm::SmallVector<Range> ranges;
  for (const Expr *expr : indices)
    ranges.push_back({substitute(context, expr, {{var, zero}}), zero});
  return address({id, slot, ranges, {}});
}

std::string CudaWriter::declareLanes(llvm::StringRef wanted, DType dtype, int64_t lanes) {
  std::string name = names_.declare(wanted);
  line(llvm::formatv("alignas({0}) {1} {2}[{3}];", dtype.bytes(lanes), cudaTypeName(dtype), name,
                     lanes));
  return name;
}

bool CudaWriter::printVectorLoop(const For &loop) {
  std::optional<VectorLoop> plan = planVectorLoop(loop);
  if (!plan)
    return false;
  const Store &store = *plan->store;
  DType dtype = buffer(store.buffer).dtype;
  openBlock("");
  for (const Load *load : plan->wideLoads) {
    std::string wanted = bufferNames_[load->buffer] + "_wide";
    std::string name = declareLanes(wanted, load->dtype(), plan->lanes);
    line(llvm::formatv("{0}<{1}>({2}, {3});", call(Helper::CopyVector),
                       load->dtype().bytes(plan->lanes), name,
                       laneZero(load->buffer, load->slot, load->indices, loop.var)));
    wideNames_[load] = name;
  }
  std::string wide = plan->storesWide ? declareLanes("wide", dtype, plan->lanes) : "";
  line("#pragma unroll");
  std::string lane = declareVar(loop.var, {0, plan->lanes - 1});
  wideVars_.erase(loop.var->id.value);
  openBlock(llvm::formatv("for (int {0} = 0; {0} < {1}; ++{0})", lane, plan->lanes));
  wideLane_ = lane;
  std::string result = value(store.value);
  line(plan->storesWide ? wide + "[" + lane + "] = " + result + ";"
                        : assignment(store.buffer, store.slot, store.indices, result));
  wideNames_.clear();
  closeBlock();
  if (plan->storesWide)
    line(llvm::formatv("{0}<{1}>({2}, {3});", call(Helper::CopyVector), dtype.bytes(plan->lanes),
                       laneZero(store.buffer, store.slot, store.indices, loop.var), wide));
  closeBlock();
  varNames_.erase(loop.var->id.value);
  return true;
}

} // namespace tilescope
