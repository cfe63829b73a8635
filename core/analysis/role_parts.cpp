#include "core/analysis/role_parts.h"

#include "core/analysis/ir_affine.h"
#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>
#include <set>

namespace tilescope {

namespace {

constexpr int64_t RowsOfSwizzle = 8; // after which a swizzle begins again

bool isOfStores(const OpStmt &op) { return op.opInfo().queue == AsyncQueue::BulkStore; }

// What the role does with a buffer, but for what asks or tells an mbarrier something.
struct RoleUse {
  bool isRead = false;
  bool isWritten = false;
};

class PartFinder {
public:
  PartFinder(Context &context, const Function &function, const Launch &launch, const Role &role)
      : context_(context), function_(function), launch_(launch), role_(role),
        groups_(role.threads / WarpGroupThreads) {}

  RoleParts run() {
    collectUses();
    checkOperations();
    for (const auto &[buffer, use] : uses_)
      checkBuffer(function_.buffer(buffer), use);
    for (int64_t group = 0; group != groups_ && parts_.reason.empty() && !parts_.tiles.empty();
         ++group)
      checkRows(group);
    return std::move(parts_);
  }

private:
  void refuse(std::string reason) {
    if (parts_.reason.empty())
      parts_.reason = std::move(reason);
  }

  void collectUses() {
    walk(role_.thenBody, [&](const Stmt *stmt) {
      for (const BufferAccess &access : accessesOf(context_, stmt)) {
        bool isAtomic = access.operand && access.operand->isAtomic;
        bool isMbarrier = access.operand && access.operand->isMbarrier;
        RoleUse &use = uses_[access.buffer];
        use.isRead |= access.effect != Effect::Write && !isMbarrier && !isAtomic;
        use.isWritten |= access.effect != Effect::Read && !isMbarrier;
      }
      return true;
    });
  }

  void checkOperations() {
    walk(role_.thenBody, [&](const Stmt *stmt) {
      if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
        checkOperation(*op);
      return parts_.reason.empty();
    });
  }

  void checkOperation(const OpStmt &op) {
    OpScope scope = scopeOf(op);
    OpSync sync = op.opInfo().sync;
    std::string name = ("T." + nameOf(op.op)).str();
    bool isOfBlock = scope == OpScope::Block || scope == OpScope::Cluster;
    bool followsStores = isOfStores(op) && (sync == OpSync::Commit || sync == OpSync::Wait);
    if (sync == OpSync::NamedBarrier || (sync == OpSync::Barrier && isOfBlock))
      refuse("it has barriers of its own");
    else if (isOfBlock || op.opInfo().isForeign)
      refuse(name + " may be of all its threads");
    else if (scope == OpScope::Elected && !isBoxStore(op) && !followsStores)
      refuse("one of its threads does " + name);
  }

  void checkBuffer(const Buffer &buffer, const RoleUse &use) {
    if (!use.isWritten || !isMemory(buffer.scope))
      return;
    if (buffer.scope == Scope::Global) {
      if (use.isRead)
        refuse(llvm::formatv("it writes '{0}', and reads it", buffer.name));
      return;
    }
    if (std::string reason = whyNotByRows(buffer); !reason.empty())
      refuse(llvm::formatv("it writes '{0}', which {1}", buffer.name, reason));
    else
      parts_.tiles.push_back(buffer.id);
  }

  std::string whyNotByRows(const Buffer &buffer) const {
    std::optional<int64_t> rows =
        buffer.shape.size() == 2 ? constantValue(buffer.shape[0]) : std::nullopt;
    if (buffer.scope != Scope::Shared || buffer.versions != 1 || !rows ||
        !constantValue(buffer.shape[1]) || *rows % (groups_ * RowsOfSwizzle) != 0)
      return llvm::formatv("is no matrix of {0} times as many rows", groups_);
    if (!buffer.layout || !buffer.layout->isAligned)
      return "has rows that do not lie alike in its parts";
    bool isElsewhere = false;
    walk(launch_.body, [&](const Stmt *stmt) {
      for (const BufferAccess &access : accessesOf(context_, stmt))
        isElsewhere |= access.buffer == buffer.id;
      return stmt != &role_ && !isElsewhere;
    });
    return isElsewhere ? "others use, too" : "";
  }

  // That the threads of the warp group touch rows of their own only. They are those of a loop here,
  // so that bounds of names that are bound to parts of their number are known.
  void checkRows(int64_t group) {
    Builder builder(context_);
    const Var *thread = launch_.threadVar;
    auto number = [&](int64_t value) { return builder.integer(value, thread->dtype()); };
    const Var *lane = builder.var("lane", thread->dtype());
    int64_t first = role_.firstThread + group * WarpGroupThreads;
    const Stmt *body =
        cloneStmt(context_, role_.thenBody, {{thread, builder.add(lane, number(first))}});
    const Stmt *lanes = context_.make<For>(builder.fresh(role_.span()), lane, number(0),
                                           number(WarpGroupThreads), ForKind::Serial, body);
    IrAffine affine(context_, *withBody(context_, function_, lanes));
    walk(body, [&](const Stmt *stmt) {
      const auto *op = llvm::dyn_cast<OpStmt>(stmt);
      for (const BufferAccess &access : accessesOf(context_, stmt)) {
        if (!llvm::is_contained(parts_.tiles, access.buffer))
          continue;
        bool isOwn = op && isBoxStore(*op) ? isOfAllRows(*op) : isInRows(affine, access, group);
        if (!isOwn)
          refuse(llvm::formatv("it uses '{0}' by other rows than those of each warp group",
                               function_.buffer(access.buffer).name));
      }
      return parts_.reason.empty();
    });
  }

  int64_t rowsOf(BufferId tile) const {
    return *constantValue(function_.buffer(tile).shape[0]) / groups_;
  }

  bool isInRows(IrAffine &affine, const BufferAccess &access, int64_t group) const {
    int64_t rows = rowsOf(access.buffer);
    std::optional<int64_t> extent = constantValue(access.ranges[0].extent);
    return extent &&
           affine.bounds(access.ranges[0].min).within(group * rows, (group + 1) * rows - *extent);
  }

  // Of the tile and of the tensor.
  bool isOfAllRows(const OpStmt &store) const {
    const BufferRegion &tile = store.regions[0];
    int64_t rows = rowsOf(tile.buffer) * groups_;
    std::optional<BoxAxes> axes = boxAxesOf(store.regions[1]);
    return constantValue(tile.ranges[0].min) == 0 && constantValue(tile.ranges[0].extent) == rows &&
           axes && constantValue(store.regions[1].ranges[axes->row].extent) == rows;
  }

  Context &context_;
  const Function &function_;
  const Launch &launch_;
  const Role &role_;
  int64_t groups_;
  std::map<BufferId, RoleUse> uses_;
  RoleParts parts_;
};

} // namespace

bool isBoxStore(const OpStmt &op) { return isOfStores(op) && op.opInfo().work == OpWork::Move; }

std::optional<BoxAxes> boxAxesOf(const BufferRegion &inTensor) {
  llvm::SmallVector<size_t> axes;
  for (auto [axis, range] : llvm::enumerate(inTensor.ranges))
    if (constantValue(range.extent) != 1)
      axes.push_back(axis);
  return axes.size() == 2 ? std::optional(BoxAxes{axes[0], axes[1]}) : std::nullopt;
}

RoleParts computeRoleParts(Context &context, const Function &function, const Launch &launch,
                           const Role &role) {
  return PartFinder(context, function, launch, role).run();
}

} // namespace tilescope
