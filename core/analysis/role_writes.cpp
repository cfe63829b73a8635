#include "core/analysis/role_writes.h"

#include "core/analysis/lane_arithmetic.h"
#include "core/ir/op_facts.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

// All of shared memory in bytes.
static constexpr int64_t MaxElementsOfRoles = 1 << 18;

RoleWrites::RoleWrites(Context &context, const Function &function)
    : context_(context), tree_(computeAccessTree(context, function, AccessDetail::Statements)),
      places_(computeStmtPlaces(context, function)) {
  for (auto [node, source] : llvm::zip_equal(tree_.program.nodes, tree_.sources))
    if (const auto *loop = llvm::dyn_cast_if_present<For>(source.first))
      loops_[node.stmt.value] = loop;
  if (llvm::any_of(tree_.program.nodes,
                   [](const AccessNode &node) { return node.kind == AccessNode::Kind::Roles; }))
    order_ = followSteps(tree_.program);
}

bool RoleWrites::areBefore(const Stmt *read, BufferId buffer) {
  auto [known, isNew] = answers_.try_emplace({read, buffer.value}, false);
  if (isNew)
    known->second = findBefore(read, buffer);
  return known->second;
}

bool RoleWrites::findBefore(const Stmt *read, BufferId buffer) {
  llvm::DenseSet<uint32_t> reads;
  for (uint32_t index = 0; index != tree_.program.nodes.size(); ++index)
    if (llvm::any_of(tree_.program.nodes[index].accesses,
                     [&](const Access &access) { return access.buffer == buffer; }) &&
        isSource(index, read))
      reads.insert(index);
  if (!order_.steps.isKnown() || reads.empty() || writesOf(buffer).shape.empty())
    return false;
  const Writes &writes = writesOf(buffer);
  const StepOrder &steps = order_.steps;
  for (size_t strand = 0; strand != steps.strands.size(); ++strand)
    for (auto [at, step] : llvm::enumerate(steps.stepsOf(strand))) {
      if (step.isOpaque ? !holds(step.node, reads) : !reads.contains(step.node))
        continue;
      if (step.isOpaque || step.isOutside)
        return false;
      std::optional<Box> box = boxAt(step, buffer, /*isWrite=*/false);
      Box all{llvm::SmallVector<int64_t>(writes.shape.size(), 0), writes.shape};
      if (steps.makes(tree_.program, strand, step) &&
          !isWrittenAt(writes, box.value_or(all), strand, at))
        return false;
    }
  return true;
}

const RoleWrites::Writes &RoleWrites::writesOf(BufferId id) {
  auto [known, isNew] = writes_.try_emplace(id.value);
  Writes &made = known->second;
  const Buffer &buffer = places_.function().buffer(id);
  std::optional<size_t> index = indexOf(tree_.program, id);
  std::optional<llvm::SmallVector<int64_t>> shape = constantShape(buffer);
  if (!isNew || !index || tree_.program.buffers[*index].versions != 1 || !shape)
    return made;
  int64_t elements = 1;
  for (int64_t extent : *shape) {
    if (extent < 1 || extent > MaxElementsOfRoles / elements)
      return made;
    elements *= extent;
  }
  made.shape = std::move(*shape);
  for (auto [lane, steps] : llvm::enumerate(order_.steps.lanes.lanes))
    for (auto [at, step] : llvm::enumerate(steps.steps)) {
      if (step.isOpaque || step.isOutside)
        continue;
      for (const Access &access : tree_.program.nodes[step.node].accesses) {
        bool isOfQueue = access.async && !access.mbarrier;
        if (access.buffer != id || access.kind != AccessKind::Write || isOfQueue ||
            access.mayNotHappen)
          continue;
        std::optional<Box> box;
        if (access.full)
          box = Box{llvm::SmallVector<int64_t>(made.shape.size(), 0), made.shape};
        else
          box = boxAt(step, id, /*isWrite=*/true);
        if (box)
          made.writes.push_back({lane, at, &access, std::move(*box)});
      }
    }
  return made;
}

// Of the only operation of a step, which touches it once, in this iteration.
std::optional<RoleWrites::Box> RoleWrites::boxAt(const LaneStep &step, BufferId buffer,
                                                 bool isWrite) {
  const AccessSource &source = tree_.sources[step.node];
  const auto *op = llvm::dyn_cast_if_present<OpStmt>(source.first);
  if (!op || source.first != source.last)
    return std::nullopt;
  LaneArithmetic arithmetic;
  if (const For *loop = step.loop.isValid() ? loops_.lookup(step.loop.value) : nullptr)
    if (std::optional<int64_t> first = constantValue(loop->min))
      arithmetic.bind(loop->var, {*first + step.iteration});
  std::optional<Box> box;
  for (const BufferAccess &access : accessesOf(context_, op)) {
    if (access.buffer != buffer || (access.effect == Effect::Read) == isWrite)
      continue;
    if (box || !access.operand || access.operand->leavesRest)
      return std::nullopt;
    box.emplace();
    for (const Range &range : access.ranges) {
      Lanes first = arithmetic.evaluate(range.min), extent = arithmetic.evaluate(range.extent);
      if (first.size() != 1 || extent.size() != 1)
        return std::nullopt;
      box->first.push_back(first[0]);
      box->extents.push_back(extent[0]);
    }
  }
  return box;
}

bool RoleWrites::isSource(uint32_t node, const Stmt *stmt) const {
  const AccessSource &source = tree_.sources[node];
  for (; stmt && stmt != source.first && stmt != source.last; stmt = places_.parentOf(stmt)) {
  }
  return stmt && isLeaf(tree_.program.nodes[node]);
}

bool RoleWrites::holds(uint32_t node, const llvm::DenseSet<uint32_t> &wanted) const {
  return wanted.contains(node) ||
         llvm::any_of(tree_.program.nodes[node].children,
                      [&](uint32_t child) { return holds(child, wanted); });
}

// Threads of one role meet where one writes what another reads.
bool RoleWrites::isOver(const Write &write, size_t strand, size_t at) const {
  const StepOrder &steps = order_.steps;
  llvm::ArrayRef<int32_t> known = steps.knownAt(strand, at);
  if (write.access->mbarrier) {
    llvm::ArrayRef<PhaseNeed> needs = steps.arrivals[write.lane][write.step];
    return !needs.empty() && llvm::all_of(needs, [&](const PhaseNeed &need) {
      return need.mbarrier != PhaseNeed::Nothing &&
             need.phases <= known[steps.strands.size() + static_cast<size_t>(need.mbarrier)];
    });
  }
  const Strand &reader = steps.strands[strand];
  if (!reader.isOutside && reader.lane == write.lane)
    return write.step < at;
  const LaneStep &step = steps.lanes.lanes[write.lane].steps[write.step];
  for (auto [other, who] : llvm::enumerate(steps.strands))
    if (who.lane == write.lane && !who.isOutside && steps.makes(tree_.program, other, step) &&
        known[other] <= static_cast<int32_t>(write.step))
      return false;
  return true;
}

bool RoleWrites::isWrittenAt(const Writes &writes, const Box &box, size_t strand,
                             size_t step) const {
  int64_t elements = 1;
  for (auto [first, extent, shape] : llvm::zip_equal(box.first, box.extents, writes.shape)) {
    if (first < 0 || extent < 1 || first + extent > shape)
      return false;
    elements *= shape;
  }
  ElementSet written(elements);
  auto isCovered = [&] {
    bool isAll = true;
    forEachRun(writes.shape, box.first, box.extents, [&](int64_t begin, int64_t end) {
      isAll = isAll && !written.firstMissing(begin, end);
    });
    return isAll;
  };
  for (const Write &write : writes.writes) {
    bool isInside = llvm::all_of(llvm::zip_equal(write.box.first, write.box.extents, writes.shape),
                                 [](auto axis) {
                                   auto [first, extent, shape] = axis;
                                   return first >= 0 && extent > 0 && first + extent <= shape;
                                 });
    if (!isInside || !isOver(write, strand, step))
      continue;
    forEachRun(writes.shape, write.box.first, write.box.extents,
               [&](int64_t begin, int64_t end) { written.add(begin, end); });
    written.normalise();
    if (isCovered())
      return true;
  }
  return false;
}

} // namespace tilescope
