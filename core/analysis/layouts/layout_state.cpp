#include "core/analysis/layouts/layout_state.h"

#include "core/analysis/layouts/wide_axes.h"
#include "core/analysis/mma_layouts.h"
#include "core/ir/build.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

LayoutState::LayoutState(Context &context, const Function &function, const Target &target,
                         int64_t threads)
    : context_(context), function_(function), target_(target), threads_(threads),
      threadsOfBlock_(threads), bound_(boundValuesOf(function)) {
  for (const Buffer *buffer : function.buffers)
    if (buffer->layout)
      buffers_[buffer->id.value] = {buffer->layout, nullptr};
  findSerialAxes();
  walk(function.body, [&](const Stmt *stmt) {
    if (const auto *role = llvm::dyn_cast<Role>(stmt))
      walk(role->thenBody, [&](const Stmt *inside) {
        threadsOfRole_[inside] = role->threads;
        return true;
      });
    return true;
  });
}

void LayoutState::startStmt(const Stmt &stmt) {
  auto found = threadsOfRole_.find(&stmt);
  threads_ = found == threadsOfRole_.end() ? threadsOfBlock_ : found->second;
}

void LayoutState::findSerialAxes() {
  walk(function_.body, [&](const Stmt *stmt) {
    if (const auto *parallel = llvm::dyn_cast<Parallel>(stmt))
      for (const FragmentAccess &access : fragmentAccesses(context_, *parallel, function_))
        addSerialAxes(access);
    if (llvm::isa<OpStmt>(stmt))
      for (const BufferAccess &access : accessesOf(context_, stmt))
        if (isFragment(access.buffer))
          addSerialAxes(accessOfMove(access));
    return !llvm::isa<Parallel>(stmt);
  });
}

void LayoutState::addSerialAxes(const FragmentAccess &access) {
  llvm::SmallVector<bool> &serial = serialAxes_[access.buffer.value];
  serial.resize(access.axes.size(), false);
  for (auto [axis, parts] : llvm::enumerate(access.axes))
    serial[axis] |= !isOfLoop(parts) && constantValue(buffer(access.buffer).shape[axis]) != 1;
}

const KnownLayout *LayoutState::known(BufferId id) const {
  auto found = buffers_.find(id.value);
  return found == buffers_.end() ? nullptr : &found->second;
}

const Layout *LayoutState::find(BufferId id) const {
  const KnownLayout *entry = known(id);
  return entry ? entry->layout : nullptr;
}

const Layout *LayoutState::find(const Parallel &parallel) const {
  return parallel.layout ? parallel.layout : parallels_.lookup(parallel.id().value);
}

std::string LayoutConflict::origin() const {
  return "the layout comes from here" + (has ? ": " + toString(*has) : "");
}

std::string LayoutConflict::advice() const {
  return (served->isFragment() ? "a fragment" : "a tile") +
         std::string(" that would serve here: ") + toString(*served) +
         "; copies through shared memory move elements there";
}

void LayoutState::setFragment(BufferId id, const Layout *layout, const Stmt *by) {
  if (const KnownLayout *entry = known(id)) {
    if (*entry->layout == *layout)
      return;
    std::string reason = llvm::formatv("needs {0}, but it already has {1}", toString(*layout),
                                       toString(*entry->layout));
    addConflict({LayoutConflict::Kind::Layouts, by, id, std::move(reason), entry->setBy, layout,
                 entry->layout, layout});
    return;
  }
  buffers_[id.value] = {layout, by};
  ++revision_;
}

const Layout *LayoutState::planFragment(BufferId id, int64_t vector) {
  std::optional<llvm::SmallVector<int64_t>> shape = constantShape(buffer(id));
  if (!shape)
    return nullptr;
  llvm::SmallVector<bool> serial = serialAxes_.lookup(id.value);
  serial.resize(shape->size(), false);
  int64_t total = 1;
  for (auto [extent, isSerial] : llvm::zip_equal(*shape, serial))
    total *= isSerial ? 1 : extent;
  // Rather all threads with short vectors than some with long ones.
  while (vector > 1 && (total / vector < threads_ || shape->back() % vector != 0))
    vector /= 2;
  return planPartition(context_, *shape, serial, vector, threads_, /*replicate=*/true);
}

void LayoutState::wishSwizzle(BufferId id, const Stmt *by) {
  const Buffer &tile = buffer(id);
  std::optional<int64_t> columns = constantValue(tile.shape.empty() ? nullptr : tile.shape.back());
  if (!isShared(tile.scope) || tile.shape.size() < 2 || !columns || find(id))
    return;
  buffers_[id.value] = {swizzleForRow(context_, tile.dtype.bytes(*columns)), by};
  ++revision_;
}

void LayoutState::wantSwizzle(BufferId id, const Layout *layout, const Stmt *by) {
  const Layout *known = find(id);
  if (known && *known == *layout)
    return;
  if (known && (known->kind != LayoutKind::Swizzle || known->isAligned))
    return addConflict({LayoutConflict::Kind::Layouts, by, id,
                        "needs " + toString(*layout) + ", has " + toString(*known),
                        buffers_[id.value].setBy, nullptr, known, layout});
  buffers_[id.value] = {layout, by};
  ++revision_;
}

void LayoutState::keepRowMajor(BufferId id, const Stmt *by) {
  if (!isShared(buffer(id).scope) || find(id))
    return;
  buffers_[id.value] = {makeRowMajor(context_), by};
  ++revision_;
}

void LayoutState::setParallel(const Parallel &parallel, const Layout *layout) {
  parallels_[parallel.id().value] = layout;
  ++revision_;
}

void LayoutState::addConflict(LayoutConflict conflict) {
  bool isKnown = llvm::any_of(conflicts_, [&](const LayoutConflict &other) {
    return other.stmt == conflict.stmt && other.buffer == conflict.buffer;
  });
  if (!isKnown)
    conflicts_.push_back(std::move(conflict));
}

void inferLayout(LayoutState &state, const Stmt &stmt, LayoutStrength strength) {
  state.startStmt(stmt);
  if (const auto *parallel = llvm::dyn_cast<Parallel>(&stmt))
    return inferParallelLayout(state, *parallel, strength);
  const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
  if (!op)
    return;
  switch (op->op) {
#define LAYOUT(Name)                                                                               \
  case Op::Name:                                                                                   \
    return infer##Name##Layout(state, *op, strength);
#include "core/ops/layouts.def"
  default:
    return;
  }
}

bool wishesForLayouts(const OpStmt &op) {
  static constexpr Op All[] = {
#define LAYOUT(Name) Op::Name,
#include "core/ops/layouts.def"
  };
  return llvm::is_contained(All, op.op);
}

const Layout *dropDimension(Context &context, const Layout &layout, size_t dim) {
  llvm::SmallVector<DigitList> dims;
  for (auto [index, digits] : llvm::enumerate(layout.dims))
    if (index != dim)
      dims.push_back(DigitList(digits));
  DigitList copies(layout.replicas);
  llvm::copy_if(layout.dims[dim], std::back_inserter(copies),
                [](const Digit &digit) { return digit.onThread; });
  return makeDenseFragment(context, dims, copies);
}

bool isWhole(const BufferRegion &region, const Buffer &buffer) {
  return llvm::all_of(llvm::zip_equal(region.ranges, buffer.shape), [](auto pair) {
    auto [range, extent] = pair;
    bool isFull = range.extent == extent ||
                  (constantValue(extent) && constantValue(range.extent) == constantValue(extent));
    return constantValue(range.min) == 0 && isFull;
  });
}

} // namespace tilescope
