#include "core/frontend/lane_loops.h"

#include "core/frontend/buffers.h"
#include "core/ir/expr_equal.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

namespace {

// Several expressions as one of the lane's number.
class LaneRoller {
public:
  LaneRoller(Builder &ir, const Var *lane) : ir_(ir), lane_(lane) {}

  // Null: they differ otherwise.
  const Expr *roll(llvm::ArrayRef<const Expr *> lanes) {
    const Expr *first = lanes.front();
    if (llvm::all_of(lanes, [&](const Expr *lane) { return isSameExpr(first, lane); }))
      return first;
    if (!llvm::all_of(lanes, [&](const Expr *lane) { return lane->dtype() == first->dtype(); }))
      return nullptr;
    if (const Expr *place = first->dtype().isInteger() ? rollSum(lanes) : nullptr)
      return place;
    return llvm::all_of(lanes, [&](const Expr *lane) { return isSameKind(first, lane); })
               ? rollChildren(lanes)
               : nullptr;
  }

private:
  const Expr *rollSum(llvm::ArrayRef<const Expr *> lanes) {
    std::optional<int64_t> step = strideOf(ir_, lanes);
    if (!step)
      return nullptr;
    DType dtype = lanes[0]->dtype();
    return ir_.add(lanes[0], ir_.mul(ir_.cast(dtype, lane_), ir_.integer(*step, dtype)));
  }

  // What they do with their operands; leaves are not of one kind unless they are the same.
  static bool isSameKind(const Expr *a, const Expr *b) {
    if (a->kind() != b->kind())
      return false;
    if (const auto *unary = llvm::dyn_cast<Unary>(a))
      return unary->op == llvm::cast<Unary>(b)->op;
    if (const auto *binary = llvm::dyn_cast<Binary>(a))
      return binary->op == llvm::cast<Binary>(b)->op;
    if (const auto *math = llvm::dyn_cast<Math>(a))
      return math->fn == llvm::cast<Math>(b)->fn;
    if (const auto *load = llvm::dyn_cast<Load>(a))
      return load->buffer == llvm::cast<Load>(b)->buffer && !load->slot;
    return llvm::isa<Cast, Select>(a);
  }

  const Expr *rollChildren(llvm::ArrayRef<const Expr *> lanes) {
    std::vector<llvm::SmallVector<const Expr *, 4>> children(lanes.size());
    for (auto [lane, own] : llvm::zip_equal(lanes, children))
      forEachChild(lane, [&, &own = own](const Expr *child) { own.push_back(child); });
    llvm::SmallVector<const Expr *, 4> rolled;
    for (size_t i = 0; i < children.front().size(); ++i) {
      llvm::SmallVector<const Expr *, 8> column;
      for (const auto &own : children)
        column.push_back(own[i]);
      rolled.push_back(roll(column));
      if (!rolled.back())
        return nullptr;
    }
    size_t next = 0;
    return mapChildren(ir_.context(), lanes.front(), [&](const Expr *) { return rolled[next++]; });
  }

  Builder &ir_;
  const Var *lane_;
};

} // namespace

std::optional<int64_t> strideOf(Builder &ir, llvm::ArrayRef<const Expr *> lanes) {
  std::optional<int64_t> step = constantValue(distance(ir, lanes[0], lanes[1]));
  for (size_t i = 2; step && i < lanes.size(); ++i)
    if (constantValue(distance(ir, lanes[i - 1], lanes[i])) != step)
      return std::nullopt;
  return step;
}

static bool readsFrom(Evaluation &evaluation, const Expr *value, const BufferObject &buffer) {
  auto rootOf = [](const BufferObject &any) {
    return any.draft.viewOf.isValid() ? any.draft.viewOf : any.draft.id;
  };
  bool found = false;
  walk(value, [&](const Expr *part) {
    const auto *load = llvm::dyn_cast<Load>(part);
    const BufferObject *read = load ? evaluation.kernel->findBuffer(load->buffer) : nullptr;
    found |= load && (!read || rootOf(*read) == rootOf(buffer));
  });
  return found;
}

// Null: the lanes are no loop.
static const Stmt *laneLoop(Evaluation &evaluation, const BufferObject &buffer,
                            llvm::ArrayRef<LaneStore> stores, Span span) {
  Context &context = evaluation.context;
  Builder &ir = evaluation.ir;
  bool isOverlapping = llvm::any_of(stores, [&](const LaneStore &store) {
    return readsFrom(evaluation, store.value, buffer) || llvm::any_of(store.indices, readsMemory);
  });
  if (isOverlapping)
    return nullptr;
  const Var *lane = evaluation.kernel->newVar("lane", DType::int32());
  LaneRoller roller(ir, lane);
  llvm::SmallVector<const Expr *, 8> column;
  llvm::SmallVector<const Expr *, 4> indices;
  for (size_t axis = 0; axis < stores.front().indices.size(); ++axis) {
    column.clear();
    for (const LaneStore &store : stores)
      column.push_back(store.indices[axis]);
    indices.push_back(roller.roll(column));
    if (!indices.back())
      return nullptr;
  }
  column.clear();
  for (const LaneStore &store : stores)
    column.push_back(store.value);
  const Expr *value = roller.roll(column);
  if (!value)
    return nullptr;
  const Stmt *store = context.make<Store>(ir.fresh(span), buffer.draft.id, nullptr,
                                          context.copy<const Expr *>(indices), value);
  return context.make<For>(ir.fresh(span), lane, ir.integer(0),
                           ir.integer(static_cast<int64_t>(stores.size())), ForKind::Vectorized,
                           store);
}

void emitLaneStores(Evaluation &evaluation, const BufferObject &buffer,
                    llvm::ArrayRef<LaneStore> stores, Span span) {
  KernelBuilder &kernel = *evaluation.kernel;
  if (const Stmt *loop = laneLoop(evaluation, buffer, stores, span))
    return kernel.emit(loop);
  auto settled = [&](const Expr *expr) {
    return readsMemory(expr) ? kernel.bind("lane", expr, span) : expr;
  };
  std::vector<LaneStore> read;
  for (const LaneStore &store : stores) {
    llvm::SmallVector<const Expr *, 4> indices(llvm::map_range(store.indices, settled));
    read.push_back({evaluation.context.copy<const Expr *>(indices), settled(store.value)});
  }
  for (const LaneStore &store : read)
    kernel.emit(evaluation.context.make<Store>(evaluation.ir.fresh(span), buffer.draft.id, nullptr,
                                               store.indices, store.value));
}

} // namespace tilescope::frontend
